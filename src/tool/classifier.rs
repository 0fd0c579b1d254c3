//! What judges a call in the mode `auto` that no rule settles.
//!
//! It sees what would be done, never what a tool has said, nor what is written beside a command. What it says counts
//! less than any rule, lifts nothing that is critical, and is passed over where a mode holds besides that asks.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::Scope;
use crate::data::Data;
use crate::error::ToolError;
use crate::permission::Action;

/// How much could go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Risk {
    /// Nothing that could not be taken back.
    Low,
    /// Something that a person should look at.
    Medium,
    /// Harm.
    High,
}

impl Risk {
    /// Every level.
    pub const ALL: [Risk; 3] = [Risk::Low, Risk::Medium, Risk::High];

    /// The word that classifiers return and traces use.
    pub fn as_str(self) -> &'static str {
        match self {
            Risk::Low => "low",
            Risk::Medium => "medium",
            Risk::High => "high",
        }
    }

    /// The level that goes without saying with an action.
    pub fn of(action: Action) -> Risk {
        match action {
            Action::Allow => Risk::Low,
            Action::Ask => Risk::Medium,
            Action::Deny => Risk::High,
        }
    }
}

/// What it says of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classified {
    /// What is to happen.
    pub action: Action,
    /// How much could go wrong.
    pub risk: Risk,
    /// Why, in one clause for whoever is asked or refused; empty where it does not say.
    pub reason: String,
}

/// Judges a planned call that no rule settles.
pub trait Classifier: Send + Sync {
    /// What it says of `call`, the facts by name; `None` where it has no verdict, and somebody is asked.
    ///
    /// # Errors (of the future)
    /// Whatever it fails with: then somebody is asked too.
    fn classify<'a>(
        &'a self,
        scope: &'a Scope,
        call: Arc<Data>,
    ) -> BoxFuture<'a, Result<Option<Classified>, ToolError>>;
}
