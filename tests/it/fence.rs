//! Which rooms may use which package: a package stays behind the room that was built to know it.
//!
//! Every dependency in `Cargo.toml` has its line here, so that a new one is a decision. Tests beside
//! the code are held to the same fence, but for what any test may need.

use std::collections::HashSet;

use crate::sources::{Source, assert_none, rust_files};

/// Words of daily use, allowed in every room.
const EVERYWHERE: [&str; 4] = ["futures_util", "serde", "serde_json", "serde_path_to_error"];

/// What a test in any room may use to set up its world.
const IN_TESTS: [&str; 3] = ["schemars", "tempfile", "tokio"];

/// A package, or a part of one, and the rooms that may name it.
const FENCES: &[(&str, &[&str])] = &[
    // words and rules
    ("strsim", &["text", "edit"]),
    ("similar", &["text", "edit"]),
    ("unicode_width", &["text", "lua", "repl", "cli"]),
    (
        "regex",
        &["text", "edit", "permission", "redact", "files", "lua"],
    ),
    ("aho_corasick", &["redact"]),
    ("tree_sitter", &["permission", "code"]),
    ("tree_sitter_bash", &["permission"]),
    ("jsonschema", &["schema"]),
    ("schemars", &["schema", "tool", "tools"]),
    // store and ground
    ("blake3", &["redact", "store", "files"]),
    ("data_encoding", &["data", "chat", "redact", "store", "cli"]),
    ("directories", &["store", "cli"]),
    (
        "rustix",
        &[
            "store", "layers", "process", "files", "tools", "lua", "repl", "cli",
        ],
    ),
    ("bytes", &["net", "model"]),
    ("httpdate", &["net"]),
    ("hyper", &["net"]),
    ("hyper_util", &["net"]),
    ("reqwest", &["net"]),
    ("rustls", &["net"]),
    ("rustls_native_certs", &["net"]),
    ("webpki_roots", &["net"]),
    ("libc", &["process"]),
    ("memchr", &["files", "redact", "text"]),
    ("tempfile", &["store", "process", "files", "cli"]),
    ("tokio::process", &["process"]),
    ("tokio::signal", &["process", "cli"]),
    // hands
    ("chardetng", &["text"]),
    ("encoding_rs", &["text", "files"]),
    ("globset", &["files"]),
    ("grep_matcher", &["files"]),
    ("grep_regex", &["files"]),
    ("grep_searcher", &["files"]),
    ("ignore", &["files"]),
    // contract and door: what runs at once, and what ends it
    (
        "tokio",
        &[
            "process", "net", "files", "model", "mcp", "code", "tool", "tools", "gate", "agent",
            "lua", "repl", "serve", "cli",
        ],
    ),
    (
        "tokio_util",
        &["process", "tool", "gate", "agent", "lua", "serve", "cli"],
    ),
    // bridge, doors, roof
    ("mlua", &["lua"]),
    ("nu_ansi_term", &["repl", "cli"]),
    ("rustyline", &["repl"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
];

#[test]
fn packages_stay_in_the_rooms_that_know_them() {
    let found = breaches(&rust_files("src"));
    assert_none(&found);
}

#[test]
fn every_dependency_is_fenced_or_free_by_decision() {
    let manifest = include_str!("../../Cargo.toml");
    let unknown: Vec<String> = dependencies(manifest)
        .into_iter()
        .filter(|package| {
            let package = package.replace('-', "_");
            let fenced = FENCES.iter().any(|(name, _)| *name == package);
            !fenced && !EVERYWHERE.contains(&package.as_str())
        })
        .collect();
    assert!(
        unknown.is_empty(),
        "no line in tests/it/fence.rs for {unknown:?}"
    );
}

#[test]
fn every_dependency_is_used() {
    let manifest = include_str!("../../Cargo.toml");
    let (program, below_tests) = (rust_files("src"), rust_files("tests"));
    let unused = unused(dependencies(manifest), &program);
    assert!(unused.is_empty(), "nothing in src/ uses {unused:?}");
    let everything: Vec<Source> = program.into_iter().chain(below_tests).collect();
    let unused = self::unused(section(manifest, "[dev-dependencies]"), &everything);
    assert!(unused.is_empty(), "no test uses {unused:?}");
}

/// The packages that no path in `sources` leads into.
fn unused(packages: Vec<String>, sources: &[Source]) -> Vec<String> {
    let mut named: HashSet<String> = HashSet::new();
    for source in sources {
        let references = source.references().into_iter();
        named.extend(references.filter_map(|reference| reference.path.first().cloned()));
    }
    let is_unused = |package: &String| !named.contains(&package.replace('-', "_"));
    packages.into_iter().filter(is_unused).collect()
}

/// The packages that the program itself depends on, as `Cargo.toml` names them.
pub(crate) fn dependencies(manifest: &str) -> Vec<String> {
    section(manifest, "[dependencies]")
}

/// The names that the section `heading` of the manifest defines.
pub(crate) fn section(manifest: &str, heading: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|line| *line != heading).skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// One line for each path into a package from a room that may not know it.
fn breaches(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let Some(room) = source.room() else { continue };
        for reference in source.references() {
            for (package, rooms) in FENCES {
                let free = reference.in_tests && IN_TESTS.contains(package);
                if reaches(&reference.path, package) && !rooms.contains(&room) && !free {
                    let allowed = rooms.join("`, `");
                    found.push(format!(
                        "{}:{}: `{room}` uses `{package}`, which belongs to `{allowed}`",
                        source.file, reference.line
                    ));
                }
            }
        }
    }
    found
}

/// Whether a path leads into `package`; `use tokio::*` leads into every part of it.
fn reaches(path: &[String], package: &str) -> bool {
    let mut wanted = package.split("::");
    for segment in path {
        match wanted.next() {
            None => return true,
            Some(_) if segment == "*" => return true,
            Some(name) if name != segment => return false,
            Some(_) => {}
        }
    }
    wanted.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(file: &str, text: &str) -> Vec<String> {
        breaches(&[Source::parse(file, text)])
    }

    #[test]
    fn a_package_outside_its_room_is_reported() {
        assert_eq!(
            faults("src/gate/mod.rs", "\nuse mlua::{Lua, Value};")[0],
            "src/gate/mod.rs:2: `gate` uses `mlua`, which belongs to `lua`"
        );
        assert_eq!(
            faults("src/tools/shell.rs", "use tokio::{process::Command, sync};").len(),
            1
        );
        assert_eq!(faults("src/tools/shell.rs", "use tokio::*;").len(), 2);
        assert_eq!(
            faults("src/tool/a.rs", "#[derive(clap::Parser)] struct A;").len(),
            1
        );
        assert_eq!(faults("src/text/a.rs", "use mlua as innocent;").len(), 1);
    }

    #[test]
    fn a_package_in_its_room_is_fine() {
        assert_eq!(
            faults("src/lua/vm.rs", "use mlua::Lua; use tokio::sync::oneshot;"),
            [""; 0]
        );
        assert_eq!(
            faults("src/process/a.rs", "use tokio::process::Command;"),
            [""; 0]
        );
        assert_eq!(
            faults("src/chat/a.rs", "use crate::text; use serde::Serialize;"),
            [""; 0]
        );
        let in_tests = "mod tests { use tempfile::TempDir; use mlua::Lua; }";
        assert_eq!(faults("src/chat/a.rs", in_tests).len(), 1);
    }

    #[test]
    fn a_package_that_nobody_uses_is_reported() {
        let sources = [Source::parse("src/a.rs", "use a_b::C; fn f() { d::e() }")];
        let packages = ["a-b", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!(unused(packages, &sources), ["c"]);
    }

    #[test]
    fn the_manifest_is_read_section_by_section() {
        let manifest =
            "[package]\nname = \"x\"\n[dependencies]\n# why\na-b = \"1\"\n\n[lints]\nc = 1\n";
        assert_eq!(dependencies(manifest), ["a-b"]);
    }
}
