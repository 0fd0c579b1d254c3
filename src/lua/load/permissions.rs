//! `permissions.lua`: the rules of one layer, and the mode it wants.
//!
//! A project's rules count as the project's: they tighten, and what they allow gives way to the person's. The
//! mode it names holds beside the person's, so that it can only tighten too.

use mlua::Table;

use super::shape::{self, Fields};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::permission::{Mode, Modes, Rule, Source};

/// What one layer says.
#[derive(Clone, Debug, Default)]
pub(super) struct Permissions {
    pub(super) rules: Vec<Rule>,
    pub(super) mode: Option<Mode>,
}

/// What `table` says, which stands in `file`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(table: &Table, layer: Layer, file: &str) -> Result<Permissions, ToolError> {
    let fields = Fields::of(table, "permissions", &["mode", "preset", "rules", "cases"])?;
    if let Some(word) = fields.text("preset")? {
        let message =
            format!("permissions.preset: this version has none but its own, not `{word}`");
        return Err(ToolError::argument(message).with_hint("leave it out"));
    }
    fields.table("cases")?;
    let mode = fields.text("mode")?.map(|word| word.parse::<Mode>());
    let mode = mode
        .transpose()
        .map_err(|message| ToolError::argument(format!("{}: {message}", fields.at("mode"))))?;
    let rules = match fields.table("rules")? {
        None => Vec::new(),
        Some(rules) => shape::rules(&rules, "permissions.rules", source(layer))?,
    };
    let rules = rules.into_iter().map(|rule| rule.written_in(file));
    Ok(Permissions {
        rules: rules.collect(),
        mode,
    })
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
