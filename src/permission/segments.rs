//! Every command that a text could be hiding, for rules that forbid or ask.
//!
//! Assignments, the path of the program and its leading options are looked through; programs that
//! run others (`sudo`, `sh -c`, `find -exec`) are looked into, at any length and depth. Matching is
//! linear in the text. It says nothing about what is safe: an allow rule never looks here.

use std::collections::HashSet;

use super::command::is_assignment;
use super::glob::{Glob, Places};
use super::scan::{Mode, scan};

/// Above this many bytes of text read, nested text included, everything counts as matched.
const MOST_BYTES: usize = 4 << 20;

/// Words that come before a command without being one.
const LEADING: [&str; 10] = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "function", "in",
];

/// Programs that run a text as a shell would.
const SHELLS: [&str; 13] = [
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "ash", "eval", "source", ".", "trap",
    "busybox",
];

/// Programs that run the command in their own arguments.
const RUNNERS: [&str; 39] = [
    "agent",
    "builtin",
    "chroot",
    "chrt",
    "command",
    "coproc",
    "doas",
    "entr",
    "env",
    "exec",
    "fd",
    "fdfind",
    "find",
    "flock",
    "gdb",
    "ionice",
    "ltrace",
    "nice",
    "nohup",
    "nsenter",
    "parallel",
    "runuser",
    "script",
    "setpriv",
    "setsid",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "toybox",
    "unshare",
    "watch",
    "xargs",
    "xvfb-run",
];

/// The commands in a text.
#[derive(Debug, Default)]
pub(super) struct Segments {
    list: Vec<Segment>,
    /// There was more than could be looked at.
    endless: bool,
}

/// One command: its words, and where in them a command may begin.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Segment {
    words: Vec<String>,
    /// The word after assignments and reserved words.
    first: usize,
    /// Any word may begin a command.
    runs_others: bool,
}

impl Segments {
    /// Everything in `line` that might be run.
    pub(super) fn of(line: &str) -> Segments {
        let mut found = Segments::default();
        let mut waiting = vec![line.to_owned()];
        let mut texts = HashSet::new();
        let mut known = HashSet::new();
        let mut bytes = 0;
        while let Some(text) = waiting.pop() {
            bytes += text.len() + 1;
            if bytes > MOST_BYTES {
                found.endless = true;
                break;
            }
            for segment in segments(&text) {
                if known.contains(&segment) {
                    continue;
                }
                if segment.runs_others {
                    let hidden = segment.words.iter().filter(|word| may_hide(word));
                    let hidden = hidden.flat_map(|word| hidden_in(word));
                    waiting.extend(hidden.filter(|text| texts.insert(text.clone())));
                }
                known.insert(segment);
            }
        }
        found.list = known.into_iter().collect();
        found
    }

    /// The words of every command, from each place where one may begin.
    pub(super) fn beginnings(&self) -> impl Iterator<Item = &[String]> {
        self.list.iter().flat_map(|segment| {
            let all = 0..segment.words.len();
            let begins = |at: &usize| segment.runs_others || *at == segment.first;
            all.filter(begins).map(|at| &segment.words[at..])
        })
    }

    /// True when `pattern` matches one of the commands.
    pub(super) fn matches(&self, pattern: &str, home: &str) -> bool {
        let mut globs = vec![Glob::new(pattern, home)];
        if pattern.starts_with(['~', '$']) {
            globs.push(Glob::new(pattern, ""));
        }
        self.endless
            || globs
                .iter()
                .any(|glob| self.list.iter().any(|segment| segment.matches(glob)))
    }
}

/// The commands of one text, read again more bluntly where a doubt remains.
fn segments(text: &str) -> Vec<Segment> {
    let nested = scan(text, Mode::Nested);
    let mut commands = nested.commands;
    if nested.doubt {
        commands.extend(scan(text, Mode::Bare).commands);
    }
    let heads: Vec<(usize, &str)> = commands.iter().map(|words| head(words)).collect();
    // What is said anywhere beside a shell may be what the shell is given to run.
    let to_a_shell = heads.iter().any(|(_, name)| SHELLS.contains(name));
    let runs: Vec<(usize, bool)> = heads
        .iter()
        .map(|(first, name)| (*first, to_a_shell || RUNNERS.contains(name)))
        .collect();
    let segment = |(words, (first, runs_others))| Segment {
        words,
        first,
        runs_others,
    };
    commands.into_iter().zip(runs).map(segment).collect()
}

/// Where the command begins behind assignments and reserved words, and its program's name.
fn head(words: &[String]) -> (usize, &str) {
    let leads = |word: &String| is_assignment(word) || LEADING.contains(&word.as_str());
    let first = words.iter().position(|word| !leads(word)).unwrap_or(0);
    let name = words.get(first).map_or("", |word| &word[base(word)..]);
    (first, name)
}

/// Whether a command of `line` gets the name of its program from a variable, a substitution or a pattern.
pub(super) fn is_named_by_an_expansion(line: &str) -> bool {
    let commands = scan(line, Mode::Nested).commands;
    commands.iter().any(|words| {
        let (first, _) = head(words);
        let name = words.get(first).filter(|word| !is_assignment(word));
        name.is_some_and(|name| name.contains(['$', '`', '*', '?']) || is_unknown(name))
    })
}

/// Where the file's name begins in a path.
fn base(word: &str) -> usize {
    word.rfind('/').map_or(0, |slash| slash + 1)
}

/// The texts that a word may hand on: itself, what an option holds, what stands in quotes in it.
fn hidden_in(word: &str) -> Vec<String> {
    let mut texts = vec![word.to_owned()];
    if let Some(option) = word.strip_prefix('-') {
        // `env -S` has a sign of its own for a space.
        let held = option
            .split_once(['S', '='])
            .map(|(_, held)| held.replace("\\_", " "));
        texts.extend(held);
    }
    for quote in ['"', '\''] {
        let inside = word.split(quote).skip(1).step_by(2);
        texts.extend(inside.filter(|text| text.contains(' ')).map(str::to_owned));
    }
    texts
}

/// A word of which nobody knows what it stands for.
fn is_unknown(word: &str) -> bool {
    // What has quotes in it was quoted itself.
    let braces = || {
        let inside = word.split_once('{').map(|(_, rest)| rest);
        inside.is_some_and(|rest| rest.contains([',', '.']) && !rest.contains(['"', '\'', ' ']))
    };
    word.contains(['$', '`']) || braces()
}

fn may_hide(word: &str) -> bool {
    word.contains(|c: char| c.is_whitespace() || ";|&<>()`${}'\"\\".contains(c))
}

/// Options, and words that may turn out to be one or nothing at all.
fn is_option(word: &str) -> bool {
    word.starts_with(['-', '+']) || word.contains('$')
}

impl Segment {
    /// Walks the pattern over the words from every beginning at once, with and without the options
    /// (each with a value, perhaps) that follow the program's name.
    fn matches(&self, glob: &Glob) -> bool {
        let mut whole = glob.nowhere();
        let mut behind = Behind::new(glob);
        for (i, word) in self.words.iter().enumerate() {
            if i > 0 {
                whole.step(' ');
                whole.merge(&behind.places);
            }
            let mut own = glob.nowhere();
            let begins = i == 0 || i == self.first || self.runs_others;
            let base = base(word);
            let attached = word.len() > 2 && word.starts_with('-') && !word.starts_with("--");
            if i > self.first && is_unknown(word) {
                whole.anything();
            }
            for (at, c) in word.char_indices() {
                if attached && at == 2 {
                    whole.merge(&behind.places);
                }
                if begins && (at == 0 || at == base) {
                    whole.start();
                    own.start();
                }
                whole.step(c);
                own.step(c);
            }
            behind.pass(glob, word);
            if begins {
                behind.add(own);
            }
        }
        whole.accepts() || behind.bare
    }
}

/// The places of programs whose leading options are being passed over.
struct Behind<'a> {
    places: Places<'a>,
    /// One of the names is all that the pattern wants.
    bare: bool,
    /// The last option may take the next word as its value.
    value: bool,
}

impl<'a> Behind<'a> {
    fn new(glob: &'a Glob) -> Behind<'a> {
        Behind {
            places: glob.nowhere(),
            bare: false,
            value: false,
        }
    }

    fn pass(&mut self, glob: &'a Glob, word: &str) {
        if is_option(word) {
            self.value = !word.contains('=');
        } else if !std::mem::take(&mut self.value) {
            self.places = glob.nowhere();
            self.bare = false;
        }
    }

    fn add(&mut self, mut name: Places<'a>) {
        self.bare |= name.accepts();
        name.step(' ');
        self.places.merge(&name);
    }
}

#[cfg(test)]
mod tests;
