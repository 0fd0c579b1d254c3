//! What the words of a command do not say: what a line feeds to it, what is run from inside of such a text, and
//! whether its name is one that the line defines.
//!
//! A text that is fed to anything else is data.

use std::collections::HashSet;

use super::super::command;
use super::outline::{Document, Feed, Outline};
use super::tree::Tree;
use super::{Around, Line, Operand, Simple, opened, taken_apart, touching};

/// In how many folders a text is judged.
const MOST_FOLDERS: usize = 8;

/// Adds to `line` the commands that its texts hold; or says why that cannot be told.
pub(super) fn feed(
    text: &str,
    outline: &Outline,
    tree: &Tree,
    around: &Around<'_>,
    line: &mut Line,
) -> Option<&'static str> {
    if outline.documents.is_empty() {
        return None;
    }
    let around = &inside(tree, around);
    if around.depth > opened::DEEPEST {
        return Some("it is nested too deep");
    }
    let is_shell = line
        .commands
        .iter()
        .any(|simple| opened::is_fed(words(simple)));
    let program = line
        .commands
        .iter()
        .position(|simple| opened::interprets(words(simple)));
    for document in &outline.documents {
        if program.is_some() {
            let body = text.get(document.body.clone()).unwrap_or_default();
            line.operands
                .extend(touching::named(body).into_iter().map(|named| Operand {
                    folders: around.folders.clone(),
                    lost: around.lost,
                    of: program,
                    ..named
                }));
        }
        for place in &document.substitutions {
            if !outline.functions.is_empty() {
                return Some("a text in it may call a function of its own");
            }
            let inner = text.get(place.start + 2..place.end.saturating_sub(1));
            if let Some(why) = add(inner.unwrap_or_default(), around, line) {
                return Some(why);
            }
        }
        if is_shell {
            let Some(fed) = fed(text, document) else {
                return Some("a shell in it is fed what cannot be told");
            };
            if let Some(why) = add(&fed, around, line) {
                return Some(why);
            }
        }
    }
    None
}

/// Where a text that stands in a line could be run; nowhere known where that is anywhere.
fn inside<'a>(tree: &Tree, around: &Around<'a>) -> Around<'a> {
    let mut folders = around.folders.clone();
    for folder in tree.commands.iter().flat_map(|found| &found.folders) {
        if folders.len() <= MOST_FOLDERS && !folders.contains(folder) {
            folders.push(folder.clone());
        }
    }
    let lost = tree.adrift || folders.len() > MOST_FOLDERS;
    folders.truncate(MOST_FOLDERS);
    Around {
        folders,
        lost,
        home: around.home,
        depth: around.depth + 1,
        left: around.left,
    }
}

fn words(simple: &Simple) -> &[String] {
    simple.argv.as_deref().unwrap_or_default()
}

/// Adds the commands of `text`.
fn add(text: &str, around: &Around<'_>, line: &mut Line) -> Option<&'static str> {
    let inner = taken_apart(text, around);
    let before = line.commands.len();
    let shift = |operand: Operand| Operand {
        of: operand.of.map(|of| of + before),
        ..operand
    };
    line.operands.extend(inner.operands.into_iter().map(shift));
    line.commands.extend(inner.commands);
    inner.opaque
}

/// The text that a shell gets; `None` where it hangs on something.
fn fed(text: &str, document: &Document) -> Option<String> {
    let body = text.get(document.body.clone())?;
    let stripped = |tabs: bool| match tabs {
        true => body
            .split_inclusive('\n')
            .map(|line| line.trim_start_matches('\t'))
            .collect(),
        false => body.to_owned(),
    };
    match document.kind {
        Feed::Quoted(tabs) => Some(stripped(tabs)),
        Feed::Open(tabs) => (!body.contains(['$', '\\', '`'])).then(|| stripped(tabs)),
        Feed::Word => {
            let words = command::patterns(&format!("x {body}")).ok()?;
            match words.as_slice() {
                [_, word] if !word.glob && !word.home => Some(word.text.clone()),
                _ => None,
            }
        }
    }
}

/// What a command does that its words do not say: a shell that reads its commands from elsewhere runs what the rest
/// of the line gives it, a name that the line defines is no program. No rule allows these by their words.
pub(super) fn hidden(line: &str, tree: &Tree, is_fed: bool, commands: &mut [Simple]) {
    let places = tree.functions.iter();
    let defined: HashSet<&str> = places.filter_map(|place| line.get(place.clone())).collect();
    let names = tree
        .commands
        .iter()
        .map(|found| found.words.first().and_then(Option::as_deref));
    for (simple, name) in commands.iter_mut().zip(names) {
        let argv = simple.argv.as_deref().unwrap_or_default();
        let hides = opened::is_fed(argv) || (is_fed && opened::interprets(argv));
        if hides || name.is_some_and(|name| defined.contains(name)) {
            *simple = Simple {
                text: line.to_owned(),
                folders: std::mem::take(&mut simple.folders),
                ..Simple::default()
            };
        }
    }
}
