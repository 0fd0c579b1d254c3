//! How much one search may look at: counted in steps, so that no text, however made, takes long.
//!
//! Steps are counted where the work could grow faster than the texts do; a plain pass over a text is free.
//! What is given up is refused: nothing is ever decided by a part of what there was to compare.

use std::cell::Cell;

/// There is more to compare than can be compared in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

/// How many bytes are compared to the letter, or skipped, in the time of one step.
const BYTES: usize = 8;

/// How long a script is looked for: about what each thing that is aligned costs.
const SCRIPT: usize = 256;

/// What is left of the steps.
pub struct Work(Cell<usize>);

impl Work {
    /// So many steps and no more.
    pub fn of(steps: usize) -> Work {
        Work(Cell::new(steps))
    }

    /// The steps that are left.
    pub fn left(&self) -> usize {
        self.0.get()
    }

    /// Takes `steps`.
    ///
    /// # Errors
    /// [`TooMuch`] when there are not so many left; then none are.
    pub fn take(&self, steps: usize) -> Result<(), TooMuch> {
        let left = self.left().checked_sub(steps);
        self.0.set(left.unwrap_or(0));
        left.map(drop).ok_or(TooMuch)
    }

    /// Takes what a look at `bytes` costs.
    ///
    /// # Errors
    /// As [`Work::take`].
    pub fn look(&self, bytes: usize) -> Result<(), TooMuch> {
        self.take(1 + bytes / BYTES)
    }

    /// Takes what it costs at most to align so many things with so many.
    ///
    /// # Errors
    /// As [`Work::take`].
    pub fn align(&self, one: usize, other: usize) -> Result<(), TooMuch> {
        self.take(aligning(one, other))
    }
}

/// The steps it takes at most to align so many things with so many: the package gives up looking for the
/// shortest script where it is long.
pub fn aligning(one: usize, other: usize) -> usize {
    let all = one.saturating_add(other);
    match one.min(other) {
        0 => 0,
        _ => all.saturating_mul(all.min(2 * SCRIPT) / 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_never_more_than_there_was() {
        let work = Work::of(10);
        assert_eq!(work.take(4), Ok(()));
        assert_eq!(work.look(15), Ok(()));
        assert_eq!(work.left(), 4);
        assert_eq!(work.take(5), Err(TooMuch));
        assert_eq!(work.take(1), Err(TooMuch));
    }
}
