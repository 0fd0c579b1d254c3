--- What error tables know besides their fields, and the functions that raise and catch them.
local error, tostring, xpcall, setmetatable, getmetatable = error, tostring, xpcall, setmetatable, getmetatable
local next, type, rawequal, rawget, mathtype = next, type, rawequal, rawget, math.type
local handler = ...

--- The metatable of error tables. They read as text, and can be joined to text.
local failure = { __name = "error" }
function failure.__tostring(e)
  local text = tostring(e.kind) .. ": " .. tostring(e.message)
  return e.hint and text .. "\n  try: " .. tostring(e.hint) or text
end
function failure.__concat(a, b) return tostring(a) .. tostring(b) end

--- The line each error was raised at, by the value that was raised.
local places = setmetatable({}, { __mode = "k" })

local function settle(ok, ...)
  if ok then return ... end
  error(..., 0)
end

--- Makes a function that returns `true, …` or `false, failure` one that returns or raises.
local function raising(raw)
  return function(...) return settle(raw(...)) end
end

--- Runs `f(…)`: `true, …`, or `false` and what was raised, with its line in `places`.
local function guard(f, ...) return xpcall(f, handler, ...) end

--- A copy of plain data. Tables in it are copied too; one that stands in it twice is two in the copy.
local function copy(value)
  if type(value) ~= "table" then return value end
  local new = {}
  for key, field in next, value do new[key] = copy(field) end
  return setmetatable(new, getmetatable(value))
end

--- Whether `value` still is what `before` is a copy of.
local function same(before, value)
  if type(before) ~= "table" then return rawequal(before, value) and mathtype(before) == mathtype(value) end
  if type(value) ~= "table" or getmetatable(before) ~= getmetatable(value) then return false end
  for key, field in next, before do
    if not same(field, rawget(value, key)) then return false end
  end
  for key in next, value do
    if rawget(before, key) == nil then return false end
  end
  return true
end

local function watched(before, value, ok, ...)
  if not ok then return false, ... end
  return true, same(before, value), ...
end

--- Runs `f(value)` as `guard` does. Before its results comes whether `value`, plain data, is as it was.
local function watch(f, value) return watched(copy(value), value, guard(f, value)) end

return failure, places, raising, guard, watch
