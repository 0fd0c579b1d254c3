//! The help of a script, from what it takes. Text only; who prints it decides where.
//! Names, types, defaults and descriptions are those of the declaration, said nowhere else.

use std::fmt::Write as _;

use serde_json::Value;

use super::Parameters;
use super::words::kinds;

/// The usage on one line, such as `rename [OPTIONS] OLD NEW [FROM]`.
pub(super) fn usage(name: &str, parameters: &Parameters) -> String {
    let mut text = name.to_owned();
    if options(parameters).next().is_some() {
        text.push_str(" [OPTIONS]");
    }
    for positional in parameters.positional() {
        let word = placeholder(positional, parameters);
        let word = if is_list(positional, parameters) {
            format!("{word}...")
        } else {
            word
        };
        let _ = match parameters.is_required(positional) {
            true => write!(text, " {word}"),
            false => write!(text, " [{word}]"),
        };
    }
    text
}

impl Parameters {
    /// What it takes, one line a parameter: name, type, description, default. Empty for nothing.
    pub fn describe(&self) -> String {
        let rows: Vec<(String, String)> = self
            .names()
            .map(|name| (name.to_owned(), about(name, self)))
            .collect();
        let width = rows
            .iter()
            .map(|(left, _)| left.chars().count())
            .max()
            .unwrap_or_default();
        let line = |(left, right): &(String, String)| {
            format!("  {left:<width$}  {right}").trim_end().to_owned() + "\n"
        };
        rows.iter().map(line).collect()
    }
}

/// The whole help: usage, arguments, options, with descriptions and defaults.
pub(super) fn help(name: &str, parameters: &Parameters) -> String {
    let mut text = format!("usage: {}\n", usage(name, parameters));
    let given = parameters.positional().iter().map(String::as_str);
    let arguments: Vec<(String, String)> = given
        .map(|name| (placeholder(name, parameters), about(name, parameters)))
        .collect();
    let mut switches: Vec<(String, String)> = options(parameters)
        .map(|name| (switch(name, parameters), about(name, parameters)))
        .collect();
    switches.push(("-h, --help".to_owned(), "shows this".to_owned()));
    let width = arguments
        .iter()
        .chain(&switches)
        .map(|(left, _)| left.chars().count())
        .max();
    let width = width.unwrap_or_default();
    for (title, rows) in [("arguments", arguments), ("options", switches)] {
        if !rows.is_empty() {
            let _ = writeln!(text, "\n{title}:");
        }
        for (left, right) in rows {
            let line = format!("  {left:<width$}  {right}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text
}

/// The option as it is typed: `--dry-run`.
pub(super) fn option(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

fn options(parameters: &Parameters) -> impl Iterator<Item = &str> {
    parameters
        .names()
        .filter(|name| !parameters.positional().iter().any(|other| other == name))
}

/// The option with what it takes; a flag that is on can only be turned off.
fn switch(name: &str, parameters: &Parameters) -> String {
    if is_kind(name, "boolean", parameters) {
        let on = parameters.default_of(name) == Some(&Value::Bool(true));
        return if on {
            format!("--no-{}", &option(name)[2..])
        } else {
            option(name)
        };
    }
    let value = match parameters.type_of(name) {
        choice if choice.contains('\'') => choice.replace('\'', ""),
        kind => match kind.trim_end_matches("[]") {
            "string" => "TEXT".to_owned(),
            "integer" | "number" => "N".to_owned(),
            "table" => "JSON".to_owned(),
            other => other.to_uppercase(),
        },
    };
    format!("{} {value}", option(name))
}

/// What stands in the place of a positional: its name, or the one word it may be.
fn placeholder(name: &str, parameters: &Parameters) -> String {
    let options = parameters
        .get(name)
        .and_then(|schema| schema.get("enum")?.as_array());
    match options.map(Vec::as_slice) {
        Some([Value::String(only)]) => only.clone(),
        _ => name.to_uppercase(),
    }
}

fn about(name: &str, parameters: &Parameters) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(parameters.description(name).map(str::to_owned));
    if is_list(name, parameters) && !parameters.positional().iter().any(|other| other == name) {
        parts.push("(may be repeated)".to_owned());
    }
    match parameters.default_of(name) {
        Some(Value::String(text)) => parts.push(format!("(default: {text})")),
        None | Some(Value::Bool(_)) => {}
        Some(other) => parts.push(format!("(default: {other})")),
    }
    parts.join(" ")
}

fn is_list(name: &str, parameters: &Parameters) -> bool {
    is_kind(name, "array", parameters)
}

fn is_kind(name: &str, kind: &str, parameters: &Parameters) -> bool {
    parameters
        .get(name)
        .is_some_and(|schema| kinds(schema).contains(&kind))
}
