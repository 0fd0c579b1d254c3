//! The plain policy: the workspace boundary and the rules of the command line.
//!
//! It gathers nothing and decides nothing itself: the plan has the facts, `permission` the judgement.

use futures_util::future::{BoxFuture, ready};

use crate::permission::{Bounds, Request, Rule, Verdict, judge};
use crate::tool::{Facts, Policy, Scope};

/// Rules, and whether the workspace is one where writes ask.
pub struct Rules {
    /// All rules, of whatever source.
    pub rules: Vec<Rule>,
    /// Set where the workspace is `/`, a home folder, or somebody else's.
    pub restricted: bool,
    /// The folders that verdicts depend on.
    pub bounds: Bounds,
}

impl Policy for Rules {
    fn judge<'a>(&'a self, _scope: &'a Scope, facts: &'a Facts<'a>) -> BoxFuture<'a, Verdict> {
        let request = Request {
            tool: facts.tool,
            surface: facts.surface,
            effect: facts.plan.effect,
            caller: facts.caller,
            subjects: &facts.plan.subjects,
            restricted: self.restricted,
            bounds: &self.bounds,
        };
        Box::pin(ready(judge(&request, &self.rules)))
    }
}
