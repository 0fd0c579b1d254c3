--- The preset `opencode`: everything is allowed but what repeats itself and what lies outside of the workspace.
--- Name it in `permissions.lua`: `preset = "opencode"`. Rules beside it come after its own.
return {
  rules = {
    { "*", "allow" },
    { "doom_loop", "ask", reason = "the same call again and again" },
    { "external_directory", "ask", reason = "outside of the workspace" },
  },
}
