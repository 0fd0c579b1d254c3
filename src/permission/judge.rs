//! The verdict: what the rules and the defaults say about one planned call.
//!
//! Each source speaks with its last matching rule. A deny from any source but the defaults wins,
//! else the strongest source; where no rule speaks, the default for the caller does. A call is as
//! strict as its strictest subject. A path outside the workspace is also judged as
//! `external_directory`, and what is critical is asked about whatever is allowed. Adding a deny can
//! only make a verdict stricter.

use std::collections::BTreeMap;

use super::critical;
use super::facts::Facts;
use super::{Action, Bounds, Caller, Effect, Group, Limit, Rule, Source, Step, Subject, Verdict};

/// One planned call, as rules see it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The tool's id; aliases are resolved before.
    pub tool: &'a str,
    /// The surface it belongs to.
    pub surface: &'a str,
    /// The surface that it names itself: rules that name that one go on to hold when it is moved.
    pub declared: &'a str,
    /// What it would do.
    pub effect: Effect,
    /// On whose behalf.
    pub caller: Caller,
    /// What it is about. None: the tool's id and effect decide.
    pub subjects: &'a [Subject],
    /// True in a folder that cannot be a workspace: reads work, all else asks.
    pub restricted: bool,
    /// The folders that verdicts depend on.
    pub bounds: &'a Bounds,
    /// What the tools of the surface keep to.
    pub limits: &'a [Limit],
}

impl Request<'_> {
    /// What stands for a call that is about nothing else: the tool.
    pub(super) fn itself(&self) -> [Subject; 1] {
        [Subject::name(Group::from(self.tool), "")]
    }

    /// `surface.effect`, of the surface it belongs to and of the one it names itself.
    pub(super) fn kinds(&self) -> [String; 2] {
        [self.surface, self.declared].map(|surface| format!("{surface}.{}", self.effect))
    }
}

/// The verdict on `request` under `rules`. Within one source their order counts.
pub fn judge(request: &Request<'_>, rules: &[Rule]) -> Verdict {
    let itself = request.itself();
    // The name is needed only where a rule could bear it.
    let kinds = (!rules.is_empty()).then(|| request.kinds());
    let kinds = kinds.unwrap_or_default();
    let verdicts = subjects(request, &itself).iter().map(|subject| {
        let names = names(request, subject, &kinds);
        judge_subject(request, subject, &names, rules)
    });
    verdicts
        .reduce(Verdict::with)
        .unwrap_or_else(|| Verdict::new(Action::Deny, "there is nothing to judge", Vec::new()))
}

/// What `request` is about; the tool `itself` where it names nothing.
pub(super) fn subjects<'a>(request: &Request<'a>, itself: &'a [Subject; 1]) -> &'a [Subject] {
    match request.subjects {
        [] => itself,
        subjects => subjects,
    }
}

/// The names under which rules may speak about one subject.
pub(super) fn names<'a>(
    request: &Request<'a>,
    subject: &'a Subject,
    kinds: &'a [String; 2],
) -> [&'a str; 4] {
    let [kind, declared] = kinds;
    [request.tool, subject.group.as_str(), kind, declared]
}

/// The verdict on one subject of `request`.
pub(super) fn judge_subject(
    request: &Request<'_>,
    subject: &Subject,
    names: &[&str],
    rules: &[Rule],
) -> Verdict {
    let facts = Facts::of(subject, request.bounds);
    let effect = effect_on(subject, request);
    let outside = subject.real.is_some() && !subject.inside;
    let apart = outside && subject.group != Group::ExternalDirectory;
    let about = rules
        .iter()
        .filter(|rule| rule.is_about(names) && facts.meets(rule));
    let default = default(request, subject, effect, outside && !apart);
    let mut verdict = settle(request.caller, subject, about, default);
    if apart {
        let about = rules.iter().filter(|rule| {
            let placed = rule.action == Action::Allow && is_rooted(rule) && rule.is_about(names);
            (placed || rule.is_about(&["external_directory"])) && facts.meets(rule)
        });
        let default = self::default(request, subject, effect, true);
        verdict = verdict.with(settle(request.caller, subject, about, default));
    }
    for limit in request
        .limits
        .iter()
        .filter(|limit| limit.leaves_out(&facts))
    {
        verdict = verdict.with(left_out(limit, request.surface, subject));
    }
    let changes = effect >= Effect::Write;
    let warning = changes.then(|| critical::warning(subject, request.caller, request.bounds));
    if let Some(warning) = warning.flatten() {
        verdict.warn(warning);
    }
    verdict
}

/// The verdict on what a limit of the surface leaves out.
fn left_out(limit: &Limit, surface: &str, subject: &Subject) -> Verdict {
    let text = crate::text::head_bytes(&subject.text, 200);
    let place = limit.place.as_ref().map(|place| format!(" ({place})"));
    let reason = format!(
        "`{text}` is not among what the surface `{surface}` is limited to, {limit}{}",
        place.unwrap_or_default()
    );
    let step = Step {
        source: limit.source,
        rule: format!("surface {surface}: {limit}").into(),
        action: Action::Deny,
    };
    Verdict::new(Action::Deny, reason, vec![step])
}

/// What the call does to this subject. A source of bytes is only read, unless nothing else in the
/// call accounts for its effect.
fn effect_on(subject: &Subject, request: &Request<'_>) -> Effect {
    let least = match subject.group {
        Group::Edit => Effect::Write,
        Group::Shell => Effect::Run,
        Group::Network => Effect::Network,
        Group::Read
            if request
                .subjects
                .iter()
                .any(|other| other.group != Group::Read) =>
        {
            return Effect::Read;
        }
        _ => Effect::Read,
    };
    least.max(request.effect)
}

/// A pattern that says where in the file system, and so means a place outside when it matches one.
fn is_rooted(rule: &Rule) -> bool {
    let pattern = rule.pattern.as_deref().unwrap_or_default();
    pattern.starts_with(['/', '~']) || pattern.starts_with("$HOME")
}

/// What holds where no rule speaks, and the sentence that says so.
fn default(
    request: &Request<'_>,
    subject: &Subject,
    effect: Effect,
    outside: bool,
) -> (Action, &'static str) {
    let (action, why) = match (request.caller, effect) {
        (_, Effect::Write | Effect::Run | Effect::Network) if request.restricted => (
            Action::Ask,
            "this folder is no workspace, so changes are asked about",
        ),
        (Caller::User, Effect::Read) => (Action::Allow, "a person may read anything"),
        (Caller::User, _) if subject.named => {
            (Action::Allow, "the person named it on the command line")
        }
        (Caller::User, _) if outside => {
            (Action::Ask, "changes outside the workspace are asked about")
        }
        (Caller::User, _) => (
            Action::Allow,
            "a person may change what is in the workspace",
        ),
        (Caller::Model, _) if asks_always(&subject.group) => {
            (Action::Ask, "a model asks for this every time")
        }
        (Caller::Model, _) if outside => (Action::Ask, "a model asks outside the workspace"),
        (Caller::Model, Effect::Read) => {
            (Action::Allow, "a model may read what is in the workspace")
        }
        (Caller::Model, Effect::Write) => (Action::Ask, "a model asks before it changes something"),
        (Caller::Model, Effect::Run) => (Action::Ask, "a model asks before it runs a command"),
        (Caller::Model, Effect::Network) => {
            (Action::Ask, "a model asks before it uses the network")
        }
    };
    (action, why)
}

fn asks_always(group: &Group) -> bool {
    matches!(
        group,
        Group::ExternalDirectory | Group::DoomLoop | Group::Sandbox
    )
}

/// One verdict from all rules that speak: the last of each source, then the strongest source.
fn settle<'a>(
    caller: Caller,
    subject: &Subject,
    rules: impl Iterator<Item = &'a Rule>,
    default: (Action, &'static str),
) -> Verdict {
    let spoken: BTreeMap<Source, &Rule> = rules.map(|rule| (rule.source, rule)).collect();
    let (action, why) = default;
    let start = Step {
        source: Source::GlobalDefault,
        rule: why.into(),
        action,
    };
    let steps = spoken.values().map(|rule| Step {
        source: rule.source,
        rule: rule.to_string().into(),
        action: rule.action,
    });
    let trace = std::iter::once(start).chain(steps).collect();
    let denies = |rule: &&&Rule| rule.action == Action::Deny && !rule.source.is_default();
    let counts = |rule: &&&Rule| {
        caller == Caller::Model || rule.action != Action::Ask || rule.source.is_written()
    };
    let strongest = || spoken.values().rev();
    match strongest()
        .find(denies)
        .or_else(|| strongest().find(counts))
    {
        Some(rule) => Verdict::new(rule.action, says(rule, subject), trace),
        None => Verdict::new(action, why, trace),
    }
}

/// The rule's decision as a sentence.
fn says(rule: &Rule, subject: &Subject) -> String {
    let what = match rule.action {
        Action::Allow => "is allowed by",
        Action::Ask => "is asked about because of",
        Action::Deny => "is denied by",
    };
    let text = crate::text::head_bytes(&subject.text, 200);
    let subject = if text.is_empty() {
        "it".to_owned()
    } else {
        format!("`{text}`")
    };
    let reason = rule.reason.as_ref().map(|reason| format!(": {reason}"));
    format!(
        "{subject} {what} the rule `{rule}` ({}){}",
        rule.origin(),
        reason.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests;
