//! What a call does to the world, in four words.
//!
//! The order is by power. A tool that declares nothing is taken to write.

use std::fmt;
use std::str::FromStr;

/// What a call does, weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Looks. What it changes, if anything, is what this session remembers for itself: a list, a plan.
    Read,
    /// Changes files or other state. What an undeclared effect counts as.
    #[default]
    Write,
    /// Runs a program.
    Run,
    /// Talks to another machine.
    Network,
}

impl Effect {
    /// Every effect, weakest first.
    pub const ALL: [Effect; 4] = [Effect::Read, Effect::Write, Effect::Run, Effect::Network];

    /// The word that declarations and rules (`file.write`) use.
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Run => "run",
            Effect::Network => "network",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Effect {
    type Err = String;

    /// # Errors
    /// The sentence that says which words there are.
    fn from_str(word: &str) -> Result<Effect, String> {
        let found = Effect::ALL
            .into_iter()
            .find(|effect| effect.as_str() == word);
        found.ok_or_else(|| {
            format!("expected `read`, `write`, `run` or `network` as effect, got `{word}`")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undeclared_means_write() {
        assert_eq!(Effect::default(), Effect::Write);
    }

    #[test]
    fn every_word_is_read_back_and_they_are_ordered_by_power() {
        for effect in Effect::ALL {
            assert_eq!(effect.to_string().parse(), Ok(effect));
        }
        assert!(Effect::ALL.is_sorted());
        let error = "execute".parse::<Effect>().unwrap_err();
        assert_eq!(
            error,
            "expected `read`, `write`, `run` or `network` as effect, got `execute`"
        );
    }
}
