return { chain = { "indentation_flexible" } }
