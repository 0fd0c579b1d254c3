//! On whose behalf a call is made. It belongs to the chain of calls and is only ever lowered.
//! Nothing in the program turns a model into a person.

use std::fmt;
use std::str::FromStr;

/// Who a call is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A person, or the script a person started.
    User,
    /// A language model, and everything that is done for one of its calls.
    Model,
}

impl Caller {
    /// The word that options and records use.
    pub fn as_str(self) -> &'static str {
        match self {
            Caller::User => "user",
            Caller::Model => "model",
        }
    }

    /// The caller of work that `self` does in the name of `wanted`: a model never becomes a user.
    pub fn lowered(self, wanted: Caller) -> Caller {
        match self {
            Caller::User => wanted,
            Caller::Model => Caller::Model,
        }
    }
}

impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Caller {
    type Err = String;

    /// # Errors
    /// The sentence that says which words there are.
    fn from_str(word: &str) -> Result<Caller, String> {
        match word {
            "user" => Ok(Caller::User),
            "model" => Ok(Caller::Model),
            other => Err(format!(
                "expected `user` or `model` as caller, got `{other}`"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_lowered_and_never_raised() {
        assert_eq!(Caller::User.lowered(Caller::Model), Caller::Model);
        assert_eq!(Caller::User.lowered(Caller::User), Caller::User);
        assert_eq!(Caller::Model.lowered(Caller::User), Caller::Model);
    }

    #[test]
    fn every_word_is_read_back() {
        for caller in [Caller::User, Caller::Model] {
            assert_eq!(caller.as_str().parse(), Ok(caller));
        }
        let error = "root".parse::<Caller>().unwrap_err();
        assert_eq!(error, "expected `user` or `model` as caller, got `root`");
    }
}
