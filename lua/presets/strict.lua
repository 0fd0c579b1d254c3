--- The preset `strict`: every write asks, whoever calls; a command counts as one, since it may write anything.
--- Name it in `permissions.lua`: `preset = "strict"`. Rules beside it come after its own.
return {
  rules = {
    { "*.write", "ask", reason = "every write is asked about" },
    { "*.run", "ask", reason = "a command may write anything" },
    { "edit", "ask", reason = "every write is asked about" },
  },
}
