//! Lines that a model gave again although they stay: the anchor's own line, the lines around a range.
//!
//! Only lines that say something, and only beside others: a brace, or one line alone, is meant to be there.

use super::anchor::says_something;
use super::batch::{Op, Step, Where};

/// Takes the echo off the lines of `step`, and says so. `old` are the lines of the file.
pub(super) fn off(step: &mut Step, old: &[&str]) -> Option<&'static str> {
    match (&step.place, step.op) {
        (Where::Lines(range), _) => around(&mut step.lines, old, range.start, range.end),
        (Where::Gap(gap), Op::Append) if step.is_anchored => {
            let is_echo = |line: &String| is_same(line, old[gap - 1]);
            let echoes = step.lines.len() > 1 && step.lines.first().is_some_and(is_echo);
            echoes.then(|| step.lines.remove(0))?;
            Some("the anchor's own line, given once more, was left out")
        }
        (Where::Gap(gap), _) if step.is_anchored => {
            let is_echo = |line: &String| is_same(line, old[*gap]);
            let echoes = step.lines.len() > 1 && step.lines.last().is_some_and(is_echo);
            echoes.then(|| step.lines.pop())?;
            Some("the anchor's own line, given once more, was left out")
        }
        _ => None,
    }
}

/// The lines before and behind a range that grew: left out where the range itself did not begin or end so.
fn around(lines: &mut Vec<String>, old: &[&str], from: usize, to: usize) -> Option<&'static str> {
    if lines.len() < 2 || lines.len() <= to - from {
        return None;
    }
    let mut left_out = false;
    let above = from.checked_sub(1).map(|at| old[at]);
    if let Some(above) = above
        && is_same(&lines[0], above)
        && !is_same(&lines[0], old[from])
    {
        lines.remove(0);
        left_out = true;
    }
    if let (Some(below), Some(last)) = (old.get(to), lines.last())
        && lines.len() > 1
        && is_same(last, below)
        && !is_same(last, old[to - 1])
    {
        lines.pop();
        left_out = true;
    }
    left_out.then_some("lines beside the range, given once more, were left out")
}

fn is_same(line: &str, other: &str) -> bool {
    says_something(line) && line.trim_end() == other.trim_end()
}
