#!/usr/bin/env -S agent script
--- header TEXT [--glob PATTERN] [--dry-run]: puts a first line into every file that lacks it.
--- A TEXT that begins with a dash stands behind `--`: agent script examples/header.lua -- '-- MIT'
--- All files or none: whatever fails, what was written before is put back.
local opt = agent.args {
  "text",
  text = { "string", description = "the first line" },
  glob = { "string", default = "**/*.lua", description = "which files" },
  dry_run = { "boolean", default = false, description = "say what would change" },
}

--- The files that do not begin with the text.
local function lacking()
  local found = {}
  for _, path in ipairs(tools.glob(opt.glob).paths) do
    if tools.read(path).text:sub(1, #opt.text) ~= opt.text then found[#found + 1] = path end
  end
  table.sort(found)
  return found
end

local paths = lacking()
if opt.dry_run then
  for _, path in ipairs(paths) do print(path) end
  return
end
local change = agent.transaction(function()
  for i, path in ipairs(paths) do
    agent.progress(i, #paths, path)
    tools.write { path = path, content = opt.text .. "\n" .. tools.read(path).text }
  end
end)
print(#change.files .. " of " .. #tools.glob(opt.glob).paths .. " files changed")
