//! The plain policy: the workspace boundary and the rules of the command line, judged by `permission`.

use futures_util::future::{BoxFuture, ready};

use crate::permission::{Request, Rule, Verdict, judge};
use crate::tool::{Facts, Policy, Scope};

/// Rules, and whether the workspace is one where writes ask.
pub struct Rules {
    /// All rules, of whatever source.
    pub rules: Vec<Rule>,
    /// Set where the workspace is `/`, a home folder, or somebody else's.
    pub restricted: bool,
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
        };
        Box::pin(ready(judge(&request, &self.rules)))
    }
}
