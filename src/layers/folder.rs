//! The person's own folders: the configuration, and what `--tools` names. Both are the person's word, so
//! links are followed and nothing needs a yes.
//!
//! A file that cannot be read is there all the same, with the reason in the place of its text.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry::is_test;
use super::sources::role_in_tools;
use super::{Layer, PolicyName, Role, SourceFile, module};
use crate::error::{Kind, ToolError};
use crate::store::Entry;

/// How deep folders of modules may stand in each other.
const MOST_DEPTH: usize = 16;

/// The person's folder: `init.lua`, `tools/*.lua` with policies by their reserved names, and `lua/**.lua`
/// as modules. `shown` is what messages call it. What is missing gives nothing.
pub fn of_user(config: &Path, shown: &str) -> Vec<SourceFile> {
    let shown = |name: &str| format!("{}/{name}", shown.trim_end_matches('/'));
    let mut files = Vec::new();
    let init = config.join("init.lua");
    if init.symlink_metadata().is_ok() {
        files.push(read(
            Layer::User,
            Role::Init,
            "init",
            shown("init.lua"),
            &init,
        ));
    }
    let tools = config.join("tools");
    match tools_in(Layer::User, &tools, &shown("tools")) {
        Ok(found) => files.extend(found),
        Err(error) if error.kind == Kind::NotFound => {}
        // The folder is there and cannot be listed: the rules in it are missing, and that is what counts.
        Err(error) => files.push(failed(
            Layer::User,
            Role::Policy(PolicyName::Permissions),
            "permissions",
            shown("tools"),
            error,
        )),
    }
    files.extend(modules_in(Layer::User, &config.join("lua"), &shown("lua")));
    files
}

/// A folder named with `--tools`: `*.lua` are tools and policies, `lua/**.lua` modules. `shown` is how the
/// person wrote it.
///
/// # Errors
/// What the system says of the folder.
pub fn of_folder(folder: &Path, shown: &str) -> Result<Vec<SourceFile>, ToolError> {
    let shown = match shown.trim_end_matches('/') {
        "" => shown,
        trimmed => trimmed,
    };
    let mut files = tools_in(Layer::CommandLine, folder, shown)?;
    let below = format!("{shown}/lua");
    files.extend(modules_in(Layer::CommandLine, &folder.join("lua"), &below));
    Ok(files)
}

/// Where what `folders`, named with `--tools`, load really lies: each folder, and where the links of it lead.
pub fn places_of(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for folder in folders {
        places.extend(folder.canonicalize());
        for within in [folder.clone(), folder.join("lua")] {
            let names = listed(&within).unwrap_or_default().into_iter();
            let links = names.filter(|(_, path)| path.is_symlink());
            places.extend(links.filter_map(|(_, path)| path.canonicalize().ok()));
        }
    }
    places
}

/// Whether a name is that of a Lua file that may load: not hidden, and no test.
fn loads(name: &str) -> bool {
    name.ends_with(".lua") && !name.starts_with('.') && !is_test(name)
}

fn tools_in(layer: Layer, folder: &Path, shown: &str) -> Result<Vec<SourceFile>, ToolError> {
    let failed = |error: std::io::Error| ToolError::from_io(&error, "read the tools in", shown);
    let mut files = Vec::new();
    for (name, path) in listed(folder).map_err(failed)? {
        let Some(stem) = name.strip_suffix(".lua").filter(|_| loads(&name)) else {
            continue;
        };
        if !path.is_dir() {
            let shown = format!("{shown}/{name}");
            files.push(read(layer, role_in_tools(stem), stem, shown, &path));
        }
    }
    Ok(files)
}

/// Every module below `folder`; a folder that cannot be listed is one that has none.
fn modules_in(layer: Layer, folder: &Path, shown: &str) -> Vec<SourceFile> {
    let mut files = Vec::new();
    let mut waiting = vec![(folder.to_owned(), String::new(), Vec::new())];
    while let Some((folder, above, chain)) = waiting.pop() {
        let Some(chain) = entered(&folder, chain) else {
            continue;
        };
        for (name, path) in listed(&folder).unwrap_or_default() {
            let below = format!("{above}{name}");
            if path.is_dir() {
                if !name.starts_with('.') {
                    waiting.push((path, format!("{below}/"), chain.clone()));
                }
            } else if loads(&name) {
                let mut names = module::names(&below).into_iter();
                let Some(first) = names.next() else { continue };
                let shown = format!("{shown}/{below}");
                let file = read(layer, Role::Module, &first, shown, &path);
                let also = names.map(|name| SourceFile {
                    name,
                    ..file.clone()
                });
                files.extend(also);
                files.push(file);
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// The folders on the way to `folder` and itself, as device and number; `None` where a link led back to
/// one of them, or too deep.
fn entered(folder: &Path, mut chain: Vec<(u64, u64)>) -> Option<Vec<(u64, u64)>> {
    let found = folder.metadata().ok()?;
    let itself = (found.dev(), found.ino());
    if chain.contains(&itself) || chain.len() > MOST_DEPTH {
        return None;
    }
    chain.push(itself);
    Some(chain)
}

/// The names in a folder, sorted, each with its path.
fn listed(folder: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        names.push((name.to_string_lossy().into_owned(), path.clone()));
    }
    names.sort();
    Ok(names)
}

fn read(layer: Layer, role: Role, name: &str, shown: String, path: &Path) -> SourceFile {
    let kind = path.metadata().map(|meta| Entry::of(meta.file_type()));
    let text = match kind {
        Ok(Entry::File) => fs::read(path).map(Arc::from),
        Ok(other) => {
            let message = format!("{shown} is {other}, not a file");
            return failed(layer, role, name, shown, ToolError::argument(message));
        }
        Err(error) => Err(error),
    };
    SourceFile {
        layer,
        role,
        name: name.to_owned(),
        text: text.map_err(|error| ToolError::from_io(&error, "read", &shown)),
        shown,
    }
}

fn failed(layer: Layer, role: Role, name: &str, shown: String, error: ToolError) -> SourceFile {
    SourceFile {
        layer,
        role,
        name: name.to_owned(),
        shown,
        text: Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::layers::PolicyName;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let tree = tempfile::tempdir().unwrap();
        for file in files {
            let path = tree.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("-- {file}")).unwrap();
        }
        tree
    }

    fn names(files: &[SourceFile]) -> Vec<(Role, &str)> {
        files
            .iter()
            .map(|file| (file.role, file.name.as_str()))
            .collect()
    }

    #[test]
    fn the_persons_folder_has_init_tools_policies_and_modules() {
        let tree = tree(&[
            "init.lua",
            "tools/b.lua",
            "tools/permissions.lua",
            "tools/b_test.lua",
            "tools/.#b.lua",
            "tools/notes.txt",
            "tools/deep/c.lua",
            "lua/x/init.lua",
            "lua/y.lua",
            "scripts/s.lua",
        ]);
        let files = of_user(tree.path(), "~/mine");
        let permissions = Role::Policy(PolicyName::Permissions);
        assert_eq!(
            names(&files),
            [
                (Role::Init, "init"),
                (Role::Tool, "b"),
                (permissions, "permissions"),
                (Role::Module, "x"),
                (Role::Module, "x.init"),
                (Role::Module, "y")
            ]
        );
        assert_eq!(&**files[1].text.as_ref().unwrap(), b"-- tools/b.lua");
        assert!(files[1].shown == "~/mine/tools/b.lua" && files[1].layer == Layer::User);
        assert!(of_user(&tree.path().join("none"), "none").is_empty());
    }

    #[test]
    fn a_folder_that_was_named_is_shown_as_it_was_written() {
        let tree = tree(&["a.lua", "truncation.lua", "lua/m.lua"]);
        let files = of_folder(tree.path(), "mine/").unwrap();
        let shown: Vec<&str> = files.iter().map(|file| file.shown.as_str()).collect();
        assert_eq!(
            shown,
            ["mine/a.lua", "mine/truncation.lua", "mine/lua/m.lua"]
        );
        assert!(files.iter().all(|file| file.layer == Layer::CommandLine));
        let missing = of_folder(&tree.path().join("none"), "none").unwrap_err();
        assert_eq!(missing.kind, Kind::NotFound);
        assert!(of_folder(&tree.path().join("a.lua"), "a.lua").is_err());
    }

    #[test]
    fn what_cannot_be_read_is_there_with_the_reason() {
        let tree = tree(&["tools/a.lua"]);
        symlink("nowhere", tree.path().join("tools/gone.lua")).unwrap();
        symlink("a.lua", tree.path().join("tools/link.lua")).unwrap();
        let pipe = tree.path().join("tools/pipe.lua");
        rustix::fs::mkfifoat(rustix::fs::CWD, pipe, rustix::fs::Mode::RWXU).unwrap();
        let files = of_user(tree.path(), "~/mine");
        let said = |at: usize| files[at].text.as_ref().unwrap_err().message.clone();
        assert_eq!(files.len(), 4);
        assert!(said(1).contains("gone.lua"), "{}", said(1));
        assert_eq!(
            &**files[2].text.as_ref().unwrap(),
            b"-- tools/a.lua",
            "a link is followed"
        );
        assert!(
            said(3).ends_with("pipe.lua is a FIFO, not a file"),
            "{}",
            said(3)
        );
    }

    #[test]
    fn a_link_in_a_circle_comes_to_an_end() {
        let tree = tree(&["lua/a.lua"]);
        symlink(".", tree.path().join("lua/self")).unwrap();
        symlink("..", tree.path().join("lua/up")).unwrap();
        let files = of_user(tree.path(), "~/mine");
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["a"]);
    }
}
