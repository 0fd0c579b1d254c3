//! Three colours with meaning, for the one word that says how it went: red, yellow, green.
//!
//! Only on a terminal, unless `NO_COLOR` or `CLICOLOR_FORCE` says otherwise; `NO_COLOR` has the last word.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

use nu_ansi_term::Color;

use crate::tool::Style;

/// Which of the two streams takes colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Colours {
    /// Standard output.
    pub(super) out: bool,
    /// Standard error.
    pub(super) err: bool,
}

impl Colours {
    /// Those of this process.
    pub(super) fn of_process() -> Colours {
        let env = |name: &str| std::env::var_os(name);
        Colours {
            out: is_wanted(io::stdout().is_terminal(), &env),
            err: is_wanted(io::stderr().is_terminal(), &env),
        }
    }
}

fn is_wanted(is_terminal: bool, env: &dyn Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let forced = is_set("CLICOLOR_FORCE") && env("CLICOLOR_FORCE").is_some_and(|it| it != "0");
    let is_dumb = env("TERM").is_some_and(|term| term == "dumb");
    !is_set("NO_COLOR") && (forced || is_terminal && !is_dumb)
}

/// `word` in the colour of what it says, where colours are `wanted`.
pub(super) fn paint(word: &str, wanted: bool) -> Cow<'_, str> {
    let colour = match word.trim_end() {
        "ok" => Color::Green,
        "warning" | "warn" => Color::Yellow,
        _ => Color::Red,
    };
    match wanted {
        true => colour.paint(word).to_string().into(),
        false => word.into(),
    }
}

/// `text` in the colour of its style, where colours are `wanted`. Line ends stay outside of it.
pub(super) fn dye(text: &str, style: Style, wanted: bool) -> Cow<'_, str> {
    let colour = match style {
        Style::Plain => return text.into(),
        Style::Ok => Color::Green,
        Style::Warning => Color::Yellow,
        Style::Error => Color::Red,
    };
    if !wanted {
        return text.into();
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let bare = line.trim_end_matches('\n');
        let end = &line[bare.len()..];
        match bare.is_empty() {
            true => end.to_owned(),
            false => format!("{}{end}", colour.paint(bare)),
        }
    });
    lines.collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_outranks_the_terminal() {
        for (is_terminal, variables, wanted) in [
            (true, &[][..], true),
            (false, &[], false),
            (true, &[("NO_COLOR", "")], true),
            (true, &[("NO_COLOR", "1")], false),
            (true, &[("TERM", "dumb")], false),
            (false, &[("CLICOLOR_FORCE", "1")], true),
            (false, &[("CLICOLOR_FORCE", "0")], false),
            (false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        ] {
            let env = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            };
            assert_eq!(is_wanted(is_terminal, &env), wanted, "{variables:?}");
        }
    }

    #[test]
    fn a_word_has_the_colour_of_what_it_says() {
        assert_eq!(paint("error", true), "\u{1b}[31merror\u{1b}[0m");
        assert_eq!(paint("warn", true), "\u{1b}[33mwarn\u{1b}[0m");
        assert_eq!(paint("ok  ", true), "\u{1b}[32mok  \u{1b}[0m");
        assert_eq!(paint("error", false), "error");
    }
}
