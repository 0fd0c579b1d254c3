//! Code quoted with another indent and other space on its blank lines, and changed: what comes of it is the file with
//! the same change made to its own lines, or nothing at all.

use super::*;

/// A line: how deep it stands; `None` where it is blank.
type Shape = Vec<Option<usize>>;

/// What is done to the line with this number.
#[derive(Clone, Copy, Debug)]
enum Change {
    Goes(usize),
    Becomes(usize),
    FollowedBy(usize),
}

/// Lines that can be code: each at most one step deeper than the one before, the first and the last not blank.
fn shapes() -> impl Strategy<Value = Shape> {
    let line = prop_oneof![4 => (0..3usize).prop_map(Some), 1 => Just(None)];
    prop::collection::vec(line, 1..7).prop_map(|mut lines| {
        let mut before = 0;
        lines.insert(0, Some(0));
        lines.push(Some(0));
        for depth in lines.iter_mut().flatten() {
            *depth = (*depth).min(before + 1);
            before = *depth;
        }
        lines
    })
}

/// The lines of `shape`, `base` and `unit` before them; `blanks` is the space on blank ones.
fn lines(shape: &Shape, base: &str, unit: &str, blanks: &[&str]) -> Vec<String> {
    let line = |(at, depth): (usize, &Option<usize>)| match depth {
        Some(depth) => format!("{base}{}name{at} = {at}", unit.repeat(*depth)),
        None => blanks[at % blanks.len()].to_owned(),
    };
    shape.iter().enumerate().map(line).collect()
}

/// `lines` after the change.
fn changed(lines: &[String], change: Change) -> Vec<String> {
    let mut lines = lines.to_vec();
    match change {
        Change::Goes(at) => drop(lines.remove(at)),
        Change::Becomes(at) => lines[at].push_str("00"),
        Change::FollowedBy(at) => {
            let indent: String = lines[at]
                .chars()
                .take_while(|c| c.is_whitespace())
                .collect();
            lines.insert(at + 1, format!("{indent}fresh = 1"));
        }
    }
    lines
}

/// The lines as they are seen: of two blank ones nobody can tell which went.
fn seen(text: &str) -> Vec<&str> {
    let lines = text.lines();
    lines
        .map(|line| if line.trim().is_empty() { "" } else { line })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn the_file_changes_as_the_quote_does(
        shape in shapes(),
        (file_base, file_unit) in prop::sample::select(vec![("", "    "), ("    ", "    "), ("\t", "\t"), ("  ", "  "), ("", "\t")]),
        (base, unit) in prop::sample::select(vec![("", "    "), ("", "  "), ("  ", "  "), ("\t", "\t"), ("        ", "    ")]),
        file_blanks in prop::sample::select(vec![vec![""], vec!["  ", ""], vec!["        "]]),
        blanks in prop::sample::select(vec![vec![""], vec!["  "], vec!["", "      "]]),
        at in 0..100usize,
        what in 0..3,
    ) {
        let filled: Vec<usize> = (0..shape.len()).filter(|&at| shape[at].is_some()).collect();
        let inner = filled[at % filled.len()];
        let change = match what {
            0 => Change::Goes(at % (shape.len() - 2) + 1),
            1 => Change::Becomes(inner),
            _ => Change::FollowedBy(inner),
        };
        let file = lines(&shape, file_base, file_unit, &file_blanks);
        let old = lines(&shape, base, unit, &blanks);
        let text = |lines: &[String]| format!("first()\n{}\nlast()\n", lines.join("\n"));
        let done = replace(&text(&file), &old.join("\n"), &changed(&old, change).join("\n"), false);
        if let Ok(done) = done && !done.is_exact {
            let expected = text(&changed(&file, change));
            prop_assert_eq!(seen(&done.text), seen(&expected), "{:?}", old);
        }
    }
}
