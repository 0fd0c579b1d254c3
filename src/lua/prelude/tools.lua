--- The global `tools`: one function a tool. A name that no tool answers to is an error where it is written.
local private = ...
local find, call, ids, waiting = private.find_tool, private.call, private.tool_ids, private.waiting
local error, rawset = error, rawset

tools = setmetatable({}, {
  __name = "tools",
  __index = function(self, name)
    find(name)
    local caller = waiting("tools." .. name, function(...) return call(name, ...) end)
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

--- What `require "builtin.tools.ID"` gives: the shipped tool as a record, whatever has taken its place.
--- Its `execute` goes through the door as a call of that id.
function private.builtin(module, id)
  local record = private.shipped(id)
  local call_shipped = private.call_shipped
  record.execute = waiting(module .. ".execute", function(args) return call_shipped(id, args) end)
  return record
end

--- `ctx.permit` of the call that `ctx` belongs to.
function private.permitting(ctx)
  local permit = private.permit
  return waiting("ctx.permit", function(...) return permit(ctx, ...) end)
end
