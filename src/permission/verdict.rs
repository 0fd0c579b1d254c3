//! The answer to a request, with the whole way to it. Later stages may tighten it, never loosen it.
//! The trace is never empty, so that every answer can be explained.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::{Action, Source};

/// One thing that had a say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it came from.
    pub source: Source,
    /// The rule as it is written, or what spoke in its place.
    pub rule: Cow<'static, str>,
    /// What it said.
    pub action: Action,
}

/// Whether a call may run, why, and what had a say in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is to happen.
    pub action: Action,
    /// Why, in one sentence for whoever is asked or refused.
    pub reason: Cow<'static, str>,
    /// Set when the call touches what is critical: shown when asking, and such an ask is answered
    /// for this one time only and refused for a model where nobody is there.
    pub warning: Option<String>,
    /// True when it is asked only because the mode `auto` has no verdict yet: a classifier may settle it.
    pub is_open: bool,
    /// Everything that had a say, weakest first for each subject. Never empty.
    pub trace: Vec<Step>,
}

impl Verdict {
    /// The verdict of one step.
    pub(super) fn new(
        action: Action,
        reason: impl Into<Cow<'static, str>>,
        trace: Vec<Step>,
    ) -> Verdict {
        Verdict {
            action,
            reason: reason.into(),
            warning: None,
            is_open: false,
            trace,
        }
    }

    /// Adds what a hook or a policy says. Only a stricter action changes the verdict; in any case
    /// it is in the trace.
    pub fn tighten(&mut self, action: Action, reason: impl Into<String>, source: Source) {
        let reason: Cow<'static, str> = Cow::Owned(reason.into());
        self.trace.push(Step {
            source,
            rule: reason.clone(),
            action,
        });
        if action > self.action {
            self.action = action;
            self.reason = reason;
        }
        self.is_open &= action == Action::Allow;
    }

    /// What a classifier says of a verdict that is open, and why; any other stays as it is.
    pub fn classify(&mut self, action: Action, why: &str) {
        if !self.is_open {
            return;
        }
        let why: Cow<'static, str> = Cow::Owned(why.to_owned());
        self.trace.push(Step {
            source: Source::Classifier,
            rule: why.clone(),
            action,
        });
        (self.action, self.reason, self.is_open) = (action, why, false);
    }

    /// Asks, whatever was allowed, because the call touches what is critical. Whoever is asked or refused
    /// reads the warning before any other reason.
    pub(super) fn warn(&mut self, warning: String) {
        let reason = format!("critical: {warning}");
        self.tighten(Action::Ask, reason.as_str(), Source::GlobalDefault);
        if self.action == Action::Ask {
            self.reason = reason.into();
        }
        self.warning = Some(warning);
    }

    /// This verdict and another about the same call: the stricter one, with both traces.
    pub(super) fn with(mut self, other: Verdict) -> Verdict {
        let warns = other.warning.is_some() && self.warning.is_none();
        self.is_open = match self.action.cmp(&other.action) {
            Ordering::Less => other.is_open,
            Ordering::Equal => self.is_open && other.is_open,
            Ordering::Greater => self.is_open,
        };
        if other.action > self.action || (other.action == self.action && warns) {
            self.action = other.action;
            self.reason = other.reason;
        }
        self.warning = self.warning.or(other.warning);
        for step in other.trace {
            if !self.trace.contains(&step) {
                self.trace.push(step);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(action: Action) -> Verdict {
        let step = Step {
            source: Source::GlobalDefault,
            rule: "default".into(),
            action,
        };
        Verdict::new(action, "first", vec![step])
    }

    #[test]
    fn is_tightened_and_never_loosened() {
        let all = [Action::Allow, Action::Ask, Action::Deny];
        for before in all {
            for said in all {
                let mut after = verdict(before);
                after.tighten(said, "a hook", Source::User);
                assert_eq!(after.action, before.max(said));
                let reason = if said > before { "a hook" } else { "first" };
                assert_eq!(after.reason, reason);
                assert_eq!(after.trace.len(), 2, "the trace holds what changed nothing");
            }
        }
    }

    #[test]
    fn a_classifier_settles_what_is_open_and_nothing_else() {
        for said in [Action::Allow, Action::Ask, Action::Deny] {
            let mut open = verdict(Action::Ask);
            open.is_open = true;
            open.classify(said, "it says so");
            assert_eq!((open.action, &*open.reason), (said, "it says so"));
            assert!(!open.is_open && open.trace.len() == 2);
            let mut settled = verdict(Action::Ask);
            settled.classify(said, "it says so");
            assert_eq!(settled, verdict(Action::Ask));
        }
    }

    #[test]
    fn a_warning_is_the_reason_of_what_is_asked() {
        let warned = |action| {
            let mut verdict = verdict(action);
            verdict.warn("/ is the root".to_owned());
            verdict
        };
        for action in [Action::Allow, Action::Ask] {
            assert_eq!(warned(action).action, Action::Ask);
            assert_eq!(warned(action).reason, "critical: / is the root");
            let both = verdict(Action::Ask).with(warned(action));
            assert_eq!(both.reason, "critical: / is the root");
        }
        let denied = warned(Action::Deny);
        assert_eq!((denied.action, &*denied.reason), (Action::Deny, "first"));
    }

    #[test]
    fn the_stricter_of_two_holds_with_both_traces() {
        let both = verdict(Action::Allow).with(verdict(Action::Ask));
        assert_eq!((both.action, both.trace.len()), (Action::Ask, 2));
        assert_eq!(
            verdict(Action::Ask).with(verdict(Action::Ask)).trace.len(),
            1
        );
    }
}
