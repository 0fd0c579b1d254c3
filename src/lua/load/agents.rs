//! `agents.lua`: the profiles.
//!
//! Rules only add up: those of a stronger layer come after those of a weaker one. A project narrows the profiles that
//! are there, names another model for them, and brings profiles of its own; its rules stay as weak as its other rules.

use std::sync::Arc;

use mlua::{Function, Lua, Table};

use super::decide::LuaDecide;
use super::permissions::source;
use super::policy;
use super::shape;
use crate::error::ToolError;
use crate::layers::Layer;
use crate::lua::fields::{Fields, named};
use crate::lua::state::State;
use crate::permission::{Rule, Source};
use crate::tool::{Choice, Decide, Profile, Profiles};

/// What one file says. The functions among the rules have the numbers of `functions`.
#[derive(Clone, Default)]
pub(super) struct Agents {
    pub(super) profiles: Profiles,
    pub(super) functions: Vec<Arc<dyn Decide>>,
}

const FIELDS: [&str; 5] = ["prompt", "compact", "model", "tools", "rules"];

/// The profiles of `table`, which stands in `file`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(
    state: &State,
    table: &Table,
    layer: Layer,
    file: &str,
) -> Result<Agents, ToolError> {
    let mut all = Agents::default();
    let functions = &mut all.functions;
    let mut number = |function: &Function| {
        functions.push(Arc::new(LuaDecide::new(state, function.clone(), layer)) as _);
        Some(functions.len() - 1)
    };
    for (name, table) in named(table, "agents")? {
        let path = format!("agents.{name}");
        let fields = Fields::of(&table, &path, &FIELDS)?;
        let model = fields.text("model")?;
        if let Some(model) = model.as_deref().filter(|model| !is_model(model)) {
            let place = fields.at("model");
            let message = format!("{place}: expected `provider/model`, got `{model}`");
            return Err(ToolError::argument(message));
        }
        let tools = fields.texts("tools")?;
        let choice = |list: Vec<String>| Choice::new(list.iter().map(String::as_str));
        let rules = match fields.table("rules")? {
            None => Vec::new(),
            Some(rules) => {
                let path = fields.at("rules");
                shape::rules_with(&rules, &path, strength(layer), &mut number)?
            }
        };
        let rules = rules.into_iter().map(|rule| rule.written_in(file));
        let profile = Profile {
            prompt: fields.text("prompt")?,
            compact: fields.text("compact")?,
            model,
            tools: tools.map(choice).into_iter().collect(),
            rules: rules.collect(),
        };
        all.profiles.0.insert(name, profile);
    }
    Ok(all)
}

/// Whose rules those of a profile are: a project's stay the project's.
fn strength(layer: Layer) -> Source {
    match layer.is_the_persons() {
        true => Source::Profile,
        false => source(layer),
    }
}

fn is_model(text: &str) -> bool {
    let whole = |(provider, model): (&str, &str)| !provider.is_empty() && !model.is_empty();
    text.split_once('/').is_some_and(whole)
}

/// Whether a project leaves the prompts of the profiles alone that are `there`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn leaves(there: &Table, project: &Table) -> Result<(), ToolError> {
    let there = named(there, "agents")?;
    for (name, table) in named(project, "agents")? {
        let path = format!("agents.{name}");
        let prompt = |table| Fields::of(table, &path, &FIELDS)?.text("prompt");
        let own = there.iter().find(|(other, _)| *other == name);
        let own = own.map(|(_, table)| prompt(table)).transpose()?;
        let said = prompt(&table)?;
        if said.is_some() && own.is_some_and(|own| own != said) {
            let message = format!(
                "{path}.prompt: a project does not change the prompt of a profile that is there"
            );
            return Err(ToolError::argument(message)
                .with_hint("give it in a profile of another name, or in the project's AGENTS.md"));
        }
    }
    Ok(())
}

/// The tables of a stronger layer over those of a weaker one, for a function that is given them: rules add up.
pub(super) fn over(lua: &Lua, base: &Table, top: &Table) -> mlua::Result<Table> {
    let result = policy::over(lua, base, top)?;
    for pair in result.pairs::<String, Table>() {
        let (name, profile) = pair?;
        let rules = |table: &Table| -> mlua::Result<Option<Table>> {
            let profile: Option<Table> = table.raw_get(name.as_str())?;
            profile.map_or(Ok(None), |profile| profile.raw_get("rules"))
        };
        if let (Some(weaker), Some(stronger)) = (rules(base)?, rules(top)?) {
            let all = lua.create_table()?;
            for list in [weaker, stronger] {
                for rule in list.sequence_values::<mlua::Value>() {
                    all.raw_push(rule?)?;
                }
            }
            profile.raw_set("rules", all)?;
        }
    }
    Ok(result)
}

/// What all files say, the person's first and then the project's: each with whether it only narrows, and whether it
/// is the whole value. The functions among the rules are added to `functions`.
pub(super) fn together<'a>(
    said: impl Iterator<Item = (&'a Agents, bool, bool)>,
    functions: &mut Vec<Arc<dyn Decide>>,
) -> Profiles {
    let mut all = Profiles::default();
    for (agents, narrows, is_whole) in said {
        let mut profiles = agents.profiles.clone();
        let before = functions.len();
        functions.extend(agents.functions.iter().cloned());
        for rule in profiles.0.values_mut().flat_map(|one| &mut one.rules) {
            rule.function = rule.function.map(|number| before + number);
        }
        match (narrows, is_whole) {
            (true, _) => narrow(&mut all, profiles),
            (false, true) => all = profiles,
            (false, false) => lay(&mut all, profiles),
        }
    }
    all
}

/// Lays what a file of the person's says over the profiles that are there.
fn lay(all: &mut Profiles, stronger: Profiles) {
    for (name, stronger) in stronger.0 {
        let profile = all.0.entry(name).or_default();
        profile.prompt = stronger.prompt.or(profile.prompt.take());
        profile.compact = stronger.compact.or(profile.compact.take());
        profile.model = stronger.model.or(profile.model.take());
        if !stronger.tools.is_empty() {
            profile.tools = stronger.tools;
        }
        profile.rules.extend(stronger.rules);
    }
}

/// Narrows the profiles that are there by what a project says, and adds those of its own.
fn narrow(all: &mut Profiles, project: Profiles) {
    for (name, narrower) in project.0 {
        let profile = all.0.entry(name).or_default();
        profile.prompt = profile.prompt.take().or(narrower.prompt);
        profile.compact = profile.compact.take().or(narrower.compact);
        profile.model = narrower.model.or(profile.model.take());
        profile.tools.extend(narrower.tools);
        let known = profile.rules.clone();
        // A function got the rules that are there, and gives them back.
        let is_same = |a: &Rule, b: &Rule| {
            let is_plain = a.function.is_none() && b.function.is_none();
            is_plain && a.to_string() == b.to_string() && a.action == b.action
        };
        let is_new = |rule: &Rule| !known.iter().any(|old| is_same(old, rule));
        profile
            .rules
            .extend(narrower.rules.into_iter().filter(is_new));
    }
}
