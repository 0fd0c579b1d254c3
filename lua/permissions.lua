--- Rules that come with the program. There are none: what no rule settles is decided by who calls and what would happen.
--- A rule is `{ name, pattern, action, reason = }`; of one file the last that matches speaks. `classifier` judges in the mode `auto`
--- what no rule settles; it is read when it is first asked.
return {
  rules = {},
  classifier = function(call) return require("builtin.classifier").judge(call) end,
}
