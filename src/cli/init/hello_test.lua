--- Its tests: `agent test .agent`. Each `it` begins with an empty workspace.
describe("hello", function()
  it("greets", function()
    assert.equal("hello world", tools.hello("world").output)
  end)

  it("shouts", function()
    assert.equal("HELLO WORLD", tools.hello("world", { loud = true }).output)
  end)

  it("wants a name", function()
    assert.fails("argument", tools.hello)
  end)
end)
