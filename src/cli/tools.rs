//! `agent tools [NAME]`: the tools that are there, or one of them in full.
//!
//! Everything shown comes from the declarations; nothing is written here a second time.

use serde_json::{Value, json};

use super::args::Options;
use super::{Session, start};
use crate::error::{Error, Exit};
use crate::schema::Parameters;
use crate::tool::{Registry, Spec, Tool};

/// Prints the list, or one declaration.
///
/// # Errors
/// Usage and configuration; `not_found` for an unknown name.
pub(super) fn run(options: Options, name: Option<&str>) -> Result<Exit, Error> {
    let session = start(options, Vec::new())?;
    let name = name.map(str::to_owned);
    session.run(None, async |session| {
        let generation = session.gate().generation();
        let (answer, tools) = (&session.answer, &generation.tools);
        match &name {
            None => {
                let mut missing = Vec::new();
                for tool in tools.iter() {
                    missing.push(missing_because(session, &**tool).await?);
                }
                let all = tools.iter().zip(&missing);
                if answer.is_machine() {
                    let list: Vec<Value> = all
                        .map(|(tool, missing)| brief(&**tool, tools, missing.as_deref()))
                        .collect();
                    answer.document(json!({ "tools": list }));
                } else {
                    answer.text(&table(tools, &missing));
                }
            }
            Some(name) => {
                let tool = tools.find(name)?;
                let missing = missing_because(session, &**tool).await?;
                if answer.is_machine() {
                    answer.document(full(&**tool, tools, missing.as_deref()));
                } else {
                    answer.text(&page(&**tool, tools, missing.as_deref()));
                }
            }
        }
        Ok(Exit::Done)
    })
}

/// Why the tool is not offered here and now, if it is not.
async fn missing_because(session: &Session, tool: &dyn Tool) -> Result<Option<String>, Error> {
    let scope = session.scope()?;
    let asked = tool.offered(&scope, &session.services);
    let said = match asked {
        Some(asked) => asked.await,
        None => tool.usable(),
    };
    Ok(said.err().map(|error| error.message))
}

fn table(tools: &Registry, missing: &[Option<String>]) -> String {
    let mut rows = vec![["tool", "surface", "effect", "origin", "what it does"].map(str::to_owned)];
    rows.extend(tools.iter().zip(missing).map(|(tool, missing)| {
        let spec = tool.spec();
        let about = missing.as_deref().unwrap_or(&spec.description);
        [
            spec.id.clone(),
            spec.surface.clone(),
            spec.effect.as_str().to_owned(),
            origin(spec, tools),
            first_sentence(about).to_owned(),
        ]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..4).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &[String; 5]| {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}  "));
        format!("{}{}\n", cells.collect::<String>(), row[4])
    };
    let rows: String = rows.iter().map(line).collect();
    format!("{rows}\n{WORDS}")
}

/// What the words of the list mean.
const WORDS: &str = "\
surface  the group that a tool belongs to; rules may name SURFACE.EFFECT, such as `file.write`
effect   what a call does at most: read, write (changes files), run (starts programs), network
origin   `shipped` with this program, or the file that the tool was loaded from
`agent tools NAME` shows one in full.
";

/// Where a tool comes from, and whose place it has taken.
fn origin(spec: &Spec, tools: &Registry) -> String {
    match tools.shadowed_by(&spec.id) {
        Some(shadowed) => format!("{} (shadows {shadowed})", spec.origin),
        None => spec.origin.to_string(),
    }
}

fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or("");
    line.find(". ").map_or(line, |end| &line[..=end])
}

fn brief(tool: &dyn Tool, tools: &Registry, missing: Option<&str>) -> Value {
    let spec = tool.spec();
    json!({
        "id": spec.id,
        "surface": spec.surface,
        "effect": spec.effect.as_str(),
        "origin": spec.origin.to_string(),
        "shadows": tools.shadowed_by(&spec.id).map(ToString::to_string),
        "description": spec.description,
        "aliases": tool.aliases(),
        "available": missing.is_none(),
        "unavailable_because": missing,
    })
}

fn full(tool: &dyn Tool, tools: &Registry, missing: Option<&str>) -> Value {
    let mut fields = brief(tool, tools, missing);
    fields["positional"] = json!(tool.spec().parameters.positional());
    fields["parameters"] = tool.spec().parameters.json_schema().clone();
    fields
}

/// What the tables among the parameters hold, each as if it were a tool of its own.
fn nested(parameters: &Parameters) -> String {
    let mut text = String::new();
    for name in parameters.names() {
        let schema = parameters
            .get(name)
            .map(|own| own.get("items").unwrap_or(own));
        let Some(inner) = schema.and_then(|own| Parameters::from_json_schema(own.clone()).ok())
        else {
            continue;
        };
        if inner.names().next().is_some() {
            let (signature, fields) = (inner.compact(), inner.describe());
            text.push_str(&format!("\n{name}: {signature}\n{fields}"));
        }
    }
    text
}

fn page(tool: &dyn Tool, tools: &Registry, missing: Option<&str>) -> String {
    let spec = tool.spec();
    let mut page = format!(
        "{}{}\n\n{}\n",
        spec.id,
        spec.parameters.compact(),
        spec.description
    );
    page.push_str(&spec.parameters.describe());
    page.push_str(&nested(&spec.parameters));
    if let Some(missing) = missing {
        page.push_str(&format!("\nnot available: {missing}\n"));
    }
    if let Some(name) = &spec.display_name {
        page.push_str(&format!("\nshown as: {name}\n"));
    }
    let aliases = tool.aliases();
    if !aliases.is_empty() {
        page.push_str(&format!("\nalso: {}\n", aliases.join(", ")));
    }
    let (effect, surface) = (spec.effect.as_str(), &spec.surface);
    page.push_str(&format!(
        "\nsurface {surface}, effect {effect}, origin {}\n",
        origin(spec, tools)
    ));
    for example in &spec.examples {
        page.push_str(&format!(
            "\n{}\n  agent call {} '{}'\n",
            example.about, spec.id, example.args
        ));
    }
    page
}
