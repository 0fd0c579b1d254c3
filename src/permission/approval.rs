//! What a person answers once for many calls: a rule that allows, for whom, and how long it holds.
//!
//! An approval lifts an ask and nothing else: a deny, a hook's ask and what is critical stand above it.

use std::fmt;

use super::{Caller, Rule};

/// How long an approval holds, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Until this session ends.
    Session,
    /// In this workspace, in every session.
    Project,
    /// Everywhere, in every session of this person.
    User,
}

impl Reach {
    /// The word that records and lists use.
    pub fn as_str(self) -> &'static str {
        match self {
            Reach::Session => "session",
            Reach::Project => "project",
            Reach::User => "user",
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A rule that a person said yes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Approval {
    /// The rule: it allows, and its source is [`super::Source::Session`].
    pub rule: Rule,
    /// How long it holds, and where.
    pub reach: Reach,
    /// Who had asked.
    pub caller: Caller,
}

impl Approval {
    /// Whether it speaks for calls of `caller`: what was approved for the person's own script allows a
    /// model nothing.
    pub fn holds_for(&self, caller: Caller) -> bool {
        self.caller == Caller::Model || caller == Caller::User
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::{Action, Source};

    #[test]
    fn what_was_approved_for_the_person_allows_a_model_nothing() {
        let given = |caller| Approval {
            rule: Rule::parse("edit:a", Action::Allow, Source::Session).unwrap(),
            reach: Reach::Session,
            caller,
        };
        assert!(given(Caller::User).holds_for(Caller::User));
        assert!(!given(Caller::User).holds_for(Caller::Model));
        assert!(given(Caller::Model).holds_for(Caller::User));
        assert!(given(Caller::Model).holds_for(Caller::Model));
    }
}
