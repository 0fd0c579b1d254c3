--- Two hooks and no tool: generated files stay as they are, and every failed call is noted in the log.
agent.on("tool.before", function(call)
  local path = call.args.path
  if call.tool ~= "read" and type(path) == "string" and path:find("%.gen%.") then
    return "deny", path .. " is generated; change what it is made from"
  end
end)

agent.on("tool.after", function(call)
  if call.error then agent.log(call.tool .. ": " .. call.error.kind, "warn") end
end)
