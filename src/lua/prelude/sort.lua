--- `table.sort` whose comparison may wait: a merge sort, stable, O(n log n) whatever the order function says.
local raw = table.sort
local error, type, math_type = error, type, math.type

--- Merges list[low..middle] and list[middle + 1..high] by way of `spare`.
local function merge(list, spare, low, middle, high, before)
  for i = low, middle do
    spare[i] = list[i]
  end
  local left, right, at = low, middle + 1, low
  while left <= middle do
    if right <= high and before(list[right], spare[left]) then
      list[at], right = list[right], right + 1
    else
      list[at], left = spare[left], left + 1
    end
    at = at + 1
  end
end

--- Short runs are put in order by insertion.
local function insertion(list, low, high, before)
  for i = low + 1, high do
    local item, at = list[i], i - 1
    while at >= low and before(item, list[at]) do
      list[at + 1] = list[at]
      at = at - 1
    end
    list[at + 1] = item
  end
end

local function sort(list, spare, low, high, before)
  if high - low < 8 then return insertion(list, low, high, before) end
  local middle = (low + high) // 2
  sort(list, spare, low, middle, before)
  sort(list, spare, middle + 1, high, before)
  if before(list[middle + 1], list[middle]) then merge(list, spare, low, middle, high, before) end
end

--- Whether no comparison can reach a metamethod: all numbers, or all strings.
local function is_plain(list)
  local kind = type(list[1])
  if kind ~= "number" and kind ~= "string" then return false end
  for i = 2, #list do
    if type(list[i]) ~= kind then return false end
  end
  return true
end

local function less(a, b)
  return a < b
end

--- Sorts `list` in place, by `before(a, b)` or by `<`.
function table.sort(list, before)
  if type(list) ~= "table" or (before ~= nil and type(before) ~= "function") then return raw(list, before) end
  if before == nil and is_plain(list) then return raw(list) end
  local count = #list
  if math_type(count) ~= "integer" then error("object length is not an integer", 2) end
  -- Sorted aside: an order function that raises leaves the list as it was.
  local copy = table.move(list, 1, count, 1, {})
  sort(copy, {}, 1, count, before or less)
  table.move(copy, 1, count, 1, list)
end
