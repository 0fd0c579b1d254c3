//! What a person would write with the interface at hand, line by line, and what must come of it.
//!
//! Each runs in a small tree of its own, with the shipped tools.

use super::shipped::Shipped;
use crate::data::{self, Data};

/// A piece of Lua, and what it returns, as JSON.
const SNIPPETS: &[(&str, &str)] = &[
    (
        r#"local text = tools.read("src/main.rs").text
           return text"#,
        r#""fn main() {\n    foo() // TODO\n}\n""#,
    ),
    (
        r#"local found = {}
           for _, m in ipairs(tools.grep { pattern = "TODO", path = "src" }.matches) do
             found[#found + 1] = m.path .. ":" .. m.line .. ":" .. m.text
           end
           return found"#,
        r#"["src/main.rs:2:    foo() // TODO"]"#,
    ),
    (
        r#"tools.edit { path = "src/main.rs", old = "foo()", new = "bar()" }
           return tools.read("src/main.rs").text:find("bar()", 1, true)"#,
        "17",
    ),
    (
        r#"local t = tools.shell { command = "exit 3", timeout = 300 }
           if t.exit_code ~= 0 then return t.exit_code, math.type(t.exit_code) end"#,
        "3",
    ),
    (
        r#"local ok, err = pcall(tools.read, "nope")
           return { ok, err.kind, err.tool, type(err.message), type(err.hint) }"#,
        r#"[false, "not_found", "read", "string", "string"]"#,
    ),
    (
        r#"local r, err = agent.try(tools.edit, { path = "a.txt", old = "none", new = "" })
           return { r == nil, err.kind }"#,
        r#"[true, "not_found"]"#,
    ),
    (
        r#"local function f() return "f" end
           local function g() agent.sleep(0.001) return "g" end
           local a, b = agent.all(f, g)
           return a .. b"#,
        r#""fg""#,
    ),
    (
        r#"local list = agent.map({ "a.txt", "b.txt" }, function(f, i) return i .. tools.read(f).text end, { concurrency = 8 })
           return list"#,
        r#"["1x\n", "2y\n"]"#,
    ),
    (
        r#"return agent.limit({ timeout = 60 }, function() return agent.limit({ timeout = 1 }, function() return 7 end) end)"#,
        "7",
    ),
    (
        r#"local change = agent.transaction(function() tools.write { path = "new.txt", content = "n\n" } end)
           return { change.diff:sub(-3), change.files[1].path, change.additions }"#,
        r#"["+n\n", "new.txt", 1]"#,
    ),
    (
        r#"agent.tool { id = "double", parameters = { "n", n = "integer" }, effect = "read", execute = function(a) return tostring(a.n * 2) end }
           return tools.double(4).output"#,
        r#""8""#,
    ),
    (
        r#"local greet = agent.command { id = "greet", description = "says hello", parameters = { "name" }, execute = function(o) return "hello " .. o.name end }
           return greet "you""#,
        r#""hello you""#,
    ),
    (
        r#"local seen
           local off = agent.on("tool.before", function(call) seen = call.tool end)
           tools.read "a.txt"
           off()
           tools.list "."
           return seen"#,
        r#""read""#,
    ),
    (
        r#"local opt = agent.args { "old", "new", dry_run = { "boolean", default = false } }
           return { opt.old, opt.new, opt.dry_run }"#,
        r#"["one", "two", false]"#,
    ),
    (
        r#"return { agent.confirm("?", { default = true }), agent.input("?", { default = "d" }), (agent.select("?", { "a", "b" }, { default = "b" })) }"#,
        r#"[true, "d", "b"]"#,
    ),
    (
        r#"agent.progress(1, 2, "half") agent.log("line", "info") agent.notify("look")
           return type(agent.session) .. type(agent.workspace) .. type(agent.version) .. type(agent.help("grep"))"#,
        r#""stringstringstringstring""#,
    ),
    (
        r#"return agent.replay { { tool = "read", args = { path = "a.txt" } }, { tool = "delete", args = { path = "a.txt" } } }[2].kind"#,
        r#""denied""#,
    ),
    (
        r#"local doc = agent.json.decode(agent.json.encode { n = 1, list = agent.array{} })
           return { doc, agent.path.join("a", "b.lua"), agent.path.relative("src/x", "src"), agent.text.trim "  t ", (agent.re.gsub("a1", "\\d", "_")) }"#,
        r#"[{ "n": 1, "list": [] }, "a/b.lua", "x", "t", "a_"]"#,
    ),
    (
        r#"local out = {}
           tools.shell({ command = "printf live" }, function(event) out[#out + 1] = event.text end)
           return table.concat(out)"#,
        r#""live""#,
    ),
    (
        r#"local ok, err = pcall(function() return tools.read("a.txt").txt end)
           return { ok, err.hint:match("`text`") }"#,
        r#"[false, "`text`"]"#,
    ),
    (
        r#"local f, why = load [[return tools.delete "build/" .. name]]
           return { f == nil, why:match('tools.delete%("build/" .. name%)') ~= nil }"#,
        "[true, true]",
    ),
    (
        r#"local p = "src/main.rs"
           local before = tools.read(p).hash
           tools.write { path = p, content = tools.read(p).text }
           return before == tools.read(p).hash"#,
        "true",
    ),
    (
        r#"local sorted = { "b.txt", "a.txt" }
           table.sort(sorted, function(x, y) return tools.read(x).text < tools.read(y).text end)
           local gen = coroutine.wrap(function() for _, p in ipairs(sorted) do coroutine.yield(tools.read(p).text) end end)
           return gen() .. gen() .. ("a"):gsub("a", function() return tools.read("a.txt").text end)"#,
        r#""x\ny\nx\n""#,
    ),
    (
        r#"return { unpack { 1, 2 }, loadstring "return 3" () }"#,
        "[1, 3]",
    ),
    (
        r#"return agent.null == agent.json.decode("[null]")[1]"#,
        "true",
    ),
];

#[test]
fn every_snippet_does_what_it_says() {
    for (snippet, expected) in SNIPPETS {
        let rig = Shipped::new();
        rig.write("src/main.rs", b"fn main() {\n    foo() // TODO\n}\n");
        rig.write("a.txt", b"x\n");
        rig.write("b.txt", b"y\n");
        let got = rig.value_with(snippet, &["one", "two"]);
        let expected: Data = data::parse(expected).unwrap();
        assert_eq!(got, expected, "{snippet}");
    }
}

/// A script over many files, with options, standard input left out: as a user would write it.
const RENAME: &str = r#"
local opt = agent.args {
  "old", "new", "from",
  from = "'-'?",
  test = { "string", default = "true", description = "what must pass, or nothing stays changed" },
  dry_run = { "boolean", default = false },
}
local word = "\\b" .. agent.re.escape(opt.old) .. "\\b"
local paths = tools.grep { pattern = word }.paths
if #paths == 0 then error { kind = "not_found", message = opt.old .. " is used nowhere" } end
local function rename(path)
  local text = tools.read(path).text
  local renamed = agent.re.gsub(text, word, opt.new)
  if opt.dry_run then print(agent.text.diff(text, renamed, path)) else tools.write { path = path, content = renamed } end
end
local change = agent.transaction(function()
  for i, path in ipairs(paths) do
    agent.progress(i, #paths, path)
    rename(path)
  end
  if opt.dry_run then return end
  local run = tools.shell { command = opt.test, timeout = 600 }
  if run.exit_code ~= 0 then error { kind = "failed", message = opt.test .. " failed", hint = run.output } end
end)
return change.diff"#;

#[test]
fn a_whole_script_over_a_transaction_runs_in_every_way() {
    let rig = Shipped::new();
    rig.write("a.rs", b"old_name\r\n");
    rig.write("b.rs", b"not_old_name old_name");
    let dry = rig.value_with(RENAME, &["old_name", "n", "--dry-run"]);
    assert_eq!(dry, Data::from(""));
    assert!(rig.rig.printed().contains("+n"));
    let red = ["old_name", "n", "--test", "grep -q n a.rs; echo red; false"];
    let error = rig.ended_with(RENAME, &red).unwrap_err().error;
    assert!(error.hint().contains("red"), "{error}");
    assert_eq!(rig.read("a.rs"), b"old_name\r\n");
    let diff = rig.value_with(RENAME, &["old_name", "n", "--test", "grep -q '^n' a.rs"]);
    assert!(
        diff.as_str().unwrap().contains("+not_old_name n"),
        "{diff:?}"
    );
    assert_eq!(rig.read("a.rs"), b"n\r\n");
    let none = rig.ended_with(RENAME, &["old_name", "n"]).unwrap_err();
    assert!(none.error.message.contains("used nowhere"));
}
