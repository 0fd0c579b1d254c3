--- Takes the place of `grep`: what lies in vendor/ is never searched, unless that is where the search begins.
return function(shipped)
  return {
    description = shipped.description .. "\nLeaves out vendor/ unless `path` lies in it.",
    parameters = shipped.parameters,
    surface = shipped.surface,
    subjects = shipped.subjects,
    effect = shipped.effect,
    execute = function(args)
      if not args.path:find("vendor", 1, true) then
        args.exclude = agent.array(args.exclude or {})
        table.insert(args.exclude, "**/vendor/**")
      end
      return shipped.execute(args)
    end,
  }
end
