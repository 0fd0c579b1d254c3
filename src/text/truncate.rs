//! Cutting a text to so many lines and bytes, keeping its start, its end, or both.
//!
//! Whole lines are kept where any fit; of one over-long line its first part is. A character is never
//! broken.

use std::ops::RangeInclusive;

use super::{head_bytes, tail_bytes};

/// How every notice of truncation begins.
pub const TRUNCATION_MARK: &str = "[truncated: lines ";

/// Which part of a text that is too long is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The start.
    Head,
    /// The end.
    Tail,
    /// The start and the end, half each.
    Both,
}

/// What is left of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truncated<'a> {
    /// The kept start and its lines, 1-based; empty under [`Keep::Tail`].
    pub head: (&'a str, Option<RangeInclusive<usize>>),
    /// The kept end and its lines, 1-based; empty under [`Keep::Head`].
    pub tail: (&'a str, Option<RangeInclusive<usize>>),
    /// Lines in all.
    pub total: usize,
}

/// Cuts `text` to at most `lines` lines and `bytes` bytes; `None` when it fits as it is.
pub fn truncate(text: &str, lines: usize, bytes: usize, keep: Keep) -> Option<Truncated<'_>> {
    let total = count(text);
    if total <= lines && text.len() <= bytes {
        return None;
    }
    let none = ("", None);
    let cut = match keep {
        Keep::Head => Truncated {
            head: head(text, lines, bytes),
            tail: none,
            total,
        },
        Keep::Tail => Truncated {
            head: none,
            tail: tail(text, total, lines, bytes),
            total,
        },
        Keep::Both => {
            let head = head(text, lines.div_ceil(2), bytes.div_ceil(2));
            let rest = &text[head.0.len()..];
            Truncated {
                head,
                tail: tail(rest, total, lines / 2, bytes / 2),
                total,
            }
        }
    };
    Some(cut)
}

/// As [`truncate`], of a text whose first `lead` bytes are whole lines that every cut keeps.
pub fn truncate_after(
    text: &str,
    lead: usize,
    lines: usize,
    bytes: usize,
    keep: Keep,
) -> Option<Truncated<'_>> {
    let plain = truncate(text, lines, bytes, keep)?;
    let (first, rest) = text.split_at(lead);
    let before = count(first);
    let (lines, bytes) = (lines.saturating_sub(before), bytes.saturating_sub(lead));
    let cut = truncate(rest, lines, bytes, keep).filter(|_| before > 0 && keep != Keep::Head);
    let Some(cut) = cut else {
        return Some(plain);
    };
    let head = &text[..lead + cut.head.0.len()];
    let last = cut.head.1.map_or(before, |lines| before + lines.end());
    let shifted = |lines: RangeInclusive<usize>| before + lines.start()..=before + lines.end();
    Some(Truncated {
        head: (head, Some(1..=last)),
        tail: (cut.tail.0, cut.tail.1.map(shifted)),
        total: before + cut.total,
    })
}

fn count(text: &str) -> usize {
    let ends = text.bytes().filter(|&byte| byte == b'\n').count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

fn head(text: &str, lines: usize, bytes: usize) -> (&str, Option<RangeInclusive<usize>>) {
    let (mut end, mut taken) = (0, 0);
    for line in text.split_inclusive('\n').take(lines) {
        if end + line.len() > bytes {
            break;
        }
        end += line.len();
        taken += 1;
    }
    if taken == 0 && lines > 0 {
        let first = head_bytes(text.split('\n').next().unwrap_or(text), bytes);
        return (first, Some(1..=1));
    }
    (&text[..end], (taken > 0).then_some(1..=taken))
}

fn tail(
    text: &str,
    total: usize,
    lines: usize,
    bytes: usize,
) -> (&str, Option<RangeInclusive<usize>>) {
    let (mut start, mut taken) = (text.len(), 0);
    for line in text.split_inclusive('\n').rev().take(lines) {
        if text.len() - start + line.len() > bytes {
            break;
        }
        start -= line.len();
        taken += 1;
    }
    if taken == 0 && lines > 0 && !text.is_empty() {
        return (tail_bytes(text, bytes), Some(total..=total));
    }
    (
        &text[start..],
        (taken > 0).then(|| total + 1 - taken..=total),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn leaves_alone_what_fits() {
        assert_eq!(truncate("a\nb\n", 2, 4, Keep::Head), None);
        assert_eq!(truncate("", 0, 0, Keep::Both), None);
    }

    #[test]
    fn each_limit_cuts_by_itself() {
        let by_lines = truncate("a\nb\nc\n", 2, 100, Keep::Head).unwrap();
        assert_eq!(
            (by_lines.head, by_lines.total),
            (("a\nb\n", Some(1..=2)), 3)
        );
        let by_bytes = truncate("aa\nbb\ncc", 100, 5, Keep::Tail).unwrap();
        assert_eq!(by_bytes.tail, ("bb\ncc", Some(2..=3)));
        let both = truncate("1\n2\n3\n4\n5\n6\n", 4, 100, Keep::Both).unwrap();
        assert_eq!(both.head, ("1\n2\n", Some(1..=2)));
        assert_eq!(both.tail, ("5\n6\n", Some(5..=6)));
    }

    #[test]
    fn shows_the_first_part_of_one_long_line() {
        let line = "漢".repeat(100);
        let cut = truncate(&line, 10, 7, Keep::Head).unwrap();
        assert_eq!(cut.head, ("漢漢", Some(1..=1)));
        assert_eq!(truncate(&line, 10, 7, Keep::Tail).unwrap().tail.0, "漢漢");
    }

    #[test]
    fn what_leads_is_kept_by_every_cut() {
        let text = "lead\n1\n2\n3\n4\n5\n6\n";
        let tail = truncate_after(text, 5, 3, 100, Keep::Tail).unwrap();
        assert_eq!(tail.head, ("lead\n", Some(1..=1)));
        assert_eq!((tail.tail, tail.total), (("5\n6\n", Some(6..=7)), 7));
        let both = truncate_after(text, 5, 3, 100, Keep::Both).unwrap();
        assert_eq!(both.head, ("lead\n1\n", Some(1..=2)));
        assert_eq!(both.tail, ("6\n", Some(7..=7)));
        let least = truncate_after(text, 5, 1, 100, Keep::Tail).unwrap();
        assert_eq!(
            (least.head, least.tail),
            (("lead\n", Some(1..=1)), ("", None))
        );
        let bytes = truncate_after(text, 5, 100, 8, Keep::Tail).unwrap();
        assert_eq!((bytes.head.0, bytes.tail.0), ("lead\n", "6\n"));
        for (lead, keep) in [(0, Keep::Tail), (5, Keep::Head)] {
            assert_eq!(
                truncate_after(text, lead, 3, 100, keep),
                truncate(text, 3, 100, keep)
            );
        }
        assert_eq!(truncate_after("lead\n", 5, 9, 9, Keep::Tail), None);
    }

    proptest! {
        #[test]
        fn keeps_within_both_limits(text in "(?s).{0,200}", lines in 0usize..20, bytes in 0usize..100) {
            for keep in [Keep::Head, Keep::Tail, Keep::Both] {
                if let Some(cut) = truncate(&text, lines, bytes, keep) {
                    let kept = cut.head.0.len() + cut.tail.0.len();
                    prop_assert!(kept <= bytes + 1 && kept <= text.len());
                    prop_assert!(text.starts_with(cut.head.0) && text.ends_with(cut.tail.0));
                }
            }
        }
    }
}
