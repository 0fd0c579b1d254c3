//! The verdict: what the rules and the defaults say about one planned call.
//!
//! Each source speaks with its last matching rule. A deny from any source but the defaults wins,
//! else the strongest source; where no rule speaks, the default for the caller does. A function in the
//! place of an action was asked before: one that was not denies. A call is as
//! strict as its strictest subject. A path outside the workspace is also judged as
//! `external_directory`, what may not be read is not changed, and what is critical is asked about
//! whatever is allowed. Adding a deny can only make a verdict stricter.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::unruled::{self, Unruled};
use super::{
    Action, Bounds, Caller, Effect, Group, Limit, Mode, Modes, Rule, Source, Step, Subject, Verdict,
};
use super::{beneath, critical, touched};

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
    /// The modes that hold: the strictest of them counts.
    pub modes: Modes,
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

    /// True when it is a command that accounts for the effect.
    fn runs_a_command(&self) -> bool {
        let is_command = |subject: &Subject| subject.group == Group::Shell;
        self.effect == Effect::Run && self.subjects.iter().any(is_command)
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

/// Whether `rule` speaks about something in `request`, were it a deny.
pub fn concerns(request: &Request<'_>, rule: &Rule) -> bool {
    let itself = request.itself();
    let kinds = request.kinds();
    subjects(request, &itself).iter().any(|subject| {
        let is_outside = subject.real.is_some() && !subject.inside;
        let effect = effect_on(subject, request);
        let is_about = speaks(
            rule,
            request,
            subject,
            effect,
            &names(request, subject, &kinds),
        ) || (is_outside && rule.is_about(&["external_directory"]));
        is_about && Facts::of(subject, request.bounds).meets(rule)
    })
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
    // That a call repeats itself is allowed by nobody who allows the tool.
    if subject.group == Group::DoomLoop {
        return [subject.group.as_str(); 4];
    }
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
    let in_modes = request.modes.iter().map(|mode| {
        let mut verdict = judge_in(mode, request, &facts, effect, names, rules);
        for limit in request.limits {
            if limit.leaves_out(&facts) {
                verdict = verdict.with(left_out(limit, request.surface, subject));
            }
        }
        touched::tighten(&mut verdict, request, mode, subject, rules);
        let changes = effect >= Effect::Write;
        let warning = changes.then(|| critical::warning(subject, request.caller, request.bounds));
        if let Some(warning) = warning.flatten() {
            verdict.warn(warning);
        }
        outrank(&mut verdict, mode, effect);
        verdict
    });
    in_modes
        .reduce(Verdict::with)
        .unwrap_or_else(|| Verdict::new(Action::Deny, "there is no mode to judge in", Vec::new()))
}

/// What the rules and the defaults of one mode say of the subject of `facts`.
fn judge_in(
    mode: Mode,
    request: &Request<'_>,
    facts: &Facts<'_>,
    effect: Effect,
    names: &[&str],
    rules: &[Rule],
) -> Verdict {
    let subject = facts.subject();
    let outside = subject.real.is_some() && !subject.inside;
    let apart = outside && subject.group != Group::ExternalDirectory;
    let about = rules
        .iter()
        .filter(|rule| speaks(rule, request, subject, effect, names) && facts.meets(rule));
    let unruled = Unruled::of(request, mode, subject, effect, outside && !apart);
    let mut verdict = settle(request.caller, mode, subject, about, unruled);
    if let Some(unread) = unread(mode, request, facts, names, rules) {
        verdict = verdict.with(unread);
    }
    let beneath = || beneath::why(request, facts, Effect::Read, names, rules);
    if let Some((why, source)) = meant_by(subject, rules).or_else(beneath) {
        verdict.tighten(Action::Ask, why, source);
    }
    if !apart {
        return verdict;
    }
    let about = rules.iter().filter(|rule| {
        let is_allowed = rule.action == Action::Allow && is_rooted(rule);
        let placed = is_allowed && speaks(rule, request, subject, effect, names);
        (placed || rule.is_about(&["external_directory"])) && facts.meets(rule)
    });
    let unruled = Unruled::of(request, mode, subject, effect, true);
    verdict.with(settle(request.caller, mode, subject, about, unruled))
}

/// The verdict on a file that is changed and that the rules let nobody read: a change shows what it was, and takes
/// it where it may be read. What is said of everything that is done to it was heard before.
fn unread(
    mode: Mode,
    request: &Request<'_>,
    facts: &Facts<'_>,
    names: &[&str],
    rules: &[Rule],
) -> Option<Verdict> {
    let subject = facts.subject();
    let is_file = subject.group == Group::Edit && subject.real.is_some();
    let denies = |rule: &Rule| rule.action == Action::Deny;
    if !is_file || !rules.iter().any(denies) {
        return None;
    }
    let [kind, declared] = [request.surface, request.declared].map(|surface| {
        let effect = Effect::Read;
        format!("{surface}.{effect}")
    });
    let reading = [Group::Read.as_str(), &kind, &declared];
    let about = rules.iter().filter(|rule| {
        let is_plain = rule.function.is_none() && !rule.is_about(names);
        is_plain && rule.is_about(&reading) && facts.meets(rule)
    });
    let unruled = Unruled {
        action: Action::Allow,
        why: "",
        source: Source::GlobalDefault,
        is_open: false,
    };
    let mut verdict = settle(request.caller, mode, subject, about, unruled);
    verdict.trace.remove(0);
    (verdict.action == Action::Deny).then_some(verdict)
}

/// Whether the name of `rule` covers the subject, on which the call has this effect. What a command writes, and what
/// was asked for in the middle of a call, is a thing of its own: only a rule of its group allows it. And who forbids
/// the network, or asks about it, means what uses it without saying which host, too.
pub(super) fn speaks(
    rule: &Rule,
    request: &Request<'_>,
    subject: &Subject,
    effect: Effect,
    names: &[&str],
) -> bool {
    let is_allow = rule.action == Action::Allow;
    // A tool that is allowed without a pattern is allowed whatever it does, and so is what its commands write.
    let is_whole = rule.pattern.is_none();
    let is_written = subject.group == Group::Edit && request.runs_a_command() && !is_whole;
    if is_allow && (subject.beside || is_written) {
        return rule.is_about(&[subject.group.as_str()]);
    }
    let is_wide = || !is_allow && effect == Effect::Network && rule.is_general();
    rule.is_about(names) || (is_wide() && rule.is_about(&[Group::Network.as_str()]))
}

/// Why what nobody knows may be what a rule denies.
fn meant_by(subject: &Subject, rules: &[Rule]) -> Option<(String, Source)> {
    subject.doubt.filter(|doubt| doubt.may_be_denied())?;
    let denies =
        |rule: &&Rule| rule.action == Action::Deny && rule.is_about(&[subject.group.as_str()]);
    let rule = rules.iter().find(denies)?;
    let why = format!("`{}` may be what the rule `{rule}` denies", subject.text);
    Some((why, rule.source))
}

/// What the mode says over the rules: what it forbids, and that nothing waits for an answer.
fn outrank(verdict: &mut Verdict, mode: Mode, effect: Effect) {
    if let Some(why) = unruled::outranking(mode, effect) {
        verdict.tighten(Action::Deny, why, Source::Mode);
    } else if mode == Mode::DontAsk && verdict.action == Action::Ask {
        let why = format!("{}; the mode `dont_ask` asks nobody", verdict.reason);
        verdict.tighten(Action::Deny, why, Source::Mode);
    }
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

/// What the call does to this subject. A source of bytes is only read, and what a command writes to
/// only written, unless nothing else in the call accounts for its effect.
fn effect_on(subject: &Subject, request: &Request<'_>) -> Effect {
    let least = match subject.group {
        Group::Edit if request.runs_a_command() => return Effect::Write,
        Group::Shell if subject.read_only => return Effect::Read,
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

/// One verdict from all rules that speak: the last of each source, then the strongest source.
pub(super) fn settle<'a>(
    caller: Caller,
    mode: Mode,
    subject: &Subject,
    rules: impl Iterator<Item = &'a Rule>,
    unruled: Unruled,
) -> Verdict {
    let mut spoken: BTreeMap<Source, &Rule> = BTreeMap::new();
    for rule in rules {
        let before = spoken.get(&rule.source);
        // What a function says never loosens what its own source denies.
        let is_denied = before.is_some_and(|before| before.action == Action::Deny);
        if rule.function.is_none() || !is_denied {
            spoken.insert(rule.source, rule);
        }
    }
    let start = Step {
        source: unruled.source,
        rule: unruled.why.into(),
        action: unruled.action,
    };
    let steps = spoken.values().map(|rule| Step {
        source: rule.source,
        rule: rule.to_string().into(),
        action: rule.action,
    });
    let trace = std::iter::once(start).chain(steps).collect();
    let denies = |rule: &&&Rule| rule.action == Action::Deny && !rule.source.is_default();
    // Asks that nobody wrote do not hold for a person, nor in the mode that asks about nothing else.
    let hears_all = caller == Caller::Model && mode != Mode::Bypass;
    let counts =
        |rule: &&&Rule| hears_all || rule.action != Action::Ask || rule.source.is_written();
    let strongest = || spoken.values().rev();
    match strongest()
        .find(denies)
        .or_else(|| strongest().find(counts))
    {
        Some(rule) => Verdict::new(rule.action, says(rule, subject), trace),
        None => Verdict {
            is_open: unruled.is_open,
            ..Verdict::new(unruled.action, unruled.why, trace)
        },
    }
}

/// The rule's decision as a sentence.
fn says(rule: &Rule, subject: &Subject) -> String {
    let what = match rule.action {
        Action::Allow => "is allowed by",
        Action::Ask => "is asked about because of",
        Action::Deny => "is denied by",
    };
    let whole = subject
        .line
        .as_ref()
        .filter(|_| rule.action == Action::Deny);
    let text = crate::text::head_bytes(whole.unwrap_or(&subject.text), 200);
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
