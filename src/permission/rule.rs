//! A rule: a name, a pattern, and what is to happen. `shell:cargo test *` is how a person writes it.
//!
//! What its globs match is settled in `glob`, what they are matched against in `judge`. A rule is
//! data: it opens nothing and runs nothing.

use std::fmt;
use std::str::FromStr;

use super::{Source, glob};
use crate::error::Error;
use crate::text::nearest;

/// What is to happen, from the mildest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// It runs.
    Allow,
    /// Somebody is asked first; where nobody can be, it does not run.
    Ask,
    /// It does not run.
    Deny,
}

impl Action {
    /// The word that policies and documents use.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Allow => "allow",
            Action::Ask => "ask",
            Action::Deny => "deny",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Action {
    type Err = String;

    /// # Errors
    /// The sentence that says which words there are.
    fn from_str(word: &str) -> Result<Action, String> {
        match word {
            "allow" => Ok(Action::Allow),
            "ask" => Ok(Action::Ask),
            "deny" => Ok(Action::Deny),
            other => {
                let near = nearest(other, ["allow", "ask", "deny"]);
                let near = near.map(|near| format!("; did you mean `{near}`?"));
                Err(format!(
                    "expected `allow`, `ask` or `deny` as action, got `{other}`{}",
                    near.unwrap_or_default()
                ))
            }
        }
    }
}

/// One rule of one source. Within a source the last one that matches speaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// A glob over the tool id, the group, or `surface.effect`.
    pub name: String,
    /// A glob over the subject; `None` matches every subject.
    pub pattern: Option<String>,
    /// What is to happen; where a function decides, what holds as long as it was not asked.
    pub action: Action,
    /// The number of the function that decides in the place of an action.
    pub function: Option<usize>,
    /// Where it came from.
    pub source: Source,
    /// Why, in its author's words.
    pub reason: Option<String>,
    /// The file it stands in, as messages call it; `None` where it was typed.
    pub place: Option<String>,
}

impl Rule {
    /// Reads `name` or `name:pattern`. The first colon divides, so a pattern may hold more; white
    /// space around either is dropped, since a rule that never matches protects nobody.
    ///
    /// # Errors
    /// Usage, with the rule as it was written and the form that is expected.
    pub fn parse(text: &str, action: Action, source: Source) -> Result<Rule, Error> {
        let (name, pattern) = match text.split_once(':') {
            Some((name, pattern)) => (name.trim(), Some(pattern.trim())),
            None => (text.trim(), None),
        };
        let wrong = wrong_name(name).or_else(|| pattern.and_then(wrong_pattern));
        if let Some(wrong) = wrong {
            return Err(Error::usage(
                format!("the rule {text:?} cannot be read: {wrong}"),
                "write `name` or `name:pattern`, such as `edit:src/**` or `shell:cargo test *`",
            ));
        }
        Ok(Rule {
            name: name.to_owned(),
            pattern: pattern.map(str::to_owned),
            action,
            function: None,
            source,
            reason: None,
            place: None,
        })
    }

    /// The same rule as one that stands in a file.
    pub fn written_in(mut self, file: impl Into<String>) -> Rule {
        self.place = Some(file.into());
        self
    }

    /// Whose it is and where it stands, for whoever wants to change it: `user, ~/x/permissions.lua`.
    pub fn origin(&self) -> String {
        match &self.place {
            Some(place) => format!("{}, {place}", self.source),
            None => self.source.to_string(),
        }
    }

    /// What it says, in one word: its action, or `function`.
    pub fn says(&self) -> &'static str {
        match self.function {
            Some(_) => "function",
            None => self.action.as_str(),
        }
    }

    /// The same rule with the reason its author gives.
    pub fn because(mut self, reason: impl Into<String>) -> Rule {
        self.reason = Some(reason.into());
        self
    }

    /// True when the name covers one of `names`.
    pub fn is_about(&self, names: &[&str]) -> bool {
        names.iter().any(|name| glob::matches(&self.name, name, ""))
    }

    /// True when no subject can escape the pattern: absent or `*`.
    pub(super) fn is_general(&self) -> bool {
        self.pattern.as_deref().is_none_or(|pattern| pattern == "*")
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.pattern {
            Some(pattern) => write!(f, ":{pattern}"),
            None => Ok(()),
        }
    }
}

fn wrong_name(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("there is no name before the pattern".to_owned());
    }
    if let Some((first, _)) = name.split_once(char::is_whitespace) {
        return Some(format!(
            "the name {name:?} has a space in it; a command is `shell:{name}`, a rule for \
             `{first}` alone is `{first}`"
        ));
    }
    let odd = name
        .chars()
        .find(|&c| !(c.is_ascii_alphanumeric() || "_-.*?".contains(c)));
    odd.map(|odd| {
        format!("the name {name:?} has {odd:?} in it; names are letters, digits and `_ - . * ?`")
    })
}

fn wrong_pattern(pattern: &str) -> Option<String> {
    pattern
        .is_empty()
        .then(|| "the pattern after the colon is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Rule, Error> {
        Rule::parse(text, Action::Allow, Source::CommandLine)
    }

    #[test]
    fn divides_at_the_first_colon() {
        let rule = parse("network:https://a.test:8080/*").unwrap();
        assert_eq!(rule.name, "network");
        assert_eq!(rule.pattern.as_deref(), Some("https://a.test:8080/*"));
        assert_eq!(parse("edit").unwrap().pattern, None);
        assert_eq!(parse(" edit : src/** ").unwrap().to_string(), "edit:src/**");
        assert_eq!(
            parse("mcp.files.*:/tmp/**").unwrap().to_string(),
            "mcp.files.*:/tmp/**"
        );
    }

    #[test]
    fn says_what_is_wrong_with_a_rule() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(
            message("git push"),
            "the rule \"git push\" cannot be read: the name \"git push\" has a space in it; a \
             command is `shell:git push`, a rule for `git` alone is `git`\n  try: write `name` or \
             `name:pattern`, such as `edit:src/**` or `shell:cargo test *`"
        );
        assert!(message(":x").contains("there is no name before the pattern"));
        assert!(message("").contains("there is no name"));
        assert!(message("edit:").contains("the pattern after the colon is empty"));
        assert!(message("src/**").contains("has '/' in it; names are letters"));
    }

    #[test]
    fn every_action_is_read_back_and_they_are_ordered_by_strictness() {
        let all = [Action::Allow, Action::Ask, Action::Deny];
        for action in all {
            assert_eq!(action.as_str().parse(), Ok(action));
        }
        assert!(all.is_sorted());
        let error = "yes".parse::<Action>().unwrap_err();
        assert_eq!(
            error,
            "expected `allow`, `ask` or `deny` as action, got `yes`"
        );
        let near = "alow".parse::<Action>().unwrap_err();
        assert!(
            near.ends_with("got `alow`; did you mean `allow`?"),
            "{near}"
        );
    }

    #[test]
    fn a_name_is_a_glob() {
        let about = |rule: &str, name: &str| parse(rule).unwrap().is_about(&[name]);
        assert!(about("*", "grep") && about("ed*", "edit") && about("file.*", "file.write"));
        assert!(!about("ed*", "read") && !about("edi", "edit") && !about("file.w", "file.write"));
    }
}
