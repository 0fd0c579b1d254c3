//! What our own reader finds, what it refuses, and that it never loses its place.

use super::*;

/// The words of each command, functions before a `()`, texts behind `<<`, and what is run from them behind `$`.
fn told(line: &str) -> Vec<String> {
    let found = read(line).unwrap_or_else(|why| panic!("{line:?}: {why}"));
    let text = |place: &Range<usize>| line[place.clone()].to_owned();
    let words = |item: &Item| match item.words.is_empty() {
        true => text(&item.place),
        false => item.words.iter().map(text).collect::<Vec<_>>().join("|"),
    };
    let mut all: Vec<String> = found.commands.iter().map(words).collect();
    all.extend(found.functions.iter().map(|name| text(name) + "()"));
    all.extend(
        found
            .targets
            .iter()
            .map(|target| format!(">{}", text(target))),
    );
    all.extend(found.comments.iter().map(text));
    for document in &found.documents {
        all.push(format!("<<{}", text(&document.body)));
        all.extend(
            document
                .substitutions
                .iter()
                .map(|place| format!("${}", text(place))),
        );
    }
    all
}

#[test]
fn finds_the_words_of_every_command() {
    for (line, expected) in [
        ("a b 'c d' \"e f\" g\\ h", vec!["a|b|'c d'|\"e f\"|g\\ h"]),
        (
            "a && b || c; d | e & f\ng |& h",
            vec!["a", "b", "c", "d", "e", "f", "g", "h"],
        ),
        ("A=1 B=2 a", vec!["a"]),
        ("A=1 B=2", vec!["A=1 B=2"]),
        (
            "a $(b c) \"$(d)\" `e` <(f)",
            vec!["a|$(b c)|\"$(d)\"|`e`|<(f)", "b|c", "d", "e", "f"],
        ),
        (
            "if a; then b; elif c; then d; else e; fi",
            vec!["a", "b", "c", "d", "e"],
        ),
        ("until a; do b; done", vec!["a", "b"]),
        (
            "for i in 1 $(a) x; do b; done; select j; do c; done",
            vec!["a", "b", "c"],
        ),
        (
            "for ((i = 0; i < 3; i++)); do a; done",
            vec!["((i = 0; i < 3; i++))", "a"],
        ),
        (
            "case $x in a|'b c') d;; (*) e;& f) ;; g) h; esac",
            vec!["d", "e", "h"],
        ),
        ("{ a; ( b ); } > c 2>&1", vec!["a", "b", ">c", ">1"]),
        ("! a && time b", vec!["a", "time|b"]),
        (
            "f() { a; }; function g { b; }; f",
            vec!["a", "b", "f", "f()", "g()"],
        ),
        (
            "[[ a == b && -f c ]] || (( 1 + 2 ))",
            vec!["[[ a == b && -f c ]]", "(( 1 + 2 ))"],
        ),
        (
            "echo $((1 + 2)) ${a} ${b%.rs} $'c\\'d'",
            vec!["echo|$((1 + 2))|${a}|${b%.rs}|$'c\\'d'"],
        ),
        ("a \\\n  b > c d", vec!["a|b|d", ">c"]),
        ("a {b,c} d{1..3}e >f", vec!["a|{b,c}|d{1..3}e", ">f"]),
        ("for i in {1..3} {a,b}; do c; done", vec!["c"]),
        (
            "a ${b:-$(c)}d \"${e-$(f)$g}\" ${h:+${i:-j}}",
            vec!["a|${b:-$(c)}d|\"${e-$(f)$g}\"|${h:+${i:-j}}", "c", "f"],
        ),
        (
            "#!x\na # it's (b\n# c\n\n(d) # e\nf;# g\nh|# i\nj a#b \\#c '#d' # k",
            vec![
                "a",
                "d",
                "f",
                "h",
                "j|a#b|\\#c|'#d'",
                "#!x",
                "# it's (b",
                "# c",
                "# e",
                "# g",
                "# i",
                "# k",
            ],
        ),
        (
            "if a; then # b\nc; fi # d\n$(e # f\n) && # g\nh",
            vec!["a", "c", "$(e # f\n)", "e", "h", "# b", "# d", "# f", "# g"],
        ),
    ] {
        assert_eq!(told(line), expected, "{line:?}");
    }
}

#[test]
fn finds_texts_and_what_is_run_from_them() {
    for (line, expected) in [
        ("a <<'E'\nb $(c)\nE", vec!["a", "<<b $(c)\n"]),
        (
            "a <<E > b | d\n$x ${y} \\$(c) $(e f) $5\nE\ng",
            vec![
                "a",
                "d",
                "g",
                ">b",
                "<<$x ${y} \\$(c) $(e f) $5\n",
                "$$(e f)",
            ],
        ),
        ("a <<-\\E\n\tb\n\tE\n", vec!["a", "<<\tb\n"]),
        (
            "a <<X <<'Y'\n1\nX\n2\nY\nb",
            vec!["a", "b", "<<1\n", "<<2\n"],
        ),
        (
            "a <<< \"$(b)\" c <<< 'd e'",
            vec!["a|c", "<<\"$(b)\"", "$$(b)", "<<'d e'"],
        ),
        (
            "a \"$(b <<'E'\n\"c\nE\n)\"",
            vec!["a|\"$(b <<'E'\n\"c\nE\n)\"", "b", "<<\"c\n"],
        ),
        ("a <<E\nE", vec!["a", "<<"]),
    ] {
        assert_eq!(told(line), expected, "{line:?}");
    }
    let line = "a <<'E' | b\nx\nE\nc";
    let plain = read(line).unwrap().without_documents(line).into_owned();
    assert_eq!(plain, "a       | b\n   \nc");
}

#[test]
fn refuses_what_it_is_not_sure_of() {
    for line in [
        "a &&",
        "a 2> 2> b",
        "in",
        "a ;; b",
        "; a",
        "a | | b",
        "(a",
        "a)",
        "{ a",
        "{ a }",
        "fi",
        "if a; fi",
        "for i in a; done",
        "a {b,c",
        "a {b,'c'}",
        "a b}",
        "a >#b",
        "a >&-#b",
        "a `b # c`",
        "a $(b # c)",
        "a $(b # it's\n)",
        "[[ a # b\n]]",
        "a ${b:=$(c)}",
        "a ${b::-$(c)}",
        "a ${b:-'c'}",
        "a ${b:-c d}",
        "a ${b:-$(c)",
        "a ${#b:-$(c)}",
        "for i in ${b:-$(c)}; do d; done",
        "a ${!b}",
        "a ${b@P}",
        "a $\"b\"",
        "a $[1]",
        "a 'b",
        "a \"b",
        "a `b \\`c\\``",
        "a \"`b \"c\"`\"",
        "coproc a",
        "time { a; }",
        "time",
        "! ! a",
        "a=(b c)",
        "a(b)",
        "f() [[ a ]]",
        "((a[1]))",
        "((a); b)",
        "a $((b[1]))",
        "for i in ${a@P}; do b; done",
        "for i in $((a)); do b; done",
        "case ${!a} in esac",
        "a <<E",
        "a <<E\nb\n E",
        "a <<E\\\n\nE",
        "a <<$E\nb\n$E",
        "a <<E'F'\nb\nEF",
        "a 3<<E\nb\nE",
        "a <<E\nb\\\nE\nE",
        "a <<E\n`b`\nE",
        "a <<E\n${b:-$(c)}\nE",
        "a <<E\n$((b))\nE",
        "a <<E\n$(b <<F\nc\nF\n)\nE",
        "a <<E 'b\nc'\nd\nE",
        "a $(b <<E)\nc\nE",
        "a <<< `b`",
        "a <<< <(b)",
        "a <<< ${!b}",
        "[[ a <(b) ]]",
        "[[ a",
    ] {
        assert!(read(line).is_err(), "{line:?}");
    }
    assert!(read(&format!("{}a{}", "( ".repeat(50), ")".repeat(50))).is_err());
    assert!(read(&format!("{}a{}", "$( ".repeat(5_000), ")".repeat(5_000))).is_err());
}
