#!/usr/bin/env -S agent script
--- fix_with_model: runs the tests; while they fail, asks a model to mend what fails, and runs them again.
--- All rounds together cost at most --max-cost. The tests themselves are out of the model's reach. `agent undo` takes it back.
local opt = agent.args {
  test = { "string", default = "cargo test", description = "what is run to see whether it works" },
  rounds = { "integer", default = 4, minimum = 1, description = "how often the model is asked at most" },
  max_cost = { "number", default = 0.25, description = "US dollars for all rounds together" },
  keep = { "string[]", default = { "tests/**" }, description = "what the model must not change" },
}

--- What the model may do: change files, run the tests, and nothing else that needs a yes.
local function terms(session)
  local deny = {}
  for _, pattern in ipairs(opt.keep) do deny[#deny + 1] = "edit:" .. pattern end
  return {
    session = session,
    mode = "auto_edit",
    tools = { "read", "grep", "glob", "edit", "shell" },
    allow = { "shell:" .. opt.test .. " *" },
    deny = deny,
  }
end

local spent = 0
local function rounds()
  local session
  for round = 1, opt.rounds do
    local run = tools.shell { command = opt.test, timeout = 600 }
    if run.exit_code == 0 then return round - 1 end
    agent.progress(round, opt.rounds, "the tests fail; asking")
    local reply = agent.ask("Mend what makes this fail, and nothing else.\n\n" .. tostring(run), terms(session))
    session, spent = reply.session, spent + (reply.usage.cost or 0)
    for _, no in ipairs(reply.refused) do agent.log(("refused: %s %s"):format(no.tool, no.subject), "warn") end
  end
  local run = tools.shell { command = opt.test, timeout = 600 }
  if run.exit_code == 0 then return opt.rounds end
  error { kind = "failed", message = "it still fails after " .. opt.rounds .. " rounds", hint = "look at the last output: " .. run.output }
end

local asked = agent.limit({ max_cost = opt.max_cost }, rounds)
print(("green; the model was asked %d times, for %.4f USD"):format(asked, spent))
