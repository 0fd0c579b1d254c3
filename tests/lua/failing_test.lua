--- How things fail: tables with kind, message and hint, from tools, from code, through coroutines.
describe("a failure", function()
  it("is a table that reads as text", function()
    local ok, err = pcall(tools.read, "nope")
    assert.is_false(ok)
    assert.equal("not_found", err.kind)
    assert.equal("read", err.tool)
    assert.matches("^not_found: ", tostring(err))
    assert.matches("^failed: not_found", "failed: " .. err)
  end)

  it("comes back as a second value from agent.try", function()
    local result, err = agent.try(tools.read, "nope")
    assert.is_nil(result)
    assert.equal("not_found", err.kind)
    assert.equal("failed", select(2, agent.try(error, "plain")).kind)
  end)

  it("of one's own keeps its words", function()
    local err = assert.fails("conflict", error, { kind = "conflict", message = "m", hint = "h" })
    assert.same({ kind = "conflict", message = "m", hint = "h" }, err)
  end)

  it("names the nearest tool, parameter and function", function()
    assert.matches("read", assert.fails("not_found", function() tools.raed("x") end).hint)
    assert.matches("limit", assert.fails("argument", tools.read, { path = "x", limti = 1 }).hint)
    assert.matches("trim", assert.fails("not_found", function() return agent.text.tirm end).hint)
  end)

  it("of one ends the others, and is caught outside", function()
    files { ["a.txt"] = "x" }
    local ok, err = pcall(agent.all, function() agent.sleep(60) end, function() tools.read("nope") end)
    assert.is_false(ok)
    assert.equal("not_found", err.kind)
    assert.fails("timeout", agent.limit, { timeout = 0.05 }, function() agent.sleep(60) end)
  end)

  it("passes through coroutines, iterators and sort", function()
    files { ["1"] = "b", ["2"] = "a" }
    local list = { "1", "2" }
    table.sort(list, function(a, b) return tools.read(a).text < tools.read(b).text end)
    assert.same({ "2", "1" }, list)
    local step = coroutine.wrap(function()
      for _, name in ipairs(list) do coroutine.yield(tools.read(name).text) end
      tools.read("nope")
    end)
    assert.equal("ab", step() .. step())
    assert.fails("not_found", step)
  end)
end)

it("a dot is meant where a colon stands", function()
  assert.matches("dot", assert.fails("argument", function() agent:log("x") end).hint)
end)
