--- Counts lines and words. A parameter of type `path` is judged as a path: outside the workspace it is asked about.
return {
  description = "Counts the lines and words of a text file.",
  parameters = { "path", path = { "path", description = "The file" } },
  effect = "read",
  execute = function(args)
    local text = tools.read(args.path).text
    local lines, words = #agent.text.lines(text), select(2, text:gsub("%S+", ""))
    return { output = lines .. " lines, " .. words .. " words", metadata = { lines = lines, words = words } }
  end,
}
