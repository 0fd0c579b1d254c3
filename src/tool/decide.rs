//! A function that stands in the place of a rule's action: asked about one planned call, it says what is to happen.
//!
//! What it says is the word of the rule it stands in. It never counts for less than a deny of the same source, and
//! nothing that it says lifts what is critical.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::Scope;
use crate::data::Data;
use crate::error::ToolError;
use crate::permission::Action;

/// What a function says of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// What is to happen.
    pub action: Action,
    /// Why, in its author's words.
    pub reason: Option<String>,
}

/// A function of a policy. It only computes.
pub trait Decide: Send + Sync {
    /// What it says of `call`; `None` where it has no opinion.
    ///
    /// # Errors
    /// That it raised, took too long, or returned something else. Then the rule denies.
    fn decide<'a>(
        &'a self,
        scope: &'a Scope,
        call: Arc<Data>,
    ) -> BoxFuture<'a, Result<Option<Decided>, ToolError>>;
}
