//! Comments, braces, what stands for a variable, several texts in one line.

use super::*;

#[test]
fn comments_braces_and_what_stands_for_a_variable_are_followed() {
    for (line, commands) in [
        ("a b # c; d\n# e\nf", vec!["a b", "f"]),
        ("mkdir -p src/{a,b} x", vec!["mkdir -p src/a src/b x"]),
        ("a {1..3} '{b,c}' {}", vec!["a 1 2 3 '{b,c}' {}"]),
        ("a {1..99} {b,c}$d", vec!["a {1..99} {b,c}$d"]),
        ("a ${b:-$(c d)}", vec!["a ${b:-$(c d)}", "c d"]),
        ("cat <<A - <<'B'\n$(c)\nA\n$(d)\nB", vec!["cat -", "c"]),
    ] {
        assert_eq!(texts(line), commands, "{line:?}");
    }
    let words = &read("mkdir -p src/{a,b} '{c,d}'").commands[0].argv;
    let words: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
    assert_eq!(words, ["mkdir", "-p", "src/a", "src/b", "{c,d}"]);
    let operands = read("cat {a,b}").operands;
    let paths: Vec<&str> = operands
        .iter()
        .map(|operand| operand.path.as_str())
        .collect();
    assert_eq!(paths, ["a", "b"]);
    let commented = read("ls # rm x\ncat <<'E'\n# y\nE");
    let unfed = commented.unfed.unwrap();
    assert!(commented.commands.iter().all(|simple| simple.reads));
    assert_eq!(unfed.trim_end(), format!("ls {}\ncat", " ".repeat(6)));
}

#[test]
fn a_test_goes_on_on_the_next_line_where_bash_always_lets_it() {
    for line in ["[[ -n a &&\n-n b ]] && c", "[[ -n a ||\n\n ! -n b ]] && c"] {
        assert!(is_whole_for_bash(line), "{line:?}");
        assert_eq!(read(line).opaque, None, "{line:?}");
    }
    for line in [
        "[[ a]]\n]]; c",
        "[[ a\n]]; c",
        "[[ -n\na ]]; c",
        "[[ \\&&\na ]]; c",
        "[[ a & &\nb ]]; c",
    ] {
        assert!(read(line).opaque.is_some(), "{line:?}");
    }
}
