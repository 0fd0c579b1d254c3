//! Which mode holds: what the option says, else the variable, else the person's policies, tightened by who may
//! only tighten.
//!
//! Below a model's call the words are the model's, and only tighten too.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use super::args::Options;
use crate::error::Error;
use crate::lua::Policed;
use crate::permission::{Mode, Modes};

/// The variable that names a mode.
const VARIABLE: &str = "AGENT_MODE";

/// What was said of the mode where the program was started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chosen {
    /// The person's choice: it holds whatever the person's policies say.
    named: Option<Mode>,
    /// What holds besides.
    tightened: Option<Modes>,
    /// What named one of them: an option, a variable, or who started the program.
    by: &'static str,
}

impl Chosen {
    /// What the option and the environment say, the words of a person.
    ///
    /// # Errors
    /// Usage: a variable that names no mode, or the mode that only the option takes.
    pub(super) fn of(
        options: &Options,
        env: &BTreeMap<OsString, OsString>,
    ) -> Result<Chosen, Error> {
        Ok(Chosen {
            named: options.mode.or(of_environment(env)?),
            tightened: None,
            by: match options.mode {
                Some(_) => "--mode",
                None => VARIABLE,
            },
        })
    }

    /// What they say where they are the words of a model, whose caller was started with the mode `handed`.
    ///
    /// # Errors
    /// Those of [`Chosen::of`].
    pub(super) fn below(
        options: &Options,
        env: &BTreeMap<OsString, OsString>,
        handed: Option<Mode>,
    ) -> Result<Chosen, Error> {
        let words = [options.mode, of_environment(env)?].into_iter().flatten();
        Ok(Chosen {
            named: handed,
            tightened: words.map(Modes::from).reduce(Modes::and),
            by: "who started this program",
        })
    }

    /// The mode that a person named.
    pub(super) fn named(self) -> Option<Mode> {
        self.named
    }

    /// The modes that hold where the policies say this.
    pub(super) fn over(self, policy: &Policed) -> Modes {
        let chosen = Modes::from(self.named.or(policy.mode).unwrap_or_default());
        let tightened = [policy.tightened, self.tightened];
        tightened.into_iter().flatten().fold(chosen, Modes::and)
    }

    /// Those that hold whatever mode is chosen for a piece of work: what the person named, and what tightens.
    pub(super) fn fixed(self, policy: &Policed) -> Option<Modes> {
        let named = self.named.map(Modes::from);
        let all = [named, policy.tightened, self.tightened];
        all.into_iter().flatten().reduce(Modes::and)
    }

    /// Who names which mode, the weakest first, whether it holds or not.
    pub(super) fn said(self, policy: &Policed) -> Vec<(Mode, String)> {
        let mut said = policy.modes.clone();
        said.extend(self.named.map(|mode| (mode, self.by.to_owned())));
        let words = self.tightened.iter().flat_map(|modes| modes.iter());
        said.extend(words.map(|mode| (mode, format!("--mode or {VARIABLE}"))));
        said
    }
}

fn of_environment(env: &BTreeMap<OsString, OsString>) -> Result<Option<Mode>, Error> {
    let Some(word) = env
        .get(OsStr::new(VARIABLE))
        .filter(|word| !word.is_empty())
    else {
        return Ok(None);
    };
    match word.to_string_lossy().parse() {
        Ok(Mode::Bypass) => Err(Error::usage(
            format!("{VARIABLE} does not take `bypass`: a variable may come from anywhere"),
            "give it as an option, where it is seen: --mode bypass",
        )),
        Ok(mode) => Ok(Some(mode)),
        Err(why) => Err(Error::usage(
            format!("the variable {VARIABLE} cannot be read: {why}"),
            "unset it, or mend it",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(option: Option<Mode>, variable: &str, is_below: bool) -> Result<Chosen, Error> {
        let options = Options {
            mode: option,
            ..Options::default()
        };
        let env = BTreeMap::from([(VARIABLE.into(), variable.into())]);
        match is_below {
            true => Chosen::below(&options, &env, None),
            false => Chosen::of(&options, &env),
        }
    }

    #[test]
    fn the_option_outranks_the_variable_and_both_the_policies_which_a_project_tightens() {
        let policy = |mode, tightened: Option<Mode>| Policed {
            mode,
            tightened: tightened.map(Modes::from),
            ..Policed::default()
        };
        let none = policy(None, None);
        let auto = policy(Some(Mode::Auto), None);
        let tight = policy(Some(Mode::Auto), Some(Mode::Plan));
        for (option, variable, is_below, policy, expected) in [
            (None, "", false, &none, "default"),
            (None, "", false, &auto, "auto"),
            (None, "plan", false, &auto, "plan"),
            (Some(Mode::Bypass), "plan", false, &auto, "bypass"),
            (Some(Mode::Bypass), "", false, &tight, "plan"),
            (None, "", false, &tight, "plan and auto"),
            (Some(Mode::Bypass), "auto_edit", true, &none, "default"),
            (Some(Mode::Plan), "auto", true, &none, "plan and auto"),
            (Some(Mode::DontAsk), "", true, &auto, "dont_ask"),
        ] {
            let modes = chosen(option, variable, is_below).unwrap().over(policy);
            assert_eq!(
                modes.to_string(),
                expected,
                "{option:?} {variable} {is_below}"
            );
        }
    }

    #[test]
    fn the_variable_takes_every_mode_but_one() {
        for mode in Mode::ALL {
            let is_taken = chosen(None, mode.as_str(), false).is_ok();
            assert_eq!(is_taken, mode != Mode::Bypass, "{mode}");
        }
        let error = chosen(None, "paln", false).unwrap_err().to_string();
        assert!(error.contains("did you mean `plan`?"), "{error}");
    }
}
