//! What words stand for that are not certain, and that what is not known is said to be so.

use super::*;

fn meant(line: &str, raw: &str) -> Vec<String> {
    let known = Known::of(line, "/home/ann");
    let shown = |word: Word| match (word.unknown, word.glob) {
        (true, _) => format!("?{}", word.text),
        (_, true) => format!("*{}", word.text),
        _ => word.text,
    };
    known.meant(raw).into_iter().map(shown).collect()
}

#[test]
fn what_is_known_stands_in_the_place_of_what_is_written() {
    for (line, raw, expected) in [
        ("", "$HOME", vec!["/home/ann"]),
        ("", "\"${HOME}/x\"", vec!["/home/ann/x"]),
        ("", "${HOME%/}", vec!["/home/ann"]),
        ("", "$PWD/a", vec!["./a"]),
        ("", "`pwd`/a", vec!["./a"]),
        ("", "\"$(pwd)\"", vec!["."]),
        ("", "~/a", vec!["/home/ann/a"]),
        ("", "~+/a", vec!["./a"]),
        ("", "{a,b/{c,d}}", vec!["a", "b/c", "b/d"]),
        ("", ".{git,x}/hooks", vec![".git/hooks", ".x/hooks"]),
        ("", "'{a,b}'", vec!["{a,b}"]),
        ("", "$'\\x2egit'/x", vec![".git/x"]),
        ("", "a*'b*'", vec!["*a*b?"]),
        ("f=a/b; x $f", "$f", vec!["a/b"]),
        ("f=a; f=b; x $f", "${f}.c", vec!["a.c", "b.c"]),
        ("export f=$HOME; x", "$f/a", vec!["/home/ann/a"]),
        (
            "for f in a *.c; do x; done",
            "$f",
            vec!["a", "*.c"]
                .into_iter()
                .map(|w| if w == "*.c" { "**.c" } else { w })
                .collect(),
        ),
        ("HOME=a; x", "$HOME", vec!["a"]),
        ("", "${x:-a}", vec!["?${x:-a}", "a"]),
    ] {
        assert_eq!(meant(&format!("{line} $"), raw), expected, "{line} {raw}");
    }
}

#[test]
fn what_is_not_is_said_to_be_unknown() {
    for (line, raw) in [
        ("", "$x"),
        ("", "$OLDPWD"),
        ("", "~-"),
        ("", "~bob/x"),
        ("", "$(a)"),
        ("", "$1"),
        ("", "a{1..3}"),
        ("", "${x[0]}"),
        ("", "${!x}"),
        ("read x", "$x"),
    ] {
        let meant = meant(&format!("{line} $"), raw);
        assert!(
            meant.iter().any(|word| word.starts_with('?')),
            "{line} {raw}: {meant:?}"
        );
    }
}
