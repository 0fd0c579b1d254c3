//! What the program itself brings in Lua: the defaults, as the files of a layer like any other.
//!
//! Embedded in the program; a debug build reads them from the source tree, so that a change counts at once.

use std::path::Path;
use std::sync::Arc;

use super::{Layer, PolicyName, Role, SourceFile};

/// The files of `lua/`, by name.
const FILES: [(&str, &str); 4] = [
    ("permissions", include_str!("../../lua/permissions.lua")),
    ("truncation", include_str!("../../lua/truncation.lua")),
    ("replacers", include_str!("../../lua/replacers.lua")),
    ("surfaces", include_str!("../../lua/surfaces.lua")),
];

/// The shipped files: policies, and each of them as a module too.
pub fn shipped() -> Vec<SourceFile> {
    let files = FILES.iter().flat_map(|(name, text)| {
        let text: Arc<[u8]> = current(name).unwrap_or_else(|| text.as_bytes().into());
        let policy = PolicyName::named(name).map(Role::Policy);
        let roles = policy.into_iter().chain([Role::Module]);
        roles.map(move |role| SourceFile {
            layer: Layer::Shipped,
            role,
            name: (*name).to_owned(),
            shown: format!("builtin/{name}.lua"),
            text: Ok(Arc::clone(&text)),
        })
    });
    files.collect()
}

/// The file as it stands in the source tree now.
fn current(name: &str) -> Option<Arc<[u8]>> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("lua/{name}.lua"));
    std::fs::read(path).ok().map(Arc::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_shipped() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lua");
        let names = folder
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let lua = names.filter(|path| path.extension().is_some_and(|ext| ext == "lua"));
        let mut names: Vec<String> = lua
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let mut shipped = FILES.map(|(name, _)| name);
        shipped.sort_unstable();
        assert_eq!(names, shipped);
    }
}
