--- `string.gsub` whose replacement may wait, and `load` that takes text only and may wait for its pieces.
local private = ...
local raw_gsub, find, sub, concat = string.gsub, string.find, string.sub, table.concat
local raw_load, refused = load, private.refused
local error, getmetatable, math_type, pack, select, tostring, type =
  error, getmetatable, math.type, table.pack, select, tostring, type

--- What stands in the text for one match. `repl` is a function or a table.
local function replaced(repl, whole, captures)
  local first = captures.n > 2 and captures[3] or whole
  local value
  if type(repl) == "table" then
    value = repl[first]
  elseif captures.n > 2 then
    value = repl(table.unpack(captures, 3, captures.n))
  else
    value = repl(whole)
  end
  if not value then return whole end
  if type(value) ~= "string" and type(value) ~= "number" then
    error("invalid replacement value (a " .. type(value) .. ")", 3)
  end
  return tostring(value)
end

local function gsub(text, pattern, repl, limit)
  local pieces, count, at, last = {}, 0, 1, nil
  local anchored = sub(pattern, 1, 1) == "^"
  while count < limit do
    local captures = pack(find(text, pattern, at))
    local from, to = captures[1], captures[2]
    if not from then break end
    pieces[#pieces + 1] = sub(text, at, from - 1)
    if to < from and to == last then
      -- An empty match where the last one ended: step over one character.
      pieces[#pieces + 1] = sub(text, from, from)
      at, last = from + 1, nil
    else
      count = count + 1
      pieces[#pieces + 1] = replaced(repl, sub(text, from, to), captures)
      at, last = to + 1, to
    end
    if anchored or at > #text + 1 then break end
  end
  pieces[#pieces + 1] = sub(text, at)
  return concat(pieces), count
end

function string.gsub(text, pattern, repl, limit)
  local waits = type(repl) == "function" or (type(repl) == "table" and getmetatable(repl) ~= nil)
  local plain = (type(text) == "string" or type(text) == "number")
    and (type(pattern) == "string" or type(pattern) == "number")
    and (limit == nil or math_type(limit) == "integer")
  if not waits or not plain then return raw_gsub(text, pattern, repl, limit) end
  return gsub(tostring(text), tostring(pattern), repl, limit or math.maxinteger)
end

--- Compiles text. A function that gives the text in pieces may wait.
function load(chunk, name, mode, ...)
  if type(chunk) == "function" then
    local pieces = {}
    for piece in chunk do
      if piece == "" then break end
      if type(piece) ~= "string" then return nil, "reader function must return a string" end
      pieces[#pieces + 1] = piece
    end
    chunk, name = concat(pieces), name or "=(load)"
  end
  if mode ~= nil and not find(mode, "t", 1, true) then
    return nil, "attempt to load a text chunk (mode is '" .. mode .. "')"
  end
  if type(chunk) == "string" then
    local label = type(name) == "string" and name or ('[string "%s"]'):format(chunk:match("^[^\n]*"):sub(1, 40))
    local problem = refused(chunk, label)
    if problem then return nil, problem end
  end
  return raw_load(chunk, name, "t", ...)
end

loadstring = load
unpack = table.unpack
private.load = load
