--- Model providers: the format each speaks (`kind`), where it is, and the variable of the environment that holds its key.
--- No model is chosen here: `default = "provider/model"` in a file of your own chooses one.
return {
  providers = {
    anthropic = { kind = "anthropic", base_url = "https://api.anthropic.com", key_env = "ANTHROPIC_API_KEY" },
    openai = { kind = "openai", base_url = "https://api.openai.com/v1", key_env = "OPENAI_API_KEY" },
    openai_chat = { kind = "openai_chat", base_url = "https://api.openai.com/v1", key_env = "OPENAI_API_KEY" },
    gemini = { kind = "gemini", base_url = "https://generativelanguage.googleapis.com", key_env = "GEMINI_API_KEY" },
  },
}
