#!/usr/bin/env -S agent script
--- rename OLD NEW: every whole-word use in the workspace, then the tests; prints the diff.
--- A red test, a file that cannot be changed, or Ctrl-C puts every byte back.
local opt = agent.args {
  "old", "new",
  new = { "string", description = "one word, to the letter" },
  test = { "string", default = "cargo test", description = "must pass, or nothing stays changed" },
  dry_run = { "boolean", default = false, description = "print the diff and change nothing" },
}
if not agent.re.find(opt.new, "^\\S+$") then
  local hint = "give it without blanks, such as new_name"
  error { kind = "argument", message = ("NEW is one word, got %q"):format(opt.new), hint = hint }
end
local word = "\\b" .. agent.re.escape(opt.old) .. "\\b"
local replacement = opt.new:gsub("%$", "$$") -- `$` has a meaning in replacements

--- What would change: { path, old, new }, texts; and how many uses there are.
local function planned()
  local changes, uses = {}, 0
  for _, path in ipairs(tools.grep { pattern = word, path = agent.workspace, show = "files" }.paths) do
    local text = tools.read(path).text
    local new, count = agent.re.gsub(text, word, replacement)
    changes[#changes + 1], uses = { path = path, old = text, new = new }, uses + count
  end
  return changes, uses
end

local function write(changes)
  for i, change in ipairs(changes) do
    agent.progress(i, #changes, change.path)
    tools.write { path = change.path, content = change.new }
  end
end

--- The files that the tests have changed too, so that the transaction left them alone. What could not be
--- put back, as lines.
local function put_back(changes, paths)
  local theirs, lost = {}, {}
  for _, path in ipairs(paths or {}) do theirs[path] = true end
  for _, change in ipairs(changes) do
    if theirs[change.path] then
      agent.try(tools.read, change.path)
      local written, why = agent.try(tools.write, { path = change.path, content = change.old })
      if not written then lost[#lost + 1] = change.path .. ": " .. why.message end
    end
  end
  return lost
end

local function check()
  local run = tools.shell { command = opt.test, timeout = 600 }
  if run.exit_code ~= 0 then
    agent.log(run.output)
    error { kind = "failed", message = ("`%s` failed"):format(opt.test) }
  end
end

local function counted(count, what) return ("%d %s%s"):format(count, what, count == 1 and "" or "s") end

local changes, uses = planned()
if #changes == 0 then error { kind = "not_found", message = opt.old .. " is used nowhere" } end
local what = counted(uses, "use") .. " in " .. counted(#changes, "file")
if opt.dry_run then
  for _, change in ipairs(changes) do io.write(agent.text.diff(change.old, change.new, change.path)) end
  what = what .. ", nothing changed"
else
  local why
  local done, left = agent.try(agent.transaction, function()
    local green, raised = pcall(function()
      write(changes)
      check()
    end)
    why = raised
    if not green then error(raised, 0) end
  end)
  if not done then
    local lost = put_back(changes, left.detail and left.detail.conflict)
    if #lost > 0 then error { kind = "failed", message = "not as before: " .. table.concat(lost, "; ") } end
    local files = #changes == 1 and "the file is" or ("all %d files are"):format(#changes)
    why.message = ("%s; %s as before"):format(why.message, files)
    error(why, 0)
  end
  io.write(done.diff)
  what = what .. ", tests green"
end
agent.log(what)
