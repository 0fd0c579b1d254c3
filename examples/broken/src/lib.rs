//! Reads a log with one record a line, `LEVEL message`, and says how bad it looks.
//!
//! It is broken on purpose, in ways the compiler knows how to mend.

mod report;

use std::fmt;
pub use report::{Report, headline};

/// How bad a record is, the harmless level first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    Info,
    Warning,
    Error,
}

impl Level {
    /// The level that `word` names, in lower case.
    pub fn named(word: &str) -> Option<Level> {
        match (word) {
            "info" => Some(Level::Info),
            "warning" | "warn" => Some(Level::Warning),
            "error" => Some(Level::Error),
            _ => None,
        }
    }

    /// What a record of this level adds to the weight of a log.
    pub fn weight(self) -> u32 {
        match self {
            Error => 10,
            Warning => 1,
            Info => 0,
        };
    }
}

/// One line of a log.
#[derive(Debug, PartialEq)]
pub struct Record {
    pub level: Level,
    pub message: String,
}

/// The records of `log`; lines that are none are left out.
pub fn records(log: &str) -> Vec<Record> {
    let mut found = Vec::new();
    for line in log.lines() {
        let Some((word, message)) = line.split_once(' ') else {
            continue;
        };
        let word = word.to_lowercase();
        if let Some(level) = Level::named(word) {
            let message = message.trim().to_owned();
            found.push(Record { level, message });
        }
    }
    found
}
