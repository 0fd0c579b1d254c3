--- What the mode `auto` goes by where no rule settles a call: how much could go wrong. Plain code over the words of commands, real
--- paths and numbers of lines; it sees no result, no content and no comment, so that nothing a file says can talk it round.
--- `low` is allowed, `medium` asked about, `high` denied. What it does not know is `medium`.
local programs = require "builtin.classifier.programs"

local M = {}

local ORDER = { low = 1, medium = 2, high = 3 }
local ACTIONS = { low = "allow", medium = "ask", high = "deny" }

--- Names of files that hold keys or passwords, as Lua patterns of the whole path.
local KEYS = {
  "/%.ssh/", "/%.gnupg/", "/%.aws/", "/%.azure/", "/%.kube/", "/%.docker/config%.json$", "/%.config/gh/", "/%.config/gcloud/",
  "/%.netrc$", "/%.pgpass$", "/%.git%-credentials$", "/%.pypirc$", "/id_rsa$", "/id_dsa$", "/id_ecdsa$", "/id_ed25519$", "/etc/shadow", "/etc/sudoers", "/proc/[^/]+/environ$",
}
--- Folders of the system: whoever changes them changes the machine.
local SYSTEM = { "^/etc/", "^/usr/", "^/bin/", "^/sbin/", "^/lib", "^/boot/", "^/dev/", "^/proc/", "^/sys/", "^/var/" }
--- Programs that decode what a shell could be fed with.
local DECODERS = { base64 = true, base32 = true, xxd = true, openssl = true, gunzip = true, zcat = true, rev = true, tr = true }

local function any(patterns, text)
  for _, pattern in ipairs(patterns) do
    if text:find(pattern) then return true end
  end
  return false
end

local function is_key(path)
  return any(KEYS, "/" .. path)
end

--- A file of settings that may be secret; `.env.example` is none.
local function is_settings(path)
  local name = path:match("[^/]*$")
  return name:find("^%.env") ~= nil and not name:find("example$") and not name:find("sample$") and not name:find("template$")
end

--- The part of a word that could be a path: behind `--file=`, behind curl's `@`.
local function named(word)
  return (word:gsub("^%-%-?[%w-]+=", ""):gsub("^[%w_]*=?@", ""):gsub("^%-%a([/~.])", "%1"))
end

local function is_outside(word, workspace)
  local path = named(word)
  local is_within = workspace ~= "" and path:sub(1, #workspace + 1) == workspace .. "/"
  if is_within then path = path:sub(#workspace + 2) end
  if path == "/dev/null" or path:find("%s") then return false end
  return path:find("^[/~]") ~= nil or path == ".." or path:find("^%.%./") ~= nil or path:find("/%.%./") ~= nil
end

--- The highest of what was said so far.
local function worst()
  local level, reason = "low", "what it does stays in the workspace"
  return {
    note = function(said, why)
      if ORDER[said] > ORDER[level] then level, reason = said, why end
    end,
    is = function() return level, reason end,
  }
end

--- The rough commands of a text that a program is told to run. Good enough to find what is harmful in it.
local function pieces(text)
  local commands = {}
  for piece in text:gmatch("[^;&|\n()`]+") do
    local argv = {}
    for word in piece:gmatch("[^%s\"'$]+") do argv[#argv + 1] = word end
    if #argv > 0 then commands[#commands + 1] = { argv = argv } end
  end
  return commands
end

local judge_commands

--- One command by its words, and those of the command that it runs. `around` is the folder of the workspace.
local function judge_words(argv, expands, around, sum, depth)
  local name = programs.name(argv[1])
  local inner = programs.inner(name, argv)
  if inner and depth < 6 then judge_words(inner, expands, around, sum, depth + 1) end
  for _, suspect in ipairs(programs.suspects(name, argv)) do
    local level, reason = programs.judge(programs.name(suspect[1]), suspect, { expands = expands })
    if level == "high" then sum.note(level, reason) end
  end
  sum.note(programs.judge(name, argv, { expands = expands, runs = inner ~= nil }))
  for at = 2, #argv do
    local word = argv[at]
    if is_key(named(word)) then sum.note("high", "it reads keys or passwords") end
    if is_settings(named(word)) then sum.note("medium", "it names a file that may hold secrets") end
    if is_outside(word, around) then sum.note("medium", "it names `" .. named(word) .. "`, outside of the workspace") end
    if programs.interprets(name) and word:find("%s") and depth < 6 then sum.note(judge_commands(pieces(word), around, depth + 1)) end
  end
end

--- What a command runs, to the innermost: of `sudo env sh` it is `sh`.
local function innermost(argv)
  for _ = 1, 6 do
    local inner = programs.inner(programs.name(argv[1]), argv)
    if not inner then break end
    argv = inner
  end
  return argv
end

--- What commands do together: what one sends and another runs.
local function judge_together(commands, sum)
  local loads, decodes, fed, secret
  local function note(name, is_fed)
    loads = loads or programs.loads(name)
    decodes = decodes or DECODERS[name]
    fed = fed or (programs.interprets(name) and is_fed)
  end
  for _, command in ipairs(commands) do
    if command.argv then
      local argv = innermost(command.argv)
      note(programs.name(argv[1]), programs.is_fed(argv))
      for at = 2, #argv do secret = secret or is_settings(named(argv[at])) end
    end
    for _, name in ipairs(command.programs or {}) do note(programs.name(name), true) end
  end
  if fed and loads then sum.note("high", "it runs what it downloads") end
  if fed and decodes then sum.note("high", "it runs what it decodes") end
  if fed then sum.note("medium", "it runs what it is fed with") end
  if loads and secret then sum.note("high", "it could send secrets away") end
  return loads
end

function judge_commands(commands, around, depth)
  local sum = worst()
  for _, command in ipairs(commands) do
    if command.reads then
      -- It changes nothing, and what it reads stands among the paths.
      sum.note("low", "it only reads")
    elseif command.argv then
      judge_words(command.argv, command.expands, around, sum, depth)
    else
      sum.note("medium", "a part of it cannot be told for sure")
      for _, name in ipairs(command.programs or {}) do
        local level, reason = programs.judge(programs.name(name), { name }, { expands = true })
        if level == "high" then sum.note(level, reason) end
      end
    end
  end
  local loads = judge_together(commands, sum)
  local level, reason = sum.is()
  return level, reason, loads
end

local function judge_path(path, loads, sum)
  local real = path.real or path.path
  if is_key(real) then return sum.note("high", "`" .. path.path .. "` holds keys or passwords") end
  if real:find("^/dev/tcp/") or real:find("^/dev/udp/") then return sum.note("high", "it opens a connection of its own") end
  if is_settings(real) then
    if loads then return sum.note("high", "it could send secrets away") end
    return sum.note("medium", "`" .. path.path .. "` may hold secrets")
  end
  if path.inside or real == "/dev/null" then return end
  if path.group == "edit" and any(SYSTEM, real .. "/") then return sum.note("high", "it changes the system: `" .. path.path .. "`") end
  local does = path.group == "edit" and "changes" or "reads"
  sum.note("medium", "it " .. does .. " `" .. path.path .. "`, outside of the workspace")
end

--- What a tool that runs no command does.
local function judge_tool(call, sum)
  if #call.names > 0 and call.effect ~= "read" then
    sum.note("medium", "the tool `" .. call.tool .. "` is about `" .. call.names[1].text:sub(1, 80) .. "`")
  end
  if call.effect == "run" then sum.note("medium", "it runs something that is not known") end
  if call.effect == "network" then sum.note("medium", "it uses the network") end
  if call.effect == "write" and #call.paths == 0 then sum.note("medium", "it is not known what it changes") end
  local added, gone = call.additions or 0, call.deletions or 0
  if gone > 500 and gone > 4 * added then sum.note("medium", "it takes " .. gone .. " lines away") end
end

--- What is to happen to `call`, why, and how high the risk is.
---@param call table
---@return "allow"|"ask"|"deny" action, string reason, "low"|"medium"|"high" risk
function M.judge(call)
  local sum = worst()
  local level, reason, loads = judge_commands(call.commands, call.workspace or "", 0)
  sum.note(level, reason)
  local removed = 0
  for _, path in ipairs(call.paths) do
    judge_path(path, loads or call.effect == "network", sum)
    if path.removed then removed = removed + 1 end
  end
  if removed > 10 then sum.note("high", "it removes " .. removed .. " files and folders") end
  if #call.commands == 0 then judge_tool(call, sum) end
  level, reason = sum.is()
  return ACTIONS[level], reason, level
end

return M
