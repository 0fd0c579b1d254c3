//! What a person sees before saying yes: what would load, what changed since the last yes, which lines use
//! power. It is data, with a text to read.
//!
//! Every text of the project is foreign: what a terminal would obey is written as an escape, in the data too.

use std::fmt::Write as _;

use super::{Change, Flag, Last, State, power};
use crate::layers::{Entry, Refused, Survey, What};
use crate::text::diff::{CONTEXT, Names, unified};
use crate::text::{counted, one_line, visible};

/// What a project would load, ready to be shown.
#[derive(Clone, Debug)]
pub struct View {
    /// The project's root.
    pub root: String,
    /// [`Survey::digest`].
    pub digest: String,
    /// Every file there is or was, by path.
    pub files: Vec<FileView>,
    /// What can never load as it is.
    pub refused: Vec<Refused>,
    /// The lines that use power.
    pub flags: Vec<Flag>,
    /// Whether there was a yes before.
    pub has_last: bool,
}

/// One file of a [`View`].
#[derive(Clone, Debug)]
pub struct FileView {
    /// Its path, relative to the root.
    pub path: String,
    /// What it is: `tool`, `policy`, `hook`.
    pub what: &'static str,
    /// Its length; 0 when it is gone.
    pub bytes: usize,
    /// The hash of its bytes; empty when it is gone.
    pub hash: String,
    /// Whether the last yes covers it.
    pub state: State,
    /// From what the last yes covered to what is there; empty where nothing changed.
    pub diff: String,
}

/// How many lines of one diff are shown unless all are wanted.
const SHOWN_LINES: usize = 400;
/// How many lines are shown before the first yes unless all are wanted; more would hide the list.
const FIRST_LINES: usize = 200;

/// What `survey` found, beside what the last yes was given to.
pub fn view(survey: &Survey, last: Option<&Last>) -> View {
    let nothing = Last::default();
    let known = last.unwrap_or(&nothing);
    let mut entries = survey.entries.iter();
    // What is here comes first, in the order of the entries; what is gone has none.
    let changes = survey.changes(known);
    let files = changes.map(|change| file(change, entries.next(), known));
    let mut files: Vec<FileView> = files.collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let flags = survey.entries.iter().flat_map(power::flags);
    View {
        root: one_line(&survey.root.to_string_lossy()),
        digest: survey.digest(),
        files,
        refused: survey.refused.clone(),
        flags: flags.map(shown).collect(),
        has_last: last.is_some(),
    }
}

/// The file of `change`: what is there, and from what the last yes covered to that.
fn file(change: Change<'_>, entry: Option<&Entry>, last: &Last) -> FileView {
    let old = last.files.get(change.path);
    let old = old.map(|known| known.bytes.as_deref());
    let kind = |path: &str| What::of(path, true).map_or("file", What::as_str);
    FileView {
        path: one_line(change.path),
        what: entry.map_or_else(|| kind(change.path), |entry| entry.what.as_str()),
        bytes: entry.map_or(0, |entry| entry.bytes.len()),
        hash: change.hash.map(|hash| hash.to_string()).unwrap_or_default(),
        state: change.state,
        diff: difference(change.path, old, entry.map(|entry| &*entry.bytes)),
    }
}

/// From `old` (absent, or there with bytes that may no longer be kept) to `new`.
fn difference(path: &str, old: Option<Option<&[u8]>>, new: Option<&[u8]>) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let names = Names {
        old: old.is_some().then_some(path),
        new: new.is_some().then_some(path),
    };
    let lost = old == Some(None);
    if lost && new.is_some() {
        return format!("the text that the last yes was given to is no longer kept: {path}\n");
    }
    let (old, new) = (old.flatten(), new);
    if old == new {
        return String::new();
    }
    let texts = (
        old.map(text).unwrap_or_default(),
        new.map(text).unwrap_or_default(),
    );
    let diff = unified(&texts.0, &texts.1, names, CONTEXT).text;
    match diff.is_empty() {
        // Bytes that are no text may differ where their texts do not.
        true => format!("{path} differs in bytes that are no text\n"),
        false => visible(&diff).into_owned(),
    }
}

fn shown(flag: Flag) -> Flag {
    Flag {
        what: one_line(&flag.what),
        text: one_line(&flag.text),
        ..flag
    }
}

impl View {
    /// The view as text. Before the first yes the texts of the files are shown where they are few lines;
    /// `whole` shows them in any case, and the longest difference to its end.
    pub fn text(&self, whole: bool) -> String {
        let mut text = format!("{}\n", self.root);
        if self.files.is_empty() && self.refused.is_empty() {
            text.push_str("nothing here would load\n");
            return text;
        }
        self.list(&mut text);
        if !self.refused.is_empty() {
            text.push_str("\nrefused, and never loaded as it is:\n");
            for Refused { shown, why, .. } in &self.refused {
                let _ = writeln!(text, "  {shown} {why}");
            }
        }
        if !self.flags.is_empty() {
            text.push_str("\nlines that use power:\n");
            for flag in &self.flags {
                let Flag {
                    path,
                    line,
                    what,
                    text: code,
                } = flag;
                let _ = writeln!(text, "  {path}:{line}: {what}\n      {code}");
            }
        }
        self.differences(&mut text, whole);
        let _ = writeln!(text, "\ndigest {}", self.digest);
        text
    }

    fn list(&self, text: &mut String) {
        text.push_str("what would load, or could run once it is trusted:\n");
        let width = |of: fn(&FileView) -> usize| self.files.iter().map(of).max().unwrap_or(0);
        let what = width(|file| file.what.len());
        let path = width(|file| file.path.chars().count());
        for file in &self.files {
            let size = match file.state {
                State::Gone => String::new(),
                _ => counted(file.bytes, "byte"),
            };
            let line = format!(
                "  {:<7}  {:<what$}  {:<path$}  {size}",
                file.state.as_str(),
                file.what,
                file.path
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }

    fn differences(&self, text: &mut String, whole: bool) {
        let lines = self.files.iter().map(|file| file.diff.lines().count());
        if !self.has_last && !whole && lines.sum::<usize>() > FIRST_LINES {
            text.push_str("\n-v shows the text of every file\n");
            return;
        }
        for file in self.files.iter().filter(|file| !file.diff.is_empty()) {
            text.push('\n');
            let lines = file.diff.lines().count();
            if whole || lines <= SHOWN_LINES {
                text.push_str(&file.diff);
                continue;
            }
            for line in file.diff.lines().take(SHOWN_LINES) {
                let _ = writeln!(text, "{line}");
            }
            let more = counted(lines - SHOWN_LINES, "more line");
            let _ = writeln!(text, "… {more} of {}; -v shows all", file.path);
        }
    }
}
