//! The plain policy: the workspace boundary and the rules of the command line.
//!
//! It gathers nothing and decides nothing itself: the plan has the facts, `permission` the judgement.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::functions::{Asking, waited};
use super::names::resolve_aliases;
use super::seen::classify;
use crate::data::Data;
use crate::permission::{
    Action, Bounds, Caller, Effect, Group, Limit, Mode, Modes, Request, Rule, Step, Subject,
    Verdict, denied, judge, keeping, lifting,
};
use crate::tool::{Classifier, Decide, Facts, Policy, Scope, Terms, Withholds};

/// Rules, and whether the workspace is one where writes ask.
#[derive(Clone, Default)]
pub struct Rules {
    /// All rules, of whatever source.
    pub rules: Vec<Rule>,
    /// The modes that hold: the person's, and what tightens it.
    pub modes: Modes,
    /// Those of them that hold whatever mode is chosen for a piece of work.
    pub fixed: Option<Modes>,
    /// Who names which mode, the weakest first, whether it holds or not.
    pub modes_said: Vec<(Mode, String)>,
    /// Set where the workspace is `/`, a home folder, or somebody else's.
    pub restricted: bool,
    /// The folders that verdicts depend on.
    pub bounds: Bounds,
    /// What the tools of a surface keep to, by its name.
    pub limits: BTreeMap<String, Vec<Limit>>,
    /// The rules that hold besides under a profile, by its name.
    pub profiles: BTreeMap<String, Vec<Rule>>,
    /// Other names of tools, with their ids: what is laid down while the program runs may use them.
    pub aliases: Arc<BTreeMap<String, String>>,
    /// What decides in the place of an action, by the number that rules have of it.
    pub functions: Vec<Arc<dyn Decide>>,
    /// The session, as functions are told of it.
    pub session: String,
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
            modes: match facts.is_planning && facts.caller == Caller::Model {
                true => self.modes_on(facts.terms).and(Mode::Plan),
                false => self.modes_on(facts.terms),
            },
            subjects: &facts.plan.subjects,
            restricted: self.restricted,
            bounds: &self.bounds,
            limits: self.limits_of(facts.surface),
        }
    }

    /// The modes that hold where these terms do.
    fn modes_on(&self, terms: Option<&Terms>) -> Modes {
        terms.map_or(self.modes, |terms| terms.modes(self.modes, self.fixed))
    }

    /// The rules that hold under a profile and on these terms: all, and theirs.
    fn rules_under<'a>(
        &'a self,
        profile: Option<&str>,
        terms: Option<&'a Terms>,
    ) -> Cow<'a, [Rule]> {
        let (own, laid_down) = self.rules_besides(profile, terms);
        match own.is_empty() && laid_down.is_empty() {
            false => Cow::Owned([&*self.rules, own, &laid_down].concat()),
            true => Cow::Borrowed(&self.rules),
        }
    }

    /// The rules, each with the id of the tool that it names.
    fn by_id<'a>(&self, rules: &'a [Rule]) -> Cow<'a, [Rule]> {
        if !rules
            .iter()
            .any(|rule| self.aliases.contains_key(&rule.name))
        {
            return Cow::Borrowed(rules);
        }
        let mut rules = rules.to_vec();
        resolve_aliases(&mut rules, &self.aliases);
        Cow::Owned(rules)
    }

    /// What holds besides the rules of all: those of a profile, and those that were laid down.
    fn rules_besides<'a>(
        &'a self,
        profile: Option<&str>,
        terms: Option<&'a Terms>,
    ) -> (&'a [Rule], Cow<'a, [Rule]>) {
        let own = profile.and_then(|name| self.profiles.get(name));
        let laid_down = terms.map_or(&[][..], Terms::rules);
        (own.map_or(&[], Vec::as_slice), self.by_id(laid_down))
    }

    fn limits_of(&self, surface: &str) -> &[Limit] {
        self.limits.get(surface).map_or(&[], Vec::as_slice)
    }

    /// The rules under a profile with an ask in the place of every function: each was asked already, and did not deny, so what it
    /// says gives way as an ask would.
    fn answered(&self, facts: &Facts<'_>) -> Vec<Rule> {
        let mut rules = self.rules_under(facts.profile, facts.terms).into_owned();
        for rule in rules.iter_mut().filter(|rule| rule.function.is_some()) {
            (rule.action, rule.function) = (Action::Ask, None);
        }
        rules
    }
}

impl Policy for Rules {
    fn judge<'a>(&'a self, scope: &'a Scope, facts: &'a Facts<'a>) -> BoxFuture<'a, Verdict> {
        let request = self.request(facts);
        let given = scope.authority().filter(|_| facts.caller == Caller::Model);
        let mut rules = self.rules_under(facts.profile, facts.terms);
        if let Some(given) = given {
            // What the tool that makes the call allows it, as weak as what its effect says.
            rules = Cow::Owned([&*self.by_id(given), &rules].concat());
        }
        if !facts.approved.is_empty() {
            rules.to_mut().extend_from_slice(facts.approved);
        }
        Box::pin(async move {
            let rules = match self.functions.as_slice() {
                [] => rules,
                functions => {
                    let asking = Asking::of(functions, scope, &self.session, facts);
                    Cow::Owned(asking.settled(&request, &rules).await)
                }
            };
            let mut verdict = judge(&request, &rules);
            let classifier = self.classifier.as_deref().filter(|_| verdict.is_open);
            if let Some(classifier) = classifier {
                classify(classifier, scope, &request, facts, &mut verdict).await;
            }
            verdict
        })
    }

    fn rules(&self) -> &[Rule] {
        &self.rules
    }

    fn modes(&self) -> Modes {
        self.modes
    }

    fn modes_said(&self) -> &[(Mode, String)] {
        &self.modes_said
    }

    fn lifting(&self, facts: &Facts<'_>) -> Vec<String> {
        let rules = lifting(&self.request(facts), &self.answered(facts));
        rules.iter().map(Rule::to_string).collect()
    }

    fn keeping(&self, facts: &Facts<'_>) -> Vec<String> {
        let rules = keeping(&self.request(facts), &self.answered(facts));
        rules.iter().map(Rule::to_string).collect()
    }

    fn denies(&self, scope: &Scope, names: &[&str]) -> Option<Rule> {
        let (own, laid_down) = self.rules_besides(scope.profile(), laid_down(scope));
        denied(self.rules.iter().chain(own).chain(&*laid_down), names).cloned()
    }

    fn withholds(
        &self,
        scope: &Scope,
        tool: &str,
        surfaces: [&str; 2],
        effect: Effect,
    ) -> Option<Withholds> {
        let group = if effect == Effect::Read {
            Group::Read
        } else {
            Group::Edit
        };
        let [kind, declared] = surfaces.map(|surface| format!("{surface}.{effect}"));
        let names = [tool, group.as_str(), &kind, &declared];
        let narrow = |rule: &&Rule| {
            let is_general = rule.action == Action::Allow || rule.pattern.is_none();
            rule.function.is_some() || !is_general
        };
        // What is critical is protected without any rule.
        let is_ruled = self
            .rules_under(scope.profile(), laid_down(scope))
            .iter()
            .filter(narrow)
            .any(|rule| rule.is_about(&names));
        // What no rule allows is denied here, one by one.
        let modes = self.modes_on(laid_down(scope));
        let is_closed = modes.iter().any(|mode| mode == Mode::DontAsk);
        let limits = self.limits_of(surfaces[0]);
        if effect == Effect::Read && !is_ruled && !is_closed && limits.is_empty() {
            return None;
        }
        let (rules, scope) = (self.clone(), scope.clone());
        let (tool, surfaces) = (tool.to_owned(), surfaces.map(str::to_owned));
        Some(Box::new(move |subject| {
            rules.withholds_one(&scope, &tool, &surfaces, effect, subject)
        }))
    }
}

impl Rules {
    /// Whether `tool` must leave `subject` alone. Waits for functions: not for a thread that serves them.
    fn withholds_one(
        &self,
        scope: &Scope,
        tool: &str,
        surfaces: &[String; 2],
        effect: Effect,
        subject: &Subject,
    ) -> bool {
        let request = Request {
            tool,
            surface: &surfaces[0],
            declared: &surfaces[1],
            effect,
            caller: scope.caller(),
            modes: self.modes_on(laid_down(scope)),
            subjects: std::slice::from_ref(subject),
            restricted: self.restricted,
            bounds: &self.bounds,
            limits: self.limits_of(&surfaces[0]),
        };
        let rules = self.rules_under(scope.profile(), laid_down(scope));
        let verdict = match self.functions.as_slice() {
            [] => judge(&request, &rules),
            functions => {
                let asking = Asking {
                    functions,
                    scope,
                    session: &self.session,
                    args: &Data::Null,
                    plan: None,
                };
                let rules = waited(asking.settled(&request, &rules));
                judge(&request, &rules)
            }
        };
        let said = |step: &Step| step.source.is_written() && step.action == verdict.action;
        match verdict.action {
            Action::Allow => false,
            Action::Ask => verdict.warning.is_some() || verdict.trace.iter().any(said),
            Action::Deny => true,
        }
    }
}

/// What was laid down for the model that acts in `scope`.
fn laid_down(scope: &Scope) -> Option<&Terms> {
    scope.terms().map(|terms| &**terms)
}
