#!/usr/bin/env -S agent script
--- report [PATTERN]: lines, bytes and open tasks of every file, read side by side, as one JSON document.
local opt = agent.args {
  "pattern",
  pattern = { "string", default = "**/*.{rs,lua,md}" },
  at_once = { "integer", default = 8, minimum = 1, description = "files read at a time" },
}

local function measure(path)
  local text = tools.read(path).text
  local _, tasks = agent.re.gsub(text, "\\bTODO\\b", "")
  return { path = path, lines = #agent.text.lines(text), bytes = #text, tasks = tasks }
end

local paths = tools.glob(opt.pattern).paths
local files = agent.map(paths, measure, { concurrency = opt.at_once })
table.sort(files, function(a, b) return a.path < b.path end)
local total = { files = #files, lines = 0, bytes = 0, tasks = 0 }
for _, file in ipairs(files) do
  for _, key in ipairs { "lines", "bytes", "tasks" } do total[key] = total[key] + file[key] end
end
print(agent.json.encode({ total = total, files = files }, { pretty = true }))
