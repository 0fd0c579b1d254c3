//! `models.lua`: providers and the default model.
//!
//! A file may say part of a provider and leave the rest to weaker layers; what all layers say together must be
//! whole. A project names a model and brings no provider, so that it cannot send anything anywhere.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use mlua::{Table, Value};
use serde::de::DeserializeOwned;

use crate::chat::{Quirks, Wire};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::lua::blocks::seconds;
use crate::lua::convert;
use crate::lua::fields::{Fields, named};
use crate::lua::short::wrong;
use crate::model::{Facts, Models, Provider};
use crate::net::Proxy;

/// What the file says.
const FIELDS: [&str; 3] = ["default", "aliases", "providers"];

/// What it says of a provider.
const PROVIDER: [&str; 10] = [
    "kind", "base_url", "key_env", "ca", "proxy", "connect", "idle", "attempts", "quirks", "models",
];

/// Whether one file has the shape, and brings nothing that is not its business.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn check(table: &Table, layer: Layer) -> Result<(), ToolError> {
    let fields = Fields::of(table, "models", &FIELDS)?;
    aliases(&fields)?;
    if let Some(default) = fields.text("default")? {
        is_named(&default)?;
    }
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
        part(name, table)?;
    }
    Ok(())
}

/// What all layers say together.
///
/// # Errors
/// `argument` that names what a provider lacks, or that the default names a provider that is not there.
pub(super) fn read(table: &Table) -> Result<Models, ToolError> {
    let fields = Fields::of(table, "models", &FIELDS)?;
    let mut providers = BTreeMap::new();
    if let Some(table) = fields.table("providers")? {
        for (name, table) in named(&table, "models.providers")? {
            let path = format!("models.providers.{name}");
            let lacks = |field: &str, expected: &str| {
                wrong(&format!("{path}.{field}"), expected, &Value::Nil)
            };
            let (kind, base_url) = part(&name, &table)?;
            let kind = kind.ok_or_else(|| lacks("kind", "one of `anthropic`, `openai`, …"))?;
            let base_url = base_url.ok_or_else(|| lacks("base_url", "a URL"))?;
            let mut provider = Provider::new(kind, base_url);
            fill(&mut provider, &table, &path)?;
            providers.insert(name, provider);
        }
    }
    let default = fields.text("default")?;
    let models = Models {
        default,
        aliases: aliases(&fields)?,
        providers,
    };
    match (&models.default, models.chosen()) {
        (Some(default), None) => Err(unknown(default, &models)),
        _ => Ok(models),
    }
}

type Part = (Option<Wire>, Option<String>);

/// What one table says of the provider `name`.
fn part(name: &str, table: &Table) -> Result<Part, ToolError> {
    let path = format!("models.providers.{name}");
    let fields = Fields::of(table, &path, &PROVIDER)?;
    fill(&mut Provider::new(Wire::OpenAiChat, ""), table, &path)?;
    let kind = fields.text("kind")?.map(|word| {
        word.parse::<Wire>().map_err(|offered| {
            ToolError::argument(format!("{path}.kind: there is no kind `{word}`"))
                .with_hint(offered)
        })
    });
    let base_url = fields.text("base_url")?;
    if let Some(url) = base_url.as_deref().filter(|url| !is_base(url)) {
        let message = format!(
            "{path}.base_url: expected a URL such as `https://example.org/v1`, got `{url}`"
        );
        return Err(ToolError::argument(message)
            .with_hint("`http` or `https`, no name or password, no `?` and no `#`"));
    }
    Ok((kind.transpose()?, base_url))
}

/// What a table at `path` says of a provider besides its kind and where it is.
fn fill(provider: &mut Provider, table: &Table, path: &str) -> Result<(), ToolError> {
    let fields = Fields::of(table, path, &PROVIDER)?;
    provider.key_env = key(&fields, path)?;
    provider.ca = fields.text("ca")?.map(PathBuf::from);
    provider.proxy = match fields.value("proxy")? {
        Value::Nil => Proxy::Environment,
        Value::Boolean(false) => Proxy::Direct,
        Value::String(url) => Proxy::Url(url.to_string_lossy()),
        other => {
            return Err(wrong(
                &fields.at("proxy"),
                "a URL, or false for none",
                &other,
            ));
        }
    };
    let time = |name: &str, otherwise: Duration| match fields.value(name)? {
        Value::Nil => Ok(otherwise),
        value => match seconds(&value, &fields.at(name))? {
            Duration::ZERO => Err(wrong(&fields.at(name), "seconds, above zero", &value)),
            time => Ok(time),
        },
    };
    provider.connect = time("connect", provider.connect)?;
    provider.idle = time("idle", provider.idle)?;
    if let Some(attempts) = fields.count("attempts")? {
        provider.attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
    }
    provider.quirks = told(&fields, "quirks")?.unwrap_or_default();
    if let Some(models) = fields.table("models")? {
        for (id, table) in named(&models, &fields.at("models"))? {
            let facts = facts(
                &table,
                &format!("{path}.models[\"{id}\"]"),
                &provider.quirks,
            )?;
            provider.models.insert(id, facts);
        }
    }
    Ok(())
}

/// What a table at `path` says of a model.
fn facts(table: &Table, path: &str, quirks: &Quirks) -> Result<Facts, ToolError> {
    let fields = Fields::of(table, path, &["window", "max_output", "price", "quirks"])?;
    Ok(Facts {
        window: fields
            .count("window")?
            .and_then(|count| u64::try_from(count).ok()),
        max_output: fields
            .count("max_output")?
            .and_then(|count| u32::try_from(count).ok()),
        prices: told(&fields, "price")?.unwrap_or_default(),
        quirks: told(&fields, "quirks")?.unwrap_or_else(|| quirks.clone()),
    })
}

/// A table that says only data, as what it stands for.
fn told<T: DeserializeOwned>(fields: &Fields, name: &str) -> Result<Option<T>, ToolError> {
    let Some(table) = fields.table(name)? else {
        return Ok(None);
    };
    let path = fields.at(name);
    let data = convert::to_data_named(&Value::Table(table), &path)?;
    let wrong = |error: serde_json::Error| ToolError::argument(format!("{path}: {error}"));
    let value = serde_json::to_value(&data).map_err(wrong)?;
    serde_json::from_value(value).map(Some).map_err(wrong)
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
        if name.contains('/') || !model.contains('/') {
            let message = format!(
                "{path}.{name}: expected `provider/model`, and a name without a slash, got `{model}`"
            );
            return Err(ToolError::argument(message));
        }
        aliases.insert(name, model);
    }
    Ok(aliases)
}

/// The variable that holds the key.
fn key(fields: &Fields, path: &str) -> Result<Option<String>, ToolError> {
    let key_env = fields.text("key_env")?;
    if let Some(variable) = key_env.as_deref().filter(|name| !is_variable(name)) {
        let message = format!(
            "{path}.key_env: expected the name of a variable of the environment, got {} characters",
            variable.chars().count()
        );
        return Err(ToolError::argument(message)
            .with_hint("name the variable that holds the key; the key itself stands in no file"));
    }
    Ok(key_env)
}

/// Whether a request can be made by adding a path to it.
fn is_base(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split('/').next());
    host.is_some_and(|host| !host.is_empty() && !host.contains('@'))
        && !url.contains(|c: char| c.is_whitespace() || c.is_control() || "?#".contains(c))
}

/// A key that was written in the place of the variable is hardly ever one of these.
fn is_variable(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    !name.is_empty() && name.chars().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn is_named(default: &str) -> Result<(), ToolError> {
    let whole = |(provider, model): (&str, &str)| !provider.is_empty() && !model.is_empty();
    if default.split_once('/').is_some_and(whole) {
        return Ok(());
    }
    let message = format!("models.default: expected `provider/model`, got `{default}`");
    Err(ToolError::argument(message))
}

fn unknown(default: &str, models: &Models) -> ToolError {
    let name = default.split_once('/').map_or(default, |(name, _)| name);
    let names = models.providers.keys().map(String::as_str);
    let hint = crate::text::offer(name, "providers", names);
    ToolError::argument(format!(
        "models.default: `{default}` is of the provider `{name}`, and there is none"
    ))
    .with_hint(hint)
}
