//! What judges a call in the mode `auto` that no rule settles.
//!
//! It sees what would be done, never what a tool has said. What it says counts less than any rule, lifts nothing
//! that is critical, and is passed over where a mode holds besides that asks.

use futures_util::future::BoxFuture;

use super::{Facts, Scope};
use crate::permission::{Action, Rule, Source};

/// What it says of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classified {
    /// What is to happen.
    pub action: Action,
    /// Why, in one clause for whoever is asked or refused.
    pub reason: String,
}

impl From<Classified> for Rule {
    /// The rule that says the same of every subject of the call, as weak as a classifier.
    fn from(said: Classified) -> Rule {
        Rule {
            name: "*".to_owned(),
            pattern: None,
            action: said.action,
            function: None,
            source: Source::Classifier,
            reason: Some(said.reason),
            place: None,
        }
    }
}

/// Judges a planned call that no rule settles.
pub trait Classifier: Send + Sync {
    /// What it says; `None` where it has no verdict, and somebody is asked.
    fn classify<'a>(
        &'a self,
        scope: &'a Scope,
        facts: &'a Facts<'a>,
    ) -> BoxFuture<'a, Option<Classified>>;
}
