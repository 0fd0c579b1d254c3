--- How much of a tool's result a language model gets; the rest is kept as a spill, to be read on demand.
--- By the id of a tool: a table, or `function(call, text)` that returns one or nil. Lines and bytes, whichever comes first.
return {
  default = { lines = 2000, bytes = 51200, keep = "head" },
  -- A command says at its start what it does and at its end how it went.
  shell = { keep = "both" },
}
