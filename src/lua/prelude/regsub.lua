--- `agent.re.gsub` with a function or a table: the loop is in Lua, so that the function may wait.
local plain, matches, assemble, refuse, type, tostring = ...

--- What stands for one match: as given by the function or the table, or the match itself.
local function substitute(by, whole, key, ...)
  local new
  if type(by) == "function" then new = by(key, ...) else new = by[key] end
  if not new then return whole end
  if type(new) == "string" or type(new) == "number" then return tostring(new) end
  return refuse(new)
end

return function(text, pattern, by, limit)
  local kind = type(by)
  if kind ~= "function" and kind ~= "table" then return plain(text, pattern, by, limit) end
  local news, first, last, count = {}, {}, {}, 0
  local function keep(from, to, whole, ...)
    if not from then return false end
    count = count + 1
    news[count], first[count], last[count] = substitute(by, whole, ...), from, to
    return true
  end
  local step = matches(text, pattern, limit)
  while keep(step()) do end
  return assemble(text, news, first, last), count
end
