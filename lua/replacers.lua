--- How an edit finds the place it means: the replacers in the order they are asked, and what counts.
--- A name that is left out of the chain is off; `{ "name", function(text, old) }` in it is a replacer of your own.
return {
  policy = "safe",
  thresholds = {
    block_anchor = 0.65,        -- how like the middle must be between two lines that are there
    context_aware = 0.5,        -- which part of the lines between them must be the same
    larger = 2,                 -- how many times the lines of what was quoted may be replaced
    block_anchor_single = 0.0,  -- the last two hold under `opencode`: one block with these anchors,
    block_anchor_several = 0.3, -- or the best of several
  },
  chain = {
    "simple", "line_trimmed", "block_anchor", "whitespace_normalized", "indentation_flexible",
    "escape_normalized", "trimmed_boundary", "context_aware", "multi_occurrence",
  },
}
