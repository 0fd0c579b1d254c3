--- The global `tools`: one function a tool. A name that no tool answers to is an error where it is written.
local private = ...
local find, caller, ids = private.find_tool, private.caller, private.tool_ids
local error, rawset = error, rawset

tools = setmetatable({}, {
  __name = "tools",
  __index = function(self, name)
    find(name)
    local call = caller(name)
    rawset(self, name, call)
    return call
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
