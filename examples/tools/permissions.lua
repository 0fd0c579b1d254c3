--- A policy: what is asked about and what is denied, two of its rules functions, and a case for each of them.
--- Run the cases with `agent test examples/tools`; for everyday use put the file into `tools/` of your configuration folder.

--- What goes out of the repository under a name that looks like a key is worth a look.
local function looks_like_a_key(call)
  for _, path in ipairs(call.paths) do
    if path.path:find("%.pem$") or path.path:find("id_%w+$") then
      return "deny", path.path .. " looks like a private key"
    end
  end
end

--- Long deletions are asked about; what only adds is not.
local function deletes_much(call)
  if (call.deletions or 0) > 50 then return "ask", call.deletions .. " lines would go" end
end

return {
  mode = "auto_edit", -- cases are judged in the mode `default` all the same

  rules = { -- of one file the last that matches speaks; a deny always holds
    { "edit", "docs/**", "allow" },
    { "edit", "*", deletes_much },
    { "edit", "*.lock", "ask", reason = "made by a tool, not by hand" },
    { "read", "*", looks_like_a_key },
    { "shell", "cargo build *", "allow" },
    { "shell", "cargo publish *", "deny", reason = "releases leave through CI" },
  },

  cases = { -- tool, subject, and what a model meets in the mode `default`; `files` are there before
    { "write", { path = "docs/a.md", content = "x" }, "allow" },
    { "delete", "docs/long.md", "ask", files = { ["docs/long.md"] = ("line\n"):rep(60) } },
    { "delete", "docs/short.md", "allow", files = { ["docs/short.md"] = "line\n" } },
    { "write", "src/a.rs", "ask" },
    { "edit", { path = "Cargo.lock", old = "a", new = "b" }, "ask" },
    { "read", "src/a.rs", "allow" },
    { "read", "keys/server.pem", "deny" },
    { "read", "keys/id_ed25519", "deny" },
    { "shell", "cargo build --release", "allow" },
    { "shell", "cargo build; cargo publish", "deny" },
  },
}
