//! Diffs against the letter of the format, and put back together by a small reader of patches.

use proptest::prelude::*;

use super::*;

/// Comparing them line by line would take a step for every pair of lines.
#[test]
fn a_text_in_which_every_line_changed_is_compared_at_once() {
    let (old, new) = ("old\n".repeat(50_000), "new\n".repeat(50_000));
    let diff = unified(&old, &new, "f", CONTEXT);
    assert_eq!((diff.additions, diff.deletions), (50_000, 50_000));
}

const CREATED: Names<'_> = Names {
    old: None,
    new: Some("f"),
};
const DELETED: Names<'_> = Names {
    old: Some("f"),
    new: None,
};

#[test]
fn equal_texts_give_nothing() {
    assert_eq!(unified("a\n", "a\n", "f", CONTEXT), Diff::default());
    assert_eq!(unified("", "", "f", CONTEXT), Diff::default());
}

#[test]
fn shows_a_change_with_its_surroundings() {
    let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
    let diff = unified(old, new, "dir/f", CONTEXT);
    assert_eq!(
        diff.text,
        "--- dir/f\n+++ dir/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    );
    assert_eq!((diff.additions, diff.deletions), (1, 1));
}

#[test]
fn says_that_a_last_line_has_no_newline() {
    let diff = unified("a\nb", "a\nb\n", "f", CONTEXT);
    assert_eq!(
        diff.text,
        "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"
    );
}

#[test]
fn names_what_appears_and_disappears() {
    let made = unified("", "x\n", CREATED, CONTEXT);
    assert_eq!(made.text, "--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+x\n");
    let gone = unified("x\n", "", DELETED, CONTEXT);
    assert_eq!(gone.text, "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
    let empty = unified("", "", CREATED, CONTEXT);
    assert_eq!(empty.text, "--- /dev/null\n+++ f\n");
}

#[test]
fn a_change_of_line_endings_is_a_change() {
    let diff = unified("a\r\nb\rc\n", "a\nb\rc\n", "f", CONTEXT);
    assert_eq!(
        diff.text,
        "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\rc\n"
    );
}

#[test]
fn a_huge_change_is_reported_whole() {
    let old: String = (0..FINE_LINES).map(|n| format!("a{n}\n")).collect();
    let new: String = (0..FINE_LINES).map(|n| format!("b{}\n", n % 7)).collect();
    let diff = unified(&old, &new, "f", CONTEXT);
    assert_eq!((diff.additions, diff.deletions), (FINE_LINES, FINE_LINES));
}

/// Applies `diff` to `old`, trusting nothing but its text.
fn apply(diff: &str, old: &str) -> String {
    let mut source = old.split_inclusive('\n');
    let (mut made, mut line) = (String::new(), 0);
    let mut patch = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(entry) = patch.next() {
        let body = &entry[1..];
        let unfinished = patch.peek().is_some_and(|next| next.starts_with('\\'));
        let body = if unfinished {
            &body[..body.len() - 1]
        } else {
            body
        };
        match &entry[..1] {
            "@" => {
                let from = entry.split(['-', ' ', ',']).nth(2).unwrap();
                let empty = entry.contains(",0 +");
                let start = from.parse::<usize>().unwrap() + usize::from(empty);
                while line + 1 < start {
                    made.push_str(source.next().unwrap());
                    line += 1;
                }
            }
            "+" => made.push_str(body),
            " " => {
                assert_eq!(source.next(), Some(body));
                made.push_str(body);
                line += 1;
            }
            "-" => {
                assert_eq!(source.next(), Some(body));
                line += 1;
            }
            mark => assert_eq!(mark, "\\"),
        }
    }
    made.extend(source);
    made
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn applied_to_the_old_text_gives_the_new(
        old in "([ab]{0,2}(\n|\r\n)){0,12}[ab]{0,2}",
        new in "([ab]{0,2}(\n|\r\n)){0,12}[ab]{0,2}",
        context in 0_usize..4,
    ) {
        let diff = unified(&old, &new, "f", context);
        prop_assert_eq!(apply(&diff.text, &old), new.clone(), "{}", diff.text);
        let grown = old.split_inclusive('\n').count() + diff.additions;
        prop_assert_eq!(grown, new.split_inclusive('\n').count() + diff.deletions);
    }
}
