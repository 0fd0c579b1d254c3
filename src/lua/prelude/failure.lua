--- What error tables know besides their fields, and the functions that raise and catch them.
local error, tostring, xpcall, setmetatable = error, tostring, xpcall, setmetatable
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

return failure, places, raising, guard
