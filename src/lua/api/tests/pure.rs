//! `json`, `path`, `text`, `null`, `array`.

use super::*;

#[test]
fn json_keeps_lists_nulls_and_numbers() {
    for (code, said) in [
        (
            "return agent.json.encode{ a = 1, b = { 1.5, 'x' }, c = {} }",
            r#"{"a":1,"b":[1.5,"x"],"c":{}}"#,
        ),
        ("return agent.json.encode(agent.array{})", "[]"),
        ("return agent.json.encode(agent.array())", "[]"),
        ("return agent.json.encode{ 1, agent.null, 3 }", "[1,null,3]"),
        (
            "return agent.json.encode{ a = agent.null }",
            r#"{"a":null}"#,
        ),
        ("return agent.json.encode(nil)", "null"),
        (
            "return agent.json.encode({ a = { 1 } }, { pretty = true })",
            "{\n  \"a\": [\n    1\n  ]\n}",
        ),
        (
            "local t = agent.json.decode('[]') t[1] = 1 t[1] = nil return agent.json.encode(t)",
            "[]",
        ),
        (
            "return agent.json.decode('9223372036854775807') == math.maxinteger",
            "true",
        ),
        ("return math.type(agent.json.decode('1.0'))", "float"),
        (
            "return #agent.json.decode('[1,null,3]'), agent.json.decode('[null]')[1] == agent.null",
            "3|true",
        ),
        (
            "return agent.json.decode('{\"a\":null}').a, agent.json.decode('null')",
            "nil|nil",
        ),
        (
            "return agent.json.decode('{\"a\":[{\"b\":null}]}', { null = true }).a[1].b == agent.null",
            "true",
        ),
        (
            "return agent.json.encode(agent.json.decode('{\"a\":null}', { null = true }))",
            r#"{"a":null}"#,
        ),
        ("return tostring(agent.null)", "null"),
    ] {
        assert_eq!(text(code), said, "{code}");
    }
}

#[test]
fn json_says_what_is_wrong_and_where() {
    let bench = Bench::new();
    for (code, said) in [
        (
            "agent.json.decode('{\"a\": 1,}')",
            "agent.json.decode: trailing comma at line 1 column 9",
        ),
        (
            "agent.json.decode('{\"a\":1,\"a\":2}')",
            "agent.json.decode: the key \"a\" stands there twice at line 1 column 13",
        ),
        (
            "agent.json.decode('')",
            "agent.json.decode: EOF while parsing a value at line 1 column 0",
        ),
        (
            "agent.json.encode{ a = { print } }",
            "value.a[1]: expected plain data, got a function",
        ),
        (
            "agent.json.encode{ a = 0/0 }",
            "value.a: expected a finite number, got NaN",
        ),
        (
            "agent.json.encode{ a = { '\\xff' } }",
            "value.a[1]: expected text in UTF-8, got other bytes",
        ),
        (
            "agent.json.encode(1, { prety = true })",
            "agent.json.encode: there is no option `prety`",
        ),
        (
            "agent.array(setmetatable({}, {}))",
            "agent.array: this table has a metatable of its own",
        ),
    ] {
        let error = bench.failure(code);
        assert_eq!(error.kind, crate::error::Kind::Argument, "{code}");
        assert_eq!(error.message, said, "{code}");
    }
    let hint = bench.failure("agent.json.encode(1, { prety = true })");
    assert!(hint.hint().starts_with("did you mean `pretty`?"));
}

#[test]
fn text_is_worked_on_line_by_line() {
    for (code, said) in [
        ("return agent.text.trim('  a b\\n\\t')", "a b"),
        (
            "return agent.text.dedent('    a\\n      b\\n \\n    c')",
            "a\n  b\n\nc",
        ),
        (
            "return agent.text.dedent('\\ta\\r\\n  b\\r\\n')",
            "\ta\r\n  b\r\n",
        ),
        ("return agent.text.indent('a\\n\\nb\\n')", "  a\n\n  b\n"),
        ("return agent.text.indent('a', 4)", "    a"),
        ("return agent.text.indent('a\\nb', '> ')", "> a\n> b"),
        (
            "return agent.text.lines('a\\r\\nb\\n\\nc')",
            r#"["a","b","","c"]"#,
        ),
        ("return agent.text.lines('')", "[]"),
        (
            "return agent.text.width('漢字'), agent.text.width('a\\nabc'), agent.text.width('')",
            "4|3|0",
        ),
        (
            "return agent.text.nearest('raed', { 'read', 'write' }), agent.text.nearest('q', {})",
            "read|nil",
        ),
        ("return agent.text.diff('a\\n', 'a\\n') == ''", "true"),
        (
            "return agent.text.diff('a\\n', 'b\\n', 'x.txt')",
            "--- x.txt\n+++ x.txt\n@@ -1 +1 @@\n-a\n+b\n",
        ),
        ("return #agent.text.trim(' \\xff\\xfe ')", "2"),
    ] {
        assert_eq!(text(code), said, "{code}");
    }
}

#[test]
fn paths_are_taken_apart_by_names_alone() {
    for (code, said) in [
        ("agent.path.join('a', 'b/', 'c')", "a/b/c"),
        ("agent.path.join('a', '/b')", "/b"),
        (
            "agent.path.dirname('a/b/c.txt'), agent.path.dirname('a'), agent.path.dirname('/')",
            "a/b|.|/",
        ),
        (
            "agent.path.basename('a/b/'), agent.path.basename('/')",
            "b|",
        ),
        (
            "agent.path.stem('a/b.tar.gz'), agent.path.extension('a/b.tar.gz'), agent.path.extension('.profile')",
            "b.tar|gz|",
        ),
        (
            "agent.path.normalize('./a//b/../c/.'), agent.path.normalize('../a/..'), agent.path.normalize('/../x'), agent.path.normalize('')",
            "a/c|..|/x|.",
        ),
        (
            "agent.path.is_absolute('/a'), agent.path.is_absolute('a')",
            "true|false",
        ),
        (
            "agent.path.relative('a/b', 'a/c'), agent.path.relative('a', 'a'), agent.path.relative('/x', '/x/y/z')",
            "../b|.|../..",
        ),
        (
            "agent.path.relative(agent.workspace .. '/src/main.rs')",
            "src/main.rs",
        ),
        ("#agent.path.basename('a/\\xff')", "1"),
    ] {
        assert_eq!(text(&format!("return {code}")), said, "{code}");
    }
}

#[test]
fn a_real_path_has_no_links_and_exists() {
    let bench = Bench::new();
    std::fs::write(bench.folder.path().join("file"), "").unwrap();
    std::os::unix::fs::symlink("file", bench.folder.path().join("link")).unwrap();
    let real =
        bench.text("return agent.path.real('link') == agent.path.join(agent.workspace, 'file')");
    assert_eq!(real, "true");
    let caught = bench.run("\nagent.path.real('nope')").unwrap_err();
    assert_eq!(caught.error.kind, crate::error::Kind::NotFound);
    assert_eq!(
        caught.error.message,
        "cannot resolve `nope`: no such file or directory"
    );
    assert_eq!(caught.position.as_deref(), Some("test.lua:2"));
}
