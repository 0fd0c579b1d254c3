return { chain = { "trimmed_boundary" } }
