//! How an edit finds its place: the chain of replacers, and the functions in it.
//!
//! What the replacers of the program do is `crate::edit`; here is what a policy adds.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::Scope;
use crate::edit::{Chain, Found};
use crate::error::ToolError;

/// A replacer that is a function.
pub trait Find: Send + Sync {
    /// What messages call it: a file and line.
    fn name(&self) -> String;

    /// The places of `text` where something like `old` stands, in order: inside the text, on the borders of
    /// characters, none over another. Only computes. Line ends are `\n` in both.
    fn find<'a>(
        &'a self,
        scope: &'a Scope,
        text: &'a str,
        old: &'a str,
    ) -> BoxFuture<'a, Result<Vec<Found>, ToolError>>;
}

/// The policy for all edits.
#[derive(Clone, Default)]
pub struct Replacers {
    /// Who is asked, in which order, and what counts.
    pub chain: Chain,
    /// The functions in the chain, by name.
    pub functions: BTreeMap<String, Arc<dyn Find>>,
}
