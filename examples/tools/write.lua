--- Takes the place of `write`: a text ends with a newline. What is not changed here is the shipped tool's.
local shipped = require "builtin.tools.write"

return {
  description = shipped.description .. " A newline is added at the end where there is none.",
  parameters = shipped.parameters,
  surface = shipped.surface,
  subjects = shipped.subjects,
  effect = shipped.effect,
  execute = function(args)
    if args.content ~= "" and args.content:sub(-1) ~= "\n" then args.content = args.content .. "\n" end
    return shipped.execute(args)
  end,
}
