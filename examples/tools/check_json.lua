--- Checks every JSON file below a folder, and says how far it is. What is wrong is a result, not a failure.

--- The fault of one file: its line and what is said of it; nil when there is none.
local function fault(path)
  local ok, err = pcall(agent.json.decode, tools.read(path).text)
  if not ok then return path .. ": " .. err.message end
end

return {
  description = "Checks that the JSON files below a folder can be read. Lists those that cannot, with the place.",
  parameters = { "path", path = { "path", default = ".", description = "The folder" } },
  effect = "read",
  execute = function(args, ctx)
    local paths = tools.glob { pattern = "**/*.json", path = args.path }.paths
    local faults = agent.array {}
    for i, path in ipairs(paths) do
      ctx.progress(i, #paths, path)
      faults[#faults + 1] = fault(path)
    end
    local text = #faults == 0 and #paths .. " files, all well" or table.concat(faults, "\n")
    return { output = text, metadata = { checked = #paths, faults = faults } }
  end,
}
