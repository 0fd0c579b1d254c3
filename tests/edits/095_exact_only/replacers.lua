return { chain = { "simple" } }
