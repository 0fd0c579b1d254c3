//! The crate as its tests see it: every Rust file with its place in the module tree and every path
//! it names.
//!
//! Paths that begin with `crate`, `super` or `self` come resolved from the crate's root; all others
//! come as written. Paths inside macros and attributes count like any other.

use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// One Rust file, parsed.
pub(crate) struct Source {
    /// Where it lies, from the top of the repository: `src/edit/mod.rs`.
    pub(crate) file: String,
    /// Its place in the module tree: `["edit"]`; empty for the crate's root.
    pub(crate) module: Vec<String>,
    pub(crate) text: String,
    pub(crate) syntax: syn::File,
}

/// A path that a file names.
#[derive(Debug, PartialEq)]
pub(crate) struct Reference {
    /// Its segments; the first is `crate` where the path stays inside the crate.
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    /// Whether it stands in tests beside the code.
    pub(crate) in_tests: bool,
}

impl Source {
    /// Parses `text` as the file `file`, which lies under `src/` or `tests/`.
    pub(crate) fn parse(file: &str, text: &str) -> Source {
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
        Source {
            file: file.to_owned(),
            module: module_of(file),
            text: text.to_owned(),
            syntax,
        }
    }

    /// The room a file belongs to: its first folder or file under `src`. `None` for the two roots.
    pub(crate) fn room(&self) -> Option<&str> {
        let room = self.module.first().map(String::as_str);
        room.filter(|_| self.file != "src/main.rs")
    }

    /// Every path the file names, in the order of the text.
    pub(crate) fn references(&self) -> Vec<Reference> {
        let mut paths = Paths {
            module: self.module.clone(),
            found: Vec::new(),
        };
        paths.visit_file(&self.syntax);
        paths.found
    }
}

/// All Rust files below `folder`, a folder at the top of the repository, sorted by name.
pub(crate) fn rust_files(folder: &str) -> Vec<Source> {
    files_below(folder, "rs")
        .iter()
        .map(|(file, text)| Source::parse(file, text))
        .collect()
}

/// All files below `folder` that end in `.extension`, as (path from the top, text), sorted.
pub(crate) fn files_below(folder: &str, extension: &str) -> Vec<(String, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut waiting = vec![top.join(folder)];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder of the repository can be read");
            waiting.extend(entries.map(|entry| entry.expect("an entry can be read").path()));
        } else if path.extension().is_some_and(|e| e == extension) {
            let text = fs::read_to_string(&path).expect("a source file is text");
            let name = path.strip_prefix(top).expect("it lies below the top");
            found.push((name.display().to_string(), text));
        }
    }
    found.sort();
    found
}

/// Fails with one readable line for each fault, and passes where there is none.
pub(crate) fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

fn module_of(file: &str) -> Vec<String> {
    let inside = file.trim_start_matches("src/").trim_end_matches(".rs");
    let mut module: Vec<String> = inside.split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
        module.pop();
    }
    module
}

struct Paths {
    module: Vec<String>,
    found: Vec<Reference>,
}

impl Paths {
    fn add(&mut self, path: &[String], line: usize) {
        let path = match path.first().map(String::as_str) {
            Some("crate") => path.to_vec(),
            Some("self") => self.at_depth(self.module.len(), &path[1..]),
            Some("super") => {
                let up = path
                    .iter()
                    .take_while(|segment| *segment == "super")
                    .count();
                self.at_depth(self.module.len().saturating_sub(up), &path[up..])
            }
            Some(_) => path.to_vec(),
            None => return,
        };
        self.found.push(Reference {
            path,
            line,
            in_tests: self.module.iter().any(|name| name == "tests"),
        });
    }

    fn at_depth(&self, depth: usize, rest: &[String]) -> Vec<String> {
        let mut path = vec!["crate".to_owned()];
        path.extend_from_slice(&self.module[..depth]);
        path.extend_from_slice(rest);
        path
    }

    fn add_use(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            syn::UseTree::Path(path) => self.add_use(&with(path.ident.to_string()), &path.tree),
            syn::UseTree::Name(name) => {
                self.add(&with(name.ident.to_string()), line_of(&name.ident))
            }
            syn::UseTree::Rename(name) => {
                self.add(&with(name.ident.to_string()), line_of(&name.ident));
            }
            syn::UseTree::Glob(glob) => {
                let line = glob.star_token.spans[0].start().line;
                self.add(&with("*".to_owned()), line);
            }
            syn::UseTree::Group(group) => {
                for item in &group.items {
                    self.add_use(before, item);
                }
            }
        }
    }

    /// Inside macros and attributes there is no syntax tree: names joined by `::` are paths.
    fn add_tokens(&mut self, tokens: &TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens.clone() {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.end_of_path(&mut path, line);
                    }
                    if path.is_empty() {
                        line = line_of(name);
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                other => {
                    self.end_of_path(&mut path, line);
                    colons = 0;
                    self.add_inside(other);
                }
            }
        }
        self.end_of_path(&mut path, line);
    }

    fn end_of_path(&mut self, path: &mut Vec<String>, line: usize) {
        if path.len() > 1 {
            self.add(path, line);
        }
        path.clear();
    }

    fn add_inside(&mut self, token: &TokenTree) {
        match token {
            TokenTree::Group(group) => self.add_tokens(&group.stream()),
            // An attribute may name a path in quotes: `with = "crate::data::text"`.
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let quoted = text.trim_matches('"');
                if quoted.starts_with("crate::") || quoted.starts_with("super::") {
                    let path: Vec<String> = quoted.split("::").map(str::to_owned).collect();
                    self.add(&path, literal.span().start().line);
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_use(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if names.len() > 1 {
            self.add(&names, line_of(&path.segments[0].ident));
        }
        visit::visit_path(self, path);
    }

    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        self.add_tokens(tokens);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }
}

fn line_of(name: &proc_macro2::Ident) -> usize {
    name.span().start().line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(file: &str, text: &str) -> Vec<String> {
        let references = Source::parse(file, text).references();
        references.iter().map(|r| r.path.join("::")).collect()
    }

    #[test]
    fn sees_a_path_wherever_it_stands() {
        let text = r#"
            use crate::{text::{self, nearest}, error};
            use super::super::chat::*;
            #[derive(serde::Serialize)]
            #[serde(with = "crate::data::json")]
            struct A(crate::store::Blob);
            fn f() -> Vec<tokio::process::Child> { assert_eq!(crate::gate::open(), (x::y)); }
            mod tests { use super::B; }
        "#;
        let expected = [
            "crate::text::self",
            "crate::text::nearest",
            "crate::error",
            "crate::chat::*",
            "serde::Serialize",
            "crate::data::json",
            "crate::store::Blob",
            "tokio::process::Child",
            "crate::gate::open",
            "x::y",
            "crate::edit::simple::B",
        ];
        assert_eq!(paths("src/edit/simple.rs", text), expected);
    }

    #[test]
    fn knows_the_line_and_the_room() {
        let source = Source::parse("src/edit/mod.rs", "\n\nuse crate::text;\n");
        assert_eq!(source.references()[0].line, 3);
        let tests = Source::parse("src/edit/tests.rs", "use crate::text;");
        assert!(tests.references()[0].in_tests && !source.references()[0].in_tests);
        assert_eq!(source.room(), Some("edit"));
        assert_eq!(Source::parse("src/lib.rs", "").room(), None);
        assert_eq!(Source::parse("src/main.rs", "").room(), None);
    }
}
