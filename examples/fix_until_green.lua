#!/usr/bin/env -S agent script
--- fix_until_green [CRATE]: mends a copy of a broken crate with the compiler's own suggestions.
--- Tests, applies what the compiler marks as safe to apply, tests again: until the tests are green,
--- or until nothing moves any more (exit 1). The copy is target/fix_until_green; prints the diff.
local opt = agent.args {
  "crate",
  crate = { "path", default = "examples/broken", description = "the crate to copy and mend" },
  rounds = { "integer", default = 10, minimum = 1, description = "how often to test at most" },
}
local copy = "target/fix_until_green"

--- Copies the crate.
---@return table[] files what was copied: { name, text }
local function copied()
  local files = {}
  for _, path in ipairs(tools.glob { pattern = "**/*", path = opt.crate }.paths) do
    local file = { name = path:sub(#opt.crate + 2), text = tools.read(path).text }
    tools.write { path = agent.path.join(copy, file.name), content = file.text }
    files[#files + 1] = file
  end
  return files
end

--- The one suggestion a diagnostic makes: its parts { file, first, last, new }, bytes from 1.
--- Where the compiler is not sure, or offers a choice, a person has to look: nil.
local function suggestion(diagnostic)
  local only
  for _, child in ipairs(diagnostic.children) do
    local parts = {}
    for _, span in ipairs(child.spans) do
      if span.suggestion_applicability == "MachineApplicable" then
        local first, last = span.byte_start + 1, span.byte_end
        parts[#parts + 1] = { file = span.file_name, first = first, last = last, new = span.suggested_replacement }
      elseif span.suggested_replacement then
        return nil
      end
    end
    if #parts > 0 and only then return nil end
    if #parts > 0 then only = parts end
  end
  return only
end

--- Adds the parts to the list unless one of them overlaps what is there: then the next round has it.
local function add(list, parts)
  for _, new in ipairs(parts) do
    for _, old in ipairs(list) do
      local apart = new.first > old.last + 1 or old.first > new.last + 1
      if new.file == old.file and not apart then return end
    end
  end
  table.move(parts, 1, #parts, #list + 1, list)
end

--- What to change, from the messages cargo prints; the bottom of a file first, so positions stay true.
local function suggestions(messages)
  local list = {}
  for line in messages:gmatch("{[^\n]+") do
    local message = agent.try(agent.json.decode, line)
    if message and message.reason == "compiler-message" then add(list, suggestion(message.message) or {}) end
  end
  table.sort(list, function(a, b) return a.first > b.first end)
  return list
end

--- The shortest run of whole lines around the bytes that stands in the text only once, and where it begins.
local function quote(text, first, last)
  local from = first + 1
  local to = text:find("\n", math.max(first, last), true) or #text
  repeat
    from = from - 1
    while from > 1 and text:sub(from - 1, from - 1) ~= "\n" do from = from - 1 end
    local old = text:sub(from, to)
    local again = text:find(old, text:find(old, 1, true) + 1, true)
  until not again or from == 1
  return text:sub(from, to), from
end

local function apply(part)
  local path = agent.path.join(copy, part.file)
  local old, at = quote(tools.read(path).text, part.first, part.last)
  local new = old:sub(1, part.first - at) .. part.new .. old:sub(part.last - at + 2)
  tools.edit { path = path, old = old, new = new }
end

local files, run = copied(), nil
for round = 1, opt.rounds do
  agent.progress(round, opt.rounds, "cargo test")
  local command = "cargo test --offline --no-fail-fast --message-format=json"
  run = tools.shell { command = command, cwd = copy, env = { CARGO_TARGET_DIR = "target" }, timeout = 600 }
  local list = run.exit_code == 0 and {} or suggestions(run.stdout)
  for _, part in ipairs(list) do apply(part) end
  if #list == 0 then break end
end
for _, file in ipairs(files) do
  local now = tools.read(agent.path.join(copy, file.name)).text
  if now ~= file.text then io.write(agent.text.diff(file.text, now, file.name)) end
end
if run.exit_code ~= 0 then error { kind = "failed", message = "still red, and nothing moves", hint = run.stderr } end
print("green")
