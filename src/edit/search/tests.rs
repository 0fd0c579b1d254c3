//! Edits from end to end, without a file: what is found, what is refused, what stays.

use proptest::prelude::*;

use super::*;
use crate::text::encoding::Encoding;

mod reindented;

fn with(
    chain: &Chain,
    content: &str,
    old: &str,
    new: &str,
    all: bool,
) -> Result<Edited, NotApplied> {
    let mut search = Search::new(content.to_owned(), old, new, all, chain.clone())?;
    match search.run() {
        Progress::Done(done) => *done,
        Progress::Ask(step) => panic!("nobody is to be asked: {step}"),
    }
}

fn replace(content: &str, old: &str, new: &str, all: bool) -> Result<Edited, NotApplied> {
    with(&Chain::default(), content, old, new, all)
}

fn edited(content: &str, old: &str, new: &str) -> String {
    replace(content, old, new, false).unwrap().text
}

/// The work is one pass over the text, however many places there are.
#[test]
fn replaces_fifty_thousand_places() {
    let places = 50_000;
    let one_line = replace(&"ab".repeat(places), "a", "x\ny", true).unwrap();
    assert_eq!(one_line.text, "x\nyb".repeat(places));
    let lines = replace(&"a\r\n".repeat(places), "a\n", "x\ny\n", true).unwrap();
    assert_eq!(lines.text, "x\r\ny\r\n".repeat(places));
}

#[test]
fn refuses_what_is_uncertain() {
    assert_eq!(replace("abc", "x", "y", false), Err(NotApplied::NotFound));
    assert_eq!(replace("abc", "", "y", false), Err(NotApplied::Empty));
    assert_eq!(
        replace("a\r\nb", "a\r\nb", "a\nb", false),
        Err(NotApplied::NoChange)
    );
    let twice = NotApplied::Ambiguous {
        replacer: "simple".to_owned(),
        spans: vec![0..2, 1..3],
        count: 2,
    };
    assert_eq!(replace("aaa", "aa", "b", false), Err(twice));
    let all = replace("aaa", "aa", "b", true).unwrap();
    assert_eq!((all.text.as_str(), all.overlapping), ("ba", 1));
    let larger = replace(
        &format!("f(a,{}b)", " ".repeat(700)),
        "f(a, b)",
        "g()",
        false,
    );
    assert!(
        matches!(&larger, Err(NotApplied::Larger { found, quoted, .. })
            if found.bytes == 706 && quoted.bytes == 7),
        "{larger:?}"
    );
    let blank = replace("a\n   \nb\n", "  \n\t", "x", false);
    assert_eq!(blank, Err(NotApplied::NotFound));
}

/// A text that overlaps itself stands in every place where it begins, whoever finds it.
#[test]
fn what_overlaps_itself_is_counted_in_full() {
    let (content, old) = ("x".repeat(800_000), "x".repeat(400_000));
    for policy in [Policy::Safe, Policy::Opencode] {
        let chain = Chain {
            policy,
            ..Chain::default()
        };
        let told = with(&chain, &content, &old, "y", false).unwrap_err();
        assert!(
            matches!(&told, NotApplied::Ambiguous { count: 400_001, spans, .. } if spans.len() == TOLD),
            "{policy:?}"
        );
        let all = with(&chain, &content, &old, "y", true).unwrap();
        assert_eq!((&*all.text, all.overlapping), ("yy", 399_999));
    }
    for (old, text, by) in [
        ("x  x", "x x x\n", "whitespace_normalized"),
        ("\nx x\n", "x x x\n", "trimmed_boundary"),
        ("x\\tx", "x\tx\tx\n", "escape_normalized"),
    ] {
        let step = Step::Shipped(Replacer::named(by).unwrap());
        let chain = Chain {
            steps: vec![step],
            ..Chain::default()
        };
        let told = with(&chain, text, old, "+", false).unwrap_err();
        assert!(
            matches!(&told, NotApplied::Ambiguous { replacer, count: 2, .. } if replacer == by),
            "{told:?}"
        );
        let all = with(&chain, text, old, "+", true).unwrap();
        assert_eq!((all.spans.len(), all.overlapping), (1, 1), "{by}");
    }
}

#[test]
fn too_many_places_are_not_replaced_at_once() {
    let text = "a".repeat(MOST + 1);
    assert_eq!(
        replace(&text, "a", "", true),
        Err(NotApplied::TooMany(MOST + 1))
    );
    assert_eq!(replace(&text[1..], "a", "", true).unwrap().text, "");
}

#[test]
fn what_the_edit_does_not_touch_stays_the_files_own() {
    assert_eq!(
        edited("say “a” – “b”\n", "say \"a\" - \"b\"", "say \"a\" - \"c\""),
        "say “a” – “c”\n"
    );
    assert_eq!(
        edited(
            "if x:\r\n\tone( 1 )\r\n\r\n\ttwo()\r\n",
            "if x:\n    one( 1 )\n\n    two()",
            "if x:\n    one( 1 )\n\n    if y:\n        two()"
        ),
        "if x:\r\n\tone( 1 )\r\n\r\n\tif y:\r\n\t\ttwo()\r\n"
    );
    let block = "f {\n\tlet a = 1;\n\tlet unseen = 2;\n\tlet b = 3;\n\tlet c = 4;\n}\n";
    assert_eq!(
        edited(
            block,
            "f {\n  let a = 1;\n  let b = 3;\n  let c = 4;\n}",
            "f {\n  let a = 1;\n  let b = 3;\n  let c = 5;\n}"
        ),
        block.replace("c = 4", "c = 5")
    );
}

/// What the one replacer makes of it with so many steps.
fn limited(
    (replacer, policy): (Replacer, Policy),
    content: &str,
    old: &str,
    new: &str,
    steps: usize,
) -> Result<Edited, NotApplied> {
    let steps_of = vec![Step::Shipped(replacer)];
    let chain = Chain {
        policy,
        steps: steps_of,
        ..Chain::default()
    };
    let mut search = Search::new(content.to_owned(), old, new, true, chain)?;
    search.left = steps;
    match search.run() {
        Progress::Done(done) => *done,
        Progress::Ask(step) => panic!("nobody is to be asked: {step}"),
    }
}

/// Texts made to cost as much as they can, small: with the steps of an edit each is decided, with few it is
/// refused. A replacer that compares without counting would decide in both. Under `opencode` `context_aware`
/// looks at each line once.
#[test]
fn counts_what_each_replacer_compares() {
    use Policy::{Opencode, Safe};
    use Replacer::*;
    let of = |line: &str, times: usize| line.repeat(times);
    let braces = of("}\n", 200);
    let end = of("a\n", 200) + "z\n";
    let (tabs, nested) = (of("\tx\n", 200), of("{\n", 100) + &of("}\n", 100));
    let words = of("a ", 300) + "b";
    let long = of(&(of("x", 300) + "\t" + &of("y", 300) + " "), 40);
    let slashes = of("a\nb\n", 200);
    let cases = [
        ((LineTrimmed, Safe), &braces, of(" }\n", 100)),
        ((LineTrimmed, Opencode), &braces, of(" }\n", 100)),
        ((BlockAnchor, Safe), &end, of("a\nb\n", 90) + "z\n"),
        (
            (BlockAnchor, Opencode),
            &end,
            "a\n".to_owned() + &of("b\n", 90) + "z\n",
        ),
        ((WhitespaceNormalized, Safe), &words, of("a  ", 150)),
        (
            (WhitespaceNormalized, Opencode),
            &words,
            of("a  ", 150) + "b",
        ),
        (
            (IndentationFlexible, Safe),
            &tabs,
            of("x\n", 100).trim_end().to_owned(),
        ),
        (
            (EscapeNormalized, Safe),
            &long,
            of("x", 300) + "\\t" + &of("y", 300),
        ),
        ((EscapeNormalized, Safe), &slashes, of("a\\nb\\n", 100)),
        ((TrimmedBoundary, Safe), &tabs, " x ".to_owned()),
        (
            (TrimmedBoundary, Opencode),
            &of(" \n", 200),
            of("\n", 50) + "x",
        ),
        (
            (ContextAware, Safe),
            &nested,
            of("{\n", 80) + "x\n" + &of("}\n", 80),
        ),
    ];
    for (at, (by, content, old)) in cases.iter().enumerate() {
        let done = limited(*by, content, old, "new", STEPS);
        assert!(
            !matches!(done, Err(NotApplied::TooMuch(_))),
            "{at}: {done:?}"
        );
        let refused = limited(*by, content, old, "new", 500);
        let name = by.0.as_str().to_owned();
        assert_eq!(refused, Err(NotApplied::TooMuch(name)), "{at}");
    }
}

/// The new text is fitted to the file within the same steps.
#[test]
fn counts_what_fitting_the_new_text_costs() {
    let numbered = |lead: &str| -> String { (0..500).map(|at| format!("{lead}{at}\n")).collect() };
    let by = (Replacer::LineTrimmed, Policy::Safe);
    let (content, old, new) = (numbered("  l"), numbered("l"), numbered("m"));
    assert_eq!(
        limited(by, &content, &old, &new, STEPS).unwrap().text,
        numbered("  m")
    );
    let refused = limited(by, &content, &old, &new, 200_000);
    assert_eq!(refused, Err(NotApplied::TooMuch("line_trimmed".to_owned())));
}

#[test]
fn a_text_that_would_be_very_much_longer_is_refused() {
    let long = "x".repeat(1 << 20);
    for by in [
        (Replacer::Simple, Policy::Safe),
        (Replacer::Simple, Policy::Opencode),
    ] {
        let refused = limited(by, &"a".repeat(1000), "a", &long, STEPS);
        assert_eq!(refused, Err(NotApplied::TooLong(1000 << 20)));
    }
}

/// Large texts of every costly shape end in an answer, and never in a place that is not the only one.
#[test]
fn answers_whatever_the_text() {
    let line = "start { let value = compute(1, 2); end } ".repeat(10_000);
    let braces = "}\n".repeat(100_000);
    let anchors = "{\n  let a = 1;\n}\n".repeat(20_000);
    let cases = [
        (line.as_str(), "start {\n let value\nend }".to_owned()),
        (
            &line,
            "start  {  let value = compute(1, 3);  end }".to_owned(),
        ),
        (&braces, "}\n x\n}".to_owned()),
        (&braces, " }\n".repeat(60_000)),
        (&anchors, "{\n  wholly otherwise();\n}".to_owned()),
        (&anchors, "{\n  let b = 2;\n}".to_owned()),
    ];
    for (at, (content, old)) in cases.iter().enumerate() {
        for policy in [Policy::Safe, Policy::Opencode] {
            let chain = Chain {
                policy,
                ..Chain::default()
            };
            let done = with(&chain, content, old, "new", false);
            assert!(done.is_err() || policy == Policy::Opencode, "{at}");
        }
    }
}

fn encodings() -> Vec<Encoding> {
    ["utf-8", "utf-16le", "utf-16be", "windows-1252", "gbk"]
        .into_iter()
        .filter_map(|label| Encoding::for_label(label).ok())
        .collect()
}

proptest! {
    #[test]
    fn changes_nothing_outside_the_spans(
        before in "([a-c]{0,3}( |\t|\r\n|\n|\r|é|, |“|”){0,2}){0,6}",
        indent in "[ \t]{0,4}",
        after in "([a-c]{0,3}( |\t|\r\n|\n|\r|é|, |“|”){0,2}){0,6}",
        new in "[x-z \t]{0,4}[x-z](\n[ \t]{0,3}[x-z]{1,3}){0,2}",
        form in 0..6_usize,
        step in 0..9_usize,
        is_classic in any::<bool>(),
        all in any::<bool>(),
    ) {
        let there = format!("\n{indent}one “1”\n{indent}  two = 2;\n{indent}three\n");
        let old = [
            "one “1”\n  two = 2;\nthree",
            "  one \"1\"\n\t  two = 2;\n  three\n",
            "one “1”\ntwo = 3;\nthree",
            "one  “1”",
            "one “1”\\n",
            "\n\none “1”\n\n",
        ][form];
        let content = format!("{before}{there}{after}");
        let steps = vec![Step::Shipped(Replacer::ALL[step])];
        let policy = if is_classic { Policy::Opencode } else { Policy::Safe };
        let chain = Chain { policy, steps, ..Chain::default() };
        let Ok(edited) = with(&chain, &content, old, &new, all) else {
            return Ok(());
        };
        let first = edited.spans.first().unwrap().start;
        let last = edited.spans.last().unwrap().end;
        prop_assert!(edited.text.starts_with(&content[..first]));
        prop_assert!(edited.text.ends_with(&content[last..]));
        let mut rest = edited.text.as_str();
        let mut from = 0;
        for span in &edited.spans {
            let kept = &content[from..span.start];
            let at = rest.find(kept);
            prop_assert!(at.is_some(), "{kept:?} is not in {rest:?}");
            rest = &rest[at.unwrap() + kept.len()..];
            from = span.end;
        }
        for encoding in encodings() {
            let (Ok(was), Ok(is)) = (encoding.encode(&content), encoding.encode(&edited.text)) else {
                continue;
            };
            let head = encoding.encode(&content[..first]).unwrap();
            let whole = encoding.encode("").unwrap().len();
            let tail = encoding.encode(&content[last..]).unwrap().split_off(whole);
            prop_assert!(was.starts_with(&head) && is.starts_with(&head));
            prop_assert!(was.ends_with(&tail) && is.ends_with(&tail));
        }
    }
}
