--- What a model gets of a result: of cargo the end, where errors and totals stand; of all other commands start and end.
return {
  shell = function(call)
    if call.args.command:find("^cargo ") then return { keep = "tail", lines = 200 } end
  end,
}
