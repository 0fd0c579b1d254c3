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

--- `ctx.permit` of the call that `ctx` belongs to.
function private.permitting(ctx)
  local permit = private.permit
  return waiting("ctx.permit", function(...) return permit(ctx, ...) end)
end
