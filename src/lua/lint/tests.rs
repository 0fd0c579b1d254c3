//! What is refused, what is not, and that no text brings it to a false alarm or to its knees.

use std::path::Path;

use proptest::prelude::*;

use super::*;

#[test]
fn refuses_a_call_without_parentheses_that_is_joined() {
    for (source, line, form) in [
        (
            r#"tools.delete "build/" .. name"#,
            1,
            r#"write tools.delete("build/" .. name)"#,
        ),
        (
            "local x = 1\nlocal r = tools.read 'a' .. b.c",
            2,
            "write tools.read('a' .. b.c)",
        ),
        (
            "tools.shell { command = 'x' } .. y",
            1,
            "write tools.shell({ command = 'x' } .. y)",
        ),
        ("require \"a\" .. \"b\"", 1, "write require(\"a\" .. \"b\")"),
        (
            "return agent.json.encode { 1 } .. '\\n'",
            1,
            "or (agent.json.encode { 1 }) .. '\\n'",
        ),
        ("f(tools.read [[a]] .. x)", 1, "tools.read([[a]] .. x)"),
        ("tools['read'] 'a' .. x", 1, "tools['read']('a' .. x)"),
        (
            "tools.read 'a' -- a note\n --[[ more\n lines ]] .. x",
            3,
            "tools.read('a' .. x)",
        ),
        (
            "tools.x { f = function() return { 1, (2) } end } .. (y)",
            1,
            ".. …)",
        ),
    ] {
        let finding = check(source.as_bytes()).unwrap_or_else(|| panic!("{source}"));
        assert_eq!(finding.line, line, "{source}");
        assert!(
            finding.message.contains(form),
            "{source}: {}",
            finding.message
        );
    }
}

#[test]
fn passes_what_is_meant_and_what_is_not_ours() {
    for source in [
        r#"tools.delete("build/" .. name)"#,
        r#"print("a" .. tools.read "b")"#,
        r#"(tools.read "a") .. b"#,
        r#"tools.read "a".text .. b"#,
        r#"tools.read { path = "a" .. b }"#,
        r#"local t = { tools = "a" .. b, require = 'x' .. y }"#,
        r#"local agent = "a" .. b"#,
        r#"x.tools "a" .. b"#,
        r#"x:require "a" .. b"#,
        r#"print "a" .. b"#,
        r#"f "a" .. b"#,
        r#"local s = 'tools.delete "a" .. b'"#,
        r#"-- tools.delete "a" .. b"#,
        "--[==[ tools.delete 'a' .. b ]] ]==] return 1",
        "local s = [[tools.delete 'a' .. b]]",
        "tools.f(...) .. 'a'",
        "tools.f 'a' ... ",
        "tools.f 'a'\nlocal x = 'b' .. 'c'",
        "local s = 'it\\'s' .. tools.read(\"a\\\\\") .. 'z'",
        "local s = 'a\\z\n   b' .. x",
        "mytools.read 'a' .. b",
        "tools.read 'unfinished",
        "tools.read { 'unfinished' .. x",
        "",
        "..",
    ] {
        assert_eq!(check(source.as_bytes()), None, "{source}");
    }
}

#[test]
fn shows_long_arguments_cut() {
    let source = format!("tools.write {{ content = '{}' }} .. x", "long ".repeat(40));
    let message = check(source.as_bytes()).unwrap().message;
    assert!(message.len() < 300 && message.contains('…'), "{message}");
}

/// Every Lua text of the repository.
fn texts() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "lua", "scripts", "examples", "tests"] {
        collect(&root.join(folder), &mut found);
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "lua") {
            found.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
}

#[test]
fn raises_no_alarm_in_our_own_texts_and_reads_them_to_the_end() {
    let texts = texts();
    assert!(texts.len() > 10);
    for (path, text) in texts {
        assert_eq!(check(&text), None, "{path}");
        let balance = tokens(&text)
            .iter()
            .fold(0_i64, |depth, token| match token.kind {
                Kind::Symbol(b"{" | b"(" | b"[") => depth + 1,
                Kind::Symbol(b"}" | b")" | b"]") => depth - 1,
                _ => depth,
            });
        assert_eq!(balance, 0, "{path}: a literal or a comment was misread");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn stands_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let words = tokens(&bytes);
        prop_assert!(words.windows(2).all(|pair| pair[0].to <= pair[1].from));
        prop_assert!(words.iter().all(|word| word.from < word.to && word.to <= bytes.len()));
        check(&bytes);
    }

    #[test]
    fn sees_nothing_inside_literals_and_comments(inner in "[ -~\n]{0,60}", level in 0_usize..4) {
        let call = "tools.delete 'a' .. b";
        let marks = "=".repeat(level);
        let close = format!("]{marks}]");
        prop_assume!(!inner.contains(&close) && !inner.ends_with(']'));
        let line = inner.replace('\n', " ");
        let line = if line.starts_with('[') { format!(" {line}") } else { line };
        for source in [
            format!("local s = [{marks}[{inner}{call}{close} return s"),
            format!("--[{marks}[{inner}{call}{close} return 1"),
            format!("return 1 --{line}{call}"),
            format!("return {:?}", format!("{line}{call}").replace('\\', "/")),
        ] {
            prop_assert_eq!(check(source.as_bytes()), None, "{}", source);
        }
        let outside = format!("local s = [{marks}[{inner}{close} {call}");
        prop_assert!(check(outside.as_bytes()).is_some(), "{}", outside);
    }
}
