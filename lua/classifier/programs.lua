--- What programs do, as the risk of running them: by name, and by their words where those decide. What is not listed is not known.
--- It knows nothing of paths and of what commands do together: that is judged where this is used.
local words = require "builtin.classifier.words"
local git = require "builtin.classifier.git"

local M = {}

local set, has, has_exactly, has_letter = words.set, words.has, words.has_exactly, words.has_letter
local operands, by_word, unless = words.operands, words.by_word, words.unless

--- They compute, print, or change what their operands name; paths are judged apart.
local HARMLESS = set [[
  : base32 base64 basename cat cd cmp column comm cp cut date diff dirname echo egrep exit expr false fgrep file fmt fold grep head hostname id jq
  join ls ln md5sum mkdir mktemp mv nl od paste pwd readlink realpath return rev rmdir seq sha1sum sha256sum sleep
  stat strings tac tail tee touch tr tree true type uname uniq wait wc which whoami xxd yes
  black clippy-driver ctest eslint flake8 gofmt jest luacheck mocha mypy phpunit prettier pylint pytest rspec ruff rustfmt selene shellcheck
  stylua tsc vitest ]]

--- They use the network.
local NETWORK = set [[
  aria2c aws az curl dig docker fetch ftp gcloud gh heroku host http https hub kubectl lftp nc ncat netcat nslookup ping podman rclone rsync
  scp sftp socat ssh telnet terraform vercel wget ]]

--- They install what others wrote, or run it.
local INSTALLS = set [[
  apk apt apt-get aptitude brew bunx bundle composer conda dnf dpkg emerge flatpak gem nix npx pacman pip pip3 pipx poetry rpm rustup snap
  uv uvx yum zypper ]]

--- They take away what protects this machine, or end it.
local DISARMS = set [[
  aa-disable aa-teardown auditctl chattr csrutil fdisk halt insmod iptables ip6tables mkfs modprobe nft parted passwd poweroff reboot
  rmmod setenforce shred shutdown spctl swapoff ufw useradd userdel usermod visudo wipefs ]]

--- They run a text or a file as a program.
local INTERPRETERS = set [[
  . ash bash bun dash deno eval fish ksh lua node nodejs perl php powershell pwsh python python2 python3 ruby sh source zsh ]]

--- They run the command behind them as somebody else.
local RAISES = set "doas pkexec su sudo"

--- They run the command behind them.
local RUNNERS = set [[
  builtin chroot command doas env exec find flock ionice nice nohup parallel pkexec setsid stdbuf su sudo taskset time timeout unshare watch
  xargs ]]

--- What builds leave behind and make again.
local PRODUCTS = set ".cache .mypy_cache .next .nyc_output .pytest_cache .ruff_cache .turbo __pycache__ build coverage dist node_modules out target"

local function rm(argv, facts)
  local is_deep = has_letter(argv, "[rR]") or has(argv, "--recursive")
  local names = operands(argv)
  if not is_deep then return "medium", "it removes files for good" end
  if facts.expands or #names == 0 then return "high", "it removes all that a pattern or another command names, with everything below" end
  if #names > 3 then return "high", "it removes " .. #names .. " folders with everything below" end
  for _, name in ipairs(names) do
    if name:find("^[/~]") or name:find("%.%.") or name == "{}" then return "high", "it removes `" .. name .. "` with everything below" end
    if not PRODUCTS[name:gsub("/+$", ""):match("[^/]*$")] then return "medium", "it removes `" .. name .. "` with everything below" end
  end
  return "low"
end

local function chmod(argv)
  local opens = false
  for _, word in ipairs(operands(argv)) do
    opens = opens or word:find("^0?[0-7][0-7][2367]$") ~= nil or word:find("^[ago]*[ao][^=+]*[+=][rx]*w") ~= nil or word:find("^[+=][rx]*w") ~= nil
  end
  local raises = false
  for _, word in ipairs(operands(argv)) do raises = raises or word:find("^[ugo]*[+=][rwxX]*[st]") ~= nil or word:find("^[2-7]%d%d%d$") ~= nil end
  local is_deep = has_letter(argv, "R") or has(argv, "--recursive")
  if opens and is_deep then return "high", "it lets everybody write to everything below" end
  if opens then return "medium", "it lets everybody write" end
  if raises then return "medium", "it lets a program run as its owner" end
  if is_deep then return "medium", "it changes who may do what with everything below" end
  return "low"
end

local function curl(argv)
  local sends = has(argv, "-d", "-F", "-T", "--data", "--data-binary", "--data-raw", "--form", "--upload-file", "--post-file", "--post-data", "--body-file")
  if has(argv, "-k", "--insecure", "--no-check-certificate") then return "medium", "it does not check whom it talks to" end
  return "medium", sends and "it sends data over the network" or "it uses the network"
end

local function systemctl(argv)
  if has(argv, "stop", "disable", "mask", "kill") then return "high", "it stops a service of this machine" end
  return "medium", "it asks the services of this machine"
end

local function dd(argv)
  for at = 2, #argv do
    if argv[at]:find("^of=/dev/") and argv[at] ~= "of=/dev/null" then return "high", "it writes over a disk" end
  end
  return "medium", "it copies bytes as they are"
end

local function find(argv, facts)
  if has_exactly(argv, "-delete") then return "medium", "it removes what it finds" end
  if has_exactly(argv, "-fprint", "-fprint0", "-fprintf", "-fls") then return "medium", "it writes a list to a file" end
  local runs = 0
  for _, word in ipairs(argv) do
    if word:find("^%-exec") or word:find("^%-ok") then runs = runs + 1 end
  end
  if runs > 1 or (runs == 1 and not facts.runs) then return "medium", "what it runs for each is not known" end
  return "low"
end

--- Whether a script of `sed` only replaces, prints or drops lines.
local function is_plain_script(script)
  if script:find("^[%d$]*,?[%d$]*[pd]$") then return true end
  local mark = script:match("^[%d$]*,?[%d$]*s([/|#,:@!])")
  if not mark or script:find("\n") then return false end
  local parts, at = 0, script:find("s", 1, true) + 1
  while at <= #script do
    local char = script:sub(at, at)
    if char == "\\" then
      at = at + 1
    elseif char == mark then
      parts = parts + 1
      if parts == 3 then return script:find("^[gpiI%d]*$", at + 1) ~= nil end
    end
    at = at + 1
  end
  return false
end

local function sed(argv)
  for at = 2, #argv do
    local word = argv[at]
    if word:sub(1, 1) ~= "-" then
      if is_plain_script(word) then return "low" end
      break
    end
    if not word:find("^%-[nErsz]+$") and not word:find("^%-i") then break end
  end
  return "medium", "its script could run a command or write a file"
end

--- A builtin that could evaluate what stands in the name of a variable.
local function builtin(argv)
  if has(argv, "-v") then return "medium", "it works on a variable of the shell" end
  return "low"
end

local function env(argv, facts)
  for at = 2, #argv do
    if argv[at]:find("^[%w_]+=") or argv[at]:sub(1, 1) == "-" then return "medium", "it changes what a command runs in" end
  end
  if not facts.runs then return "medium", "it shows the environment, secrets among it" end
  return "low"
end

local OVER_NETWORK = { "medium", "it uses the network" }
local PUBLISHES = { "medium", "it gives something to others" }
local INSTALLING = { "medium", "it installs what others wrote" }

--- The scripts of a package that check or build it, by the beginning of their names.
local function script(argv)
  local name
  for at = 3, #argv do
    if argv[at]:sub(1, 1) ~= "-" then name = argv[at] break end
  end
  for _, known in ipairs { "test", "build", "lint", "check", "format", "fmt", "type", "compile", "coverage", "unit" } do
    if name and name:find("^" .. known) then return "low" end
  end
  return "medium", "the script `" .. (name or "") .. "` is not known to be harmless"
end

local function package_manager(name)
  return by_word(name, {
    low = "test t ls list outdated why version",
    run = script, ["run-script"] = script, install = INSTALLING, i = INSTALLING, ci = INSTALLING, add = INSTALLING, update = INSTALLING,
    upgrade = INSTALLING, exec = INSTALLING, dlx = INSTALLING, create = INSTALLING, publish = PUBLISHES,
  })
end

local function python(argv)
  local modules = set "black compileall flake8 json.tool mypy pytest ruff unittest"
  if argv[2] == "-m" and modules[argv[3]] then return "low" end
  if argv[2] == "--version" or argv[2] == "-V" then return "low" end
  return "medium", "it runs a program of its own making"
end

local function make(argv)
  for _, word in ipairs(operands(argv)) do
    if not set("all build check clean doc docs fmt format lint test tests")[word] then
      return "medium", "the target `" .. word .. "` is not known to be harmless"
    end
  end
  return has(argv, "-f", "-C", "-E", "--file", "--directory", "--eval") and "medium" or "low", "it makes something else than this project"
end

local PROGRAMS = {
  rg = unless({ "--pre", "--hostname-bin" }, "it runs a program for each file"), sort = unless({ "--compress-program" }, "it runs a program"),
  split = unless({ "--filter" }, "it runs a program"), test = builtin, ["["] = builtin, printf = builtin,
  rm = rm, chmod = chmod, curl = curl, wget = curl, dd = dd, find = find, sed = sed, env = env, systemctl = systemctl, service = systemctl, git = git,
  python = python, python3 = python, make = make, just = make, ninja = make,
  chown = { "medium", "it gives files to somebody else" }, chgrp = { "medium", "it gives files to others" },
  kill = { "medium", "it ends a process" }, pkill = { "medium", "it ends processes by name" }, killall = { "medium", "it ends processes by name" },
  printenv = { "medium", "it shows the environment, secrets among it" }, crontab = { "medium", "it runs something later" },
  at = { "medium", "it runs something later" },
  cargo = by_word("cargo", {
    low = "b bench build c check clippy d doc fmt locate-project metadata pkgid r run t test tree verify-project version",
    clean = unless({ "--target-dir" }, "it removes another folder than the usual one"),
    nextest = function(argv)
      if has_exactly(argv, "run", "list") and not has_exactly(argv, "self") then return "low" end
      return "medium", "it is not known what it does"
    end,
    install = INSTALLING, add = INSTALLING, update = INSTALLING, fetch = OVER_NETWORK, publish = PUBLISHES,
  }),
  go = by_word("go", { low = "build doc fmt list test version vet", get = INSTALLING, install = INSTALLING, mod = OVER_NETWORK }),
  dotnet = by_word("dotnet", { low = "build clean format test" }),
  npm = package_manager "npm", pnpm = package_manager "pnpm", yarn = package_manager "yarn",
  gradle = by_word("gradle", { low = "assemble build check clean test" }), mvn = by_word("mvn", { low = "clean compile package test verify" }),
}

--- The name that a program is known by; one in a folder of the system by its last part, any other in a folder not at all.
function M.name(word)
  word = word or ""
  return word:match("^/usr/local/bin/([^/]+)$") or word:match("^/usr/bin/([^/]+)$") or word:match("^/bin/([^/]+)$") or word
end

function M.interprets(name) return INTERPRETERS[name] == true end

function M.loads(name) return NETWORK[name] == true end

--- Whether an interpreter is told neither a text nor a file, so that it runs what it reads.
function M.is_fed(argv)
  if argv[1] == "eval" or argv[1] == "source" or argv[1] == "." then return false end
  for at = 2, #argv do
    local word = argv[at]
    if word ~= "-" and (word:sub(1, 1) ~= "-" or word == "-c" or word == "-e") then return argv[at - 1] == "-s" end
  end
  return true
end

local function is_known(word)
  local name = M.name(word)
  return HARMLESS[name] or PROGRAMS[name] or NETWORK[name] or INSTALLS[name] or DISARMS[name] or INTERPRETERS[name] or RUNNERS[name] or false
end

local function rest(argv, at)
  return table.move(argv, at, #argv, 1, {})
end

--- The words of the command that a runner runs, where they can be told: the first word that is no option, number or setting begins it.
function M.inner(name, argv)
  if not RUNNERS[name] then return nil end
  for at = 2, #argv do
    local word = argv[at]
    if name == "find" then
      if argv[at - 1]:find("^%-exec") or argv[at - 1]:find("^%-ok") then return is_known(word) and rest(argv, at) or nil end
    elseif word:sub(1, 1) ~= "-" and not word:find("^[%d.]+[smhd]?$") and not word:find("^[%w_]+=") then
      return is_known(word) and rest(argv, at) or nil
    end
  end
  return nil
end

--- All that could be the command a runner runs.
function M.suspects(name, argv)
  local found = {}
  for at = 2, RUNNERS[name] and #argv or 0 do
    if is_known(argv[at]) then found[#found + 1] = rest(argv, at) end
  end
  return found
end

--- Runners whose command gets words that nobody knows before, or runs somewhere else.
local UNSURE = set "chroot flock parallel taskset unshare watch xargs"

--- The risk of a command, and why. `facts.expands`: the shell puts other words in the place of some; `facts.runs`: the command that it
--- runs is judged too.
---@return "low"|"medium"|"high" risk, string? reason
function M.judge(name, argv, facts)
  local known = PROGRAMS[name]
  if type(known) == "function" then return known(argv, facts) end
  if known then return known[1], known[2] end
  if DISARMS[name] or name:find("^mkfs%.") then return "high", "`" .. name .. "` takes away what protects this machine" end
  if RAISES[name] then return "medium", "it acts as another user" end
  if NETWORK[name] then return "medium", "it uses the network" end
  if INSTALLS[name] then return "medium", "it installs what others wrote, or runs it" end
  if INTERPRETERS[name] then return "medium", "it runs a program of its own making" end
  if UNSURE[name] then return "medium", "what `" .. name .. "` runs is not known" end
  if HARMLESS[name] or (RUNNERS[name] and facts.runs) then return "low" end
  return "medium", "`" .. name .. "` is not known"
end

return M
