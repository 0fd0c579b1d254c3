return { chain = { "multi_occurrence" } }
