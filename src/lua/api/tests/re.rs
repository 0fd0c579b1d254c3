//! `re`: positions, captures, replacements, and functions that wait.

use super::*;

#[test]
fn finds_bytes_as_string_sub_takes_them() {
    for (code, said) in [
        ("agent.re.find('héllo wörld', 'w(.)r')", "8|11|ö"),
        ("agent.re.find('abc', 'x')", "nil"),
        (
            "agent.re.find('abcabc', 'b', 3), agent.re.find('abcabc', 'b', -2)",
            "5|5|5",
        ),
        ("agent.re.find('abc', '', 4)", "4|3"),
        ("agent.re.find('abc', '', 5)", "nil"),
        ("agent.re.find('ab', '(x)?b')", "2|2|false"),
        ("agent.re.match('2024-05', '(\\\\d+)-(\\\\d+)')", "2024|05"),
        ("agent.re.match('k = v', '\\\\w+')", "k"),
        (
            "agent.re.match('k=v', '(?<key>\\\\w)=(?<value>\\\\w)')",
            r#"k|v|{"key":"k","value":"v"}"#,
        ),
        (
            "agent.re.test('Abc', '(?i)^aB'), agent.re.test('abc', '^b')",
            "true|false",
        ),
        ("agent.re.escape('a.b*c')", "a\\.b\\*c"),
        ("agent.re.split('a, b,c', ',\\\\s*')", r#"["a","b","c"]"#),
        ("agent.re.split('a,b,c', ',', 2)", r#"["a","b,c"]"#),
        ("agent.re.split('', ',')", r#"[""]"#),
        ("agent.re.find('\\xff\\xfeab', 'b')", "4|4"),
    ] {
        assert_eq!(text(&format!("return {code}")), said, "{code}");
    }
}

#[test]
fn goes_through_every_match_and_never_into_a_character() {
    let all = "local t = {} for a, b in agent.re.gmatch('k=v, x=y', '(\\\\w)=(\\\\w)') do t[#t + 1] = a .. b end return t";
    assert_eq!(text(all), r#"["kv","xy"]"#);
    let optional =
        "local n = 0 for a in agent.re.gmatch('ab', '(x)?[ab]') do n = n + 1 end return n";
    assert_eq!(text(optional), "2");
    assert_eq!(text("return agent.re.gsub('né', '', '-')"), "-n-é-|3");
    assert_eq!(
        text("return agent.re.gsub('né', '', function() return '-' end)"),
        "-n-é-|3"
    );
    assert_eq!(text("return agent.re.gsub('abab', 'b*', '-')"), "-a-a-|3");
}

#[test]
fn replaces_by_text_by_table_and_by_function() {
    for (code, said) in [
        (
            "agent.re.gsub('a b', '(\\\\w) (\\\\w)', '$2 $1$$')",
            "b a$|1",
        ),
        ("agent.re.gsub('a', '(?<x>a)', '${x}y$0')", "aya|1"),
        ("agent.re.gsub('a1', '(\\\\w)(\\\\d)', '$10')", "refused"),
        ("agent.re.gsub('aaa', 'a', 'b', 2)", "bba|2"),
        ("agent.re.gsub('aaa', 'a', 'b', 0)", "aaa|0"),
        (
            "agent.re.gsub('a b', '\\\\w', { a = 'x', b = false })",
            "x b|2",
        ),
        (
            "agent.re.gsub('ab', '(.)', function(c) return c == 'a' and 1 or nil end)",
            "1b|2",
        ),
        (
            "agent.re.gsub('abc', '.', function() return 'x' end, 2)",
            "xxc|2",
        ),
        (
            "agent.re.gsub('k=v', '(\\\\w)=(\\\\w)', function(k, v) return v .. '=' .. k end)",
            "v=k|1",
        ),
        ("agent.re.gsub('\\xffa', 'a', 'b') == '\\xffb'", "true"),
    ] {
        if said == "refused" {
            let error = Bench::new().failure(code);
            assert_eq!(
                error.message,
                "agent.re.gsub: `$10` names no group of the pattern"
            );
        } else {
            assert_eq!(text(&format!("return {code}")), said, "{code}");
        }
    }
}

#[test]
fn a_dollar_that_would_vanish_is_refused() {
    let error = Bench::new().failure("agent.re.gsub('price', 'price', '$cost')");
    assert_eq!(
        error.message,
        "agent.re.gsub: `$cost` names no group of the pattern"
    );
    assert!(error.hint().starts_with("write $$ for a dollar sign"));
}

#[test]
fn a_replacement_may_wait() {
    let bench = Bench::new();
    std::fs::write(bench.folder.path().join("x"), "").unwrap();
    let code = "return (agent.re.gsub('x x', 'x', function(name) return agent.path.basename(agent.path.real(name)) .. '!' end))";
    assert_eq!(bench.text(code), "x! x!");
}

#[test]
fn a_bad_pattern_and_a_bad_replacement_are_errors_with_their_line() {
    let bench = Bench::new();
    let caught = bench.run("\nagent.re.find('', '(')").unwrap_err();
    assert_eq!(caught.position.as_deref(), Some("test.lua:2"));
    assert!(caught.error.message.contains("unclosed group"), "{caught}");
    let caught = bench
        .run("\nagent.re.gsub('a', 'a', function() return {} end)")
        .unwrap_err();
    assert_eq!(caught.position.as_deref(), Some("test.lua:2"));
    assert_eq!(
        caught.error.message,
        "agent.re.gsub: argument 3 (by): expected text from the function or the table, got a table"
    );
    let caught = bench
        .run("agent.re.gsub('a', 'a', function() error('mine') end)")
        .unwrap_err();
    assert_eq!(
        (caught.error.message.as_str(), caught.position.as_deref()),
        ("mine", Some("test.lua:1"))
    );
    assert!(
        bench
            .failure("agent.re.gsub('a', 'a', nil)")
            .message
            .contains("got nothing")
    );
    assert!(
        bench
            .failure("agent.re.test('', 'x{1000}{1000}{1000}')")
            .message
            .contains("agent.re")
    );
}

#[test]
fn takes_no_longer_than_the_text_whatever_the_pattern() {
    let code = "return agent.re.test(('a'):rep(30), ('a?'):rep(30) .. ('a'):rep(30)), \
                agent.re.test(('.-'):rep(50000), '(.*)*(.*)*b$')";
    assert_eq!(text(code), "true|false");
}
