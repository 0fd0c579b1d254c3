//! `permissions.lua`: the rules of one layer, the mode and the preset it wants, and the cases it is tested with.
//!
//! A project's rules count as the project's: they tighten, and what they allow gives way to the person's. The
//! mode it names holds beside the person's, so that it can only tighten too. It brings no classifier.

use std::sync::Arc;

use mlua::{Function, Table};

use super::cases::{self, PolicyCase};
use super::decide::LuaDecide;
use super::shape;
use crate::error::ToolError;
use crate::layers::{self, Layer};
use crate::lua::fields::Fields;
use crate::lua::state::State;
use crate::permission::{Action, Mode, Modes, Rule, Source};
use crate::text::offer;
use crate::tool::{Classifier, Decide};

/// What one layer says.
#[derive(Clone, Default)]
pub(super) struct Permissions {
    /// The functions among them have the numbers of `functions`.
    pub(super) rules: Vec<Rule>,
    pub(super) functions: Vec<Arc<dyn Decide>>,
    pub(super) mode: Option<Mode>,
    pub(super) cases: Vec<PolicyCase>,
    pub(super) classifier: Option<Arc<dyn Classifier>>,
}

const FIELDS: [&str; 5] = ["mode", "preset", "rules", "cases", "classifier"];

/// What `table` says, which stands in `file`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(
    state: &State,
    table: &Table,
    layer: Layer,
    file: &str,
) -> Result<Permissions, ToolError> {
    let fields = Fields::of(table, "permissions", &FIELDS)?;
    let mode = fields.text("mode")?.map(|word| word.parse::<Mode>());
    let mode = mode
        .transpose()
        .map_err(|message| ToolError::argument(format!("{}: {message}", fields.at("mode"))))?;
    let mut permissions = Permissions {
        mode,
        ..Permissions::default()
    };
    if let Some(name) = fields.text("preset")? {
        permissions.rules = preset(state, &name, layer)?;
    }
    if let Some(rules) = fields.table("rules")? {
        let functions = &mut permissions.functions;
        let mut number = |function: &Function| {
            functions.push(Arc::new(LuaDecide::new(state, function.clone(), layer)) as _);
            Some(functions.len() - 1)
        };
        let path = fields.at("rules");
        let rules = shape::rules_with(&rules, &path, source(layer), &mut number)?;
        let rules = rules.into_iter().map(|rule| rule.written_in(file));
        permissions.rules.extend(rules);
    }
    permissions.classifier = classifier(state, &fields, layer)?;
    if let Some(list) = fields.table("cases")? {
        permissions.cases = cases::read(&list, &fields.at("cases"), file)?;
    }
    Ok(permissions)
}

/// What classifies in the mode `auto`, which the person alone may say.
fn classifier(
    state: &State,
    fields: &Fields,
    layer: Layer,
) -> Result<Option<Arc<dyn Classifier>>, ToolError> {
    let Some(function) = fields.function("classifier")? else {
        return Ok(None);
    };
    if layer == Layer::Project {
        let place = fields.at("classifier");
        let message = format!("{place}: a project does not bring a classifier");
        return Err(ToolError::argument(message).with_hint(
            "write rules, which may be functions; a classifier stands in your own configuration",
        ));
    }
    Ok(Some(Arc::new(LuaDecide::new(state, function, layer)) as _))
}

/// The rules of the preset `name`. Of one that a project names only what tightens counts.
fn preset(state: &State, name: &str, layer: Layer) -> Result<Vec<Rule>, ToolError> {
    let Some((file, text)) = layers::preset(name) else {
        let message = format!("permissions.preset: there is no preset `{name}`");
        let hint = offer(name, "presets", layers::presets());
        return Err(ToolError::argument(message).with_hint(hint));
    };
    let told = |error: mlua::Error| state.told(&error);
    let chunk = state.lua.load(&*text).set_name(format!("@{file}"));
    let table: Table = chunk.eval().map_err(told)?;
    let rules: Table = table.raw_get("rules").map_err(told)?;
    let rules = shape::rules(&rules, &file, source(layer))?;
    let counts = |rule: &Rule| layer.is_the_persons() || rule.action != Action::Allow;
    let rules = rules.into_iter().filter(counts);
    Ok(rules.map(|rule| rule.written_in(file.as_str())).collect())
}

/// The mode that the strongest of the person's layers names, and what a project tightens it with. `said` goes
/// from the weakest layer to the strongest.
pub(super) fn modes<'a>(
    said: impl Iterator<Item = (Layer, &'a Permissions)>,
) -> (Option<Mode>, Option<Modes>) {
    let (mut chosen, mut tightened) = (None, None::<Modes>);
    for (layer, permissions) in said {
        let Some(mode) = permissions.mode else {
            continue;
        };
        match layer {
            Layer::Project => {
                tightened = Some(tightened.map_or(mode.into(), |modes| modes.and(mode)));
            }
            _ => chosen = Some(mode),
        }
    }
    (chosen, tightened)
}

/// Whose rules those of a layer are.
pub(super) fn source(layer: Layer) -> Source {
    match layer {
        Layer::Shipped => Source::Shipped,
        Layer::Project => Source::Project,
        Layer::User | Layer::CommandLine | Layer::Script => Source::User,
    }
}
