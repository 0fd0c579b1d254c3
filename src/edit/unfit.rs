//! Why a new text cannot be made to fit a place that was found, as data.
//! Nothing is written there then.

use crate::text::TooMuch;

/// Why a new text cannot be made to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// There is too much to compare.
    TooMuch,
    /// It could be written in more than one way; in words, which.
    Unclear(&'static str),
}

impl From<TooMuch> for Unfit {
    fn from(_: TooMuch) -> Unfit {
        Unfit::TooMuch
    }
}
