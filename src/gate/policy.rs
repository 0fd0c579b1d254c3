//! The plain policy: the workspace boundary and the rules of the command line.
//!
//! It gathers nothing and decides nothing itself: the plan has the facts, `permission` the judgement.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::{BoxFuture, ready};

use crate::permission::{
    Action, Bounds, Caller, Effect, Group, Limit, Modes, Request, Rule, Step, Verdict, judge,
    lifting,
};
use crate::tool::{Classifier, Facts, Policy, Scope, Withholds};

/// Rules, and whether the workspace is one where writes ask.
#[derive(Clone, Default)]
pub struct Rules {
    /// All rules, of whatever source.
    pub rules: Vec<Rule>,
    /// The modes that hold: the person's, and what tightens it.
    pub modes: Modes,
    /// Set where the workspace is `/`, a home folder, or somebody else's.
    pub restricted: bool,
    /// The folders that verdicts depend on.
    pub bounds: Bounds,
    /// What the tools of a surface keep to, by its name.
    pub limits: BTreeMap<String, Vec<Limit>>,
    /// What judges in the mode `auto` where no rule does; without one it asks.
    pub classifier: Option<Arc<dyn Classifier>>,
}

impl Rules {
    fn request<'a>(&'a self, facts: &Facts<'a>) -> Request<'a> {
        Request {
            tool: facts.tool,
            surface: facts.surface,
            declared: facts.declared,
            effect: facts.plan.effect,
            caller: facts.caller,
            modes: self.modes,
            subjects: &facts.plan.subjects,
            restricted: self.restricted,
            bounds: &self.bounds,
            limits: self.limits_of(facts.surface),
        }
    }

    fn limits_of(&self, surface: &str) -> &[Limit] {
        self.limits.get(surface).map_or(&[], Vec::as_slice)
    }
}

impl Policy for Rules {
    fn judge<'a>(&'a self, scope: &'a Scope, facts: &'a Facts<'a>) -> BoxFuture<'a, Verdict> {
        let request = self.request(facts);
        let given = scope.authority().filter(|_| facts.caller == Caller::Model);
        let mut rules = match given {
            // What the tool that makes the call allows it, as weak as what its effect says.
            Some(given) => Cow::Owned([&**given, &self.rules].concat()),
            None => Cow::Borrowed(&*self.rules),
        };
        if !facts.approved.is_empty() {
            rules.to_mut().extend_from_slice(facts.approved);
        }
        let verdict = judge(&request, &rules);
        match self.classifier.as_deref().filter(|_| verdict.is_open) {
            None => Box::pin(ready(verdict)),
            Some(classifier) => Box::pin(async move {
                match classifier.classify(scope, facts).await {
                    None => verdict,
                    Some(rule) => judge(&self.request(facts), &[&*rules, &[rule.into()]].concat()),
                }
            }),
        }
    }

    fn rules(&self) -> &[Rule] {
        &self.rules
    }

    fn modes(&self) -> Modes {
        self.modes
    }

    fn lifting(&self, facts: &Facts<'_>) -> Vec<String> {
        let rules = lifting(&self.request(facts), &self.rules);
        rules.iter().map(Rule::to_string).collect()
    }

    fn withholds(
        &self,
        tool: &str,
        surfaces: [&str; 2],
        caller: Caller,
        effect: Effect,
    ) -> Option<Withholds> {
        let group = if effect == Effect::Read {
            Group::Read
        } else {
            Group::Edit
        };
        let [kind, declared] = surfaces.map(|surface| format!("{surface}.{effect}"));
        let names = [tool, group.as_str(), &kind, &declared];
        let narrow = |rule: &&Rule| rule.action != Action::Allow && rule.pattern.is_some();
        // What is critical is protected without any rule.
        let is_ruled = self
            .rules
            .iter()
            .filter(narrow)
            .any(|rule| rule.is_about(&names));
        let limits = self.limits_of(surfaces[0]).to_vec();
        if effect == Effect::Read && !is_ruled && limits.is_empty() {
            return None;
        }
        let (rules, bounds) = (self.rules.clone(), self.bounds.clone());
        let (modes, restricted) = (self.modes, self.restricted);
        let (tool, surfaces) = (tool.to_owned(), surfaces.map(str::to_owned));
        Some(Box::new(move |subject| {
            let request = Request {
                tool: &tool,
                surface: &surfaces[0],
                declared: &surfaces[1],
                effect,
                caller,
                modes,
                subjects: std::slice::from_ref(subject),
                restricted,
                bounds: &bounds,
                limits: &limits,
            };
            let verdict = judge(&request, &rules);
            let said = |step: &Step| step.source.is_written() && step.action == verdict.action;
            let is_written = || verdict.trace.iter().any(said);
            verdict.action != Action::Allow && (verdict.warning.is_some() || is_written())
        }))
    }
}
