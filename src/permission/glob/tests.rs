//! What rule globs match, as tables, and that no input makes them slow or panic.
//! The home folder is passed in; nothing depends on the machine.

use std::time::Instant;

use proptest::prelude::*;

use super::*;

fn check(rows: &[(&str, &str, bool)]) {
    for &(pattern, text, expected) in rows {
        let got = matches(pattern, text, "/home/ann");
        assert_eq!(got, expected, "{pattern:?} against {text:?}");
    }
}

#[test]
fn matches_runs_characters_and_literals_anchored_at_both_ends() {
    check(&[
        ("*", "", true),
        ("*", "any/thing at all\n", true),
        ("ed*", "edit", true),
        ("ed*", "reedit", false),
        ("src/**", "src/a/b.rs", true),
        ("src/*", "src/a/b.rs", true),
        ("src/*.rs", "src/a/b.rs", true),
        ("src/*.rs", "src/a/b.rs.bak", false),
        ("a?c", "abc", true),
        ("a?c", "aéc", true),
        ("a?c", "ac", false),
        ("?", "🦀", true),
        ("exact", "exact", true),
        ("exact", "exactly", false),
        ("exact", "Exact", false),
        ("[ab]", "a", false),
        ("[ab]", "[ab]", true),
        ("{a,b}", "a", false),
        ("a\\*b", "a\\xb", true),
        ("a.c", "abc", false),
        ("*é*漢", "xéy漢", true),
    ]);
}

#[test]
fn a_trailing_space_star_also_matches_nothing() {
    check(&[
        ("git *", "git", true),
        ("git *", "git push -f", true),
        ("git *", "gitk", false),
        ("git *", "git ", true),
        ("cargo test *", "cargo test", true),
        ("cargo test *", "cargo test -p x", true),
        ("cargo test *", "cargo testify", false),
        ("cargo test *", "cargo", false),
        ("* *", "git", true),
        (" *", "git", false),
    ]);
}

#[test]
fn everything_under_a_folder_includes_the_folder() {
    check(&[
        ("src/**", "src", true),
        ("src/**", "src/", true),
        ("src/**", "srcs", false),
        ("src/**", "lib/src/a", false),
        ("src/*", "src", false),
        ("**/secret/**", "secret", true),
        ("**/secret/**", "a/b/secret/c", true),
        ("**/secret/**", "a/unsecret/c", false),
        ("a/**/b", "a/b", true),
        ("a/**/b", "a/x/y/b", true),
        ("a/**/b", "a/xb", false),
        ("/**", "/etc/passwd", true),
        ("./src/**", "src/a", true),
        ("**", "a/b", true),
    ]);
}

#[test]
fn the_home_folder_is_expanded_at_the_start_only() {
    check(&[
        ("~", "/home/ann", true),
        ("~/.ssh/**", "/home/ann/.ssh/id", true),
        ("$HOME/.ssh/**", "/home/ann/.ssh", true),
        ("~/x", "~/x", false),
        ("~bob/x", "/home/ann/x", false),
        ("~bob/x", "~bob/x", true),
        ("a~/x", "a/home/ann/x", false),
        ("~/**", "/home/ann", true),
        ("~/**", "/home/anna", false),
        ("$HOMES/x", "$HOMES/x", true),
    ]);
    assert!(matches("~/x", "/home/ann/x", "/home/ann/"));
    assert!(matches("~/x", "~/x", ""), "without a home it is literal");
    assert!(
        !matches("~/x", "/home/bnn/x", "/home/?nn"),
        "the home folder is no pattern"
    );
}

#[test]
fn a_hostile_pattern_does_not_run_away() {
    let started = Instant::now();
    let pattern = "*a".repeat(60) + "b";
    assert!(!matches(&pattern, &"a".repeat(20_000), ""));
    let folders = "**/".repeat(60) + "b";
    assert!(!matches(&folders, &"a/".repeat(10_000), ""));
    assert!(
        started.elapsed().as_secs() < 20,
        "exponential would take for ever"
    );
}

/// The plain definition, by trying everything: slow and obviously right for `*` and `?`.
fn by_definition(pattern: &[char], text: &[char]) -> bool {
    match (pattern, text) {
        ([], []) => true,
        ([' ', '*'], []) => true,
        (['*', rest @ ..], _) => (0..=text.len()).any(|used| by_definition(rest, &text[used..])),
        (['?', rest @ ..], [_, left @ ..]) => by_definition(rest, left),
        ([c, rest @ ..], [d, left @ ..]) if c == d => by_definition(rest, left),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn agrees_with_the_plain_definition(pattern in "[ab *?é]{0,7}", text in "[ab é]{0,8}") {
        let (p, t): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
        // A pattern that is nothing but ` *` keeps its space: there is no word before it.
        prop_assume!(pattern != " *");
        prop_assert_eq!(matches(&pattern, &text, ""), by_definition(&p, &t));
    }

    #[test]
    fn the_short_way_leads_where_the_long_one_does(
        pattern in "(~|[$]HOME|[.]/)?[a/ ]{0,3}([*]|/[*][*]| [*])?", text in "(/h)?[a/ ]{0,5}"
    ) {
        for home in ["", "/h"] {
            let long = Glob::new(&pattern, home).matches(&text);
            prop_assert_eq!(matches(&pattern, &text, home), long, "{:?}", home);
        }
    }

    #[test]
    fn never_panics(pattern in "\\PC{0,40}", text in "\\PC{0,80}", home in "\\PC{0,8}") {
        let _ = matches(&pattern, &text, &home);
        prop_assert!(matches("*", &text, &home));
        if !pattern.contains(['*', '?', '~', '$']) && !pattern.starts_with("./") {
            prop_assert!(matches(&pattern, &pattern, &home));
        }
    }
}
