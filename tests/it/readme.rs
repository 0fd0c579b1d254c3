//! The README is true: its tour runs as printed, and its tables name every dependency.
//!
//! In the tour `…` stands for any text in a line, and alone on a line for any lines.

use std::env;
use std::path::Path;

use crate::fence::{dependencies, section};
use crate::program::Program;

const README: &str = include_str!("../../README.md");

#[test]
fn every_dependency_has_its_reason() {
    let manifest = include_str!("../../Cargo.toml");
    let names = [
        dependencies(manifest),
        section(manifest, "[dev-dependencies]"),
    ]
    .concat();
    let missing: Vec<&String> = names
        .iter()
        .filter(|name| !README.contains(&format!("| `{name}` | ")))
        .collect();
    assert!(missing.is_empty(), "no reason in README.md for {missing:?}");
    let after = README.split("## Dependencies").nth(1).unwrap();
    let rows = after
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let stale: Vec<&str> = rows
        .filter(|row| !names.iter().any(|name| name == row))
        .collect();
    assert!(
        stale.is_empty(),
        "README.md explains what Cargo.toml does not have: {stale:?}"
    );
}

#[test]
fn every_link_leads_to_a_file_of_the_repository() {
    for (folder, text) in [
        ("", README),
        ("lua", include_str!("../../lua/README.md")),
        ("examples", include_str!("../../examples/README.md")),
        ("src/cli", include_str!("../../src/cli/README.md")),
    ] {
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(folder)
                .join(target);
            assert!(path.exists(), "{folder}/README.md links to {target}");
        }
    }
}

#[test]
fn the_tour_runs_as_printed() {
    let bin = Path::new(env!("CARGO_BIN_EXE_agent")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), env::var("PATH").unwrap());
    let program = Program::of("bash").env("PATH", path);
    let mut commands = 0;
    for (command, expected) in tour(README) {
        let ran = program.run(&["-c", &format!("exec 2>&1; {command}")]);
        let said = ran.exits(0).stdout();
        assert!(fits(&expected, said), "expected\n{expected}\nfrom {ran}");
        commands += 1;
    }
    assert!(commands > 10, "the tour was found");
}

/// The commands of the blocks marked `console`, each with the output printed below it.
fn tour(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("```console\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("```").next());
    let mut found: Vec<(String, String)> = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command.to_owned(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("output before any command: {line}"),
        }
    }
    found
}

/// Whether `text` is as `expected` says.
fn fits(expected: &str, text: &str) -> bool {
    let pattern = regex::escape(expected).replace('…', "[^\\n]*");
    let alone = pattern.split_inclusive('\n').map(|line| match line {
        "[^\\n]*\n" => "(?s:.*)",
        other => other,
    });
    let pattern = format!("\\A{}\\z", alone.collect::<String>());
    regex::Regex::new(&pattern).unwrap().is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_output() {
        let text = "x\n```console\n$ a\n$ b\n1\n2\n```\n```sh\nno\n```\n";
        let expected = [("a", ""), ("b", "1\n2\n")].map(|(c, o)| (c.to_owned(), o.to_owned()));
        assert_eq!(tour(text), expected);
    }

    #[test]
    fn dots_stand_for_what_differs() {
        assert!(fits("a\n", "a\n") && !fits("a\n", "b\n") && !fits("a\n", "a\nb\n"));
        assert!(fits("…denied…\n", "it is denied here\n") && !fits("…x…\n", "a\nx\n"));
        assert!(fits("…\nb\n", "1\n2\nb\n") && fits("…\n", ""));
        assert!(!fits("a…\n", "b\n"));
    }
}
