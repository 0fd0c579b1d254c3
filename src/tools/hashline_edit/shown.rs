//! Lines with their anchors, as a reading with hashes shows them: those around a change, those that are stale.
//!
//! A line that is clipped, or in which a secret is hidden, has no anchor: who has not seen a line cannot name it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::edit::hashline::{Mark, Region, anchor, marks};
use crate::redact::Known;
use crate::text::head_bytes;
use crate::text::lines::{lines, split_ending};

/// Lines shown on each side.
const AROUND: usize = 2;

/// Of a region with more lines than twice this the middle is left out.
const EDGE: usize = 12;

/// At most so many lines are shown.
const SHOWN: usize = 200;

/// A line with more bytes than this is clipped, and has no anchor.
const LONG: usize = 500;

/// The lines that changed, with a few around them.
pub(super) fn changed(text: &str, regions: &[Region], hidden: Option<&Known>) -> String {
    let mut wanted = BTreeSet::new();
    for region in regions {
        let end = region.first + region.count;
        let mut take = |from: usize, to: usize| wanted.extend(from.max(1)..to);
        if region.count <= 2 * EDGE {
            take(region.first.saturating_sub(AROUND), end + AROUND);
        } else {
            take(region.first.saturating_sub(AROUND), region.first + EDGE);
            take(end - EDGE, end + AROUND);
        }
    }
    listed(text, &wanted, &BTreeSet::new(), hidden)
}

/// The lines `pointed_at`, marked, with a few around them.
pub(super) fn pointed(text: &str, pointed_at: &BTreeSet<usize>, hidden: Option<&Known>) -> String {
    let around = |line: &usize| line.saturating_sub(AROUND).max(1)..line + AROUND + 1;
    let wanted = pointed_at.iter().flat_map(around).collect();
    listed(text, &wanted, pointed_at, hidden)
}

fn listed(
    text: &str,
    wanted: &BTreeSet<usize>,
    pointed_at: &BTreeSet<usize>,
    hidden: Option<&Known>,
) -> String {
    let marks = marks(text);
    let bodies: Vec<&str> = lines(text).map(|line| split_ending(line).0).collect();
    let mut listed = String::new();
    let mut last = 0;
    let there = wanted.iter().copied().filter(|line| *line <= bodies.len());
    for (shown, number) in there.enumerate() {
        if number > last + 1 || shown == SHOWN {
            listed.push_str("   ...\n");
        }
        if shown == SHOWN {
            break;
        }
        listed.push_str(
            match (pointed_at.is_empty(), pointed_at.contains(&number)) {
                (true, _) => "",
                (_, true) => ">>> ",
                _ => "    ",
            },
        );
        let body = bodies[number - 1];
        match hidden.map(|known| known.hide(body)) {
            Some(Cow::Owned(body)) => line(&mut listed, number, &body, None),
            _ => line(&mut listed, number, body, Some(marks[number - 1])),
        }
        last = number;
    }
    listed
}

fn line(listed: &mut String, number: usize, body: &str, mark: Option<Mark>) {
    let part = head_bytes(body, LONG);
    let _ = match (part.len() == body.len(), mark) {
        (true, Some(mark)) => writeln!(listed, "{:>10}|{body}", anchor(number, mark)),
        (true, None) => writeln!(listed, "{number:>6}\t{body}"),
        (false, _) => writeln!(listed, "{number:>6}\t{part}… [clipped]"),
    };
}
