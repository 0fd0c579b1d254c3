//! What the repository holds: no file that nobody listed, nothing at the top that has no place there,
//! no path of one machine, no work left open.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use crate::running::skipped;
use crate::sources::{Source, assert_none, rust_files};

/// All that may stand at the top of the repository, besides files that begin with a dot.
const TOP: [&str; 9] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "examples",
    "lua",
    "scripts",
    "src",
    "tests",
];

#[test]
fn every_file_is_listed() {
    let mut found = unlisted(&rust_files("src"), &["src/lib.rs", "src/main.rs"]);
    found.extend(unlisted(&rust_files("tests/it"), &["tests/it/main.rs"]));
    let manifest = include_str!("../../Cargo.toml");
    let benches = rust_files("tests/bench");
    let files = benches.iter().map(|source| source.file.as_str());
    let targets: Vec<&str> = files.filter(|file| manifest.contains(file)).collect();
    found.extend(unlisted(&benches, &targets));
    assert_none(&found);
}

#[test]
fn the_repository_holds_what_it_should() {
    let Some(files) = committed() else {
        return skipped("this is no git checkout, so what is committed is not known");
    };
    let mut found: Vec<String> = files.iter().filter_map(|file| top_fault(file)).collect();
    for file in &files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        // What is not text, or was just removed, cannot hold a sentence.
        if let Ok(text) = std::fs::read_to_string(path) {
            found.extend(phrase_faults(file, &text));
        }
    }
    assert_none(&found);
}

/// The files that no `mod` declaration reaches from `roots`.
fn unlisted(sources: &[Source], roots: &[&str]) -> Vec<String> {
    let mut reached: HashSet<String> = HashSet::new();
    let mut waiting: Vec<String> = roots.iter().map(|&root| root.to_owned()).collect();
    while let Some(file) = waiting.pop() {
        if let Some(source) = sources.iter().find(|source| source.file == file) {
            waiting.extend(
                source
                    .syntax
                    .items
                    .iter()
                    .flat_map(|item| children(&file, roots.contains(&file.as_str()), item)),
            );
            reached.insert(file);
        }
    }
    let forgotten = sources
        .iter()
        .filter(|source| !reached.contains(&source.file));
    forgotten
        .map(|s| format!("{}: no `mod` declares it", s.file))
        .collect()
}

/// The two files that a declaration `mod name;` in `file` may mean.
fn children(file: &str, is_root: bool, item: &syn::Item) -> Vec<String> {
    let syn::Item::Mod(syn::ItemMod {
        ident,
        content: None,
        ..
    }) = item
    else {
        return Vec::new();
    };
    let ident = ident.to_string();
    let ident = ident.trim_start_matches("r#");
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let below = match name {
        _ if is_root => folder.to_owned(),
        "mod.rs" => folder.to_owned(),
        other => format!("{folder}/{}", other.trim_end_matches(".rs")),
    };
    vec![
        format!("{below}/{ident}.rs"),
        format!("{below}/{ident}/mod.rs"),
    ]
}

/// What git tracks or would add; `None` outside a checkout.
fn committed() -> Option<Vec<String>> {
    let listing = Command::new("git")
        .args([
            "-c",
            "safe.directory=*",
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let names = String::from_utf8_lossy(&listing.stdout).into_owned();
    Some(
        names
            .split('\0')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
    )
}

fn top_fault(file: &str) -> Option<String> {
    let top = file.split('/').next().unwrap_or(file);
    let fine = top.starts_with('.') || TOP.contains(&top);
    (!fine).then(|| format!("{file}: `{top}` has no place at the top of the repository"))
}

/// Phrases that are never committed: paths of one machine, and work that is left open. They are
/// written in halves, since this file is committed too.
fn phrase_faults(file: &str, text: &str) -> Vec<String> {
    let own = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        env!("CARGO_MANIFEST_DIR"),
    ];
    let open = [
        concat!("to", "do!("),
        concat!("unimpl", "emented!("),
        concat!("FIX", "ME"),
    ];
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let phrases = own.iter().filter(|path| begins_path(line, path));
        for phrase in phrases.chain(open.iter().filter(|phrase| line.contains(**phrase))) {
            found.push(format!("{file}:{}: holds `{phrase}`", index + 1));
        }
    }
    found
}

/// Whether `path` stands in `line` as the beginning of a path: `a/b/` is not `/b/`.
fn begins_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-*}~".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_nobody_listed_is_found() {
        let parse = |(file, text): &(&str, &str)| Source::parse(file, text);
        let files = [
            ("src/lib.rs", "pub mod a;"),
            ("src/a/mod.rs", "mod b;"),
            ("src/a/b.rs", "#[cfg(test)] mod tests;"),
            ("src/a/b/tests.rs", ""),
            ("src/a/c.rs", ""),
        ];
        let sources: Vec<Source> = files.iter().map(parse).collect();
        assert_eq!(
            unlisted(&sources, &["src/lib.rs"]),
            ["src/a/c.rs: no `mod` declares it"]
        );
    }

    #[test]
    fn what_does_not_belong_in_the_repository_is_reported() {
        assert!(top_fault("notes.txt").is_some() && top_fault("src/lib.rs").is_none());
        let bad = format!(
            "read {}x\nfn a() {{ {} }}\n",
            concat!("/wo", "rk/"),
            concat!("to", "do!()")
        );
        assert_eq!(phrase_faults("a.rs", &bad).len(), 2);
        let good = format!("in a{} and TODO\n", concat!("/wo", "rk/"));
        assert_eq!(phrase_faults("a.rs", &good), [""; 0]);
    }
}
