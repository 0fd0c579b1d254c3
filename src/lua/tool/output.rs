//! What a Lua tool returned, as the result of its call.
//!
//! A text, or a table with `output`, `title`, `metadata`, `attachments`; the result of another tool is
//! passed on as it is.

use mlua::{Table, Value};

use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::lua::fields::Fields;
use crate::lua::short::{self, wrong};
use crate::lua::{convert, results};
use crate::tool::{Attachment, Outcome, Output};

/// The fields of a table that is returned.
const FIELDS: [&str; 4] = ["output", "title", "metadata", "attachments"];

/// The result in `value`, which the tool `id` returned.
///
/// # Errors
/// `argument` that says what is wrong with it.
pub(in crate::lua) fn read(id: &str, value: Value) -> Outcome {
    let mut output = match &value {
        Value::Nil => Output::default(),
        Value::Table(table) if results::is_result(table) => passed_on(table)?,
        Value::Table(table) => fields(table, id)?,
        Value::String(_) | Value::Integer(_) | Value::Number(_) | Value::Boolean(_) => Output {
            text: text(&value, "the result")?,
            ..Output::default()
        },
        other => {
            let message = format!("`{id}` returned {}", short::shape(other));
            return Err(ToolError::argument(message)
                .with_hint("return a text, or { output =, title =, metadata =, attachments = }"));
        }
    };
    if output.title.is_empty() {
        id.clone_into(&mut output.title);
    }
    Ok(output)
}

fn fields(table: &Table, id: &str) -> Outcome {
    let fields = Fields::alone(table, &format!("the result of `{id}`"), &FIELDS)?;
    let metadata = match convert::to_data_named(&fields.value("metadata")?, "metadata")? {
        Data::Null => Map::new(),
        Data::Map(map) => map,
        other => {
            let message = format!("metadata: expected named fields, got {}", other.shape());
            return Err(ToolError::argument(message));
        }
    };
    Ok(Output {
        title: optional(&fields, "title")?,
        text: optional(&fields, "output")?,
        metadata,
        attachments: attachments(&fields)?,
        ..Output::default()
    })
}

/// The result of another tool: its facts are what is neither text nor attachment.
fn passed_on(table: &Table) -> Outcome {
    let fields = Fields::among(table);
    let mut metadata = match convert::to_data_named(&Value::Table(table.clone()), "result")? {
        Data::Map(map) => map,
        _ => Map::new(),
    };
    for name in FIELDS {
        metadata.remove(name);
    }
    if metadata.get("truncated") == Some(&Data::Bool(false)) {
        metadata.remove("truncated");
    }
    Ok(Output {
        title: optional(&fields, "title")?,
        text: optional(&fields, "output")?,
        metadata,
        attachments: attachments(&fields)?,
        lead: results::lead(table),
        ..Output::default()
    })
}

fn attachments(fields: &Fields) -> Result<Vec<Attachment>, ToolError> {
    let list = match fields.value("attachments")? {
        Value::Nil => return Ok(Vec::new()),
        Value::Table(list) => list,
        other => return Err(wrong("attachments", "a list", &other)),
    };
    let items = list.sequence_values::<Table>();
    items
        .map(|item| {
            let item =
                item.map_err(|_| ToolError::argument("attachments: expected { mime =, bytes = }"))?;
            let item = Fields::alone(&item, "an attachment", &["mime", "bytes"])?;
            match item.value("bytes")? {
                Value::String(bytes) => Ok(Attachment {
                    mime: optional(&item, "mime")?,
                    bytes: bytes.as_bytes().to_vec(),
                }),
                other => Err(wrong("attachments: bytes", "text", &other)),
            }
        })
        .collect()
}

fn optional(fields: &Fields, name: &str) -> Result<String, ToolError> {
    match fields.value(name)? {
        Value::Nil => Ok(String::new()),
        value => text(&value, name),
    }
}

fn text(value: &Value, what: &str) -> Result<String, ToolError> {
    match value {
        Value::String(text) => Ok(text.to_string_lossy()),
        Value::Integer(_) | Value::Number(_) | Value::Boolean(_) => value
            .to_string()
            .map_err(|error| ToolError::internal(error.to_string())),
        other => Err(wrong(what, "text", other)),
    }
}
