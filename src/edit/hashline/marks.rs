//! Marks that a model copied along with lines: the anchors of a reading, the `+` of a diff.
//!
//! They are taken off where they can hardly be meant: where the file's own lines there have none.

use super::anchor::behind_anchor;

/// Takes marks off `lines`, which come to stand at or beside the lines `near` of the file, and says so.
///
/// # Errors
/// What is wrong, where a line is marked as one that goes.
pub(super) fn off(
    lines: &mut [String],
    near: &[&str],
) -> Result<Option<&'static str>, &'static str> {
    if anchors(lines, near)? {
        return Ok(Some("the anchors before the lines were taken off"));
    }
    Ok(pluses(lines, near).then_some("the `+` before the lines was taken off"))
}

fn filled(lines: &[String]) -> impl Iterator<Item = &String> {
    lines.iter().filter(|line| !line.trim().is_empty())
}

/// At least half of the lines have an anchor: those that have one lose it.
fn anchors(lines: &mut [String], near: &[&str]) -> Result<bool, &'static str> {
    let marked: Vec<bool> = filled(lines)
        .filter_map(|line| Some(behind_anchor(line)?.1))
        .collect();
    let is_own = near.iter().any(|line| behind_anchor(line).is_some());
    if marked.is_empty() || marked.len() * 2 < filled(lines).count() || is_own {
        return Ok(false);
    }
    if marked.contains(&true) {
        return Err("`lines` has lines marked with `-`: give only the lines that are to be there");
    }
    for line in lines {
        if let Some((text, _)) = behind_anchor(line) {
            *line = text.to_owned();
        }
    }
    Ok(true)
}

/// Every line begins with a `+` that is no sign of its own (`+1`, `+ item`, `++i`): all lose it. One line alone loses
/// it only where the indent of the line in the file stands behind it.
fn pluses(lines: &mut [String], near: &[&str]) -> bool {
    let is_mark = |line: &String| {
        line.strip_prefix('+').is_some_and(|rest| {
            let is_item = rest.starts_with(' ') && !rest.starts_with("  ");
            !is_item && !rest.starts_with(|next: char| next == '+' || next.is_ascii_digit())
        })
    };
    let count = filled(lines).count();
    if count == 0 || !filled(lines).all(is_mark) || near.iter().any(|line| line.starts_with('+')) {
        return false;
    }
    let indent = |line: &str| line[..line.len() - line.trim_start().len()].to_owned();
    let is_indented = |line: &String| {
        let own = indent(&line[1..]);
        !own.is_empty() && near.iter().any(|near| indent(near) == own)
    };
    if count == 1 && !filled(lines).all(is_indented) {
        return false;
    }
    for line in lines.iter_mut().filter(|line| line.starts_with('+')) {
        line.remove(0);
    }
    true
}
