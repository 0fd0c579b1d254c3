--- `agent.command`: registers a command and returns the function that runs it.
local private = ...
local declare, run, waiting = private.declare_command, private.run_command, private.waiting

function private.agent.command(record)
  local id = declare(record)
  return waiting(id, function(given) return run(id, given) end)
end
