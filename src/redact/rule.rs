//! A rule: a name and a regular expression for one kind of secret, and where it is looked for.
//!
//! Rules are data. They are compiled when a text first holds one of their keywords, never while they load.

use regex::Regex;

/// Where a rule holds. Each place holds the rules of those before it too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Everywhere: what goes to a model, and what is below.
    #[default]
    Model,
    /// What people pipe in, and what version control shows; and logs.
    Input,
    /// Logs alone.
    Log,
}

impl Reach {
    /// The word for it in a policy file.
    pub fn named(word: &str) -> Option<Reach> {
        match word {
            "model" => Some(Reach::Model),
            "input" => Some(Reach::Input),
            "log" => Some(Reach::Log),
            _ => None,
        }
    }
}

/// One kind of secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// What tags call it: lowercase letters, digits and `-`.
    pub name: String,
    /// What finds it, in a line. The group `secret`, where there is one, is the secret; else all of the match.
    pub regex: String,
    /// Texts of which every match holds one, in whatever case. Without them every line is looked at.
    pub keywords: Vec<String>,
    /// Where it is looked for.
    pub reach: Reach,
    /// What finds the secret in the lines after one that `regex` finds, up to the first it does not find.
    pub follow: Option<String>,
    /// Whether a value that stands for another one, such as `$NAME` or `{name}`, is no secret.
    pub is_literal: bool,
}

impl Rule {
    /// Whether it can be used.
    ///
    /// # Errors
    /// What is wrong with it: an expression that is none, or one that finds the empty text.
    pub fn check(&self) -> Result<(), String> {
        let finds_nothing = ["", "a", " ", "a b", "-1"];
        let regex = compiled("regex", &self.regex)?;
        let is_empty = |text: &&str| regex.find_iter(text).any(|found| found.is_empty());
        if finds_nothing.iter().any(is_empty) {
            let regex = &self.regex;
            return Err(format!(
                "regex: `{regex}` finds the empty text, so it would find it everywhere"
            ));
        }
        let follow = self.follow.as_ref();
        follow.map_or(Ok(()), |follow| compiled("follow", follow).map(drop))
    }
}

fn compiled(field: &str, regex: &str) -> Result<Regex, String> {
    Regex::new(regex).map_err(|error| format!("{field}: {error}"))
}
