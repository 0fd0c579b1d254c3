--- Catching errors. The end of a block or of the program is not caught inside it; all else is, as its table.
local private = ...
local raw_pcall, raw_xpcall = pcall, xpcall
local error, type = error, type
local stops, value, dressed = private.stops, private.value, private.dressed
local can_wait, refuse = private.can_wait, private.refuse

local function outcome(ok, ...)
  if ok then return true, ... end
  local raised = ...
  if stops(raised) then error(raised, 0) end
  if type(raised) == "userdata" then raised = value(raised) end
  return false, dressed(raised)
end

function pcall(...)
  return outcome(raw_pcall(...))
end

function xpcall(body, handler, ...)
  if type(handler) ~= "function" then return raw_xpcall(body, handler, ...) end
  local function handle(raised)
    if stops(raised) then return raised end
    if type(raised) == "userdata" then raised = value(raised) end
    return handler(dressed(raised))
  end
  return outcome(raw_xpcall(body, handle, ...))
end

local function tried(ok, ...)
  if ok then return ... end
  local raised = ...
  if stops(raised) then error(raised, 0) end
  return nil, dressed(private.failure(raised))
end

--- The results of `body(…)`, or nil and the error as a table.
function private.agent.try(body, ...)
  return tried(raw_pcall(body, ...))
end

--- Makes a function that may wait of one that returns `true, …` or `false, failure`. Where Lua cannot
--- wait the call is refused before it begins.
function private.waiting(name, raw)
  local function finish(ok, ...)
    if ok then return ... end
    error((...), 0)
  end
  return function(...)
    if not can_wait() then refuse(name) end
    return finish(raw(...))
  end
end
