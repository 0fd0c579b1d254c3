--- Coroutines that wait: what a call inside one waits for is passed outward, through every coroutine around it.
--- Never lets the private values of the runtime reach a script; never yields where C stands in between.
local private = ...
local create, resume, yield, close = coroutine.create, coroutine.resume, coroutine.yield, coroutine.close
local status, running, isyieldable = coroutine.status, coroutine.running, coroutine.isyieldable
local error, rawequal, select, setmetatable, type = error, rawequal, select, setmetatable, type
local pending, took_slice, stops = private.pending, private.took_slice, private.stops
local value, dressed = private.value, private.dressed

--- What goes outward when the count hook has cut in.
local slice = setmetatable({}, { __name = "slice" })
--- Coroutines that scripts have made: all others belong to the runtime and look like the main program.
local own = setmetatable({}, { __mode = "k" })
--- Coroutines whose resume has not come back yet. Nobody else may resume or close them.
local busy = setmetatable({}, { __mode = "k" })
--- Coroutines that were resumed from inside a function in C that cannot wait.
local held = setmetatable({}, { __mode = "k" })

local function can_wait()
  return isyieldable() and not held[running()]
end
private.can_wait = can_wait

--- Goes on until `co` gives something that is meant for the script.
local function settle(co, ok, ...)
  if not ok then return ok, ... end
  local count, first = select("#", ...), ...
  local outward
  if count == 1 and (rawequal(first, pending) or rawequal(first, slice)) then
    outward = first
  elseif count == 0 and took_slice() and status(co) == "suspended" then
    outward = slice
  end
  if outward == nil then return ok, ... end
  if can_wait() then
    yield(outward)
  elseif rawequal(outward, pending) then
    error("attempt to yield across a C-call boundary", 0)
  end
  return settle(co, resume(co))
end

local function leave(co, ok, ...)
  busy[co], held[co] = nil, nil
  if ok then return ok, ... end
  local raised = ...
  if stops(raised) then error(raised, 0) end
  return false, dressed(value(raised))
end

local M = {}

function M.create(body)
  local co = create(body)
  own[co] = true
  return co
end

function M.resume(co, ...)
  if type(co) ~= "thread" then return resume(co, ...) end
  if busy[co] then return false, "cannot resume non-suspended coroutine" end
  local inside_c = not can_wait()
  busy[co], held[co] = true, inside_c or nil
  return leave(co, settle(co, resume(co, ...)))
end

function M.yield(...)
  if not own[running()] then error("attempt to yield from outside a coroutine", 2) end
  if select("#", ...) == 0 then took_slice() end
  return yield(...)
end

function M.wrap(body)
  local co = M.create(body)
  local function unwrap(ok, ...)
    if ok then return ... end
    if status(co) == "dead" then close(co) end
    error((...), 0)
  end
  return function(...)
    return unwrap(M.resume(co, ...))
  end
end

function M.close(co)
  if busy[co] then error("cannot close a " .. M.status(co) .. " coroutine", 2) end
  if stops() then error("cancelled", 0) end
  local ok, raised = close(co)
  if ok then return true end
  if stops(raised) then error(raised, 0) end
  return false, dressed(value(raised))
end

function M.status(co)
  local word = status(co)
  if word == "suspended" and busy[co] then return "normal" end
  return word
end

function M.isyieldable(co)
  return own[co or running()] == true and isyieldable(co)
end

function M.running()
  local co = running()
  return co, not own[co]
end

--- Puts these in the place of the library's own. Last of all: the binding takes the library's `yield` before.
function private.publish()
  for name, replacement in pairs(M) do
    coroutine[name] = replacement
  end
end
