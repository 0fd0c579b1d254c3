//! The modes: what holds where no rule speaks, and what outranks rules.
//!
//! A person picks the mode. Whoever may only tighten adds one of their own: then each call meets both, and the
//! stricter verdict holds. No mode lifts a deny, an ask that a person wrote, or what is critical.

use std::fmt;
use std::str::FromStr;

use crate::text::offer;

/// What a model may do without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Reads inside the workspace, and commands that only read.
    #[default]
    Default,
    /// Changes to files inside the workspace, too.
    AutoEdit,
    /// Reads, for the person too, whatever rules allow.
    Plan,
    /// What a classifier finds harmless, where no rule settles it.
    Auto,
    /// What rules allow. The rest is denied, so that nothing waits for an answer.
    DontAsk,
    /// Nothing, for the person too, whatever rules allow.
    DenyAll,
    /// Everything but what is denied, what a person wants to be asked about, and what is critical.
    Bypass,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 7] = [
        Mode::Default,
        Mode::AutoEdit,
        Mode::Plan,
        Mode::Auto,
        Mode::DontAsk,
        Mode::DenyAll,
        Mode::Bypass,
    ];

    /// The word that options, policies and traces use.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::AutoEdit => "auto_edit",
            Mode::Plan => "plan",
            Mode::Auto => "auto",
            Mode::DontAsk => "dont_ask",
            Mode::DenyAll => "deny_all",
            Mode::Bypass => "bypass",
        }
    }

    /// True when no call is judged more mildly in this mode than in `other`.
    pub fn is_as_strict_as(self, other: Mode) -> bool {
        use Mode::{Auto, AutoEdit, Bypass, Default, DenyAll, DontAsk, Plan};
        match self {
            DenyAll => true,
            DontAsk => !matches!(other, DenyAll | Plan),
            Plan => matches!(other, Plan | Default | AutoEdit | Bypass),
            Default => matches!(other, Default | AutoEdit | Bypass),
            AutoEdit => matches!(other, AutoEdit | Bypass),
            Auto => matches!(other, Auto | Bypass),
            Bypass => other == Bypass,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Mode {
    type Err = String;

    /// # Errors
    /// The sentence that names the nearest mode and says which there are.
    fn from_str(word: &str) -> Result<Mode, String> {
        let found = Mode::ALL.into_iter().find(|mode| mode.as_str() == word);
        found.ok_or_else(|| {
            let modes = offer(word, "modes", Mode::ALL.map(Mode::as_str));
            format!("there is no mode `{word}`; {modes}")
        })
    }
}

/// The modes that hold at once: the person's, and what others tighten it with. A verdict is as strict as the
/// strictest of them. Never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modes(u8);

impl Modes {
    /// These modes and `other`: one that another is always as strict as is left out.
    pub fn and(self, other: impl Into<Modes>) -> Modes {
        let both = Modes(self.0 | other.into().0);
        let is_needed = |mode: &Mode| {
            let mut stricter = both.iter().filter(|other| other != mode);
            !stricter.any(|other| other.is_as_strict_as(*mode))
        };
        let needed = both.iter().filter(is_needed);
        needed.fold(Modes(0), |modes, mode| Modes(modes.0 | bit(mode)))
    }

    /// The modes, in the order of [`Mode::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Mode> {
        let is_in = move |mode: &Mode| self.0 & bit(*mode) != 0;
        Mode::ALL.into_iter().filter(is_in)
    }
}

fn bit(mode: Mode) -> u8 {
    1 << mode as u8
}

impl From<Mode> for Modes {
    fn from(mode: Mode) -> Modes {
        Modes(bit(mode))
    }
}

impl Default for Modes {
    fn default() -> Modes {
        Mode::default().into()
    }
}

impl fmt::Display for Modes {
    /// `plan`, or `auto and plan`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(Mode::as_str).collect();
        f.write_str(&words.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back_and_a_misspelt_one_names_the_nearest() {
        for mode in Mode::ALL {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert_eq!(
            "dontask".parse::<Mode>().unwrap_err(),
            "there is no mode `dontask`; did you mean `dont_ask`? the modes are: default, auto_edit, plan, auto, \
             dont_ask, deny_all, bypass"
        );
    }

    #[test]
    fn the_stricter_of_two_is_left_and_what_cannot_be_compared_stays() {
        use Mode::{Auto, AutoEdit, Bypass, Default, DenyAll, DontAsk, Plan};
        for (first, second, both) in [
            (Default, AutoEdit, "default"),
            (Bypass, Auto, "auto"),
            (Plan, Default, "plan"),
            (DontAsk, Auto, "dont_ask"),
            (DenyAll, Plan, "deny_all"),
            (Auto, AutoEdit, "auto_edit and auto"),
            (DontAsk, Plan, "plan and dont_ask"),
            (Plan, Auto, "plan and auto"),
        ] {
            assert_eq!(Modes::from(first).and(second).to_string(), both);
            assert_eq!(Modes::from(second).and(first).to_string(), both);
            assert_eq!(Modes::from(first).and(first), first.into());
        }
    }

    #[test]
    fn strictness_is_an_order() {
        for a in Mode::ALL {
            assert!(a.is_as_strict_as(a) && Mode::DenyAll.is_as_strict_as(a));
            for b in Mode::ALL {
                let is_both = a.is_as_strict_as(b) && b.is_as_strict_as(a);
                assert!(!is_both || a == b, "{a} {b}");
                for c in Mode::ALL {
                    let is_chain = a.is_as_strict_as(b) && b.is_as_strict_as(c);
                    assert!(!is_chain || a.is_as_strict_as(c), "{a} {b} {c}");
                }
            }
        }
    }
}
