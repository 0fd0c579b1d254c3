//! How much of a result each reader gets.
//! Numbers only; they are applied at one place, in dispatch, and by tools that page.

/// The limits of a model's context and of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Lines a model gets of one result.
    pub lines: usize,
    /// Bytes a model gets of one result.
    pub bytes: usize,
    /// Matches or paths a model gets of one search.
    pub found: usize,
    /// Bytes of one line of a file or match that are shown to a model or a person.
    pub line_bytes: usize,
    /// Bytes a program gets of one result.
    pub program_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            lines: 2000,
            bytes: 51_200,
            found: 100,
            line_bytes: 2000,
            program_bytes: 64 << 20,
        }
    }
}
