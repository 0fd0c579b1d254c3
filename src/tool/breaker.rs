//! Counts what the classifier of the mode `auto` denies in one session. Who is denied again and again has other plans
//! than the classifier can judge, so from then on a person is asked.
//!
//! Only calls that are made count, and nothing closes it again: a new session begins anew.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::permission::{Action, Source, Verdict};

/// So many denials in a row, with nothing allowed between them, and it opens.
const IN_A_ROW: usize = 3;

/// So many in all, and it opens.
const IN_ALL: usize = 20;

/// The denials of one session.
#[derive(Debug, Default)]
pub struct Breaker(Mutex<Count>);

#[derive(Debug, Default)]
struct Count {
    in_a_row: usize,
    in_all: usize,
    is_open: Option<&'static str>,
}

impl Breaker {
    /// Why the classifier is asked no more, if that is so.
    pub fn opened(&self) -> Option<&'static str> {
        self.lock().is_open
    }

    /// Counts what the classifier said in `verdict`, of a call that is made.
    pub fn heard(&self, verdict: &Verdict) {
        let mut steps = verdict.trace.iter();
        let said = steps.find(|step| step.source == Source::Classifier);
        let mut count = self.lock();
        match said.map(|step| step.action) {
            Some(Action::Allow) => count.in_a_row = 0,
            Some(Action::Deny) => {
                count.in_a_row += 1;
                count.in_all += 1;
            }
            Some(Action::Ask) | None => return,
        }
        count.is_open = count.is_open.or(match (count.in_a_row, count.in_all) {
            (IN_A_ROW.., _) => {
                Some("the classifier denied 3 calls in a row, so it is asked no more")
            }
            (_, IN_ALL..) => Some("the classifier denied 20 calls, so it is asked no more"),
            _ => None,
        });
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Step;

    fn heard(breaker: &Breaker, source: Source, action: Action) -> bool {
        let step = Step {
            source,
            rule: "it".into(),
            action,
        };
        breaker.heard(&Verdict {
            action,
            reason: "it".into(),
            warning: None,
            is_open: false,
            trace: vec![step],
        });
        breaker.opened().is_some()
    }

    #[test]
    fn three_in_a_row_open_it_and_what_is_allowed_ends_the_row() {
        let breaker = Breaker::default();
        let says = |action| heard(&breaker, Source::Classifier, action);
        assert!(!says(Action::Deny) && !says(Action::Deny) && !says(Action::Allow));
        assert!(!says(Action::Deny) && !says(Action::Ask) && !says(Action::Deny));
        assert!(!heard(&breaker, Source::User, Action::Deny), "a rule's own");
        assert!(says(Action::Deny));
        assert!(says(Action::Allow), "it stays open");
    }

    #[test]
    fn twenty_in_all_open_it() {
        let breaker = Breaker::default();
        let says = |action| heard(&breaker, Source::Classifier, action);
        for _ in 0..19 {
            assert!(!says(Action::Deny) && !says(Action::Allow));
        }
        assert!(says(Action::Deny));
        assert!(breaker.opened().unwrap().contains("20 calls"));
    }
}
