//! What policies say about things that are not there: a slip, or something of another day.
//!
//! Nothing is refused for it, since a tool may come later; but a guard that guards nothing is told of, with its file
//! and the name that was meant. It looks at names alone.

use crate::gate::unknown_rules;
use crate::layers::PolicyName;
use crate::lua::{Loaded, Policed};
use crate::permission::Rule;
use crate::text::nearest;
use crate::tool::{Choice, Registry, Surface};

/// One line for each thing in `instructions`, which are rules, and in the policies that has nothing to act on.
pub(super) fn lines(instructions: &[Rule], loaded: &Loaded) -> Vec<String> {
    let mut lines = rules(instructions, loaded);
    lines.extend(rules(&loaded.policy.rules, loaded));
    for (name, surface) in &loaded.policy.surfaces.0 {
        let place = loaded.policy.place(PolicyName::Surfaces, name);
        lines.extend(empty(name, surface, loaded, &place));
        lines.extend(listed(name, surface, loaded, &place));
    }
    lines.extend(claimed_twice(&loaded.policy));
    lines.extend(truncated(loaded));
    lines.extend(profiles(loaded));
    let hooks = loaded.hooks.iter();
    lines.extend(hooks.flat_map(|hook| hook.head().idle(&loaded.tools)));
    lines
}

fn rules(rules: &[Rule], loaded: &Loaded) -> Vec<String> {
    let unknown = unknown_rules(rules, &loaded.tools, &loaded.policy.surfaces).into_iter();
    unknown
        .map(|(rule, near)| {
            format!(
                "the rule `{} {rule}` ({}) names no tool or group, so it guards nothing{}",
                rule.action,
                rule.origin(),
                meant(near.as_deref())
            )
        })
        .collect()
}

/// A surface to which no tool belongs. One that lists tools is told of by those.
fn empty(name: &str, surface: &Surface, loaded: &Loaded, place: &str) -> Option<String> {
    let surfaces = &loaded.policy.surfaces;
    let belongs = |name: &str| {
        let mut specs = loaded.tools.iter().map(|tool| tool.spec());
        specs.any(|spec| surfaces.name_of(spec) == name || spec.surface == name)
    };
    let lists = !surface.tools.is_empty() || !surface.of_project.is_empty();
    let guards = surface.disabled_by.is_some() || !surface.limits.is_empty();
    let is_meant = surface.description.is_empty() || guards;
    if !is_meant || lists || name.starts_with("mcp.") || belongs(name) {
        return None;
    }
    let names = loaded
        .tools
        .iter()
        .map(|tool| surfaces.name_of(tool.spec()));
    Some(format!(
        "the surface `{name}` ({place}) has no tools, so what is said of it does nothing{}",
        meant(nearest(name, names))
    ))
}

/// The names in the list of a surface that are no ids of tools.
fn listed(name: &str, surface: &Surface, loaded: &Loaded, place: &str) -> Vec<String> {
    let listed = surface.tools.iter().chain(&surface.of_project);
    listed
        .filter_map(|tool| not_an_id(tool, &loaded.tools))
        .map(|what| format!("the surface `{name}` ({place}) lists {what}"))
        .collect()
}

/// Tools that several surfaces list: only one of these holds for them.
fn claimed_twice(policy: &Policed) -> Vec<String> {
    let surfaces = &policy.surfaces.0;
    let mut lines = Vec::new();
    for (name, surface) in surfaces {
        for tool in &surface.tools {
            let first = surfaces.iter().find(|(_, one)| one.tools.contains(tool));
            let Some((first, _)) = first.filter(|(first, _)| *first != name) else {
                continue;
            };
            lines.push(format!(
                "the surfaces `{first}` ({}) and `{name}` ({}) both list `{tool}`; it belongs to `{first}`, and what is \
                 said of `{name}` does not hold for it",
                policy.place(PolicyName::Surfaces, first),
                policy.place(PolicyName::Surfaces, name),
            ));
        }
    }
    lines
}

fn truncated(loaded: &Loaded) -> Vec<String> {
    let truncation = &loaded.policy.truncation;
    let names = truncation.tools.keys().chain(truncation.asked.keys());
    names
        .filter_map(|name| Some((name, not_an_id(name, &loaded.tools)?)))
        .map(|(name, what)| {
            let place = loaded.policy.place(PolicyName::Truncation, name);
            format!("the truncation ({place}) names {what}")
        })
        .collect()
}

/// Rules of profiles that name nothing, tools that are none, and models of providers that are not there.
fn profiles(loaded: &Loaded) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, profile) in &loaded.policy.profiles.0 {
        let place = loaded.policy.place(PolicyName::Agents, name);
        lines.extend(rules(&profile.rules, loaded));
        let names = profile.tools.iter().flat_map(Choice::names);
        let unknown = names.filter_map(|tool| not_an_id(tool, &loaded.tools));
        lines.extend(unknown.map(|what| format!("the profile `{name}` ({place}) has {what}")));
        let providers = &loaded.policy.models.providers;
        let provider = profile.model.as_deref();
        let provider = provider.and_then(|model| Some(model.split_once('/')?.0));
        lines.extend(provider.filter(|one| !providers.contains_key(*one)).map(|one| {
            let near = meant(nearest(one, providers.keys().map(String::as_str)));
            format!("the profile `{name}` ({place}) names a model of `{one}`, and there is no such provider{near}")
        }));
    }
    lines
}

/// What is wrong with `name` where the id of a tool is expected.
fn not_an_id(name: &str, tools: &Registry) -> Option<String> {
    match tools.get(name) {
        Some(tool) if tool.id() == name => None,
        Some(tool) => Some(format!(
            "`{name}`, which is another name of `{}`; write the tool's own",
            tool.id()
        )),
        None => {
            let near = nearest(name, tools.iter().map(|tool| tool.id()));
            Some(format!(
                "`{name}`, and there is no such tool{}",
                meant(near)
            ))
        }
    }
}

fn meant(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean {near}?"))
        .unwrap_or_default()
}
