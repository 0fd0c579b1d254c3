--- What error tables know besides their fields, and the functions that raise and catch them.
local error, tostring, xpcall, setmetatable, getmetatable = error, tostring, xpcall, setmetatable, getmetatable
local next, type = next, type
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

--- What plain data is like now: its values, its tables likewise, how many there are, what marks it.
local function picture(data)
  local values, tables, count = {}, nil, 0
  for key, field in next, data do
    count = count + 1
    if type(field) == "table" then
      tables = tables or {}
      tables[key] = picture(field)
    else
      values[key] = field
    end
  end
  return { values, tables, count, getmetatable(data) }
end

--- Whether `data` still is like its picture. Numbers are what they are worth: 2 is 2.0.
local function same(before, data)
  if getmetatable(data) ~= before[4] then return false end
  local values, tables, count = before[1], before[2], 0
  for key, field in next, data do
    count = count + 1
    local inner = tables and tables[key]
    if inner then
      if type(field) ~= "table" or not same(inner, field) then return false end
    elseif field ~= values[key] then
      return false
    end
  end
  return count == before[3]
end

local function watched(before, data, ok, ...)
  if not ok then return false, ... end
  return true, same(before, data), ...
end

--- Runs `f(data)` as `guard` does. Before its results comes whether `data` is as it was.
local function watch(f, data) return watched(picture(data), data, guard(f, data)) end

return failure, places, raising, guard, watch
