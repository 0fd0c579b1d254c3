--- What `git` does, as the risk of it: what is only looked at or can be taken back, what leaves this machine, what takes work away.
local words = require "builtin.classifier.words"

local has, has_exactly = words.has, words.has_exactly
local OVER_NETWORK = { "medium", "it uses the network" }

local function git_reads(argv)
  for at = 3, #argv do
    local word = argv[at]
    if word:find("^%-%-ou") or word:find("^%-%-ext") or word:find("^%-%-textc") or word:find("^%-%-op") or word:find("^%-O") then
      return "medium", "`" .. word .. "` writes a file or runs a program"
    end
  end
  return "low"
end

local function git_commit(argv)
  if has(argv, "--no-verify", "-n") then return "high", "it skips the checks of this repository" end
  if has(argv, "--amend") then return "medium", "it changes a commit that is there" end
  return "low"
end

local function git_push(argv)
  local is_forced = has(argv, "-f", "-d", "--force", "--force-with-lease", "--delete", "--mirror", "--prune")
  for _, word in ipairs(words.operands(argv)) do is_forced = is_forced or word:find("^[+:]") ~= nil end
  if has(argv, "--no-verify") then return "high", "it skips the checks of this repository" end
  if is_forced then return "high", "it takes away what others have" end
  return "medium", "it gives something to others"
end

local function git_checkout(argv)
  if has_exactly(argv, "-b") and not has_exactly(argv, "--") and not has(argv, "-f", "--force") then return "low" end
  return "medium", "it could throw changes away"
end

local function git_clean(argv)
  if has_exactly(argv, "-n", "--dry-run") then return "low" end
  return "high", "it removes what no commit has"
end

local function git_stash(argv)
  if argv[3] == "drop" or argv[3] == "clear" then return "medium", "it throws changes away" end
  return "low"
end

local function git_remote(argv)
  if #argv == 2 or argv[3] == "-v" or argv[3] == "get-url" then return "low" end
  return "medium", "it changes where this repository talks to"
end

local REWRITES = { "high", "it rewrites history" }

return words.by_word("git", {
  low = "add blame cat-file describe ls-files ls-tree merge-base mv rev-list rev-parse shortlog status",
  diff = git_reads, log = git_reads, show = git_reads, grep = git_reads, reflog = words.unless({ "expire", "delete" }, "it takes history away", "high"),
  commit = git_commit, push = git_push, checkout = git_checkout, clean = git_clean, stash = git_stash, remote = git_remote,
  switch = words.unless({ "-f", "--force", "--discard-changes", "-C" }, "it could throw changes away"),
  branch = words.unless({ "-d", "-D", "-f", "-m", "-M", "--delete", "--force" }, "it moves or removes a branch"),
  tag = words.unless({ "-d", "-f", "--delete", "--force" }, "it moves or removes a tag"),
  reset = words.unless({ "--hard", "--merge", "--keep" }, "it throws changes away"),
  restore = function(argv)
    if has_exactly(argv, "--staged", "-S") and not has(argv, "--worktree", "-W") then return "low" end
    return "medium", "it throws changes away"
  end,
  fetch = OVER_NETWORK, pull = OVER_NETWORK, clone = OVER_NETWORK, submodule = OVER_NETWORK,
  ["filter-branch"] = REWRITES, ["filter-repo"] = REWRITES, ["update-ref"] = REWRITES, prune = REWRITES,
})
