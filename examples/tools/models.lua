--- A model server of one's own, and a short word for a model of it: `-m quick`. It stands in `tools/models.lua` of the
--- configuration folder; `default = "quick"` would make it the model that is meant where none is named.
return {
  aliases = { quick = "near/qwen3-coder" },
  providers = {
    near = {
      kind = "openai_chat",
      base_url = "http://127.0.0.1:8080/v1",
      proxy = false, -- it is on this machine
      attempts = 1,
      models = {
        ["qwen3-coder"] = {
          window = 65536,
          max_output = 8192,
          images = false,
          price = { input = 0, output = 0 }, -- so that `max_cost` may be said, for whoever else is asked
          quirks = { max_tokens_field = "max_tokens" },
        },
      },
    },
  },
}
