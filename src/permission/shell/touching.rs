//! The paths that a program may touch which nobody knows: every word that may be one, and every value of an option.
//!
//! It serves denies and asks alone, so that a path too many allows nothing. What a program is told to write is told
//! apart from what it may only read, run or never open at all: `-o x`, `--output=x`, the target of `rsync`.

mod habits;
mod texts;

use super::super::command::Word;
use super::super::subject::Group;
use super::{Depth, Guess, Operand};
use habits::{Besides, Habit, habit};
use texts::Text;

/// Options whose value is left out, or is no path.
const VALUED: [&str; 25] = [
    "--author",
    "--body",
    "--comment",
    "--date",
    "--exclude",
    "--exclude-dir",
    "--format",
    "--grep",
    "--header",
    "--ignore",
    "--ignore-dir",
    "--ignore-path",
    "--iglob",
    "--message",
    "--notes",
    "--pretty",
    "--reason",
    "--title",
    "--user-agent",
    "-I",
    "-iname",
    "-ipath",
    "-name",
    "-path",
    "-wholename",
];

/// How options begin that say where something is written.
const WRITING: [&str; 10] = [
    "--output",
    "--out",
    "--dest",
    "--target-dir",
    "--log-file",
    "--report",
    "--save",
    "-fprint",
    "-fls",
    "-out",
];

/// The paths that the program which begins `words` may touch; `runs_reader` says that it runs what only reads.
pub(super) fn touched(words: &[Word], runs_reader: bool) -> Vec<Operand> {
    let Some((name, rest)) = words.split_first() else {
        return Vec::new();
    };
    let Some(habit) = habit(&name.text, rest, runs_reader) else {
        return Vec::new();
    };
    let mut found = Found {
        all: Vec::new(),
        habit,
        entered: Vec::new(),
    };
    found.words(rest);
    found.implied();
    found.meant_from_entered();
    found.all
}

/// The paths that a program in some other language names, as far as they look like paths.
pub(super) fn named(program: &str) -> Vec<Operand> {
    let pieces = texts::named(Text::Program, program).into_iter();
    let operand = |piece: &str| Operand {
        guess: Some(Guess::Maybe),
        ..Operand::new(&super::guess(&piece.to_owned()), Group::Edit)
    };
    pieces.map(operand).collect()
}

struct Found {
    all: Vec<Operand>,
    habit: Habit,
    /// The folders that its paths may be meant from.
    entered: Vec<String>,
}

/// Options that a folder stands behind, in which all else is done.
const FOLDERS: [&str; 10] = [
    "-C",
    "--chdir",
    "--cwd",
    "--dir",
    "--directory",
    "--directory-prefix",
    "--prefix",
    "--project",
    "--root",
    "--work-tree",
];

/// How many such folders are looked into.
const MOST_ENTERED: usize = 4;

/// What the word before says of the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Operand,
    Value,
    Folder(Guess),
    Target,
    Nothing,
}

impl Found {
    fn words(&mut self, words: &[Word]) {
        let (mut next, mut open, mut operands) = (Next::Operand, true, 0);
        let count = words.iter().filter(|word| !is_option(word)).count();
        for (at, word) in words.iter().enumerate() {
            let text = word.text.as_str();
            let now = std::mem::replace(&mut next, Next::Operand);
            if open && text == "--" {
                open = false;
                continue;
            }
            if open && is_option(word) {
                next = self.option(word);
                continue;
            }
            match now {
                Next::Nothing => {}
                Next::Target => self.value(word, text, Guess::Written),
                Next::Folder(guess) => {
                    self.value(word, text, guess);
                    self.entered.push(text.to_owned());
                }
                Next::Value if self.habit.names && is_bare(text) => {}
                Next::Value => self.operand(word, operands + 1 == count, !open),
                Next::Operand if at == 0 && self.habit.clusters => next = self.cluster(word, text),
                Next::Operand => {
                    let is_skipped = operands < self.habit.skipped && is_bare(text);
                    let is_target = self.habit.targets && open && is_bare(text);
                    if !is_skipped && !is_target {
                        self.operand(word, operands + 1 == count, !open);
                    }
                }
            }
            operands += 1;
        }
    }

    /// What stands in an option's own word, and what it says of the next.
    fn option(&mut self, word: &Word) -> Next {
        let text = word.text.as_str();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if VALUED.contains(&name) || self.habit.texts.contains(&name) {
            return if value.is_none() {
                Next::Nothing
            } else {
                Next::Operand
            };
        }
        let writes = WRITING.iter().any(|start| name.starts_with(start))
            || self.habit.written.contains(&name);
        let guess = if writes { Guess::Written } else { Guess::Maybe };
        if let Some(value) = value {
            self.value(word, value, guess);
            if FOLDERS.contains(&name) {
                self.entered.push(value.to_owned());
            }
            for value in texts::values(value) {
                self.value(word, value, Guess::Maybe);
            }
            return Next::Operand;
        }
        match text.strip_prefix('-') {
            _ if FOLDERS.contains(&name) => Next::Folder(guess),
            _ if writes => Next::Target,
            Some(letters) if !letters.starts_with('-') => self.cluster(word, letters),
            _ => Next::Value,
        }
    }

    /// Letters of options, behind some of which a value may stand.
    fn cluster(&mut self, word: &Word, letters: &str) -> Next {
        let mut rest = letters.chars();
        let mut is_first = true;
        while let Some(letter) = rest.next() {
            let value = rest.as_str();
            let writes = self.habit.letters.contains(letter);
            if value.is_empty() {
                let is_text = self
                    .habit
                    .texts
                    .iter()
                    .any(|text| text[1..] == *letter.to_string());
                return match (writes, is_text) {
                    (true, _) => Next::Target,
                    (false, true) => Next::Nothing,
                    (false, false) => Next::Value,
                };
            }
            if writes {
                self.value(word, value, Guess::Written);
            } else if is_first && value.contains(['/', '.']) {
                self.value(word, value, Guess::Maybe);
            }
            is_first = false;
        }
        Next::Operand
    }

    /// The value of an option.
    fn value(&mut self, word: &Word, value: &str, guess: Guess) {
        let group = match guess {
            Guess::Written => Group::Edit,
            Guess::Maybe => self.habit.group.clone(),
        };
        self.add(word, value, group, guess);
    }

    fn operand(&mut self, word: &Word, is_last: bool, is_behind: bool) {
        let text = word.text.as_str();
        let is_path = is_behind || !is_bare(text);
        let guess = match self.habit.changes_all || (self.habit.changes_last && is_last) {
            true if is_path => Guess::Written,
            _ => Guess::Maybe,
        };
        if let Some(value) = text.strip_prefix("of=") {
            return self.add(word, value, Group::Edit, Guess::Written);
        }
        self.add(word, text, self.habit.group.clone(), guess);
        for value in texts::values(text)
            .into_iter()
            .chain(texts::named(self.habit.text, text))
        {
            self.add(word, value, self.habit.group.clone(), Guess::Maybe);
        }
        for value in texts::written(self.habit.text, text) {
            self.add(word, value, Group::Edit, Guess::Written);
        }
    }

    fn add(&mut self, word: &Word, text: &str, group: Group, guess: Guess) {
        let is_left_out =
            text.starts_with(['!', ':']) || matches!(text, "" | "-" | "{}" | "+" | ";");
        let text = text.strip_prefix("file://").unwrap_or(text);
        if let Some((_, place)) = text.split_once("://") {
            self.address(word, place);
            return;
        }
        // Of what it may not even open, nobody needs to know what it is.
        if is_left_out || (word.unknown && guess == Guess::Maybe) {
            return;
        }
        let word = Word {
            text: text.to_owned(),
            home: word.home && text.starts_with('~'),
            ..word.clone()
        };
        self.all.push(Operand {
            guess: Some(guess),
            ..Operand::new(&word, group).looked_into(Depth::Whole)
        });
    }

    /// The name under which an address is kept.
    fn address(&mut self, word: &Word, place: &str) {
        let path = place.split(['?', '#']).next().unwrap_or_default();
        let name = path
            .split_once('/')
            .and_then(|(_, path)| path.rsplit('/').next());
        if let Some(name) = name.filter(|_| self.habit.keeps_names) {
            self.add(word, name, Group::Edit, Guess::Maybe);
        }
    }

    /// The same paths from the folders that it enters.
    fn meant_from_entered(&mut self) {
        let mut inner = Vec::new();
        for folder in self.entered.iter().take(MOST_ENTERED) {
            let is_relative = |operand: &&Operand| {
                !operand.unknown && !operand.path.starts_with(['/', '~']) && operand.path != *folder
            };
            inner.extend(self.all.iter().filter(is_relative).map(|operand| Operand {
                path: format!("{folder}/{}", operand.path),
                ..operand.clone()
            }));
        }
        self.all.extend(inner);
    }

    /// What it touches without being told so.
    fn implied(&mut self) {
        match self.habit.besides {
            Besides::Nothing => {}
            Besides::Folder => self.all.push(Operand {
                guess: Some(match self.habit.changes_all {
                    true => Guess::Written,
                    false => Guess::Maybe,
                }),
                group: self.habit.group.clone(),
                ..Operand::here().looked_into(Depth::Whole)
            }),
            // What is kept out of the history is not shown.
            Besides::Changes => self.all.push(Operand {
                everywhere: true,
                guess: Some(Guess::Maybe),
                ..Operand::here().looked_into(Depth::Names)
            }),
        }
        if let Some(group) = self.habit.untold.take() {
            let word = Word {
                text: "what its words do not name".to_owned(),
                glob: false,
                home: false,
                unknown: true,
            };
            self.all.push(Operand {
                guess: Some(Guess::Maybe),
                ..Operand::new(&word, group)
            });
        }
    }
}

fn is_option(word: &Word) -> bool {
    word.text.starts_with('-') && word.text.len() > 1
}

/// A word that may as well be the name of something else than a file.
fn is_bare(text: &str) -> bool {
    !text.contains(['/', '.', '~'])
}
