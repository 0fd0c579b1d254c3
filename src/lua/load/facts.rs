//! What `models.lua` says of a model: its window, its prices, how it is asked; and where a server departs from the
//! format it speaks. A price that nobody states stays unknown.

use mlua::{Table, Value};
use serde_json::{Map, Value as Json};

use super::provider::is_open;
use crate::chat::{Prices, Quirks};
use crate::error::ToolError;
use crate::lua::convert;
use crate::lua::fields::Fields;
use crate::lua::short::wrong;
use crate::model::Facts;

/// What is said of a model.
const FIELDS: [&str; 6] = [
    "window",
    "max_output",
    "price",
    "images",
    "effort",
    "quirks",
];

/// What a price is stated for.
const PRICES: [&str; 4] = ["input", "output", "cache_read", "cache_write"];

/// How a server may depart from its format: the fields of [`Quirks`].
const QUIRKS: [&str; 13] = [
    "max_tokens_field",
    "no_stream_usage",
    "no_parallel_calls",
    "string_content",
    "no_system_role",
    "developer",
    "no_images",
    "strict_schema",
    "structure_by_call",
    "reasoning_field",
    "thinking",
    "headers",
    "body",
];

/// A table of quirks, if there is one, and what it is called.
type Said<'a> = (Option<&'a Table>, String);

/// What the table at `path` says of a model, over the quirks of its provider.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(table: &Table, path: &str, above: Said<'_>) -> Result<Facts, ToolError> {
    let fields = Fields::of(table, path, &FIELDS)?;
    let own = fields.table("quirks")?;
    let mut quirks = quirks([above, (own.as_ref(), fields.at("quirks"))])?;
    let images = fields.flag("images")?;
    if let Some(images) = images {
        quirks.no_images = !images;
    }
    let effort = fields.text("effort")?.map(|word| {
        word.parse().map_err(|offered: String| {
            let message = format!("{}: there is no effort `{word}`", fields.at("effort"));
            ToolError::argument(message).with_hint(offered)
        })
    });
    Ok(Facts {
        window: count(&fields, "window")?.map(u64::from),
        max_output: count(&fields, "max_output")?,
        prices: prices(&fields)?,
        images,
        effort: effort.transpose()?,
        quirks,
    })
}

/// A whole number above zero.
pub(super) fn count(fields: &Fields, name: &str) -> Result<Option<u32>, ToolError> {
    let Some(count) = fields.count(name)? else {
        return Ok(None);
    };
    match u32::try_from(count) {
        Ok(count) => Ok(Some(count)),
        Err(_) => {
            let message = format!(
                "{}: expected at most {}, got {count}",
                fields.at(name),
                u32::MAX
            );
            Err(ToolError::argument(message))
        }
    }
}

/// US dollars per million tokens; a model that costs nothing says 0.
fn prices(fields: &Fields) -> Result<Prices, ToolError> {
    let Some(table) = fields.table("price")? else {
        return Ok(Prices::default());
    };
    let fields = Fields::of(&table, &fields.at("price"), &PRICES)?;
    let price = |name: &str| match fields.value(name)? {
        Value::Nil => Ok(None),
        value => {
            let whole = value.as_integer().map(|whole| whole as f64);
            let price = value.as_number().or(whole);
            match price.filter(|price| price.is_finite() && *price >= 0.0) {
                Some(price) => Ok(Some(price)),
                None => {
                    let form = "US dollars per million tokens, zero or more";
                    Err(wrong(&fields.at(name), form, &value))
                }
            }
        }
    };
    Ok(Prices {
        input: price("input")?,
        output: price("output")?,
        cache_read: price("cache_read")?,
        cache_write: price("cache_write")?,
    })
}

/// The quirks that these tables say, each over the ones before it: tables are merged, all else is replaced.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn quirks<'a>(said: impl IntoIterator<Item = Said<'a>>) -> Result<Quirks, ToolError> {
    let mut all = Map::new();
    for (table, path) in said {
        let Some(table) = table else { continue };
        let fields = Fields::of(table, &path, &QUIRKS)?;
        for name in QUIRKS {
            let value = fields.value(name)?;
            if value.is_nil() {
                continue;
            }
            let field = fields.at(name);
            let value = as_json(&value, name, &field)?;
            laid(&mut all, name, value);
        }
    }
    serde_json::from_value(Json::Object(all))
        .map_err(|error| ToolError::internal(format!("quirks: {error}")))
}

/// The value of the field as data, if the field takes it.
fn as_json(value: &Value, name: &str, field: &str) -> Result<Json, ToolError> {
    let wrong = |error: serde_json::Error| ToolError::argument(format!("{field}: {error}"));
    let data = convert::to_data_named(value, field)?;
    let mut value = serde_json::to_value(&data).map_err(wrong)?;
    // A table without a field is a list as much as a map.
    if value.as_array().is_some_and(Vec::is_empty) {
        value = Json::Object(Map::new());
    }
    let alone = Map::from_iter([(name.to_owned(), value.clone())]);
    let quirks: Quirks = serde_json::from_value(Json::Object(alone)).map_err(wrong)?;
    for header in quirks.headers.keys() {
        is_open(header, field)?;
    }
    Ok(value)
}

fn laid(below: &mut Map<String, Json>, name: &str, value: Json) {
    match (below.get_mut(name), value) {
        (Some(Json::Object(below)), Json::Object(above)) => {
            for (name, value) in above {
                laid(below, &name, value);
            }
        }
        (_, value) => {
            below.insert(name.to_owned(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quirks_that_are_offered_are_those_there_are() {
        let unknown = serde_json::from_str::<Quirks>("{\"zzz\": 1}").unwrap_err();
        let unknown = unknown.to_string();
        let (_, expected) = unknown.split_once("expected one of ").unwrap();
        let there: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        assert_eq!(there, QUIRKS);
    }
}
