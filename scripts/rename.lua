#!/usr/bin/env -S agent script
--- rename OLD NEW: every whole-word use in the workspace, then the tests; prints the diff.
--- A red test, or a file that cannot be changed, puts every byte back.
local opt = agent.args {
  "old", "new",
  test = { "string", default = "cargo test", description = "must pass, or nothing stays changed" },
  dry_run = { "boolean", default = false, description = "print the diff and change nothing" },
}
local word = "\\b" .. agent.re.escape(opt.old) .. "\\b"

--- What would change: { path, old, new }, texts.
local function planned()
  local changes = {}
  for _, path in ipairs(tools.grep { pattern = word, show = "files" }.paths) do
    local text = tools.read(path).text
    changes[#changes + 1] = { path = path, old = text, new = (agent.re.gsub(text, word, opt.new)) }
  end
  return changes
end

--- Writes one side of every change, `old` or `new`.
local function write(changes, side)
  for i, change in ipairs(changes) do
    agent.progress(i, #changes, change.path)
    tools.write { path = change.path, content = change[side] }
  end
end

local function check()
  local run = tools.shell { command = opt.test, timeout = 600 }
  if run.exit_code ~= 0 then error { kind = "failed", message = opt.test .. " failed", hint = run.output } end
end

local changes = planned()
if #changes == 0 then error { kind = "not_found", message = opt.old .. " is used nowhere" } end
if not opt.dry_run then
  local done, why = pcall(function()
    write(changes, "new")
    check()
  end)
  if not done then
    write(changes, "old")
    error(why, 0)
  end
end
for _, change in ipairs(changes) do io.write(agent.text.diff(change.old, change.new, change.path)) end
