--- Mocks: only what a tool does is replaced. Its arguments are checked, rules and hooks hold, and it ends with the test.
describe("a mock", function()
  it("answers with a text, a record, a function or an error", function()
    mock("shell", "hello")
    assert.equal("hello", tools.shell("x").output)
    mock("shell", { output = "o", exit_code = 3, stdout = "s" })
    local run = tools.shell("x")
    assert.same({ "o", 3, "s" }, { run.output, run.exit_code, run.stdout })
    mock("shell", function(args) return "ran " .. args.command end)
    assert.equal("ran ls", tools.shell("ls").output)
    mock("shell", { kind = "timeout", message = "too slow" })
    assert.equal("too slow", assert.fails("timeout", tools.shell, "x").message)
  end)

  it("keeps the calls, as they were decoded", function()
    local shell = mock("bash", "ok")
    tools.shell("ls", { timeout = 5 })
    tools.bash { command = "pwd" }
    assert.equal("shell", shell.tool)
    assert.equal(2, shell.count)
    assert.equal(5, shell.calls[1].timeout)
    assert.equal(120, shell.calls[2].timeout)
  end)

  it("is behind the check of arguments", function()
    local shell = mock("shell", "ok")
    assert.fails("argument", tools.shell, {})
    assert.fails("argument", tools.shell, { comand = "ls" })
    assert.equal(0, shell.count)
  end)

  it("is behind hooks, which see its result", function()
    mock("shell", "ok")
    local seen
    agent.on("tool.before", function(call) if call.args.command == "bad" then return "deny", "no" end end)
    agent.on("tool.after", function(call) seen = call.output end)
    assert.fails("denied", tools.shell, "bad")
    tools.shell("good")
    assert.equal("ok", seen)
  end)

  it("is behind the rules", function()
    local write = mock("write", "written")
    assert.equal("written", tools.write("a.txt", "x").output)
    assert.fails("denied", tools.write, "/outside.txt", "x")
    as_model(function() assert.fails("denied", tools.write, "b.txt", "x") end)
    assert.equal(1, write.count)
    assert.fails("not_found", tools.read, "a.txt")
  end)

  it("stands for the shipped tool below a replacement too", function()
    local shipped = require "builtin.tools.shell"
    agent.tool {
      id = "shell", description = "Mine.", parameters = shipped.parameters, effect = "run",
      execute = function(args) return shipped.execute(args) end,
    }
    assert.fails("denied", tools.shell, "ls")
    mock("shell", "ok")
    assert.equal("ok", tools.shell("ls").output)
    assert.equal("ok", shipped.execute { command = "ls" }.output)
  end)

  it("can be taken off, and called tools inside", function()
    files { ["a.txt"] = "real" }
    local read = mock("read", function() return tools.glob("*").paths[1] end)
    assert.equal("a.txt", tools.read("a.txt").output)
    read.off()
    read.off()
    assert.equal("real", tools.read("a.txt").text)
    assert.equal(1, read.count)
  end)

  it("of a tool that is not there names the nearest", function()
    assert.matches("shell", assert.fails("not_found", mock, "shel", "x").hint)
    assert.fails("argument", mock, 7, "x")
  end)

  it("that answers nonsense says so", function()
    mock("shell", function() return print end)
    assert.fails("argument", tools.shell, "x")
  end)
end)

describe("afterwards", function()
  it("the tool and the hooks are as they were", function()
    assert.matches("not mocked", assert.fails("denied", tools.shell, "bad").message)
  end)

  it("the workspace is empty", function()
    assert.same({}, tools.list(".").entries)
  end)
end)
