//! `permissions.lua`: the rules of one layer.
//!
//! A project's rules count as the project's: they tighten, and what they allow gives way to the person's.

use mlua::Table;

use super::shape::{self, Fields};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::permission::{Rule, Source};

/// The rules of `table`, which stands in `file`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(table: &Table, layer: Layer, file: &str) -> Result<Vec<Rule>, ToolError> {
    let fields = Fields::of(table, "permissions", &["mode", "preset", "rules", "cases"])?;
    for later in ["mode", "preset"] {
        if let Some(word) = fields.text(later)? {
            let message =
                format!("permissions.{later}: this version has none but its own, not `{word}`");
            return Err(ToolError::argument(message).with_hint("leave it out"));
        }
    }
    fields.table("cases")?;
    match fields.table("rules")? {
        None => Ok(Vec::new()),
        Some(rules) => {
            let rules = shape::rules(&rules, "permissions.rules", source(layer))?;
            let rules = rules.into_iter();
            Ok(rules.map(|rule| rule.written_in(file)).collect())
        }
    }
}

/// Whose rules those of a layer are.
pub(super) fn source(layer: Layer) -> Source {
    match layer {
        Layer::Shipped => Source::Shipped,
        Layer::Project => Source::Project,
        Layer::User | Layer::CommandLine | Layer::Script => Source::User,
    }
}
