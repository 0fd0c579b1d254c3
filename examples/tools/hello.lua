--- The smallest tool: a file that returns what it takes and what it does.
return {
  description = "Greets somebody by name.",
  parameters = { "name" },
  effect = "read",
  execute = function(args) return "hello " .. args.name end,
}
