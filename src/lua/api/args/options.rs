//! Words of a command line become values by name. Knows the types that were declared, fills no default.
//!
//! `--name VALUE`, `--name=VALUE`, `--flag`, `--no-flag`; `--` ends the options; `-` alone and numbers are values.
//! A dash in an option stands for `_` in its name.

use crate::data::{self, Data, Map};
use crate::error::ToolError;
use crate::lua::api::declared::Declared;
use crate::text::suggestion;

/// What the words ask for.
#[derive(Debug, PartialEq)]
pub(super) enum Words {
    /// The help.
    Help,
    /// A run with these values.
    Values(Map),
}

/// Reads `words` by what is `declared`.
///
/// # Errors
/// `argument`: an unknown option with the nearest one, a value of the wrong type, a word too many.
pub(super) fn parse(declared: &[Declared<'_>], words: &[String]) -> Result<Words, ToolError> {
    let mut reading = Reading {
        declared,
        values: Map::new(),
        place: 0,
    };
    let mut words = words.iter().map(String::as_str);
    let mut is_open = true;
    while let Some(word) = words.next() {
        match word {
            "--" if is_open => is_open = false,
            "--help" | "-h" if is_open => return Ok(Words::Help),
            _ if is_open && is_option(word) => reading.option(word, &mut words)?,
            _ => reading.positional(word)?,
        }
    }
    Ok(Words::Values(reading.values))
}

/// The option for the parameter `name`: `--dry-run`.
pub(super) fn flag(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-') && word.parse::<f64>().is_err()
}

struct Reading<'d, 'p> {
    declared: &'d [Declared<'p>],
    values: Map,
    /// How many positionals are taken.
    place: usize,
}

impl Reading<'_, '_> {
    fn option<'w>(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = &'w str>,
    ) -> Result<(), ToolError> {
        let (shown, value) = match word.split_once('=') {
            Some((shown, value)) => (shown, Some(value)),
            None => (word, None),
        };
        let wanted = shown.strip_prefix("--").map(|name| name.replace('-', "_"));
        let find = |name: &str| {
            self.declared
                .iter()
                .find(|one| one.name.replace('-', "_") == name)
        };
        if let Some(one) = wanted.as_deref().and_then(find) {
            let value = match value {
                Some(value) => typed(one, shown, one.kind, value)?,
                None if one.kind == "boolean" => Data::Bool(true),
                None => {
                    let value = rest.next().ok_or_else(|| {
                        ToolError::argument(format!("{shown} needs a value: {}", one.kind()))
                    })?;
                    typed(one, shown, one.kind, value)?
                }
            };
            return self.take(one.name.to_owned(), shown, value);
        }
        let denied = wanted
            .as_deref()
            .and_then(|name| name.strip_prefix("no_"))
            .and_then(find);
        match denied.filter(|one| one.kind == "boolean" && value.is_none()) {
            Some(one) => self.take(one.name.to_owned(), shown, Data::Bool(false)),
            None => Err(self.unknown(shown)),
        }
    }

    fn positional(&mut self, word: &str) -> Result<(), ToolError> {
        let positional = self.declared.iter().filter(|one| one.positional);
        let mut open = positional.skip(self.place);
        let Some(one) = open.next() else {
            return Err(
                ToolError::argument(format!("`{word}` is one word too many"))
                    .with_hint("quote a value that holds spaces"),
            );
        };
        let shown = one.name.to_uppercase();
        let value = typed(one, &shown, one.kind, word)?;
        if one.kind != "array" {
            self.place += 1;
        }
        self.take(one.name.to_owned(), &shown, value)
    }

    /// Lists grow; everything else is given once.
    fn take(&mut self, name: String, shown: &str, value: Data) -> Result<(), ToolError> {
        match (self.values.get_mut(&name), value) {
            (Some(Data::List(list)), Data::List(more)) => list.extend(more),
            (Some(_), _) => return Err(ToolError::argument(format!("{shown} was given twice"))),
            (None, value) => {
                self.values.insert(name, value);
            }
        }
        Ok(())
    }

    fn unknown(&self, shown: &str) -> ToolError {
        let flags: Vec<String> = self.declared.iter().map(|one| flag(one.name)).collect();
        let near = suggestion(shown, flags.iter().map(String::as_str));
        let error = ToolError::argument(format!("there is no option `{shown}`"));
        if near.is_empty() {
            error.with_hint("put -- before values that begin with a dash")
        } else {
            error.with_hint(near)
        }
    }
}

/// `word` as a value of the declared type.
fn typed(one: &Declared<'_>, shown: &str, kind: &str, word: &str) -> Result<Data, ToolError> {
    let value = match kind {
        "integer" => word.parse().ok().map(Data::Int),
        "number" => match word.parse::<i64>() {
            Ok(number) => Some(Data::Int(number)),
            Err(_) => word
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite())
                .map(Data::Float),
        },
        "boolean" => match word {
            "true" | "yes" | "1" => Some(Data::Bool(true)),
            "false" | "no" | "0" => Some(Data::Bool(false)),
            _ => None,
        },
        "array" => Some(Data::List(vec![typed(one, shown, one.item, word)?])),
        "object" => data::parse(word)
            .ok()
            .filter(|value| value.as_map().is_some()),
        _ => Some(Data::from(word)),
    };
    value.ok_or_else(|| {
        let expected = match kind {
            "integer" => "a whole number",
            "number" => "a number",
            "boolean" => "true or false",
            _ => "a JSON object",
        };
        ToolError::argument(format!("{shown}: expected {expected}, got `{word}`"))
    })
}
