--- Asks a database by the program `sqlite3`. Which files, and whether it may write, is up to `surfaces.lua`.

--- `text` as one word of a shell.
local function word(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

return {
  description = "Runs SQL on an SQLite database and returns the rows as JSON.",
  parameters = { "database", "sql", database = { "path", description = "The file" } },
  surface = "database",
  effect = function(_, ctx) return ctx.surface.params.write and "write" or "read" end,
  subjects = { "database" },
  execute = function(args, ctx)
    local mode = ctx.surface.params.write and "" or "-readonly "
    local run = tools.shell { command = "sqlite3 -batch -json " .. mode .. word(args.database), stdin = args.sql }
    if run.exit_code ~= 0 then error { kind = "failed", message = run.stderr, hint = "check the SQL" } end
    local rows = run.stdout == "" and agent.array {} or agent.json.decode(run.stdout)
    return { output = run.stdout, metadata = { rows = rows, count = #rows } }
  end,
}
