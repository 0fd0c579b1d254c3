//! What whoever sets a model to work lays down for it: rules, a mode, a choice of tools. It holds for all that is done
//! below, and what is laid down further inside only tightens it.
//!
//! It is plain data, so that a program of ours below a model's command gets it too.

use serde::{Deserialize, Serialize};

use super::Choice;
use crate::error::Error;
use crate::permission::{Action, Caller, Mode, Modes, Rule, Source};

/// The words of it, as options take them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// The mode; `None`: the one that holds anyway.
    pub mode: Option<String>,
    /// Rules, as `--allow` takes them.
    pub allow: Vec<String>,
    /// Rules, as `--deny` takes them.
    pub deny: Vec<String>,
    /// The tools that there are, by id, `surface.effect`, or a glob of either; `None`: all.
    pub tools: Option<Vec<String>>,
}

/// What holds below.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// The words, outermost first: what a program below is told.
    words: Vec<Words>,
    /// The mode in the place of the one that files choose.
    mode: Option<Mode>,
    /// What tightens whatever mode holds.
    tightened: Option<Modes>,
    /// The rules: what allows stands first, so that a deny is the last to speak.
    rules: Vec<Rule>,
    /// Choices of tools: there are those that every one of them has.
    tools: Vec<Choice>,
}

impl Terms {
    /// What `words` say, laid down by `caller` where `outer` holds already.
    ///
    /// # Errors
    /// Usage: a rule or a mode that cannot be read; for a model, words that would grant something.
    pub fn new(words: Words, caller: Caller, outer: Option<&Terms>) -> Result<Terms, Error> {
        let mut terms = outer.cloned().unwrap_or_default();
        let is_free = caller == Caller::User && outer.is_none_or(|outer| outer.words.is_empty());
        if let Some(word) = &words.mode {
            let mode: Mode = word
                .parse()
                .map_err(|why| Error::usage(why, "name one of them"))?;
            match is_free {
                true => terms.mode = Some(mode),
                false => terms.tightened = Some(and(terms.tightened, mode)),
            }
        }
        if caller == Caller::Model && !words.allow.is_empty() {
            return Err(Error::usage(
                "allow: what runs for a model cannot allow it more than its caller may",
                "leave it out; `deny` is taken",
            ));
        }
        let read = |list: &[String], action: Action| -> Result<Vec<Rule>, Error> {
            let rules = list.iter();
            rules
                .map(|rule| Rule::parse(rule, action, Source::Script))
                .collect()
        };
        let denied = read(&words.deny, Action::Deny)?;
        terms.rules.splice(0..0, read(&words.allow, Action::Allow)?);
        terms.rules.extend(denied);
        let tools = words.tools.as_deref();
        terms
            .tools
            .extend(tools.map(|list| Choice::new(list.iter().map(String::as_str))));
        terms.words.push(words);
        Ok(terms)
    }

    /// The words that were laid down, outermost first.
    pub fn words(&self) -> &[Words] {
        &self.words
    }

    /// The rules that hold besides.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The modes that hold where those of the session are `modes`, of which `fixed` hold whatever is chosen here.
    pub fn modes(&self, modes: Modes, fixed: Option<Modes>) -> Modes {
        let modes = match (self.mode, fixed) {
            (None, _) => modes,
            (Some(mode), None) => mode.into(),
            (Some(mode), Some(fixed)) => Modes::from(mode).and(fixed),
        };
        self.tightened
            .map_or(modes, |tightened| modes.and(tightened))
    }

    /// The choices of tools that hold.
    pub fn choices(&self) -> &[Choice] {
        &self.tools
    }
}

fn and(modes: Option<Modes>, mode: Mode) -> Modes {
    modes.map_or(mode.into(), |modes| modes.and(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(mode: &str, allow: &[&str], deny: &[&str]) -> Words {
        let list = |rules: &[&str]| rules.iter().map(|rule| (*rule).to_owned()).collect();
        Words {
            mode: (!mode.is_empty()).then(|| mode.to_owned()),
            allow: list(allow),
            deny: list(deny),
            tools: None,
        }
    }

    fn modes(terms: &Terms, fixed: Option<Mode>) -> String {
        let session = fixed.unwrap_or_default();
        terms
            .modes(session.into(), fixed.map(Modes::from))
            .to_string()
    }

    #[test]
    fn a_script_chooses_the_mode_unless_the_person_named_one() {
        let terms = Terms::new(words("auto_edit", &[], &[]), Caller::User, None).unwrap();
        assert_eq!(modes(&terms, None), "auto_edit");
        assert_eq!(modes(&terms, Some(Mode::Plan)), "plan");
        assert_eq!(modes(&Terms::default(), None), "default");
    }

    #[test]
    fn what_is_laid_down_further_inside_only_tightens() {
        let outer = Terms::new(
            words("auto_edit", &["edit"], &["edit:a"]),
            Caller::User,
            None,
        )
        .unwrap();
        let looser = words("bypass", &["edit:a"], &["read:b"]);
        let inner = Terms::new(looser, Caller::User, Some(&outer)).unwrap();
        assert_eq!(modes(&inner, None), "auto_edit");
        let rules: Vec<String> = inner
            .rules()
            .iter()
            .map(|r| format!("{} {r}", r.action))
            .collect();
        assert_eq!(
            rules,
            ["allow edit:a", "allow edit", "deny edit:a", "deny read:b"]
        );
        let stricter = Terms::new(words("plan", &[], &[]), Caller::Model, Some(&outer)).unwrap();
        assert_eq!(modes(&stricter, None), "plan");
        assert_eq!(stricter.words().len(), 2);
    }

    #[test]
    fn a_model_may_deny_itself_things_and_allow_itself_nothing() {
        assert!(Terms::new(words("", &["shell"], &[]), Caller::Model, None).is_err());
        let bypass = Terms::new(words("bypass", &[], &["shell"]), Caller::Model, None).unwrap();
        assert_eq!(modes(&bypass, None), "default");
        assert_eq!(bypass.rules().len(), 1);
    }

    #[test]
    fn words_that_cannot_be_read_are_told() {
        for wrong in [words("paln", &[], &[]), words("", &[":"], &[])] {
            assert!(Terms::new(wrong, Caller::User, None).is_err());
        }
    }
}
