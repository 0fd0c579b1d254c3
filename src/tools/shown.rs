//! Secrets in what a tool shows a part of: hidden in the whole before a part is taken.
//!
//! The door hides what it finds in a result. A line of a key alone does not look like one, so a tool that
//! shows lines of a file, or what a command prints, hides them itself while the whole is there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::decoding;
use crate::files::{HELD, Match};
use crate::process::Filter;
use crate::redact::{Reach, Redactor, Stream};
use crate::tool::{self, Context};

/// Programs that show what was changed in other people's files too.
const VERSION_CONTROL: [&str; 6] = ["git", "hg", "svn", "jj", "fossil", "gh"];

/// The whole text of a file as its reader may see it.
pub(super) fn whole(text: String, context: &Context) -> String {
    let Some(redactor) = context.redactor() else {
        return text;
    };
    match redactor.redact(&text, context.generation.redaction.reach()) {
        Cow::Owned(hidden) => hidden,
        Cow::Borrowed(_) => text,
    }
}

/// Some lines of a file that is too large to be looked at as a whole.
pub(super) fn part(text: String, context: &Context) -> String {
    let Some(redactor) = context.redactor() else {
        return text;
    };
    let reach = context.generation.redaction.reach();
    redactor.redact_part(&text, reach).into_owned()
}

/// Hides the secrets in lines that were found in files. Blocks.
pub(super) fn matches(matches: &mut [Match], context: &Context) {
    let Some(redactor) = context.redactor() else {
        return;
    };
    let reach = context.generation.redaction.reach();
    let mut files: HashMap<String, Option<Vec<String>>> = HashMap::new();
    for found in matches {
        let path = found.path.clone();
        for (number, line) in lines(found) {
            let as_part = redactor.redact_part(line, reach);
            if redactor.redact(line, reach) == as_part {
                *line = as_part.into_owned();
                continue;
            }
            // It may be a line of a key: what stands around it decides.
            let file = files.entry(path.clone());
            let file = file.or_insert_with(|| hidden_lines(&path, &redactor, reach, context));
            let count = line.lines().count();
            let from = usize::try_from(number)
                .unwrap_or(usize::MAX)
                .saturating_sub(1);
            let there = file.as_ref().and_then(|file| file.get(from..from + count));
            *line = match there {
                Some(there) => there.join("\n"),
                None => as_part.into_owned(),
            };
        }
    }
}

/// All lines of a match, with the number of the first of each.
fn lines(found: &mut Match) -> impl Iterator<Item = (u64, &mut String)> {
    let around = found.before.iter_mut().chain(&mut found.after);
    let around = around.map(|(number, line)| (*number, line));
    around.chain([(found.line, &mut found.text)])
}

/// The lines of the file at `path` without secrets; `None` where it cannot be read as a whole.
fn hidden_lines(
    path: &str,
    redactor: &Redactor,
    reach: Reach,
    context: &Context,
) -> Option<Vec<String>> {
    let files = &context.services.files;
    let place = files.resolve(path).ok()?;
    let snapshot = files.read(&place, HELD).ok()?;
    let (text, _) = decoding::shown(&snapshot, &place, None).ok()?;
    let hidden = redactor.redact(&text, reach);
    Some(hidden.lines().map(str::to_owned).collect())
}

/// What the output of `command` passes through.
pub(super) fn filter(redactor: &Arc<Redactor>, command: &str) -> Arc<dyn Filter> {
    let is_word = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    let mut words = command.split(|letter| !is_word(letter));
    let reach = match words.any(|word| VERSION_CONTROL.contains(&word)) {
        true => Reach::Input,
        false => Reach::Model,
    };
    let stream = || Mutex::new(Stream::new(redactor, reach));
    Arc::new(Hiding([stream(), stream()]))
}

/// Both streams of a command.
struct Hiding([Mutex<Stream>; 2]);

impl Hiding {
    fn of<T>(&self, stream: tool::Stream, work: impl FnOnce(&mut Stream) -> T) -> T {
        let [stdout, stderr] = &self.0;
        let held = match stream {
            tool::Stream::Stdout => stdout,
            tool::Stream::Stderr => stderr,
        };
        work(&mut held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Filter for Hiding {
    fn pass(&self, stream: tool::Stream, bytes: &[u8]) -> Vec<u8> {
        self.of(stream, |held| held.push(bytes)).into_bytes()
    }

    fn finish(&self, stream: tool::Stream) -> Vec<u8> {
        self.of(stream, Stream::finish).into_bytes()
    }
}
