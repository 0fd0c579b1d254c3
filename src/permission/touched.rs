//! What rules say of the paths that a command may change or read, though nobody knows whether it does.
//!
//! It only ever tightens: what a rule denies or asks about by name, what is protected and what is critical. A rule
//! about everything says nothing here, since not every word is a path.

use super::facts::Facts;
use super::judge::{settle, speaks};
use super::unruled::Unruled;
use super::{
    Action, Caller, Effect, Group, Mode, Request, Rule, Source, Subject, Verdict, beneath,
    critical, protected,
};

/// A path that a command may change or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The path: of [`Group::Edit`] where it may be changed, of [`Group::Read`] where it is only looked at.
    pub subject: Subject,
    /// The command is told to write there, so that a deny is one. Else it is asked about.
    pub written: bool,
}

/// Adds to the verdict on a command what is said of the paths that it may touch.
pub(super) fn tighten(
    verdict: &mut Verdict,
    request: &Request<'_>,
    mode: Mode,
    subject: &Subject,
    rules: &[Rule],
) {
    if request.caller != Caller::Model || subject.touches.is_empty() {
        return;
    }
    let folded = critical::folded(request.bounds);
    for touch in &subject.touches {
        let said = judged(touch, request, mode, rules);
        let is_changed = touch.subject.group == Group::Edit;
        let warning = is_changed.then(|| critical::touching(&touch.subject, &folded));
        if let Some(warning) = warning.flatten() {
            verdict.warn(warning);
        }
        if said.action == Action::Allow {
            continue;
        }
        let spoke = said
            .trace
            .iter()
            .rev()
            .find(|step| step.action >= said.action);
        let source = spoke.map_or(Source::GlobalDefault, |step| step.source);
        let path = &touch.subject.text;
        match said.action {
            Action::Deny if !touch.written => {
                let why = format!("the command may touch `{path}`: {}", said.reason);
                verdict.tighten(Action::Ask, why, source);
            }
            action => verdict.tighten(action, said.reason, source),
        }
    }
}

fn judged(touch: &Touch, request: &Request<'_>, mode: Mode, rules: &[Rule]) -> Verdict {
    let subject = &touch.subject;
    let facts = Facts::of(subject, request.bounds);
    let [kind, declared] = request.kinds();
    let names = [request.tool, subject.group.as_str(), &kind, &declared];
    let effect = match subject.group {
        Group::Read => Effect::Read,
        _ => Effect::Write,
    };
    let is_outside = subject.real.is_some() && !subject.inside;
    let about = rules.iter().filter(|rule| {
        let is_apart = is_outside && rule.is_about(&["external_directory"]);
        let is_about = speaks(rule, request, subject, effect, &names) || is_apart;
        is_about && is_narrow(rule) && facts.meets(rule)
    });
    let mut verdict = settle(
        request.caller,
        mode,
        subject,
        about,
        unruled(subject, request),
    );
    if subject.group == Group::Edit {
        verdict = verdict.with(unread(&facts, request, mode, &names, rules));
    }
    if let Some((why, source)) = unknown(subject, rules) {
        verdict.tighten(Action::Ask, why, source);
    }
    let beneath = |effect| beneath::why(request, &facts, effect, &names, rules);
    let changed = || touch.written.then(|| beneath(Effect::Write)).flatten();
    if let Some((why, source)) = beneath(Effect::Read).or_else(changed) {
        verdict.tighten(Action::Ask, why, source);
    }
    verdict
}

/// Whatever allows may be about everything; what forbids has to say what it means.
fn is_narrow(rule: &Rule) -> bool {
    rule.action == Action::Allow || !rule.is_general()
}

/// What holds where no rule speaks: nothing, but for what is protected.
fn unruled(subject: &Subject, request: &Request<'_>) -> Unruled {
    let protected = protected::why(subject, request.bounds);
    Unruled {
        action: protected.map_or(Action::Allow, |_| Action::Ask),
        why: protected.unwrap_or("a command may name what it likes"),
        source: Source::GlobalDefault,
        is_open: false,
    }
}

/// What the rules about reading say of a path that may be changed: it may be read just as well.
fn unread(
    facts: &Facts<'_>,
    request: &Request<'_>,
    mode: Mode,
    names: &[&str],
    rules: &[Rule],
) -> Verdict {
    let subject = facts.subject();
    let [kind, declared] =
        [request.surface, request.declared].map(|surface| format!("{surface}.{}", Effect::Read));
    let reading = ["read", &kind, &declared];
    let about = rules.iter().filter(|rule| {
        let is_allow = rule.action == Action::Allow;
        let is_about = rule.is_about(&reading) || (is_allow && rule.is_about(names));
        is_about && is_narrow(rule) && facts.meets(rule)
    });
    let silent = Unruled {
        action: Action::Allow,
        why: "a command may name what it likes",
        source: Source::GlobalDefault,
        is_open: false,
    };
    settle(request.caller, mode, subject, about, silent)
}

/// Why a path that its words do not tell may be what a rule denies.
fn unknown(subject: &Subject, rules: &[Rule]) -> Option<(String, Source)> {
    subject.doubt?;
    let groups = match subject.group {
        Group::Edit => &["edit", "read"][..],
        _ => &["read"],
    };
    let denies =
        |rule: &&Rule| rule.action == Action::Deny && is_narrow(rule) && rule.is_about(groups);
    let rule = rules.iter().find(denies)?;
    let why = format!(
        "the command touches {}, which may be what the rule `{rule}` denies",
        subject.text
    );
    Some((why, rule.source))
}

#[cfg(test)]
mod tests;
