--- Profiles: what a model is told, which tools it has, and rules that hold for it besides. `prompt` names the module that returns
--- the text. Of `tools` the last entry that is about a tool decides: an id or a glob, with `!` before what it has not; all without it.
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

local CHANGES = { "edit", "deny", reason = "this profile changes nothing" }
local HANDS_ON = { "task", "deny", reason = "this profile hands no work on" }

--- No tool that changes a file, and none that hands work on.
local READS = { "*", "!write", "!edit", "!apply_patch", "!hashline_edit", "!move", "!delete", "!task" }

M.build = profile("build")
M.plan = profile("plan", { "*", "!write", "!edit", "!apply_patch", "!hashline_edit", "!move", "!delete" }, { CHANGES })
M.oracle = profile("oracle", READS, { CHANGES, HANDS_ON })
M.librarian = profile("librarian", READS, { CHANGES, HANDS_ON })
M.explore = profile("explore", READS, { CHANGES, HANDS_ON })
M.multimodal_looker = profile("multimodal_looker", { "read" }, { CHANGES, HANDS_ON, { "shell", "deny" }, { "network", "deny" } })
M.momus = profile("momus", READS, { CHANGES, HANDS_ON })

return M
