//! Globs over paths: `*` and `?` stay within a name, `**` crosses folders, `{a,b}` nests.
//!
//! A pattern without `/` means a name at any depth, one with `/` a path from where the search starts.

use std::path::Path;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::error::ToolError;

/// A list of globs; a path matches when one of them does.
#[derive(Clone, Debug)]
pub(super) struct Patterns {
    paths: GlobSet,
    names: GlobSet,
}

impl Patterns {
    pub(super) fn new<'a>(
        patterns: impl IntoIterator<Item = &'a str>,
    ) -> Result<Patterns, ToolError> {
        let (mut paths, mut names) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for pattern in patterns {
            let plain = pattern.strip_prefix("./").unwrap_or(pattern);
            let plain = plain.strip_suffix('/').unwrap_or(plain);
            let rooted = plain.strip_prefix('/').unwrap_or(plain);
            let glob = compile(rooted, pattern)?;
            if plain.contains('/') {
                paths.add(glob)
            } else {
                names.add(glob)
            };
        }
        let built = |set: GlobSetBuilder| set.build().map_err(|error| refused("", &error));
        Ok(Patterns {
            paths: built(paths)?,
            names: built(names)?,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.names.is_empty()
    }

    /// Whether one of the globs matches the path `relative`.
    pub(super) fn matches(&self, relative: &Path) -> bool {
        let name = || {
            relative
                .file_name()
                .is_some_and(|name| self.names.is_match(name))
        };
        (!self.names.is_empty() && name())
            || (!self.paths.is_empty() && self.paths.is_match(relative))
    }
}

/// One glob; `asked` is how the caller wrote it.
pub(super) fn compile(glob: &str, asked: &str) -> Result<Glob, ToolError> {
    GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .empty_alternates(true)
        .build()
        .map_err(|error| refused(asked, &error))
}

fn refused(asked: &str, error: &globset::Error) -> ToolError {
    ToolError::argument(format!("the glob `{asked}` is not valid: {}", error.kind()))
        .with_hint("`*` any name, `**` any folders, `?` one character, `[ab]` one of these, `{a,b}` either; `\\` before one of them takes it literally")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_without_a_slash_means_a_name_at_any_depth() {
        let is =
            |pattern: &str, path: &str| Patterns::new([pattern]).unwrap().matches(Path::new(path));
        assert!(
            is("*.rs", "a/b.rs") && is("node_modules/", "a/node_modules") && is("b.rs", "b.rs")
        );
        assert!(is("a/*.rs", "a/b.rs") && !is("a/*.rs", "x/a/b.rs") && !is("a/*.rs", "a/c/b.rs"));
        assert!(is("**/a/*.rs", "x/a/b.rs") && is("/a/b", "a/b") && is("./a/b", "a/b"));
        assert!(is("*.{rs,{c,h}pp}", "x.hpp") && is("a{,b}", "a") && !is("*.rs", "b.rsx"));
    }

    #[test]
    fn a_broken_pattern_says_why() {
        let error = Patterns::new(["src/{a"]).unwrap_err();
        assert_eq!(error.kind, crate::error::Kind::Argument);
        assert!(
            error
                .message
                .starts_with("the glob `src/{a` is not valid: "),
            "{error}"
        );
    }
}
