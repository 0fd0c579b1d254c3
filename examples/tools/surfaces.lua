--- A surface of one's own: databases, asked by the tool in sqlite.lua. Only files below data/, and only to read unless said otherwise.
return {
  database = {
    description = "Ask SQLite databases.",
    tools = { "sqlite" },
    params = { folders = { "data" }, write = false },
  },
}
