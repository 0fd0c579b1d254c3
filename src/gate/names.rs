//! The names of rules against the tools that are there. A rule that names nothing protects nobody, so a
//! slip in it is told instead of passed over.
//!
//! A glob, and what begins with `mcp.`, is taken as it is: what it is about may come later.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Error;
use crate::permission::{Effect, Group, Rule};
use crate::text::nearest;
use crate::tool::{Registry, Surfaces};

/// Writes the tool's id into every rule that names a tool by one of `aliases`.
pub fn resolve_aliases(rules: &mut [Rule], aliases: &BTreeMap<String, String>) {
    for rule in rules {
        if let Some(id) = aliases.get(&rule.name) {
            rule.name.clone_from(id);
        }
    }
}

/// Every other name of a tool, with its id, that a rule may use. Ids and groups go before aliases.
pub fn aliases(tools: &Registry) -> BTreeMap<String, String> {
    let aliases = tools.aliases();
    let aliases = aliases.filter(|(alias, _)| !is_id(alias, tools) && !is_group(alias));
    aliases
        .map(|(alias, id)| (alias.to_owned(), id.to_owned()))
        .collect()
}

/// The rules that name no tool, group or `surface.effect`, each with the name that was meant, if one is
/// near.
pub fn unknown_rules<'a>(
    rules: &'a [Rule],
    tools: &Registry,
    surfaces: &Surfaces,
) -> Vec<(&'a Rule, Option<String>)> {
    let known = |rule: &&Rule| {
        let name = rule.name.as_str();
        name.contains(['*', '?'])
            || name.starts_with("mcp.")
            || is_group(name)
            || tools.get(name).is_some()
            || is_kind(name, tools, surfaces)
    };
    let unknown = rules.iter().filter(|rule| !known(rule));
    unknown
        .map(|rule| (rule, near(&rule.name, tools, surfaces)))
        .collect()
}

/// Whether every rule names something that is there; `before` is what stands before the action where it was written.
///
/// # Errors
/// Usage: the first rule that does not, with the name that was meant, if one is near.
pub fn known_rules(
    rules: &[Rule],
    tools: &Registry,
    surfaces: &Surfaces,
    before: &str,
) -> Result<(), Error> {
    let unknown = unknown_rules(rules, tools, surfaces);
    let Some((rule, near)) = unknown.first() else {
        return Ok(());
    };
    let near = near.as_ref().map(|near| format!("; did you mean {near}?"));
    let message = format!(
        "{before}{} '{rule}': there is no tool or group {}{}",
        rule.action,
        rule.name,
        near.unwrap_or_default()
    );
    Err(Error::usage(
        message,
        "name a tool (`agent tools` lists them), a group such as `edit`, or a glob",
    ))
}

fn is_id(name: &str, tools: &Registry) -> bool {
    tools.get(name).is_some_and(|tool| tool.id() == name)
}

fn is_group(name: &str) -> bool {
    !matches!(Group::from(name), Group::Other(_))
}

fn is_kind(name: &str, tools: &Registry, surfaces: &Surfaces) -> bool {
    name.split_once('.').is_some_and(|(surface, effect)| {
        effect.parse::<Effect>().is_ok() && known(tools, surfaces).contains(surface)
    })
}

/// The surfaces that tools belong to or name themselves.
fn known<'a>(tools: &'a Registry, surfaces: &'a Surfaces) -> BTreeSet<&'a str> {
    let specs = tools.iter().map(|tool| tool.spec());
    specs
        .flat_map(|spec| [surfaces.name_of(spec), &spec.surface])
        .collect()
}

/// The nearest of all names; an alias is told as the tool's id.
fn near(name: &str, tools: &Registry, surfaces: &Surfaces) -> Option<String> {
    let mut names: Vec<String> = Group::WORDS.map(str::to_owned).to_vec();
    names.extend(tools.iter().map(|tool| tool.id().to_owned()));
    names.extend(tools.aliases().map(|(alias, _)| alias.to_owned()));
    if name.contains('.') {
        for surface in known(tools, surfaces) {
            names.extend(Effect::ALL.map(|effect| format!("{surface}.{effect}")));
        }
    }
    let near = nearest(name, names.iter().map(String::as_str))?;
    let tool = tools.get(near).map_or(near, |tool| tool.id());
    Some(tool.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::rig::tools;
    use super::*;
    use crate::permission::{Action, Source};

    fn rules(names: &[&str]) -> Vec<Rule> {
        let parse = |name: &&str| Rule::parse(name, Action::Deny, Source::CommandLine).unwrap();
        names.iter().map(parse).collect()
    }

    fn unknown(name: &str) -> Option<Option<String>> {
        let rules = rules(&[name]);
        unknown_rules(&rules, &tools(), &Surfaces::default())
            .pop()
            .map(|(_, near)| near)
    }

    #[test]
    fn a_rule_that_names_nothing_is_told_with_the_nearest() {
        assert_eq!(unknown("ehco:*"), Some(Some("echo".to_owned())));
        assert_eq!(unknown("ehco_alias"), Some(Some("echo".to_owned())));
        assert_eq!(unknown("raed"), Some(Some("read".to_owned())));
        assert_eq!(unknown("test.wirte"), Some(Some("test.write".to_owned())));
        assert_eq!(unknown("quux"), Some(None));
        for known in [
            "echo",
            "echo_alias:x",
            "external_directory:/x",
            "test.write",
            "test.network",
            "*",
            "ehc*",
            "mcp.files.read",
        ] {
            assert_eq!(unknown(known), None, "{known}");
        }
    }

    #[test]
    fn an_alias_means_the_tool_that_bears_it() {
        let mut rules = rules(&["echo_alias:x", "echo", "read:y", "quux"]);
        resolve_aliases(&mut rules, &aliases(&tools()));
        let names: Vec<String> = rules.iter().map(Rule::to_string).collect();
        assert_eq!(names, ["echo:x", "echo", "read:y", "quux"]);
    }
}
