--- The global `tools`: one function a tool. A name that no tool answers to is an error where it is written.
local private = ...
local find, call, ids, waiting = private.find_tool, private.call, private.tool_ids, private.waiting
local error, rawset = error, rawset

tools = setmetatable({}, {
  __name = "tools",
  __index = function(self, name)
    find(name)
    local caller = private.caller(name)
    rawset(self, name, caller)
    return caller
  end,
  __newindex = function()
    error({ kind = "argument", message = "`tools` is not changed by assignment", hint = "register a tool with agent.tool{ id = …, execute = … }" })
  end,
  __pairs = function(self)
    local names, at = ids(), 0
    return function()
      at = at + 1
      local name = names[at]
      if name then return name, self[name] end
    end
  end,
})

--- Gives a definition its `execute`: a call of exactly that tool, through the door, under its id.
function private.defined(record, held)
  local call_held = private.call_held
  record.execute = waiting(record.id .. ".execute", function(args) return call_held(held, args) end)
  return record
end

--- The function that calls the tool `id`, which may not be there yet.
function private.caller(id)
  return waiting("tools." .. id, function(...) return call(id, ...) end)
end

--- `ctx.permit` of the call that `ctx` belongs to.
function private.permitting(ctx)
  local permit = private.permit
  return waiting("ctx.permit", function(...) return permit(ctx, ...) end)
end
