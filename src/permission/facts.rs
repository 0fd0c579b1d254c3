//! Whether a rule's pattern meets a subject. Forbidding and asking look wide, allowing looks narrow.
//!
//! A path is met for a deny by any of its spellings, for an allow only where both what was asked
//! for and what it really is are covered. A command is met for a deny by anything it could be
//! hiding, for an allow only as it is written and only when it is plain.

use std::cell::OnceCell;

use super::bounds::{Bounds, Spellings, absolute, below};
use super::command::Command;
use super::keeping::SIBLINGS;
use super::segments::{self, Segments};
use super::{Action, Group, Rule, Source, Subject, glob, keep};

/// A subject with what has been worked out about it so far.
pub(super) struct Facts<'a> {
    subject: &'a Subject,
    bounds: &'a Bounds,
    spellings: OnceCell<Spellings>,
    /// A plain command: its words, joined and apart.
    argv: OnceCell<Option<(String, Vec<String>)>>,
    segments: OnceCell<Segments>,
    around: OnceCell<Segments>,
    expanded: OnceCell<bool>,
}

impl<'a> Facts<'a> {
    pub(super) fn of(subject: &'a Subject, bounds: &'a Bounds) -> Facts<'a> {
        Facts {
            subject,
            bounds,
            spellings: OnceCell::new(),
            argv: OnceCell::new(),
            segments: OnceCell::new(),
            around: OnceCell::new(),
            expanded: OnceCell::new(),
        }
    }

    /// True when the rule speaks about this subject. Its name is not looked at.
    pub(super) fn meets(&self, rule: &Rule) -> bool {
        if rule.action == Action::Allow && self.is_named_by_an_expansion() {
            return false;
        }
        let Some(pattern) = rule.pattern.as_deref().filter(|_| !rule.is_general()) else {
            return true;
        };
        match (&self.subject.group, rule.action) {
            (_, Action::Allow) if rule.source == Source::Session => {
                self.is_approved_as(rule, pattern)
            }
            (_, Action::Allow) => self.is_covered_by(pattern),
            (Group::Shell, Action::Deny) => {
                self.could_be(pattern) || self.is_hidden_around(pattern)
            }
            (Group::Shell, _) => self.could_be(pattern),
            _ => self.spellings().some(pattern, &self.bounds.home),
        }
    }

    /// True for a command of which nobody knows what program it runs.
    fn is_named_by_an_expansion(&self) -> bool {
        let text = &self.subject.text;
        let may_be = self.subject.group == Group::Shell && text.contains(['$', '`', '{', '*', '?']);
        may_be
            && *self
                .expanded
                .get_or_init(|| segments::is_named_by_an_expansion(text))
    }

    /// What it is about.
    pub(super) fn subject(&self) -> &Subject {
        self.subject
    }

    /// True when the pattern covers all that the subject may be: enough to allow it.
    pub(super) fn is_covered_by(&self, pattern: &str) -> bool {
        match self.subject.group {
            Group::Shell => self.is_written_as(pattern),
            _ => self.spellings().each(pattern, &self.bounds.home),
        }
    }

    /// True when the person's yes for good to `pattern` is about this: a command by the words that were kept, a
    /// file outside by the folder it lies in. All else as any rule that allows.
    fn is_approved_as(&self, rule: &Rule, pattern: &str) -> bool {
        let siblings = || pattern.strip_suffix(SIBLINGS);
        match &self.subject.group {
            Group::Shell => self.argv().is_some_and(|argv| keep::covers(pattern, argv)),
            // A command is not the file that is called like one.
            _ if rule.name == "shell" => false,
            _ if rule.name == "external_directory" && siblings().is_some() => {
                let lies_in = |folder: &str| self.spellings().lie_in(folder);
                !self.subject.folder && siblings().is_some_and(lies_in)
            }
            _ => self.is_covered_by(pattern),
        }
    }

    /// True when `folder` lies below the path.
    pub(super) fn is_above(&self, folder: &str) -> bool {
        let Some(real) = &self.subject.real else {
            return false;
        };
        let folder = absolute(folder, self.bounds);
        below(&folder, real).is_some_and(|rest| !rest.is_empty())
    }

    /// The words of a plain command.
    fn argv(&self) -> Option<&[String]> {
        let read = || match Command::read(&self.subject.text) {
            Command::Plain(words) => Some((words.join(" "), words)),
            Command::Undecidable(_) => None,
        };
        let argv = self.argv.get_or_init(read).as_ref();
        argv.map(|(_, words)| words.as_slice())
    }

    fn is_written_as(&self, pattern: &str) -> bool {
        let _read = self.argv();
        let written = self.argv.get().and_then(Option::as_ref);
        written.is_some_and(|(line, _)| glob::is_command(pattern, line, &self.bounds.home))
    }

    fn could_be(&self, pattern: &str) -> bool {
        let segments = || Segments::of(&self.subject.text);
        self.is_written_as(pattern)
            || glob::matches(pattern, &self.subject.text, &self.bounds.home)
            || self
                .segments
                .get_or_init(segments)
                .matches(pattern, &self.bounds.home)
    }

    /// True when the line that the command stands in could hide what the pattern names.
    fn is_hidden_around(&self, pattern: &str) -> bool {
        let home = &self.bounds.home;
        self.subject.line.as_ref().is_some_and(|line| {
            let segments = || Segments::of(line);
            glob::matches(pattern, line, home)
                || self.around.get_or_init(segments).matches(pattern, home)
        })
    }

    pub(super) fn spellings(&self) -> &Spellings {
        self.spellings
            .get_or_init(|| Spellings::of(self.subject, self.bounds))
    }
}
