return { policy = "opencode" }
