//! What was meant by a path that does not exist: a like name in the same folder, or the same file name
//! elsewhere. A hint, never an answer: nothing is opened in its stead.

use std::path::{Path, PathBuf};

use super::{Files, Place, Root};
use crate::error::ToolError;
use crate::text::nearest;

/// How many entries of one folder are compared, and how many of the tree are looked at.
const COMPARED: usize = 5_000;
/// How many folders deep the same name is looked for.
const DEPTH: usize = 5;
/// How many paths are offered.
const OFFERED: usize = 3;

impl Files {
    /// The `not_found` failure for a place where nothing stands, with the paths that may be meant.
    pub fn missing(&self, place: &Place) -> ToolError {
        let error = ToolError::not_found(format!("{} does not exist", place.display));
        let near = self.near(place);
        match near.as_slice() {
            [] => error,
            [one] => error.with_hint(format!("did you mean `{one}`?")),
            several => error.with_hint(format!("did you mean one of `{}`?", several.join("`, `"))),
        }
    }

    /// Paths that exist and may be meant by `place`, as they are shown; the likeliest first, at most
    /// three.
    pub fn near(&self, place: &Place) -> Vec<String> {
        let mut found: Vec<PathBuf> = beside(&place.real).into_iter().collect();
        if place.inside
            && let Some(name) = place.path.file_name()
        {
            for path in self.same_name(Path::new(name)) {
                if !found.contains(&path) {
                    found.push(path);
                }
            }
        }
        found.truncate(OFFERED);
        found.iter().map(|path| self.show(path)).collect()
    }

    /// Entries of that name, nearest to the top of the workspace first.
    fn same_name(&self, name: &Path) -> Vec<PathBuf> {
        let walk = ignore::WalkBuilder::new(&self.workspace_asked)
            .max_depth(Some(DEPTH))
            .require_git(false)
            .build();
        let mut found: Vec<(usize, PathBuf)> = walk
            .take(COMPARED)
            .flatten()
            .filter(|entry| entry.depth() > 0 && entry.file_name() == name)
            .map(|entry| (entry.depth(), entry.into_path()))
            .collect();
        found.sort();
        found.into_iter().map(|(_, path)| path).collect()
    }
}

/// The like name where the real path breaks off, with the rest of the path if that exists there. No link
/// is followed: names of another folder are not ours to tell.
fn beside(real: &Path) -> Option<PathBuf> {
    let mut above = real.ancestors().skip(1);
    let (folder, root) = above.find_map(|folder| Some((folder, Root::open(folder).ok()?)))?;
    let mut below = real.strip_prefix(folder).ok()?.components();
    let wrong = below.next()?.as_os_str().to_str()?;
    let names: Vec<String> = root
        .names()
        .ok()?
        .into_iter()
        .take(COMPARED)
        .filter_map(|name| name.into_string().ok())
        .collect();
    let near = Path::new(nearest(wrong, names.iter().map(String::as_str))?);
    let whole = near.join(below.as_path());
    let is_whole = root.look(&whole).is_ok();
    Some(folder.join(if is_whole { &whole } else { near }))
}

#[cfg(test)]
mod tests {
    use crate::error::Kind;
    use crate::files::bench::Bench;

    #[test]
    fn offers_the_name_that_was_meant() {
        let bench = Bench::new();
        bench.write("src/main.rs", "");
        bench.write("src/deep/util.rs", "");
        bench.write("README.md", "");
        let files = bench.files();
        for (asked, near) in [
            ("src/mian.rs", vec!["src/main.rs"]),
            ("scr/main.rs", vec!["src/main.rs"]),
            ("util.rs", vec!["src/deep/util.rs"]),
            ("readme.md", vec!["README.md"]),
            ("wholly/else", vec![]),
        ] {
            assert_eq!(files.near(&files.resolve(asked).unwrap()), near, "{asked}");
        }
        let error = files.missing(&files.resolve("src/mian.rs").unwrap());
        assert_eq!(error.kind, Kind::NotFound);
        assert_eq!(error.message, "src/mian.rs does not exist");
        assert_eq!(error.hint(), "did you mean `src/main.rs`?");
    }
}
