//! `agent tools [NAME]`: the tools that are there, or one of them in full.
//!
//! Everything shown comes from the declarations; nothing is written here a second time.

use serde_json::{Value, json};

use super::args::Options;
use super::start;
use crate::error::{Error, Exit};
use crate::tool::{Spec, Tool};

/// Prints the list, or one declaration.
///
/// # Errors
/// Usage and configuration; `not_found` for an unknown name.
pub(super) fn run(options: Options, name: Option<&str>) -> Result<Exit, Error> {
    let session = start(options, Vec::new())?;
    let name = name.map(str::to_owned);
    session.run(None, async |session| {
        let generation = session.gate().generation();
        let answer = &session.answer;
        match &name {
            None if answer.is_machine() => {
                let tools: Vec<Value> =
                    generation.tools.iter().map(|tool| brief(&**tool)).collect();
                answer.document(json!({ "tools": tools }));
            }
            None => answer.text(&table(generation.tools.iter().map(|tool| tool.spec()))),
            Some(name) => {
                let tool = generation.tools.find(name)?;
                if answer.is_machine() {
                    answer.document(full(&**tool));
                } else {
                    answer.text(&page(&**tool));
                }
            }
        }
        Ok(Exit::Done)
    })
}

fn table<'a>(specs: impl Iterator<Item = &'a Spec>) -> String {
    let mut rows = vec![["tool", "surface", "effect", "origin", "what it does"].map(str::to_owned)];
    rows.extend(specs.map(|spec| {
        [
            spec.id.clone(),
            spec.surface.clone(),
            spec.effect.as_str().to_owned(),
            spec.origin.to_string(),
            first_sentence(&spec.description).to_owned(),
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
    rows.iter().map(line).collect()
}

fn first_sentence(text: &str) -> &str {
    let line = text.lines().next().unwrap_or("");
    line.find(". ").map_or(line, |end| &line[..=end])
}

fn brief(tool: &dyn Tool) -> Value {
    let spec = tool.spec();
    json!({
        "id": spec.id,
        "surface": spec.surface,
        "effect": spec.effect.as_str(),
        "origin": spec.origin.to_string(),
        "description": spec.description,
        "aliases": tool.aliases(),
    })
}

fn full(tool: &dyn Tool) -> Value {
    let mut fields = brief(tool);
    fields["positional"] = json!(tool.spec().parameters.positional());
    fields["parameters"] = tool.spec().parameters.json_schema().clone();
    fields
}

fn page(tool: &dyn Tool) -> String {
    let spec = tool.spec();
    let mut page = format!(
        "{}{}\n\n{}\n",
        spec.id,
        spec.parameters.compact(),
        spec.description
    );
    page.push_str(&spec.parameters.describe());
    let aliases = tool.aliases();
    if !aliases.is_empty() {
        page.push_str(&format!("\nalso: {}\n", aliases.join(", ")));
    }
    let (effect, surface) = (spec.effect.as_str(), &spec.surface);
    page.push_str(&format!(
        "\nsurface {surface}, effect {effect}, origin {}\n",
        spec.origin
    ));
    for example in &spec.examples {
        page.push_str(&format!(
            "\n{}\n  agent call {} '{}'\n",
            example.about, spec.id, example.args
        ));
    }
    page
}
