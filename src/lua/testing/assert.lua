--- `assert` with luassert's names: `assert.equal(expected, actual)`, `assert.is_not.same(…)`, `assert.has_no.errors(…)`.
--- Called itself it is Lua's own. A failure says what was expected, and stands at the line of the test.
local private = ...
local raw = assert
local error, pcall, select, type, tostring, setmetatable, find = error, pcall, select, type, tostring, setmetatable, string.find
local show, contrast, difference = private.show, private.contrast, private.difference
local pack, unpack, concat = table.pack, table.unpack, table.concat
local getmetatable, rawget, next, ipairs, math = getmetatable, rawget, next, ipairs, math

local failure = { __tostring = function(raised) return raised.message end }

local function fail(message, said)
  if said ~= nil then message = tostring(said) .. "\n" .. message end
  error(setmetatable({ kind = "failed", message = message }, failure), 0)
end

--- What `body(…)` raised, and whether it raised at all.
local function raised_by(body, ...)
  if type(body) ~= "function" and not (type(body) == "table" and getmetatable(body) and getmetatable(body).__call) then
    error({ kind = "argument", message = "expected a function that may raise, got " .. type(body), hint = "wrap the call: function() … end" }, 0)
  end
  local ok, raised = pcall(body, ...)
  return not ok, raised
end

local function said_in(raised)
  if type(raised) == "table" and rawget(raised, "message") ~= nil then return tostring(rawget(raised, "message")) end
  return (tostring(raised):gsub("^[^\n]-:%d+: ", "", 1))
end

--- Whether what was raised is as `expected`: a text, or a table of which each field must be the same.
local function is_as(raised, expected)
  if expected == nil then return true end
  if type(expected) == "table" and type(raised) == "table" then
    for key, value in next, expected do
      if difference(value, rawget(raised, key)) then return false end
    end
    return true
  end
  return raised == expected or (type(expected) == "string" and said_in(raised) == expected)
end

local function described(raised)
  if type(raised) == "table" and rawget(raised, "message") ~= nil then return tostring(rawget(raised, "kind")) .. ": " .. said_in(raised) end
  return show(raised)
end

--- Each: how many arguments it takes, and a function that returns whether it holds and what to say if it does not
--- (or, negated, if it does).
local checks = {}

checks.equal = { 2, function(expected, actual)
  if expected == actual then return true, "expected anything but " .. show(actual) end
  local same = type(expected) == "table" and not difference(expected, actual)
  return false, same and "two tables that hold the same; assert.same compares what they hold" or contrast(expected, actual)
end }
checks.same = { 2, function(expected, actual)
  if not difference(expected, actual) then return true, "expected anything but " .. show(actual) end
  return false, contrast(expected, actual)
end }
checks.truthy = { 1, function(value) return not not value, "expected " .. (value and "nil or false" or "a value") .. ", got " .. show(value) end }
checks.falsy = { 1, function(value) return not value, "expected " .. (value and "nil or false" or "a value") .. ", got " .. show(value) end }

local function exactly(wanted, name)
  return { 1, function(value)
    if value == wanted then return true, "expected anything but " .. name end
    return false, "expected " .. name .. ", got " .. show(value)
  end }
end
checks["true"], checks["false"], checks["nil"] = exactly(true, "true"), exactly(false, "false"), exactly(nil, "nil")

for _, kind in ipairs { "boolean", "number", "string", "table", "function", "userdata", "thread" } do
  checks[kind] = { 1, function(value)
    if type(value) == kind then return true, "expected no " .. kind .. ", got " .. show(value) end
    return false, "expected a " .. kind .. ", got " .. show(value)
  end }
end
checks.integer = { 1, function(value)
  local holds = math.type(value) == "integer"
  return holds, "expected " .. (holds and "no" or "an") .. " integer, got " .. show(value)
end }

checks.error = { 2, function(body, expected)
  local did, raised = raised_by(body)
  if not did then return false, "expected an error, and nothing was raised" end
  if is_as(raised, expected) then return true, "expected no error, got " .. described(raised), raised end
  return false, "expected the error " .. show(expected) .. "\ngot " .. described(raised), raised
end }
checks.error_matches = { 2, function(body, pattern)
  local did, raised = raised_by(body)
  if not did then return false, "expected an error, and nothing was raised" end
  local said = tostring(raised)
  return find(said, pattern) ~= nil, "expected an error that matches " .. show(pattern) .. "\ngot " .. show(said), raised
end }
checks.matches = { 2, function(pattern, text)
  if type(text) ~= "string" then return false, "expected a text that matches " .. show(pattern) .. ", got " .. show(text) end
  local holds = find(text, pattern) ~= nil
  return holds, "expected a text that " .. (holds and "does not match " or "matches ") .. show(pattern) .. "\ngot " .. show(text)
end }
checks.near = { 3, function(expected, actual, tolerance)
  local both = type(expected) == "number" and type(actual) == "number"
  local holds = both and math.abs(expected - actual) <= (tolerance or 0)
  return holds, "expected " .. show(expected) .. " ± " .. show(tolerance or 0) .. ", got " .. show(actual)
end }
checks.contains = { 2, function(part, whole)
  local holds = false
  if type(whole) == "string" then
    holds = find(whole, tostring(part), 1, true) ~= nil
  elseif type(whole) == "table" then
    for _, value in next, whole do
      holds = holds or not difference(part, value)
    end
  end
  return holds, "expected " .. (holds and "nothing with " or "something with ") .. show(part) .. "\ngot " .. show(whole)
end }

local OTHER_NAMES = {
  equals = "equal", errors = "error", match = "matches", error_match = "error_matches", errors_match = "error_matches",
  matches_error = "error_matches", contain = "contains", has_item = "contains",
}
local JOINS = { is = true, are = true, was = true, were = true, has = true, have = true, does = true, a = true, an = true, be = true, the = true }
local TURNS = { ["not"] = true, no = true }

local chain

local function unknown(name)
  local names = {}
  for known in next, checks do names[#names + 1] = known end
  table.sort(names)
  local near = agent.text.nearest(name, names)
  error({ kind = "not_found", message = "there is no `assert." .. name .. "`",
    hint = near and "did you mean `" .. near .. "`?" or "the names are: " .. concat(names, ", ") .. ", fails" }, 0)
end

local function checking(check, negated)
  local takes, holds = check[1], check[2]
  return function(...)
    local given = pack(...)
    local held, message, raised = holds(...)
    if held == negated then fail(message, given[takes + 1]) end
    if raised ~= nil then return raised end
    return unpack(given, 1, given.n)
  end
end

--- What `key` leads to: joining words are passed over, `not` and `no` turn the meaning round.
local function lookup(negated, key)
  local words = {}
  for word in tostring(key):lower():gmatch("[^_]+") do words[#words + 1] = word end
  local at = 1
  while words[at] and (JOINS[words[at]] or TURNS[words[at]]) do
    if TURNS[words[at]] then negated = not negated end
    at = at + 1
  end
  local name = concat(words, "_", at)
  if name == "" then return chain(negated) end
  local check = checks[OTHER_NAMES[name] or name]
  if not check then unknown(key) end
  return checking(check, negated)
end

function chain(negated)
  return setmetatable({}, { __index = function(_, key) return lookup(negated, key) end })
end

--- Calls `body(…)`, which must raise an error of this kind; returns the error.
local function fails(kind, body, ...)
  local did, raised = raised_by(body, ...)
  local found = type(raised) == "table" and rawget(raised, "kind") or "failed"
  if not did then fail("expected an error of kind " .. show(kind) .. ", and nothing was raised") end
  if found ~= kind then fail("expected an error of kind " .. show(kind) .. "\ngot " .. described(raised)) end
  return raised
end

assert = setmetatable({ fails = fails }, {
  __call = function(_, ...)
    if select("#", ...) == 0 or (...) then return raw(...) end
    if select("#", ...) == 1 then error("assertion failed!", 2) end
    error((select(2, ...)), 2)
  end,
  __index = function(_, key) return lookup(false, key) end,
})
