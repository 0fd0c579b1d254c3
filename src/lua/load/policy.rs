//! Policy files: what each layer says, laid over what the weaker ones said.
//!
//! A table is laid over the value so far, field by field; a function gets the value so far and returns the
//! new one. Rules and redactions never replace: each layer adds its own. What the project says of surfaces
//! and profiles only narrows, whatever it returns.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table, Value};

use super::agents::{self, Agents};
use super::file::{Part, Running};
use super::permissions::Permissions;
use super::{Policed, Problem, models, permissions, redaction, replacers, surfaces, truncation};
use crate::error::ToolError;
use crate::layers::{Layer, PolicyName, SourceFile};
use crate::lua::short;
use crate::lua::state::State;
use crate::model::Models;
use crate::permission::Rule;
use crate::tool::{Decide, Redaction, Replacers, Surface, Surfaces, Truncation};

/// What one file says.
pub(in crate::lua) struct Said {
    name: PolicyName,
    layer: Layer,
    file: String,
    /// Whether this is the whole value, or is laid over the one so far.
    is_whole: bool,
    /// A table that no Lua code of other files holds.
    value: Table,
    /// What it permits, of a policy that says so.
    permissions: Permissions,
    /// What it hides, of a policy that says so.
    redaction: redaction::Said,
    /// The profiles, of a policy that says so.
    agents: Agents,
}

/// The policies as far as they have come together.
#[derive(Default)]
pub(super) struct Policies {
    values: BTreeMap<PolicyName, Table>,
    said: Vec<Rc<Part>>,
}

/// What the file that runs says of the policy `name`.
///
/// # Errors
/// That it returns nothing; a shape that is none, with the field.
pub(super) async fn read(
    state: &Rc<State>,
    running: &Running<'_>,
    name: PolicyName,
    file: &SourceFile,
    so_far: &Policies,
) -> Result<Said, Box<Problem>> {
    let returned = running.returned().await?;
    let (value, is_whole) = match returned {
        // A forgotten `return` must not pass for a policy that asks for nothing.
        Value::Nil => return Err(running.wrong(says_nothing())),
        Value::Function(function) => {
            let given = so_far.given(&state.lua, name);
            let given = given.map_err(|error| running.problem(state.told(&error)))?;
            (running.call(&function, Value::Table(given)).await?, true)
        }
        other => (other, false),
    };
    let Value::Table(value) = value else {
        let message = format!(
            "a policy is a table or a function that returns one, and this is {}",
            short::shape(&value)
        );
        return Err(running.wrong(ToolError::argument(message)));
    };
    // What the program brings keeps nothing of what it returns.
    let copied = match file.layer {
        Layer::Shipped => Ok(value),
        _ => state
            .lua
            .create_table()
            .and_then(|empty| over(&state.lua, &empty, &value)),
    };
    let mut said = Said {
        name,
        layer: file.layer,
        file: file.shown.clone(),
        // A project names a model; what there is to choose from stays.
        is_whole: is_whole && (name != PolicyName::Models || file.layer.is_the_persons()),
        value: copied.map_err(|error| running.problem(state.told(&error)))?,
        permissions: Permissions::default(),
        redaction: redaction::Said::default(),
        agents: Agents::default(),
    };
    said.read(state).map_err(|error| running.wrong(error))?;
    let held = said.held(state, so_far);
    held.map_err(|error| running.wrong(error))?;
    Ok(said)
}

fn says_nothing() -> ToolError {
    ToolError::argument("the policy returns nothing, so it would guard nothing").with_hint(
        "put `return` before its table: `return { … }`, or take the file away if nothing is meant",
    )
}

impl Said {
    /// Reads it as what its policy is: what is only added to for good, of all else whether it has the shape.
    fn read(&mut self, state: &State) -> Result<(), ToolError> {
        match self.name {
            PolicyName::Permissions => {
                self.permissions = permissions::read(state, &self.value, self.layer, &self.file)?;
                Ok(())
            }
            PolicyName::Truncation => truncation::read(state, &self.value, self.layer).map(drop),
            PolicyName::Surfaces => surfaces::read(&self.value, self.layer, &self.file).map(drop),
            PolicyName::Replacers => replacers::read(state, &self.value, self.layer).map(drop),
            PolicyName::Models => models::check(&self.value, self.layer),
            PolicyName::Agents => {
                self.agents = agents::read(state, &self.value, self.layer, &self.file)?;
                Ok(())
            }
            PolicyName::Redaction => {
                self.redaction = redaction::read(&self.value, self.layer)?;
                Ok(())
            }
        }
    }

    /// Whether it makes sense over what the weaker layers say: a provider is whole, and a project takes back
    /// nothing that the person's own files hold an edit to.
    fn held(&self, state: &State, so_far: &Policies) -> Result<(), ToolError> {
        let is_bound = match self.name {
            PolicyName::Models => true,
            PolicyName::Replacers | PolicyName::Agents => !self.layer.is_the_persons(),
            _ => false,
        };
        if !is_bound {
            return Ok(());
        }
        let below = so_far.values.get(&self.name);
        let told = |error: mlua::Error| state.told(&error);
        let empty = state.lua.create_table().map_err(told)?;
        let below = below.unwrap_or(&empty);
        if self.name == PolicyName::Agents {
            return agents::leaves(below, &self.value);
        }
        let value = match (self.is_whole, self.name) {
            (true, _) => self.value.clone(),
            (_, PolicyName::Models) => {
                models::over(&state.lua, below, &self.value).map_err(told)?
            }
            _ => over(&state.lua, below, &self.value).map_err(told)?,
        };
        if self.name == PolicyName::Models {
            return models::read(&value).map(drop);
        }
        let read = |table: &Table| replacers::read(state, table, self.layer);
        replacers::tightens(&read(below)?.chain, &read(&value)?.chain)
    }
}

impl Policies {
    /// Adds what a file says.
    pub(super) fn add(&mut self, lua: &Lua, part: &Rc<Part>) -> mlua::Result<()> {
        let Some(said) = &part.policy else {
            return Ok(());
        };
        self.said.push(Rc::clone(part));
        if is_apart(said) {
            return Ok(());
        }
        let value = match self.values.get(&said.name) {
            Some(so_far) if !said.is_whole && said.name == PolicyName::Agents => {
                agents::over(lua, so_far, &said.value)?
            }
            Some(so_far) if !said.is_whole && said.name == PolicyName::Models => {
                models::over(lua, so_far, &said.value)?
            }
            Some(so_far) if !said.is_whole => over(lua, so_far, &said.value)?,
            _ => said.value.clone(),
        };
        self.values.insert(said.name, value);
        Ok(())
    }

    /// A copy of the value so far, for a function; of what never replaces, a list of what each layer says.
    fn given(&self, lua: &Lua, name: PolicyName) -> mlua::Result<Table> {
        if !is_additive(name) {
            let empty = lua.create_table()?;
            return over(lua, &empty, self.values.get(&name).unwrap_or(&empty));
        }
        let list = lua.create_table()?;
        for said in self.of(name) {
            list.raw_push(over(lua, &lua.create_table()?, &said.value)?)?;
        }
        Ok(list)
    }

    fn of(&self, name: PolicyName) -> impl Iterator<Item = &Said> {
        let said = self.said.iter().filter_map(|part| part.policy.as_ref());
        said.filter(move |said| said.name == name)
    }

    /// All of it.
    ///
    /// # Errors
    /// What makes no sense when it is laid together: then nothing of it may count.
    pub(super) fn said(&self, state: &State) -> Result<Policed, ToolError> {
        let said = || self.of(PolicyName::Permissions);
        let permissions = said().map(|said| (said.layer, &said.permissions));
        let (mode, tightened) = permissions::modes(permissions);
        let modes = said().filter_map(|said| Some((said.permissions.mode?, said.file.clone())));
        let (rules, mut functions) = together(said().map(|said| &said.permissions));
        let agents = || self.of(PolicyName::Agents);
        let persons = agents().filter(|said| !is_apart(said));
        let all = persons.chain(agents().filter(|said| is_apart(said)));
        let all = all.map(|said| (&said.agents, is_apart(said), said.is_whole));
        let profiles = agents::together(all, &mut functions);
        let classifiers = said().filter_map(|said| said.permissions.classifier.clone());
        let cases = said().filter(|said| said.layer != Layer::Shipped);
        Ok(Policed {
            rules,
            functions,
            classifier: classifiers.last(),
            cases: cases
                .flat_map(|said| said.permissions.cases.clone())
                .collect(),
            mode,
            tightened,
            modes: modes.collect(),
            truncation: self.truncation(state)?,
            redaction: self.redaction(&self.models()?),
            replacers: self.replacers(state)?,
            surfaces: self.surfaces()?,
            profiles,
            models: self.models()?,
            places: self.places(),
        })
    }

    /// Who says something of each surface, of each profile, and of the results of each tool.
    fn places(&self) -> BTreeMap<(PolicyName, String), Vec<String>> {
        let mut places: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for policy in [
            PolicyName::Surfaces,
            PolicyName::Truncation,
            PolicyName::Agents,
        ] {
            for said in self.of(policy) {
                for (name, _) in said.value.pairs::<String, Value>().flatten() {
                    places
                        .entry((policy, name))
                        .or_default()
                        .push(said.file.clone());
                }
            }
        }
        places
    }

    /// What a model never sees: what any layer says.
    fn redaction(&self, models: &Models) -> Redaction {
        let (mut rules, mut is_strict) = (Vec::new(), false);
        for said in self.of(PolicyName::Redaction) {
            rules.extend(said.redaction.rules.iter().cloned());
            is_strict |= said.redaction.is_strict;
        }
        let keys = models.providers.values();
        let keys = keys.flat_map(|provider| provider.secret_variables().map(str::to_owned));
        Redaction::new(rules, keys.collect(), is_strict)
    }

    /// How much of a result a model gets.
    fn truncation(&self, state: &State) -> Result<Truncation, ToolError> {
        let mut all = Truncation::default();
        for said in self.of(PolicyName::Truncation) {
            let read = truncation::read(state, &said.value, said.layer)?;
            all = match said.is_whole {
                true => read,
                false => all.under(read),
            };
        }
        Ok(all)
    }

    /// The providers, and the model that is meant where none is named.
    fn models(&self) -> Result<Models, ToolError> {
        let value = self.values.get(&PolicyName::Models);
        let read = value.map(models::read);
        read.unwrap_or_else(|| Ok(Models::default()))
    }

    /// How an edit finds its place.
    fn replacers(&self, state: &State) -> Result<Replacers, ToolError> {
        let value = self.values.get(&PolicyName::Replacers);
        let read = value.map(|value| replacers::read(state, value, Layer::User));
        read.unwrap_or_else(|| Ok(Replacers::default()))
    }

    /// The groups of tools, the project's narrowing included.
    fn surfaces(&self) -> Result<Surfaces, ToolError> {
        let mut all = match self.values.get(&PolicyName::Surfaces) {
            Some(value) => surfaces::read(value, Layer::User, "a policy")?,
            None => Surfaces::default(),
        };
        for (name, one) in &mut all.0 {
            let disables = |one: &Surface| one.disabled_by.is_some();
            one.disabled_by = one.disabled_by.take().map(|_| self.who(name, disables));
            for limit in &mut one.limits {
                let says = |one: &Surface| one.limits.iter().any(|own| surfaces::same(own, limit));
                limit.place = Some(self.who(name, says));
            }
        }
        for said in self.of(PolicyName::Surfaces).filter(|said| is_apart(said)) {
            let narrower = surfaces::read(&said.value, said.layer, &said.file)?;
            surfaces::narrow(&mut all, narrower);
        }
        Ok(all)
    }

    /// The first file that `says` something of a surface.
    fn who(&self, surface: &str, says: impl Fn(&Surface) -> bool) -> String {
        let said = self.of(PolicyName::Surfaces).filter(|said| !is_apart(said));
        let mut files = said.filter(|said| {
            let read = surfaces::read(&said.value, said.layer, &said.file);
            let one = read.ok().and_then(|mut all| all.0.remove(surface));
            one.is_some_and(|one| says(&one))
        });
        files
            .next()
            .map(|said| said.file.clone())
            .unwrap_or_default()
    }
}

/// The rules of all layers, with one list of the functions among them.
fn together<'a>(said: impl Iterator<Item = &'a Permissions>) -> (Vec<Rule>, Vec<Arc<dyn Decide>>) {
    let (mut rules, mut functions) = (Vec::new(), Vec::new());
    for permissions in said {
        let before = functions.len();
        rules.extend(permissions.rules.iter().map(|rule| Rule {
            function: rule.function.map(|number| before + number),
            ..rule.clone()
        }));
        functions.extend(permissions.functions.iter().cloned());
    }
    (rules, functions)
}

/// Whether each layer adds to it and none replaces.
fn is_additive(name: PolicyName) -> bool {
    matches!(name, PolicyName::Permissions | PolicyName::Redaction)
}

/// Whether what is said stands beside the value of the weaker layers and does not go into it.
fn is_apart(said: &Said) -> bool {
    let is_narrowed = matches!(said.name, PolicyName::Surfaces | PolicyName::Agents);
    is_additive(said.name) || (is_narrowed && !said.layer.is_the_persons())
}

/// A table with the fields of `top` over those of `base`: tables of named fields field by field, anything
/// else in place of what was there.
pub(super) fn over(lua: &Lua, base: &Table, top: &Table) -> mlua::Result<Table> {
    let result = lua.create_table()?;
    for pair in base.pairs::<Value, Value>() {
        let (key, value) = pair?;
        result.raw_set(key, value)?;
    }
    for pair in top.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let below: Value = result.raw_get(key.clone())?;
        let value = match (below, value) {
            (Value::Table(below), Value::Table(value)) if is_named(&below) && is_named(&value) => {
                Value::Table(over(lua, &below, &value)?)
            }
            (_, Value::Table(value)) => Value::Table(over(lua, &lua.create_table()?, &value)?),
            (_, value) => value,
        };
        result.raw_set(key, value)?;
    }
    Ok(result)
}

fn is_named(table: &Table) -> bool {
    table.raw_len() == 0
}
