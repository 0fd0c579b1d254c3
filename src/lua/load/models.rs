//! `models.lua`: providers, other names of models, and the model that is meant.
//!
//! A file may say part of a provider and leave the rest to weaker layers; what all layers say together must be
//! whole. A project names a model and brings no provider, so that it cannot send anything anywhere.

use std::collections::BTreeMap;

use mlua::{Lua, Table, Value};

use super::{policy, provider};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::lua::fields::{Fields, named};
use crate::model::Models;

/// What the file says.
const FIELDS: [&str; 3] = ["default", "aliases", "providers"];

/// Whether one file has the shape, and brings nothing that is not its business.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn check(table: &Table, layer: Layer) -> Result<(), ToolError> {
    let fields = Fields::of(table, "models", &FIELDS)?;
    fields.text("default")?;
    aliases(&fields)?;
    let Some(providers) = fields.table("providers")? else {
        return Ok(());
    };
    let providers = named(&providers, "models.providers")?;
    if !layer.is_the_persons() && !providers.is_empty() {
        let message =
            "models.providers: a project chooses among the providers of its user and brings none";
        return Err(ToolError::argument(message)
            .with_hint("move it to `tools/models.lua` of your own configuration"));
    }
    for (name, table) in &providers {
        provider::part(name, table)?;
    }
    Ok(())
}

/// What a stronger layer says over a weaker one. Of a provider, where its key comes from is one thing: who says it
/// anew takes what was said before.
pub(super) fn over(lua: &Lua, base: &Table, top: &Table) -> mlua::Result<Table> {
    let result = policy::over(lua, base, top)?;
    let of = |table: &Table, name: &str| -> mlua::Result<Option<Table>> {
        match table.raw_get("providers")? {
            Value::Table(providers) => Ok(providers.raw_get::<Value>(name)?.as_table().cloned()),
            _ => Ok(None),
        }
    };
    let Value::Table(providers) = result.raw_get("providers")? else {
        return Ok(result);
    };
    for pair in providers.pairs::<Value, Value>() {
        let (Value::String(name), Value::Table(whole)) = pair? else {
            continue;
        };
        let Some(stronger) = of(top, &name.to_string_lossy())? else {
            continue;
        };
        for (said, other) in [("key_env", "key_command"), ("key_command", "key_env")] {
            let is_said = stronger.raw_get::<Value>(said)? != Value::Nil;
            if is_said && stronger.raw_get::<Value>(other)? == Value::Nil {
                whole.raw_set(other, Value::Nil)?;
            }
        }
    }
    Ok(result)
}

/// What all layers say together.
///
/// # Errors
/// `argument` that names what a provider lacks, or that the default or an alias names no model of a provider.
pub(super) fn read(table: &Table) -> Result<Models, ToolError> {
    let fields = Fields::of(table, "models", &FIELDS)?;
    let mut providers = BTreeMap::new();
    if let Some(table) = fields.table("providers")? {
        for (name, table) in named(&table, "models.providers")? {
            let provider = provider::whole(&name, &table)?;
            providers.insert(name, provider);
        }
    }
    let models = Models {
        default: fields.text("default")?,
        aliases: aliases(&fields)?,
        providers,
    };
    let default = models.default.iter();
    let default = default.map(|word| ("default".to_owned(), word));
    let aliases = models.aliases.keys();
    let aliases = aliases.map(|name| (format!("aliases.{name}"), name));
    for (field, word) in aliases.chain(default) {
        if let Err(error) = models.find(word) {
            let message = format!("models.{field}: {}", error.message);
            return Err(ToolError { message, ..error });
        }
    }
    Ok(models)
}

/// The other names of models.
fn aliases(fields: &Fields) -> Result<BTreeMap<String, String>, ToolError> {
    let Some(table) = fields.table("aliases")? else {
        return Ok(BTreeMap::new());
    };
    let path = fields.at("aliases");
    let mut aliases = BTreeMap::new();
    for pair in table.pairs::<Value, Value>() {
        let pair = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let (Value::String(name), Value::String(model)) = pair else {
            return Err(ToolError::argument(format!(
                "{path}: expected models by name, such as {{ fast = \"provider/model\" }}"
            )));
        };
        let (name, model) = (name.to_string_lossy(), model.to_string_lossy());
        if name.contains(['/', ':']) || name.trim().is_empty() {
            let message =
                format!("{path}: `{name}` is no alias: expected a name without `/` and `:`");
            return Err(ToolError::argument(message));
        }
        aliases.insert(name, model);
    }
    Ok(aliases)
}
