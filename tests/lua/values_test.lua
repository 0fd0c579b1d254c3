--- What crosses between Lua and the tools: integers, floats, texts, bytes, lists, what is missing, what is refused.
local seen

local function echo()
  local tool = agent.tool {
    id = "echo", effect = "read", parameters = { "value", value = "any" },
    execute = function(args) seen = args.value return { output = "", metadata = { value = args.value } } end,
  }
  return function(value) return tool({ value = value }).value end
end

describe("values", function()
  local same
  before_each(function() same = echo() end)

  it("keep integers and floats apart", function()
    assert.equal("integer", math.type(same(3)))
    assert.equal("float", math.type(same(3.0)))
    assert.equal(math.maxinteger, same(math.maxinteger))
  end)

  it("keep text and bytes to the byte", function()
    assert.equal("漢字", same("漢字"))
    assert.equal("a\0\xff", same("a\0\xff"))
  end)

  it("keep lists, also empty ones", function()
    assert.equal("[]", agent.json.encode(same(agent.array {})))
    assert.equal("{}", agent.json.encode(same({})))
    assert.same({ 1, agent.null, 3 }, same({ 1, agent.null, 3 }))
  end)

  it("leave nil out of tables", function()
    local got = same({ a = 1, b = nil })
    assert.is_nil(got.b)
    assert.same({ a = 1 }, got)
  end)

  it("are refused by path where they cannot travel", function()
    for path, value in pairs {
      ["args.value.x"] = { x = 0 / 0 },
      ["args.value.f"] = { f = print },
      ["args.value"] = { 1, 2, named = true },
    } do
      assert.matches(path, assert.fails("argument", same, value).message)
    end
    local circle = {}
    circle.self = circle
    assert.fails("argument", same, circle)
  end)
end)

describe("results", function()
  it("read as text and as data", function()
    files { ["a.txt"] = "one\ntwo\n" }
    local result = tools.read("a.txt")
    assert.equal("one\ntwo\n", result.text)
    assert.contains("one", tostring(result))
    assert.is_false(result.truncated)
  end)

  it("raise on a field that no result has", function()
    files { ["a.txt"] = "one\n" }
    local result = tools.read("a.txt")
    assert.matches("text", assert.fails("not_found", function() return result.txet end).hint)
  end)

  it("of a write and a read change no byte", function()
    for _, text in ipairs { "", "no end", "a\r\nb\n", "\xef\xbb\xbfbom\n", "a\r\n\r\nb" } do
      files { ["a.txt"] = text }
      tools.write { path = "b.txt", content = "x" }
      tools.write { path = "a.txt", content = tools.read("a.txt").text }
      assert.equal(text, io.open("a.txt", "rb"):read("a"))
    end
  end)
end)
