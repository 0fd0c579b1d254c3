//! The options of a script: a command line becomes the values that its parameters declare.
//!
//! `--dry-run` is `dry_run`; `--name value` and `--name=value` are the same; `--no-flag` turns a flag
//! off; a list is given by repeating it; `--` ends the options and `-` is an argument. Words after
//! the options fill the positionals in order. Nothing is printed and nothing exits here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use serde_json::{Value, json};

use super::help::{help, option, usage};
use super::words::{kinds, misfit, to_json};
use super::{Parameters, prepare};
use crate::data::{self, Data, Map};
use crate::error::Error;
use crate::text::nearest;

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Parsed {
    /// The values by name, defaults filled.
    Values(Data),
    /// `--help`: the text to print.
    Help(String),
}

/// Reads the arguments of the script called `name`.
///
/// # Errors
/// Usage (exit 2): an unknown option with the nearest one, a value that does not fit, one that is
/// missing, one too many. The hint is the usage line.
pub fn parse_args(name: &str, parameters: &Parameters, args: &[OsString]) -> Result<Parsed, Error> {
    let mut reader = Reader {
        parameters,
        rest: args.iter(),
        values: Map::new(),
        place: 0,
    };
    match reader.read() {
        Ok(true) => Ok(Parsed::Help(help(name, parameters))),
        Ok(false) => reader.finish().map(Parsed::Values),
        Err(message) => Err(message),
    }
    .map_err(|message| {
        Error::usage(
            message,
            format!("{} (--help says more)", usage(name, parameters)),
        )
    })
}

struct Reader<'a> {
    parameters: &'a Parameters,
    rest: std::slice::Iter<'a, OsString>,
    values: Map,
    /// The next positional.
    place: usize,
}

impl Reader<'_> {
    /// Reads everything; true when help was asked for.
    fn read(&mut self) -> Result<bool, String> {
        let mut options = true;
        while let Some(arg) = self.rest.next() {
            match arg.to_str() {
                Some("--") if options => options = false,
                Some("-h" | "--help") if options && self.parameters.get("help").is_none() => {
                    return Ok(true);
                }
                Some(text) if options && text.starts_with("--") => self.option(&text[2..])?,
                Some(text) if options && is_short_option(text) => {
                    return Err(unknown(text, self.parameters));
                }
                _ => self.positional(arg)?,
            }
        }
        Ok(false)
    }

    fn option(&mut self, text: &str) -> Result<(), String> {
        let (typed, given) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let name = typed.replace('-', "_");
        if let Some(schema) = self.parameters.get(&name) {
            if kinds(schema) == ["boolean"] && given.is_none() {
                return self.set(&name, Data::Bool(true));
            }
            let value = match given {
                Some(value) => OsStr::new(value),
                None => self.value(typed)?,
            };
            let value = converted(value, schema).map_err(|why| format!("--{typed}: {why}"))?;
            return self.set(&name, value);
        }
        let off = name
            .strip_prefix("no_")
            .and_then(|name| Some((name, self.parameters.get(name)?)));
        match off {
            Some((name, schema)) if kinds(schema) == ["boolean"] && given.is_none() => {
                self.set(name, Data::Bool(false))
            }
            _ => Err(unknown(&format!("--{typed}"), self.parameters)),
        }
    }

    /// The word after an option that takes one.
    fn value(&mut self, typed: &str) -> Result<&OsStr, String> {
        match self.rest.as_slice().first() {
            Some(next) if !next.as_bytes().starts_with(b"--") => {
                self.rest.next();
                Ok(next)
            }
            Some(next) => Err(format!(
                "--{typed} needs a value; write --{typed}={} if that is it",
                next.to_string_lossy()
            )),
            None => Err(format!("--{typed} needs a value")),
        }
    }

    fn positional(&mut self, arg: &OsStr) -> Result<(), String> {
        let Some(name) = self.parameters.positional().get(self.place) else {
            return Err(format!("unexpected argument {:?}", arg.to_string_lossy()));
        };
        let schema = self.parameters.get(name).unwrap_or(&Value::Null);
        if kinds(schema) != ["array"] {
            self.place += 1;
        }
        let value =
            converted(arg, schema).map_err(|why| format!("{}: {why}", name.to_uppercase()))?;
        self.set(name, value)
    }

    fn set(&mut self, name: &str, value: Data) -> Result<(), String> {
        match (self.values.get_mut(name), value) {
            (Some(Data::List(before)), Data::List(more)) => before.extend(more),
            (Some(_), _) => return Err(format!("{} is given twice", option(name))),
            (None, value) => drop(self.values.insert(name.to_owned(), value)),
        }
        Ok(())
    }

    /// The values with defaults, once nothing is missing.
    fn finish(self) -> Result<Data, String> {
        let missing =
            |name: &&str| self.parameters.is_required(name) && !self.values.contains_key(*name);
        let named: Vec<String> = self
            .parameters
            .names()
            .filter(missing)
            .map(|name| {
                match self
                    .parameters
                    .positional()
                    .iter()
                    .any(|other| other == name)
                {
                    true => name.to_uppercase(),
                    false => option(name),
                }
            })
            .collect();
        if !named.is_empty() {
            return Err(format!("missing {}", named.join(", ")));
        }
        let none: [(&str, &str); 0] = [];
        prepare(Data::Map(self.values), self.parameters, &none).map_err(|error| error.message)
    }
}

/// `-x`, but neither `-` nor a number.
fn is_short_option(text: &str) -> bool {
    let mut letters = text.strip_prefix('-').unwrap_or_default().chars();
    letters.next().is_some_and(|first| {
        let is_number = first.is_ascii_digit() || first == '.';
        !is_number || text.parse::<f64>().is_err()
    })
}

fn unknown(typed: &str, parameters: &Parameters) -> String {
    let known: Vec<String> = parameters
        .names()
        .map(option)
        .chain(["--help".to_owned()])
        .collect();
    if typed.contains(' ') {
        return format!(
            "there is no option {typed}; a value that begins with a dash stands behind `--`: -- '{typed}'"
        );
    }
    match nearest(typed, known.iter().map(String::as_str)) {
        Some(near) => format!("there is no option {typed}; did you mean {near}?"),
        None => format!("there is no option {typed}"),
    }
}

/// A word as the value that is due. A list is one item here; repeating it makes it longer.
fn converted(word: &OsStr, schema: &Value) -> Result<Data, String> {
    let kinds = kinds(schema);
    if kinds == ["array"] {
        let any = json!({});
        let item = converted(word, schema.get("items").unwrap_or(&any))?;
        return fits(Data::List(vec![item]), schema);
    }
    let value = match word.to_str() {
        Some(text) => kinds.iter().find_map(|kind| as_kind(text, kind)),
        None => None,
    };
    let value = value.unwrap_or_else(|| Data::from_bytes(word.to_owned().into_vec()));
    fits(value, schema)
}

fn as_kind(text: &str, kind: &str) -> Option<Data> {
    match kind {
        "integer" => text.parse().ok().map(Data::Int),
        "number" => {
            let whole = text.parse().ok().map(Data::Int);
            let finite = |number: &f64| number.is_finite();
            whole.or_else(|| text.parse().ok().filter(finite).map(Data::Float))
        }
        "boolean" => text.parse().ok().map(Data::Bool),
        "object" => data::parse(text)
            .ok()
            .filter(|data| data.as_map().is_some()),
        _ => None,
    }
}

fn fits(value: Data, schema: &Value) -> Result<Data, String> {
    match misfit(&to_json(&value), schema) {
        Some(why) => Err(why),
        None => Ok(value),
    }
}

#[cfg(test)]
mod tests;
