--- Profiles: what a model is told, which tools it has, and rules that hold for it besides. `prompt` names the module that returns
--- the text. Of `tools` the last entry that is about a tool decides: an id, a `surface.effect`, or a glob of either, with `!` before
--- what it has not. A list that begins with `!` begins with all tools, and without a list all are there.
local M = {}

--- What may hold secrets is read after a question, under every profile.
local function with_secrets(rules)
  local all = {}
  for _, pattern in ipairs { "**/.env*", "*.env", "*.env.*" } do
    all[#all + 1] = { "read", pattern, "ask", reason = "it may hold secrets" }
  end
  all[#all + 1] = { "read", "*.env.example", "allow" }
  for _, rule in ipairs(rules) do all[#all + 1] = rule end
  return all
end

local function profile(name, tools, rules)
  return { prompt = "builtin.prompts." .. name, tools = tools, rules = with_secrets(rules or {}) }
end

--- What git only shows. It is not known to do nothing but read, so that rules and modes settle it as they do without a profile.
local function only_shows(argv)
  if argv[1] ~= "git" or not (" blame diff log show status "):find(" " .. (argv[2] or "?") .. " ", 1, true) then return false end
  for at = 3, #argv do
    local word = argv[at]
    if word:find("^%-%-ou") or word:find("^%-%-ext") or word:find("^%-%-textc") then return false end
  end
  return true
end

--- No command but those.
local function only_reads(call)
  for _, command in ipairs(call.commands) do
    if not command.reads and not only_shows(command.argv or {}) then
      return "deny", "this profile changes nothing, and what this command does is not known"
    end
  end
end

local CHANGES = { "edit", "deny", reason = "this profile changes nothing" }
local RUNS = { "shell", only_reads }
local HANDS_ON = { "task", "deny", reason = "this profile hands no work on" }

--- No tool that changes anything, whoever brings it.
local LOOKS = { "!*.write", "!write", "!edit", "!apply_patch", "!hashline_edit", "!move", "!delete" }
--- And none that hands work on, or that is for whoever did: its list, its plan, its questions.
local READS = { "!task", "!call_omo_agent", "!todo_write", "!plan_enter", "!plan_exit", "!question" }
table.move(LOOKS, 1, #LOOKS, #READS + 1, READS)

--- It plans from beginning to end: `plan_exit` shows the plan to the person, and the profile stays.
local PLANS = { "!plan_enter" }
table.move(LOOKS, 1, #LOOKS, #PLANS + 1, PLANS)

M.build = profile("build")
M.plan = profile("plan", PLANS, { CHANGES, RUNS })
M.oracle = profile("oracle", READS, { CHANGES, RUNS, HANDS_ON })
M.librarian = profile("librarian", READS, { CHANGES, RUNS, HANDS_ON })
M.explore = profile("explore", READS, { CHANGES, RUNS, HANDS_ON })
M.multimodal_looker = profile("multimodal_looker", { "read" }, { CHANGES, { "shell", "deny" }, { "network", "deny" }, HANDS_ON })
M.momus = profile("momus", READS, { CHANGES, RUNS, HANDS_ON })

return M
