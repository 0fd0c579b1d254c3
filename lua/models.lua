--- Model providers: the format each speaks (`kind`), where it is, the variable of the environment that holds its key; and what is
--- known of some of their models: tokens, and US dollars per million of them, as their makers stated them in November 2026.
--- No model is chosen here: `default = "provider/model"` in a file of your own chooses one.
return {
  providers = {
    anthropic = {
      kind = "anthropic", base_url = "https://api.anthropic.com", key_env = "ANTHROPIC_API_KEY",
      models = {
        ["claude-opus-5-5"] = { window = 1000000, max_output = 128000, price = { input = 4, output = 20, cache_read = 0.2, cache_write = 5 } },
        ["claude-sonnet-5-5"] = { window = 1000000, max_output = 128000, price = { input = 2, output = 10, cache_read = 0.2, cache_write = 2.5 } },
        -- Its price depends on how long the prompt is.
        ["claude-haiku-5-5"] = { window = 1000000, max_output = 128000 },
      },
    },
    openai = {
      kind = "openai", base_url = "https://api.openai.com/v1", key_env = "OPENAI_API_KEY",
      -- They take more, at a higher price: these windows end where the price does.
      models = {
        ["gpt-6.2-astra"] = { window = 272000, max_output = 128000, price = { input = 8, output = 40, cache_read = 0.4, cache_write = 10 } },
        ["gpt-6.2-sol"] = { window = 272000, max_output = 128000, price = { input = 2, output = 10, cache_read = 0.1, cache_write = 2.5 } },
      },
    },
    openai_chat = { kind = "openai_chat", base_url = "https://api.openai.com/v1", key_env = "OPENAI_API_KEY" },
    gemini = {
      kind = "gemini", base_url = "https://generativelanguage.googleapis.com", key_env = "GEMINI_API_KEY",
      models = {
        ["gemini-4-neon"] = { window = 1048576, max_output = 65536, price = { input = 3, output = 15, cache_read = 0.15 } },
      },
    },
  },
}
