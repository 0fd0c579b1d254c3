//! How files look: opening prose, lengths, names.
//!
//! Hard limits are asserted, medians are reported. Each rule is also tried on a text that breaks it.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::sources::{Source, assert_none, files_below, rust_files};

const MAX_FILE_LINES: usize = 400;
const MAX_FUNCTION_LINES: usize = 80;
const LUA_FOLDERS: [&str; 5] = ["lua", "scripts", "examples", "src", "tests/lua"];
/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 8] = [
    "common", "helper", "helpers", "manager", "misc", "types", "util", "utils",
];
#[test]
fn every_file_opens_with_prose() {
    let sources = all_rust();
    let mut found: Vec<String> = sources
        .iter()
        .filter_map(|source| prose_fault(&source.file, &source.text))
        .collect();
    for (file, text) in lua_files() {
        found.extend(lua_prose_fault(&file, &text));
    }
    assert_none(&found);
}

#[test]
fn files_and_functions_stay_short() {
    let sources = all_rust();
    let mut found: Vec<String> = sources
        .iter()
        .filter_map(|s| file_fault(&s.file, &s.text))
        .collect();
    found.extend(
        lua_files()
            .iter()
            .filter_map(|(file, text)| file_fault(file, text)),
    );
    let functions: Vec<Function> = sources.iter().flat_map(functions).collect();
    found.extend(functions.iter().filter_map(Function::fault));
    report(
        "file",
        sources.iter().map(|s| s.text.lines().count()).collect(),
    );
    report("function", functions.iter().map(|f| f.lines).collect());
    assert_none(&found);
}

#[test]
fn names_say_what_is_inside() {
    let rust = all_rust().into_iter().map(|source| source.file);
    let lua = lua_files().into_iter().map(|(file, _)| file);
    let files: Vec<String> = rust.chain(lua).collect();
    let found: Vec<String> = files.iter().filter_map(|file| name_fault(file)).collect();
    assert_none(&found);
}

/// Rust that is code: what lies elsewhere below `tests/` is data, and `examples/broken` is meant to be.
fn all_rust() -> Vec<Source> {
    let folders = ["src", "tests/it", "tests/bench"];
    folders.into_iter().flat_map(rust_files).collect()
}

fn lua_files() -> Vec<(String, String)> {
    let folders = LUA_FOLDERS.iter();
    folders
        .flat_map(|folder| files_below(folder, "lua"))
        .collect()
}

fn report(what: &str, mut lines: Vec<usize>) {
    lines.sort_unstable();
    let at = |part: usize| lines.get(lines.len() * part / 100).copied().unwrap_or(0);
    let longest = lines.last().copied().unwrap_or(0);
    println!(
        "lines a {what}: median {}, p90 {}, longest {longest}",
        at(50),
        at(90)
    );
}

/// A Rust file opens with two to eight lines of `//!`; for tests one will do.
fn prose_fault(file: &str, text: &str) -> Option<String> {
    let least = if file.contains("tests") { 1 } else { 2 };
    let lines = text
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .count();
    let fine = (least..=8).contains(&lines);
    (!fine).then(|| format!("{file}: opens with {lines} lines of `//!`, not {least} to 8"))
}

/// A Lua file opens with up to eight lines of `---`, after its `#!` line if it has one.
fn lua_prose_fault(file: &str, text: &str) -> Option<String> {
    let lines = text.lines().skip_while(|line| line.starts_with("#!"));
    let prose = lines.take_while(|line| line.starts_with("---")).count();
    let fine = (1..=8).contains(&prose);
    (!fine).then(|| format!("{file}: opens with {prose} lines of `---`, not 1 to 8"))
}

fn file_fault(file: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > MAX_FILE_LINES).then(|| format!("{file}: {lines} lines, more than {MAX_FILE_LINES}"))
}

fn name_fault(file: &str) -> Option<String> {
    let stems = file
        .split('/')
        .map(|part| part.split('.').next().unwrap_or(part));
    let empty = stems.into_iter().find(|stem| EMPTY_NAMES.contains(stem))?;
    Some(format!("{file}: `{empty}` does not say what is inside"))
}

/// A function as its file holds it.
struct Function {
    place: String,
    name: String,
    lines: usize,
}

impl Function {
    fn fault(&self) -> Option<String> {
        let Function { place, name, lines } = self;
        let long = *lines > MAX_FUNCTION_LINES;
        long.then(|| format!("{place}: `{name}` has {lines} lines, more than {MAX_FUNCTION_LINES}"))
    }
}

/// Every function with a body, tests and methods among them.
fn functions(source: &Source) -> Vec<Function> {
    let mut lengths = Lengths {
        file: &source.file,
        found: Vec::new(),
    };
    lengths.visit_file(&source.syntax);
    lengths.found
}

struct Lengths<'a> {
    file: &'a str,
    found: Vec<Function>,
}

impl Lengths<'_> {
    fn add(&mut self, name: &syn::Ident, start: Span, end: Span) {
        let first = start.start().line;
        self.found.push(Function {
            place: format!("{}:{first}", self.file),
            name: name.to_string(),
            lines: end.end().line - first + 1,
        });
    }
}

impl<'ast> Visit<'ast> for Lengths<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig.ident, item.sig.span(), item.block.span());
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig.ident, item.sig.span(), item.block.span());
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.add(&item.sig.ident, item.sig.span(), block.span());
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_prose_or_with_too_much_is_reported() {
        assert_eq!(prose_fault("a.rs", "//! One.\n//! Two.\nfn a() {}\n"), None);
        assert!(prose_fault("a.rs", "//! One.\n\n//! Two.\n").is_some());
        assert_eq!(prose_fault("a/tests.rs", "//! One.\n"), None);
        assert!(prose_fault("a.rs", "use a;\n//! Late.\n").is_some());
        assert!(prose_fault("a.rs", &"//! Much.\n".repeat(9)).is_some());
        assert_eq!(
            lua_prose_fault("a.lua", "#!/usr/bin/env -S agent script\n--- It.\n"),
            None
        );
        assert!(lua_prose_fault("a.lua", "-- It.\nlocal a\n").is_some());
    }

    #[test]
    fn what_is_too_long_is_reported() {
        assert_eq!(file_fault("a.rs", &"x\n".repeat(400)), None);
        assert!(file_fault("a.rs", &"x\n".repeat(401)).is_some());
        let long = format!(
            "impl A {{\n    fn long() {{\n{}    }}\n}}\n",
            "a();\n".repeat(79)
        );
        let found = functions(&Source::parse("src/a.rs", &long));
        let fault = found[0].fault().expect("81 lines are too many");
        assert_eq!(fault, "src/a.rs:2: `long` has 81 lines, more than 80");
        let short = "trait A { fn short() {} fn none(); }";
        assert_eq!(functions(&Source::parse("src/a.rs", short)).len(), 1);
    }

    #[test]
    fn a_name_that_says_nothing_is_reported() {
        assert!(name_fault("src/edit/utils.rs").is_some());
        assert!(name_fault("src/misc/mod.rs").is_some());
        assert_eq!(name_fault("src/edit/simple.rs"), None);
    }
}
