return { chain = { "context_aware" } }
