//! Whether a folder that a model's command reads, or changes, as a whole may hold what a rule lets nobody read, or
//! change, unasked.
//!
//! Decided by the pattern and the path alone: a file that is not there yet counts, and no folder is walked. Such a
//! folder is asked about and not denied, since nobody knows whether the file is there, or the command leaves it out.

use super::bounds::{Bounds, Spellings};
use super::facts::Facts;
use super::glob::Glob;
use super::{Action, Caller, Effect, Request, Rule, Source};

/// Why the folder of `facts` is asked about, and whose rule says so, where this is done to all that lies below it.
/// `names` are those under which rules speak about it in this call.
pub(super) fn why(
    request: &Request<'_>,
    facts: &Facts<'_>,
    effect: Effect,
    names: &[&str],
    rules: &[Rule],
) -> Option<(String, Source)> {
    let subject = facts.subject();
    if request.caller != Caller::Model || !subject.deep {
        return None;
    }
    let [kind, declared] =
        [request.surface, request.declared].map(|surface| format!("{surface}.{effect}"));
    let (group, done) = match effect {
        Effect::Read => ("read", "read"),
        _ => ("edit", "changed"),
    };
    let doing = [group, &kind, &declared];
    let home = &request.bounds.home;
    let guards = |(_, rule): &(usize, &Rule)| {
        let pattern = rule.pattern.as_deref().filter(|_| !rule.is_general());
        is_meant(rule)
            && rule.is_about(&doing)
            && pattern.is_some_and(|pattern| reaches_below(pattern, facts, request.bounds))
    };
    let lifts = |(at, other): (usize, &Rule), guarded: &(usize, &Rule)| {
        let (before, rule) = guarded;
        let outranks = match other.source == rule.source {
            true => at > *before,
            // What is denied is allowed by no other.
            false => rule.action == Action::Ask && other.source > rule.source,
        };
        other.action == Action::Allow
            && other.function.is_none()
            && outranks
            && (other.is_about(names) || other.is_about(&doing))
            && covers_below(other, facts.spellings(), home)
    };
    let mut all = rules.iter().enumerate().filter(guards);
    let (_, rule) = all.find(|guarded| !rules.iter().enumerate().any(|one| lifts(one, guarded)))?;
    let what = match rule.action {
        Action::Deny => "denies",
        _ => "asks about",
    };
    let why = format!(
        "`{}` may hold what the rule `{rule}` ({}) {what}, and would be {done} with all that lies below it",
        crate::text::head_bytes(&subject.text, 200),
        rule.origin()
    );
    Some((why, rule.source))
}

/// What a person or a project wrote. What a profile asks about, such as every `.env`, is asked about where it is named.
fn is_meant(rule: &Rule) -> bool {
    match rule.action {
        Action::Allow => false,
        Action::Ask => rule.source.is_written() && rule.source != Source::Profile,
        Action::Deny => rule.source.is_written(),
    }
}

/// Whether the pattern could match something that lies below the folder.
fn reaches_below(pattern: &str, facts: &Facts<'_>, bounds: &Bounds) -> bool {
    let glob = Glob::new(pattern, &bounds.home);
    let is_rooted = pattern.starts_with(['/', '~']) || pattern.starts_with("$HOME");
    // A folder that holds the workspace holds all that is named from there.
    let is_root = facts.subject().real.as_deref() == Some("/");
    let workspace = (is_root || facts.is_above(&bounds.workspace)).then(String::new);
    let starts = facts.spellings().starts().chain(workspace);
    let mut starts = starts.filter(|start| !(is_rooted && start.is_empty()));
    starts.any(|start| glob.could_go_on(start.as_str()))
}

/// Whether the rule speaks of everything below the folder, however it is called.
fn covers_below(rule: &Rule, folder: &Spellings, home: &str) -> bool {
    let Some(pattern) = rule.pattern.as_deref().filter(|_| !rule.is_general()) else {
        return true;
    };
    let glob = Glob::new(pattern, home);
    pattern.ends_with('*') && folder.starts().any(|start| glob.matches(&start))
}

#[cfg(test)]
mod tests;
