//! The paths of a command that is not known to only read: its own where it is a well-known one, and those of
//! the commands that it runs.
//!
//! Programs that run others are looked into word by word, texts for a shell are taken apart in turn. It serves
//! denies and asks, so that a path too many does no harm.

use super::super::command::Word;
use super::super::critical::READING;
use super::super::subject::Group;
use super::known::{Shape, find};
use super::touching::touched;
use super::writing::writes;
use super::{Around, Depth, Operand, reading, taken_apart};

/// Programs that run the command that stands behind them.
const RUNNERS: [&str; 24] = [
    "builtin", "chroot", "command", "doas", "env", "exec", "find", "flock", "ionice", "nice",
    "nohup", "parallel", "setsid", "stdbuf", "strace", "sudo", "su", "taskset", "time", "timeout",
    "unshare", "watch", "xargs", "!",
];

/// Programs that run a text.
const SHELLS: [&str; 8] = ["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "eval"];

/// Programs that run what they read where they are told nothing else, by their names without a version.
const INTERPRETERS: [&str; 30] = [
    "at",
    "batch",
    "bun",
    "crontab",
    "deno",
    "ed",
    "emacs",
    "ex",
    "expect",
    "gdb",
    "groovy",
    "guile",
    "irb",
    "julia",
    "lua",
    "luajit",
    "m4",
    "mysql",
    "node",
    "nodejs",
    "osascript",
    "perl",
    "php",
    "psql",
    "pwsh",
    "python",
    "racket",
    "ruby",
    "sqlite",
    "tclsh",
];

/// Programs that hand what they read to a shell elsewhere.
const REMOTE: [&str; 6] = ["docker", "kubectl", "nsenter", "podman", "ssh", "su"];

/// How many texts and runners inside of each other are looked into.
pub(super) const DEEPEST: usize = 6;

/// The paths that `words` name, as far as they can be told.
pub(super) fn operands(words: &[Word], around: &Around<'_>) -> Vec<Operand> {
    let mut found = Vec::new();
    let mut words = words;
    for _ in 0..DEEPEST {
        let Some((name, rest)) = words.split_first() else {
            break;
        };
        let begins = |word: &Word| runs(base(&word.text));
        let inner = rest
            .iter()
            .position(begins)
            .filter(|_| RUNNERS.contains(&base(&name.text)));
        let own = writes(words).or_else(|| read(words));
        let place = |operand| Operand {
            folders: around.folders.clone(),
            lost: around.lost,
            ..operand
        };
        found.extend(own.unwrap_or_default().into_iter().map(place));
        if reading::reads(words).is_none() {
            let runs_reader = inner.is_some_and(|at| only_reads(&rest[at..]));
            let before = &words[..inner.map_or(words.len(), |at| at + 1)];
            let touched = touched(before, runs_reader);
            found.extend(touched.into_iter().map(place));
        }
        let name = base(&name.text);
        if SHELLS.contains(&name) && around.depth < DEEPEST {
            let texts = rest.iter().map(|word| word.text.as_str());
            let texts: Vec<String> = match name {
                // It puts its words together again.
                "eval" => vec![texts.collect::<Vec<_>>().join(" ")],
                _ => texts
                    .filter(|text| text.contains(char::is_whitespace))
                    .map(str::to_owned)
                    .collect(),
            };
            found.extend(
                texts
                    .iter()
                    .flat_map(|text| taken_apart(text, around).operands),
            );
        }
        match inner {
            Some(at) => words = &rest[at..],
            None => break,
        }
    }
    found
}

/// Whether the command changes nothing, whatever its words.
fn only_reads(words: &[Word]) -> bool {
    let name = words.first().map_or("", |name| base(&name.text));
    READING.contains(&name) || reading::reads(words).is_some()
}

/// A shell that is told neither a text nor a file to run, by itself or at the end of programs that run others: it
/// runs what it reads.
pub(super) fn is_fed(argv: &[String]) -> bool {
    let is_shell = |name: &str| SHELLS.contains(&name) && name != "eval";
    innermost(argv).is_some_and(|argv| is_untold(argv, is_shell))
}

/// The same of any other program that runs what it reads.
pub(super) fn interprets(argv: &[String]) -> bool {
    let found = innermost(argv);
    found.is_some_and(|argv| is_untold(argv, interprets_by_name))
        || argv.iter().any(|word| REMOTE.contains(&base(word)))
}

pub(super) fn interprets_by_name(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    INTERPRETERS.contains(&name)
}

/// The command at the end of programs that run others.
fn innermost(argv: &[String]) -> Option<&[String]> {
    let mut words = argv;
    for _ in 0..DEEPEST {
        let (name, rest) = words.split_first()?;
        let begins = |word: &String| {
            let name = base(word);
            SHELLS.contains(&name) || RUNNERS.contains(&name) || interprets_by_name(name)
        };
        match rest.iter().position(begins) {
            Some(at) if RUNNERS.contains(&base(name)) => words = &rest[at..],
            _ => return Some(words),
        }
    }
    Some(words)
}

fn is_untold(argv: &[String], is_one: impl Fn(&str) -> bool) -> bool {
    let Some((name, rest)) = argv.split_first() else {
        return false;
    };
    let is_option = |word: &String| word.starts_with(['-', '+']);
    let told = rest.iter().any(|word| !is_option(word)) && !rest.iter().any(|word| word == "-s");
    is_one(base(name)) && !told
}

/// What a reading command reads whose options are not all known: every word that could be a path.
fn read(words: &[Word]) -> Option<Vec<Operand>> {
    let (name, rest) = words.split_first()?;
    let known = find(base(&name.text)).filter(|known| !known.builtin)?;
    if let Some(reading) = reading::reads(words) {
        return Some(reading.operands);
    }
    // Any of its options may be the one under which it looks into folders.
    let depth = match known.shape {
        Shape::Pattern | Shape::Search | Shape::Here | Shape::Find | Shape::Compared => {
            Depth::Whole
        }
        _ => Depth::Itself,
    };
    let path = |word: &Word| match word.text.split_once('=') {
        Some((option, value)) if option.starts_with('-') => Word {
            text: value.to_owned(),
            ..word.clone()
        },
        _ => word.clone(),
    };
    let paths = rest
        .iter()
        .map(path)
        .filter(|word| !word.text.starts_with('-') && !word.text.is_empty());
    let read = paths.map(|word| Operand::new(&word, Group::Read).looked_into(depth));
    let mut all: Vec<Operand> = read.collect();
    if known.shape == Shape::Search || (known.shape == Shape::Pattern && is_recursive(rest)) {
        all.push(Operand::here().looked_into(depth));
    }
    Some(all)
}

/// Whether a search may look into the folder that it runs in.
fn is_recursive(words: &[Word]) -> bool {
    words.iter().any(|word| match word.text.strip_prefix('-') {
        Some(long) if long.starts_with('-') => long.contains("rec"),
        Some(letters) => letters.contains(['r', 'R', 'd']),
        None => false,
    })
}

fn runs(name: &str) -> bool {
    RUNNERS.contains(&name)
        || SHELLS.contains(&name)
        || find(name).is_some()
        || writes(&[Word {
            text: name.to_owned(),
            glob: false,
            home: false,
            unknown: false,
        }])
        .is_some()
}

fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
