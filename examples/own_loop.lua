#!/usr/bin/env -S agent script
--- own_loop PROMPT: a loop of one's own around a model. Each request is one line here, and so is what becomes of its calls.
local opt = agent.args { "prompt", steps = { "integer", default = 12, minimum = 1, description = "requests at most" } }
local said = {
  { role = "system", text = "You work in a repository. Look before you change anything; say what you changed." },
  { role = "user", text = opt.prompt },
}

for step = 1, opt.steps do
  local reply = agent.complete { messages = said, tools = { "read", "grep", "edit" } }
  said[#said + 1] = reply
  if #reply.calls == 0 then
    print(reply.text)
    return
  end
  agent.log(("step %d: %d calls"):format(step, #reply.calls))
  table.move(agent.dispatch(reply), 1, #reply.calls, #said + 1, said)
end
error { kind = "limit", message = "no answer after " .. opt.steps .. " steps" }
