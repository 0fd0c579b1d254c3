--- Groups of tools: what each is for. `params` limits what its tools touch (commands, folders, domains), `enabled = false`
--- takes all of them away. A tool belongs to the surface that lists it in `tools`, else to the one it names itself.
return {
  file = { description = "Read, search and change files of the workspace." },
  command = { description = "Run commands of this machine." },
  agent = { description = "Think, and steer the work itself." },
  user = { description = "Ask the person." },
  memory = { description = "Keep what is to be remembered." },
}
