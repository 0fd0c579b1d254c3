//! What holds where no rule speaks: who calls, what would happen, and the mode decide.
//!
//! What a mode says over the rules stands here too; how all of it comes together, in `judge`.

use super::{Action, Caller, Effect, Group, Mode, Request, Source, Subject, protected};

/// What holds, and the sentence that says so.
pub(super) struct Unruled {
    pub(super) action: Action,
    pub(super) why: &'static str,
    /// What speaks: a default, or the mode.
    pub(super) source: Source,
    /// True where a classifier may settle it.
    pub(super) is_open: bool,
}

impl Unruled {
    /// What holds for `subject` in `mode`, where the call has this effect on it.
    pub(super) fn of(
        request: &Request<'_>,
        mode: Mode,
        subject: &Subject,
        effect: Effect,
        outside: bool,
    ) -> Unruled {
        let protected = protection(request, mode, subject, effect);
        let said = protected.map(|why| (Action::Ask, why));
        if let Some((action, why)) = said.or_else(|| in_mode(request, mode, subject, effect)) {
            return Unruled {
                action,
                why,
                source: Source::Mode,
                is_open: false,
            };
        }
        let (action, why) = default(request, subject, effect, outside);
        let is_open = mode == Mode::Auto
            && request.caller == Caller::Model
            && action == Action::Ask
            && !request.restricted
            && !asks_always(&subject.group);
        let (why, source) = match is_open {
            true => (
                "the mode `auto` asks where its classifier has no verdict",
                Source::Mode,
            ),
            false => (why, Source::GlobalDefault),
        };
        Unruled {
            action,
            why,
            source,
            is_open,
        }
    }
}

/// Why a model is asked about a name in a mode that would not ask otherwise.
fn protection(
    request: &Request<'_>,
    mode: Mode,
    subject: &Subject,
    effect: Effect,
) -> Option<&'static str> {
    let asks_less = matches!(mode, Mode::AutoEdit | Mode::Auto | Mode::Bypass);
    let is_changed = request.caller == Caller::Model && effect >= Effect::Write;
    (asks_less && is_changed)
        .then(|| protected::why(subject, request.bounds))
        .flatten()
}

/// What the mode itself says, where it says more than the defaults.
fn in_mode(
    request: &Request<'_>,
    mode: Mode,
    subject: &Subject,
    effect: Effect,
) -> Option<(Action, &'static str)> {
    let is_model = request.caller == Caller::Model;
    let is_file = subject.group == Group::Edit && subject.real.is_some() && subject.inside;
    match mode {
        Mode::Bypass => Some((
            Action::Allow,
            "the mode `bypass` allows what nothing speaks against",
        )),
        Mode::DontAsk if is_model => Some((
            Action::Deny,
            "the mode `dont_ask` denies a model what no rule allows",
        )),
        Mode::AutoEdit if is_model && is_file && effect == Effect::Write && !request.restricted => {
            Some((
                Action::Allow,
                "the mode `auto_edit` lets a model change files in the workspace",
            ))
        }
        _ => None,
    }
}

fn default(
    request: &Request<'_>,
    subject: &Subject,
    effect: Effect,
    outside: bool,
) -> (Action, &'static str) {
    match (request.caller, effect) {
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
    }
}

fn asks_always(group: &Group) -> bool {
    matches!(
        group,
        Group::ExternalDirectory | Group::DoomLoop | Group::Sandbox
    )
}

/// What outranks the rules in `mode`: that the call, with this effect on one subject, does not run.
pub(super) fn outranking(mode: Mode, effect: Effect) -> Option<&'static str> {
    match mode {
        Mode::DenyAll => Some("the mode `deny_all` lets nothing run"),
        Mode::Plan if effect > Effect::Read => {
            Some("the mode `plan` only reads: say what you would do instead")
        }
        _ => None,
    }
}
