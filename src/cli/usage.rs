//! Wrong usage: what clap says, in our own words, and the form in which it is to be told.
//!
//! The form holds for wrong usage too, so it is found without parsing: from the words, else from the
//! environment, else text.

use std::ffi::OsString;

use clap::ValueEnum as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::args::Format;
use crate::error::Error;

/// The long options that take a value in the next word.
const WITH_VALUE: &[&str] = &[
    "--cwd",
    "--output",
    "--allow",
    "--deny",
    "--mode",
    "--tools",
    "--as",
    "--timeout",
    "--filter",
    "--junit",
    "--tool",
    "--call",
    "--only",
    "--except",
];

/// The form the answer was asked for in, as far as it can be told.
pub(super) fn wanted(words: &[OsString], env: &dyn Fn(&str) -> Option<OsString>) -> Format {
    let read = |text: &str| Format::from_str(text, true).ok();
    if let Some(said) = said(words) {
        return read(&said).unwrap_or_default();
    }
    let said = env("AGENT_OUTPUT").and_then(|value| value.into_string().ok());
    said.and_then(|text| read(&text)).unwrap_or_default()
}

/// What stands behind `-o` or `--output`, before the words of a script begin.
fn said(words: &[OsString]) -> Option<String> {
    let mut command = None;
    let mut words = words.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        if word == "--" {
            return None;
        }
        if let Some(value) = word.strip_prefix("--output=") {
            return Some(value.to_owned());
        }
        // Switches may stand together: `-vo json`.
        let short = match word.strip_prefix('-') {
            Some(rest) if !rest.starts_with('-') => rest.trim_start_matches('v'),
            _ => "",
        };
        if word == "--output" || short == "o" {
            return words.next().map(|value| value.into_owned());
        }
        if let Some(value) = short.strip_prefix('o') {
            return Some(value.trim_start_matches('=').to_owned());
        }
        if short == "C" || WITH_VALUE.contains(&&*word) {
            words.next();
        } else if !word.starts_with('-') || word == "-" {
            match command.as_deref() {
                None => command = Some(word.into_owned()),
                Some("script") => return None,
                Some(_) => {}
            }
        }
    }
    None
}

/// `agent help …` means `agent … --help`.
pub(super) fn without_help_word(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        words.push("--help".into());
    }
    words
}

/// Wrong usage as an error of ours: what is wrong, and what to do about it.
pub(super) fn as_error(error: &clap::Error) -> Error {
    let text = error.to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Error::usage("no command was named", "see `agent --help`");
    }
    let usage = find_line(&text, "Usage: ");
    if error.kind() == ErrorKind::UnknownArgument && usage.is_some_and(|it| it.contains(" call ")) {
        let hint = "arguments are one JSON object, as in agent call read '{\"path\":\"a.txt\",\"limit\":10}'";
        return Error::usage(message(&text), hint);
    }
    let near = near(error).map(|near| format!("did you mean `{near}`?"));
    let usage = usage.map(|usage| format!("usage: {usage}; see `--help`"));
    let hint = near.or(usage).unwrap_or("see `agent --help`".to_owned());
    Error::usage(message(&text), hint)
}

/// The first paragraph, on one line.
fn message(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let lines = text.lines().take_while(|line| !line.trim().is_empty());
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

fn find_line<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(start))
}

/// The name that clap thinks was meant.
fn near(error: &clap::Error) -> Option<String> {
    let kinds = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.clone()),
        ContextValue::Strings(names) => names.first().cloned(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_found_without_parsing() {
        let none = |_: &str| None;
        let json = |name: &str| (name == "AGENT_OUTPUT").then(|| OsString::from("json"));
        for (line, alone, with_variable) in [
            ("agent nope", Format::Text, Format::Json),
            ("agent nope -o jsonl", Format::Jsonl, Format::Jsonl),
            ("agent -ojson nope", Format::Json, Format::Json),
            ("agent -vvo json nope", Format::Json, Format::Json),
            ("agent -o=json", Format::Json, Format::Json),
            ("agent --output=jsonl", Format::Jsonl, Format::Jsonl),
            ("agent nope --output json --x", Format::Json, Format::Json),
            ("agent nope -o text", Format::Text, Format::Text),
            ("agent nope -o yaml", Format::Text, Format::Text),
            ("agent --deny -o --outptu json", Format::Text, Format::Json),
            ("agent -C -o nope", Format::Text, Format::Json),
            ("agent script a.lua -o json", Format::Text, Format::Json),
            ("agent script -o json a.lua", Format::Json, Format::Json),
            ("agent -o", Format::Text, Format::Json),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(wanted(&words, &none), alone, "{line}");
            assert_eq!(wanted(&words, &json), with_variable, "{line}");
        }
    }
}
