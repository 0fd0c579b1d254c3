--- A tool: `agent --tools .agent/tools call hello world`. Change it, or delete it.
return {
  description = "Greets somebody by name.",
  parameters = { "name", loud = { "boolean", default = false, description = "Whether to shout" } },
  effect = "read",
  execute = function(args)
    local text = "hello " .. args.name
    return args.loud and text:upper() or text
  end,
}
