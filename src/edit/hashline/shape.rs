//! The shape of lines that a model lost: their indent, one line made of several, several made of one.
//!
//! Each is mended only where something else changed too. A change of shape alone is what was asked for.

use std::collections::HashMap;

use super::super::STEPS;
use super::super::similar::similarity;
use super::anchor::says_something;
use crate::text::Work;

/// How like a changed line must be to the old one to be taken for it.
const ALIKE: f64 = 0.5;

/// How many lines a line may have been wrapped into.
const WRAPPED: usize = 10;

/// How many characters a wrapped line has at least; what is shorter is found anywhere.
const LONG: usize = 6;

/// Restores the shape of `lines`, which replace `old`, and says how.
pub(super) fn restored(lines: &mut Vec<String>, old: &[&str]) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if let Some(apart) = taken_apart(lines, old) {
        *lines = apart;
        notes.push("one line was taken apart into the lines it replaces");
    } else if let Some(joined) = rejoined(lines, old) {
        *lines = joined;
        notes.push("lines that were only wrapped are one line again");
    }
    if indented(lines, old) {
        notes.push("the indent that lines had lost was restored");
    }
    notes
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Gives lines that stand at the edge the indent of the lines they replace, one for one. Lines that lost it must have
/// changed besides, and those that did not lose it must have kept it as it was.
fn indented(lines: &mut [String], old: &[&str]) -> bool {
    if lines.len() != old.len() {
        return false;
    }
    let is_filled = |new: &str, old: &str| !new.trim().is_empty() && !old.trim().is_empty();
    let lost = |new: &str, old: &str| {
        is_filled(new, old) && indent(new).is_empty() && !indent(old).is_empty()
    };
    let pairs = || lines.iter().map(String::as_str).zip(old.iter().copied());
    let is_sure = pairs().all(|(new, old)| match lost(new, old) {
        true => new.trim() != old.trim(),
        false => !is_filled(new, old) || indent(new) == indent(old),
    });
    if !is_sure || !pairs().any(|(new, old)| lost(new, old)) {
        return false;
    }
    for (new, old) in lines.iter_mut().zip(old) {
        if lost(new, old) {
            new.insert_str(0, indent(old));
        }
    }
    true
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Lines of `old` that stand in `lines` wrapped into several, in one piece again; `None` where there are none, or
/// where nothing but the wrapping would be left.
fn rejoined(lines: &[String], old: &[&str]) -> Option<Vec<String>> {
    if old.len() < 2 || lines.len() <= old.len() {
        return None;
    }
    let mut known: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, line) in old.iter().enumerate() {
        known.entry(squeezed(line)).or_default().push(at);
    }
    let once = |text: &str| match known.get(text).map(Vec::as_slice) {
        Some([at]) => Some(*at),
        _ => None,
    };
    let (mut joined, mut at, mut is_joined) = (Vec::new(), 0, false);
    while at < lines.len() {
        let mut text = squeezed(&lines[at]);
        let mut found = None;
        let whole = once(&text).is_some();
        for end in at + 2..=lines.len().min(at + WRAPPED) {
            if whole || lines[end - 1].trim().is_empty() || lines[at].trim().is_empty() {
                break;
            }
            text.push_str(&squeezed(&lines[end - 1]));
            if text.chars().count() >= LONG
                && let Some(line) = once(&text)
            {
                found = Some((line, end));
                break;
            }
        }
        match found {
            Some((line, end)) => {
                joined.push(old[line].to_owned());
                (at, is_joined) = (end, true);
            }
            None => {
                joined.push(lines[at].clone());
                at += 1;
            }
        }
    }
    (is_joined && joined != old).then_some(joined)
}

/// One line that holds what `old` says in several, with one of them changed, as those lines. A mere join stays one.
fn taken_apart(lines: &[String], old: &[&str]) -> Option<Vec<String>> {
    let [line] = lines else {
        return None;
    };
    let says = old.iter().all(|line| says_something(line));
    if !(2..=WRAPPED).contains(&old.len()) || !says {
        return None;
    }
    let parts = at_semicolons(line, old).or_else(|| around_one(line.trim(), old))?;
    let changed = parts
        .iter()
        .zip(old)
        .filter(|(new, old)| **new != old.trim());
    if changed.count() == 0 {
        return None;
    }
    let with_indent = |(new, old): (&String, &&str)| format!("{}{new}", indent(old));
    Some(parts.iter().zip(old).map(with_indent).collect())
}

/// Whether a changed line may be taken for the old one; not where that is too much to find out.
fn is_like(new: &str, old: &str) -> bool {
    similarity(new, old, &Work::of(STEPS)).is_ok_and(|score| score >= ALIKE)
}

/// The statements of a line, where each is like one of the lines that ends with `;`.
fn at_semicolons(line: &str, old: &[&str]) -> Option<Vec<String>> {
    let parts: Vec<&str> = line.trim().split_inclusive("; ").map(str::trim).collect();
    let is_like = |(new, old): (&&str, &&str)| is_like(new, old.trim());
    let fits = parts.len() == old.len() && parts.iter().zip(old).all(is_like);
    fits.then(|| parts.into_iter().map(str::to_owned).collect())
}

/// The lines before the one that changed, that one, and the lines behind it, as they follow in `line`.
fn around_one(line: &str, old: &[&str]) -> Option<Vec<String>> {
    let trimmed: Vec<String> = old.iter().map(|line| line.trim().to_owned()).collect();
    (0..old.len()).find_map(|changed| {
        let (before, behind) = (
            trimmed[..changed].join(" "),
            trimmed[changed + 1..].join(" "),
        );
        let rest = line.strip_prefix(before.as_str())?;
        let rest = rest.strip_suffix(behind.as_str())?;
        let is_cut = (before.is_empty() || rest.starts_with(' '))
            && (behind.is_empty() || rest.ends_with(' '));
        let middle = rest.trim();
        if !is_cut || middle.is_empty() || !is_like(middle, &trimmed[changed]) {
            return None;
        }
        let mut parts = trimmed.clone();
        parts[changed] = middle.to_owned();
        Some(parts)
    })
}
