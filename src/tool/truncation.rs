//! How much of a result a model gets, by tool: numbers, or a function that looks at the text.
//!
//! What is not said here holds as the tool and the limits of the session have it.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{Limits, Scope};
use crate::data::Data;
use crate::error::ToolError;
use crate::text::Keep;

/// What is said of one result: each part on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Lines at most.
    pub lines: Option<usize>,
    /// Bytes at most.
    pub bytes: Option<usize>,
    /// Which part of a longer text is kept.
    pub keep: Option<Keep>,
}

impl Allowance {
    /// What this says, and where it is silent what `weaker` says.
    pub fn or(self, weaker: Allowance) -> Allowance {
        Allowance {
            lines: self.lines.or(weaker.lines),
            bytes: self.bytes.or(weaker.bytes),
            keep: self.keep.or(weaker.keep),
        }
    }
}

/// A function that says how much of one result is kept.
pub trait Measure: Send + Sync {
    /// What messages call it: a file and line.
    fn name(&self) -> String;

    /// What it says of `text`, the result of `call`: `{ tool, caller, args, title }`. Only computes.
    fn measure<'a>(
        &'a self,
        scope: &'a Scope,
        call: Data,
        text: &'a str,
    ) -> BoxFuture<'a, Result<Option<Allowance>, ToolError>>;
}

/// The policy for all tools.
#[derive(Clone, Default)]
pub struct Truncation {
    /// What holds for every tool.
    pub default: Allowance,
    /// What holds for one, by id.
    pub tools: BTreeMap<String, Allowance>,
    /// What is asked about the results of one, by id.
    pub asked: BTreeMap<String, Arc<dyn Measure>>,
}

impl Truncation {
    /// What `top` says over what this says: of a table field by field; a function comes before what is said
    /// without one, which holds where it says nothing.
    pub fn under(mut self, top: Truncation) -> Truncation {
        self.default = top.default.or(self.default);
        for (tool, allowance) in top.tools {
            let below = self.tools.get(&tool).copied().unwrap_or_default();
            self.asked.remove(&tool);
            self.tools.insert(tool, allowance.or(below));
        }
        self.asked.extend(top.asked);
        self
    }

    /// What is said of `tool` without looking at a result.
    pub fn of(&self, tool: &str) -> Allowance {
        let own = self.tools.get(tool).copied().unwrap_or_default();
        own.or(self.default)
    }

    /// `limits`, as they are for the results of `tool`.
    pub fn limits(&self, tool: &str, limits: &Limits) -> Limits {
        let allowed = self.of(tool);
        Limits {
            lines: allowed.lines.unwrap_or(limits.lines),
            bytes: allowed.bytes.unwrap_or(limits.bytes),
            ..*limits
        }
    }
}
