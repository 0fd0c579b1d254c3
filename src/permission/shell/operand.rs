//! A path that a line names, with what is known of it, and how sure that is.
//!
//! Text: nothing is resolved here.

use super::super::command::Word;
use super::super::subject::Group;

/// A path that a command or a redirect names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// As it is named; `~` at the start is the home folder.
    pub path: String,
    /// The shell puts the names that match it in its place.
    pub glob: bool,
    /// [`Group::Read`] or [`Group::Edit`].
    pub group: Group,
    /// The whole workspace is meant, wherever it is named from.
    pub everywhere: bool,
    /// It is to be gone afterwards.
    pub removed: bool,
    /// How far it is looked into, where it is a folder.
    pub depth: Depth,
    /// Links are followed that lie in it.
    pub follows: bool,
    /// What it stands for is not known.
    pub unknown: bool,
    /// Nobody knows which folder it is meant from.
    pub lost: bool,
    /// Where it is a folder, these names in it are what is changed.
    pub into: Vec<String>,
    /// The folders that it could be meant from; absolute. All that the line names where nobody knows.
    pub folders: Vec<String>,
    /// The place in [`Line::commands`] of the command that names it.
    pub of: Option<usize>,
    /// Nobody knows whether it is read or changed, or a path at all: it serves denies and asks alone.
    pub guess: Option<Guess>,
}

/// How far a command looks into a folder that it names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// At most the names in it.
    #[default]
    Itself,
    /// The names of all that lies below it.
    Names,
    /// All that lies below it.
    Whole,
}

/// How sure it is that a word of a program which nobody knows is a path, and that it is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// It may be.
    Maybe,
    /// The program is told to write there.
    Written,
}

impl Operand {
    pub(super) fn new(word: &Word, group: Group) -> Operand {
        let path = match word.text.starts_with('~') && !word.home {
            true => format!("./{}", word.text),
            false => word.text.clone(),
        };
        Operand {
            path,
            glob: word.glob,
            group,
            everywhere: false,
            removed: false,
            depth: Depth::Itself,
            follows: false,
            unknown: word.unknown,
            lost: false,
            into: Vec::new(),
            folders: Vec::new(),
            of: None,
            guess: None,
        }
    }

    /// The same, looked into so far.
    pub(super) fn looked_into(self, depth: Depth) -> Operand {
        Operand { depth, ..self }
    }

    /// The folder that a command runs in.
    pub(super) fn here() -> Operand {
        Operand::new(&super::guess(&".".to_owned()), Group::Read)
    }
}
