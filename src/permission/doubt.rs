//! What is not known of a subject, and what that means for whoever is asked.
//!
//! A subject in doubt is never allowed more than one that is known.

/// What is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Where the path is meant from: nobody knows the folder.
    Unplaced,
    /// What it stands for: it may be whatever a rule denies.
    Unknown,
    /// What it stands for, where that is to be gone, or changed all through.
    Anything,
}

impl Doubt {
    /// Why a model is asked about it whatever is allowed, to follow the name of the subject.
    pub(super) fn warning(self) -> Option<&'static str> {
        match self {
            Doubt::Unplaced => Some("would be changed in a folder that nobody knows"),
            Doubt::Unknown => None,
            Doubt::Anything => Some("may be anything, and would be removed or changed all through"),
        }
    }

    /// True where a rule that denies anything may mean it.
    pub(super) fn may_be_denied(self) -> bool {
        self != Doubt::Unplaced
    }
}
