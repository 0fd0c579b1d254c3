--- The words of a test file: `describe`, `it`, `before_each` and so on. They note what there is; what is noted runs later.
--- `mock`, `files`, `as_model` belong to a test that runs. Nothing here knows how a result is told.
local private = ...
local here, skip = private.here, {}
local error, ipairs, pairs, type, tostring, setmetatable = error, ipairs, pairs, type, tostring, setmetatable
local getmetatable, next, insert = getmetatable, next, table.insert
local KINDS = {
  argument = true, not_found = true, conflict = true, denied = true, rejected = true, resource = true, timeout = true,
  cancelled = true, unavailable = true, provider = true, limit = true, failed = true, internal = true,
}

local function refuse(kind, message, hint)
  error({ kind = kind, message = message, hint = hint }, 0)
end

local function new_block(name, parent)
  return { name = name, parent = parent, setups = {}, befores = {}, afters = {}, teardowns = {}, left = 0, broken = nil }
end

--- The block whose body runs, and the tests in the order they were written.
local block, cases = new_block(""), {}
--- Whether a test runs now: then nothing can be declared any more.
local running = false

local function check(word, name, body)
  if running then
    refuse("argument", word .. ": a test runs, and tests are declared outside of `it`", "move it into `describe`, beside the `it` it stands in")
  end
  if type(name) ~= "string" then refuse("argument", word .. ": expected its name, got " .. type(name), word .. '("name", function() … end)') end
  if body ~= nil and type(body) ~= "function" then
    refuse("argument", word .. ": expected a function after the name, got " .. type(body), word .. '("name", function() … end)')
  end
end

local function full(name)
  local outer = block
  while outer.parent do
    name, outer = outer.name .. " " .. name, outer.parent
  end
  return name
end

function describe(name, body)
  check("describe", name, body)
  if body == nil then refuse("argument", "describe: the function is missing", 'describe("name", function() … end)') end
  local outer = block
  block = new_block(name, outer)
  body()
  block = outer
end

function it(name, body, options)
  check("it", name, body)
  local timeout = private.limit(options)
  cases[#cases + 1] = { name = full(name), line = here(), body = body, block = block, timeout = timeout }
end

--- Outside of a test: a test that is to be written. Inside: the rest of this one is left out.
function pending(name, _)
  if running then error(setmetatable({ reason = tostring(name or "pending") }, skip), 0) end
  check("pending", name)
  cases[#cases + 1] = { name = full(name), line = here(), block = block }
end

for word, list in pairs { setup = "setups", before_each = "befores", after_each = "afters", teardown = "teardowns" } do
  _G[word] = function(body)
    check(word, word, body)
    if body == nil then refuse("argument", word .. ": the function is missing", word .. "(function() … end)") end
    block[list][#block[list] + 1] = body
  end
end

--- The blocks around a test, the outermost first.
local function around(case)
  local blocks, at = {}, case.block
  while at do
    insert(blocks, 1, at)
    at = at.parent
  end
  return blocks
end

--- Keeps the tests whose full name holds `filter`, and counts for each block how many of them run.
function private.select(filter)
  local kept = {}
  for _, case in ipairs(cases) do
    if filter == nil or case.name:find(filter, 1, true) then
      kept[#kept + 1] = case
      for _, outer in ipairs(case.body and around(case) or {}) do
        outer.left = outer.left + 1
      end
    end
  end
  return kept
end

--- What one test runs: its beginning as one function, and what cleans up after it, each by itself.
function private.phases(case)
  local blocks, cleaning = around(case), {}
  local function begin()
    for _, outer in ipairs(blocks) do
      if outer.broken then refuse("failed", outer.broken) end
      if outer.broken == nil then
        outer.broken = #outer.setups > 0 and "the setup of `" .. outer.name .. "` has failed before"
        for _, setup in ipairs(outer.setups) do setup() end
        outer.broken = false
      end
    end
    for _, outer in ipairs(blocks) do
      for _, before in ipairs(outer.befores) do before() end
    end
    case.body()
  end
  for at = #blocks, 1, -1 do
    local outer = blocks[at]
    for _, after in ipairs(outer.afters) do cleaning[#cleaning + 1] = after end
    outer.left = outer.left - 1
    if outer.left == 0 then
      for _, teardown in ipairs(outer.teardowns) do cleaning[#cleaning + 1] = teardown end
    end
  end
  return begin, cleaning
end

function private.run(state) running = state end

function private.skipped(raised)
  return type(raised) == "table" and getmetatable(raised) == skip and raised.reason or nil
end

local function inside(word)
  if not running then
    refuse("argument", word .. " belongs inside `it` or `before_each`", "every test begins with an empty workspace and the tools as they are")
  end
end

local write, lowered, replace = private.write_files, private.as_model, private.replace

--- Creates files in the test's workspace: `files { ["a/b.txt"] = "text" }`.
function files(list)
  inside("files")
  return write(list)
end

--- Runs `body(…)` as a language model would, with nobody there to ask.
function as_model(body, ...)
  inside("as_model")
  return lowered(body, ...)
end

--- The fields of a result that are no facts.
local RECORD = { output = true, title = true, metadata = true, attachments = true }

--- A record as tools return it: what is no text, title or attachment is a fact. The result of a tool passes.
local function record(given)
  if type(given) ~= "table" or getmetatable(given) or (given.metadata ~= nil and type(given.metadata) ~= "table") then return given end
  local made, facts = {}, {}
  for name, value in next, given do
    if RECORD[name] then made[name] = value else facts[name] = value end
  end
  for name, value in next, given.metadata or {} do facts[name] = value end
  made.metadata = facts
  return made
end

--- Puts `result` in the place of what a tool does: a text, a record, an error to raise, or a function of the arguments.
--- The door stays: arguments are checked, hooks and rules hold. The handle has `calls`, `count`, `off()`.
function mock(tool, result)
  inside("mock")
  local handle = { calls = {}, count = 0 }
  local function answer(args)
    handle.count = handle.count + 1
    handle.calls[handle.count] = args
    if type(result) == "function" then return record(result(args)) end
    if type(result) == "table" and KINDS[result.kind] and result.output == nil then
      error({ kind = result.kind, message = result.message or "mocked", hint = result.hint, detail = result.detail }, 0)
    end
    return record(result)
  end
  handle.tool, handle.off = replace(tool, answer)
  return handle
end

local function denied()
  refuse("denied", "commands are denied in tests", "call a tool that runs it, such as tools.shell, and mock that tool")
end
os.execute, io.popen = denied, denied
