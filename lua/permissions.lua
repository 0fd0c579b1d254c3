--- Rules that come with the program. There are none: what no rule settles is decided by who calls and what would happen.
--- A rule is `{ name, pattern, action, reason = }`; of one file the last that matches speaks.
return { rules = {} }
