//! Stage 1: arguments as they came become one complete map, or an `argument` error that names what is wrong.
//!
//! A repair is made only where its meaning is certain: an alias, a default, `5.0` for `5`.

use crate::data::{self, Data, Map};
use crate::error::ToolError;
use crate::schema;
use crate::tool::{Arguments, Spec};

/// The arguments of `spec`'s tool, complete: names known, aliases resolved, defaults filled.
///
/// # Errors
/// `argument`.
pub(super) fn decode(arguments: Arguments, spec: &Spec) -> Result<Data, ToolError> {
    let named = match arguments {
        Arguments::Named(map) => map,
        Arguments::Positional(values) => spread(values, spec)?,
        Arguments::Json(text) => object(&text)?,
        Arguments::Text(text) if text.trim_start().starts_with('{') => object(&text)?,
        Arguments::Text(text) => spread(vec![Data::Text(text)], spec)?,
    };
    schema::prepare(named, &spec.parameters, &spec.parameter_aliases)
}

fn object(text: &str) -> Result<Map, ToolError> {
    match data::parse(text) {
        Ok(Data::Map(map)) => Ok(map),
        Ok(other) => {
            let message = format!("the arguments are a {}, not a JSON object", other.shape());
            Err(ToolError::argument(message).with_hint("write them as {\"name\": value, …}"))
        }
        Err(error) => Err(
            ToolError::argument(format!("the arguments are no JSON: {error}"))
                .with_hint("write them as one JSON object, each key once"),
        ),
    }
}

/// Values in order become values by name; a table that comes last holds named ones.
fn spread(mut values: Vec<Data>, spec: &Spec) -> Result<Map, ToolError> {
    let positional = &spec.parameters.positional;
    let named = match values.last() {
        Some(Data::Map(_)) if values.len() > 1 || !takes_table_first(spec) => values.pop(),
        _ => None,
    };
    if values.len() > positional.len() {
        let takes = spec.parameters.compact();
        let message = format!(
            "{} values were given and `{}` takes {takes}",
            values.len(),
            spec.id
        );
        return Err(ToolError::argument(message).with_hint("pass the rest by name, in a table"));
    }
    let mut map = match named {
        Some(Data::Map(map)) => map,
        _ => Map::new(),
    };
    for (name, value) in positional.iter().zip(values) {
        if value == Data::Null {
            continue;
        }
        if map.insert(name.clone(), value).is_some() {
            let message = format!("`{name}` was given twice, by place and by name");
            return Err(ToolError::argument(message));
        }
    }
    Ok(map)
}

/// Whether the first positional parameter is itself a table.
fn takes_table_first(spec: &Spec) -> bool {
    let first = spec.parameters.positional.first();
    first.is_some_and(|name| spec.parameters.type_of(name) == Some("object"))
}
