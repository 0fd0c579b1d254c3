//! The paths that redirects open, where they are certain.
//!
//! Both readers have to agree on the word; where they do not, what it could stand for counts.

use super::super::command::{self, Word};
use super::super::subject::Group;
use super::guessed::Known;
use super::tree::{Redirect, Tree};
use super::{MOST_OPERANDS, Operand};

/// The paths of redirects; or why one of them cannot be told.
pub(super) fn redirected(
    tree: &Tree,
    known: &Known<'_>,
    operands: &mut Vec<Operand>,
) -> Option<&'static str> {
    let mut why = None;
    for redirect in &tree.redirects {
        let target = target(redirect);
        if redirect.unusual || target.is_none() {
            why = Some("it redirects to what cannot be told");
        }
        let targets = target.map_or_else(|| known.meant(&redirect.raw), |target| vec![target]);
        let group = if redirect.writes {
            Group::Edit
        } else {
            Group::Read
        };
        for target in targets {
            if is_a_stream(&target.text) {
                continue;
            }
            if tree.adrift && !target.home && !target.text.starts_with('/') {
                why = Some("it redirects to what cannot be told");
            }
            operands.push(Operand {
                folders: redirect.folders.clone(),
                lost: tree.adrift,
                of: None,
                ..Operand::new(&target, group.clone())
            });
        }
    }
    if operands.len() > MOST_OPERANDS {
        operands.truncate(MOST_OPERANDS);
        why = Some("it names more than can be looked at");
    }
    why
}

/// What is no file to anybody.
pub(super) fn is_a_stream(path: &str) -> bool {
    ["/dev/null", "/dev/stdout", "/dev/stderr"].contains(&path)
}

/// The one word that a redirect goes to, where both readers agree.
fn target(redirect: &Redirect) -> Option<Word> {
    // It stands in the place of an argument: the first word has rules of its own.
    let words = command::patterns(&format!("x {}", redirect.raw)).ok()?;
    let [_, word] = words.as_slice() else {
        return None;
    };
    let same = redirect.target.as_ref() == Some(&word.text);
    (same && !word.glob).then(|| word.clone())
}
