--- Values side by side: whether they are the same, where they first differ, and how a person reads them.
--- Tables are read raw, so no metamethod runs; a table inside itself is shown as such.
local private = ...
local next, rawequal, rawget, type, tostring, math_type = next, rawequal, rawget, type, tostring, math.type
local concat, sort, format, ipairs, pcall = table.concat, table.sort, string.format, ipairs, pcall

--- How deep tables are shown, how many entries of one, and how much text.
local DEEP, MANY, LONG = 12, 200, 16384

local function is_name(key)
  return type(key) == "string" and key:find("^[%a_][%w_]*$") ~= nil
end

--- Keys in the order people expect: numbers, then words, then the rest.
local function before(a, b)
  local ta, tb = type(a), type(b)
  if ta ~= tb then return ta == "number" or (tb ~= "number" and ta == "string") end
  if ta == "number" or ta == "string" then return a < b end
  return tostring(a) < tostring(b)
end

local function keys_of(value)
  local keys = {}
  for key in next, value do keys[#keys + 1] = key end
  sort(keys, before)
  return keys
end

local function quoted(text)
  if #text > LONG then text = text:sub(1, LONG) .. "…" end
  local plain = text:gsub("[\0-\31\127\"\\]", function(c)
    local named = ({ ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r", ['"'] = '\\"', ["\\"] = "\\\\" })[c]
    return named or format("\\x%02x", c:byte())
  end)
  return '"' .. plain .. '"'
end

local function scalar(value)
  local kind = type(value)
  if kind == "string" then return quoted(value) end
  if value == agent.null then return "agent.null" end
  if kind == "table" or kind == "function" or kind == "thread" or kind == "userdata" then return "<" .. kind .. ">" end
  return tostring(value)
end

local function entry(key, at)
  if is_name(key) then return key .. " = " end
  if key == at then return "" end
  return "[" .. scalar(key) .. "] = "
end

local function show(value, indent, path)
  if type(value) ~= "table" then return scalar(value) end
  if next(value) == nil then return "{}" end
  if path[value] then return "<the table around it>" end
  if #indent / 2 >= DEEP then return "{ … }" end
  path[value] = true
  local keys, lines, inner = keys_of(value), {}, indent .. "  "
  for at, key in ipairs(keys) do
    if at > MANY then
      lines[at] = inner .. "… " .. (#keys - MANY) .. " more"
      break
    end
    lines[at] = inner .. entry(key, at) .. show(value[key], inner, path) .. ","
  end
  path[value] = nil
  local wide = concat(lines, "\n")
  local flat = wide:gsub("\n *", " "):gsub("^ *", ""):gsub(",$", "")
  if #keys <= 8 and #flat + #indent < 72 and not flat:find("…", 1, true) then return "{ " .. flat .. " }" end
  return "{\n" .. wide .. "\n" .. indent .. "}"
end

--- `value` as a person reads it; over several lines where it is large.
function private.show(value)
  local shown = show(value, "", {})
  return #shown > LONG and shown:sub(1, LONG) .. "…" or shown
end

local function step(path, key)
  if is_name(key) then return path .. "." .. key end
  return path .. "[" .. scalar(key) .. "]"
end

--- Where two values first differ: the path, and what is there on either side. Nothing where they are the same.
local function difference(a, b, path, seen)
  if rawequal(a, b) then return end
  if type(a) ~= "table" or type(b) ~= "table" then
    if a == b and type(a) == "number" and type(b) == "number" then return end
    if a ~= a and b ~= b then return end
    return path, a, b
  end
  if seen[a] == b then return end
  seen[a] = b
  for _, key in ipairs(keys_of(a)) do
    local where, left, right = difference(a[key], rawget(b, key), step(path, key), seen)
    if where then return where, left, right end
  end
  for _, key in ipairs(keys_of(b)) do
    if rawget(a, key) == nil then return step(path, key), nil, b[key] end
  end
end

function private.difference(expected, actual)
  return difference(expected, actual, "value", {})
end

--- The texts as a diff, where they have lines; else what stands around the first byte that differs.
local function diff(old, new)
  if old:find("\n", 1, true) or new:find("\n", 1, true) then
    local ok, text = pcall(agent.text.diff, old, new, "x")
    if ok and text ~= "" then return (text:gsub("^%-%-%- x\n%+%+%+ x\n", "--- expected\n+++ got\n"):gsub("\n$", "")) end
  end
  local at = 1
  while old:byte(at) == new:byte(at) do at = at + 1 end
  local function part(text)
    local from, to = at > 40 and at - 30 or 1, at + 60
    return (from > 1 and "…" or "") .. quoted(text:sub(from, to)) .. (to < #text and "…" or "")
  end
  return "they differ from byte " .. at .. " on\nexpected " .. part(old) .. "\ngot      " .. part(new)
end

--- Two values that differ, one under the other.
local function pair(expected, actual)
  local a, b = private.show(expected), private.show(actual)
  if type(expected) == "string" and type(actual) == "string" and (#a > 100 or #b > 100 or expected:find("\n") and actual:find("\n")) then
    return diff(expected, actual)
  end
  return "expected " .. a .. "\ngot      " .. b
end

--- Why `actual` is not `expected`, in lines.
function private.contrast(expected, actual)
  local where, left, right = private.difference(expected, actual)
  if not where or type(expected) ~= "table" or type(actual) ~= "table" then
    local number, text = math_type(expected or false) or math_type(actual or false), type(expected) == "string" or type(actual) == "string"
    return pair(expected, actual) .. (number and text and "\none is a number, the other is text" or "")
  end
  local lines = { "first difference at " .. where, pair(left, right) }
  local a, b = private.show(expected), private.show(actual)
  if a:find("\n", 1, true) or b:find("\n", 1, true) then lines[#lines + 1] = diff(a .. "\n", b .. "\n") end
  return concat(lines, "\n")
end
