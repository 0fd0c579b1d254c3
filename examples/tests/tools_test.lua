--- Tests of the tool files beside: `agent test examples` runs them, each `it` in an empty workspace.
describe("count", function()
  it("counts lines and words", function()
    files { ["a.txt"] = "one two\nthree\n" }
    local result = tools.count("a.txt")
    assert.equal("2 lines, 3 words", result.output)
    assert.equal(3, result.words)
  end)

  it("reads nothing outside for a model", function()
    as_model(function() assert.fails("denied", tools.count, "/etc/passwd") end)
  end)
end)

describe("guard", function()
  it("keeps generated files as they are", function()
    files { ["a.gen.rs"] = "x" }
    local err = assert.fails("denied", tools.write, "a.gen.rs", "y")
    assert.contains("a.gen.rs is generated", err.message)
  end)
end)

describe("write", function()
  it("ends a text with a newline", function()
    tools.write("a.txt", "no end")
    tools.write("b.txt", "an end\n")
    assert.equal("no end\n", tools.read("a.txt").text)
    assert.equal("an end\n", tools.read("b.txt").text)
  end)
end)
