//! What the program itself brings in Lua: the defaults, as the files of a layer like any other.
//!
//! Embedded in the program; a debug build reads them from the source tree, so that a change counts at once.

use std::path::Path;
use std::sync::Arc;

use super::{Layer, PolicyName, Role, SourceFile};

/// The policies of `lua/`, by name. Each is a module too.
const POLICIES: [(&str, &str); 7] = [
    ("permissions", include_str!("../../lua/permissions.lua")),
    ("truncation", include_str!("../../lua/truncation.lua")),
    ("redaction", include_str!("../../lua/redaction.lua")),
    ("replacers", include_str!("../../lua/replacers.lua")),
    ("models", include_str!("../../lua/models.lua")),
    ("agents", include_str!("../../lua/agents.lua")),
    ("surfaces", include_str!("../../lua/surfaces.lua")),
];

/// The modules of `lua/`, by the path below it: what `require` finds as `builtin.a.b`.
const MODULES: [(&str, &str); 14] = [
    ("classifier", include_str!("../../lua/classifier.lua")),
    ("compact", include_str!("../../lua/compact.lua")),
    (
        "classifier/programs",
        include_str!("../../lua/classifier/programs.lua"),
    ),
    (
        "classifier/git",
        include_str!("../../lua/classifier/git.lua"),
    ),
    (
        "classifier/words",
        include_str!("../../lua/classifier/words.lua"),
    ),
    (
        "presets/opencode",
        include_str!("../../lua/presets/opencode.lua"),
    ),
    (
        "presets/strict",
        include_str!("../../lua/presets/strict.lua"),
    ),
    ("prompts/build", include_str!("../../lua/prompts/build.lua")),
    ("prompts/plan", include_str!("../../lua/prompts/plan.lua")),
    (
        "prompts/oracle",
        include_str!("../../lua/prompts/oracle.lua"),
    ),
    (
        "prompts/librarian",
        include_str!("../../lua/prompts/librarian.lua"),
    ),
    (
        "prompts/explore",
        include_str!("../../lua/prompts/explore.lua"),
    ),
    (
        "prompts/multimodal_looker",
        include_str!("../../lua/prompts/multimodal_looker.lua"),
    ),
    ("prompts/momus", include_str!("../../lua/prompts/momus.lua")),
];

/// The shipped files: policies, each of them as a module too, and modules.
pub fn shipped() -> Vec<SourceFile> {
    let policies = POLICIES.iter().flat_map(|(name, text)| {
        let text = current(name, text);
        let policy = PolicyName::named(name).map(Role::Policy);
        let roles = policy.into_iter().chain([Role::Module]);
        roles.map(move |role| file(role, name, Arc::clone(&text)))
    });
    let modules = MODULES.iter();
    let modules = modules.map(|(path, text)| file(Role::Module, path, current(path, text)));
    policies.chain(modules).collect()
}

/// The file of a set of rules that a policy may name, and its text.
pub fn preset(name: &str) -> Option<(String, Arc<[u8]>)> {
    let path = format!("{PRESETS}{name}");
    let found = MODULES.iter().find(|(other, _)| *other == path);
    found.map(|(path, text)| (format!("builtin/{path}.lua"), current(path, text)))
}

/// The names of these sets.
pub fn presets() -> impl Iterator<Item = &'static str> {
    let names = MODULES.iter();
    names.filter_map(|(path, _)| path.strip_prefix(PRESETS))
}

/// Where they lie.
const PRESETS: &str = "presets/";

fn file(role: Role, path: &str, text: Arc<[u8]>) -> SourceFile {
    SourceFile {
        layer: Layer::Shipped,
        role,
        name: path.replace('/', "."),
        shown: format!("builtin/{path}.lua"),
        text: Ok(text),
    }
}

/// The file as it stands in the source tree now, else as it was embedded.
fn current(path: &str, embedded: &str) -> Arc<[u8]> {
    let now = || {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lua");
        std::fs::read(folder.join(format!("{path}.lua"))).ok()
    };
    let read = cfg!(debug_assertions).then(now).flatten();
    read.map_or_else(|| embedded.as_bytes().into(), Arc::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_shipped() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lua");
        let mut waiting = vec![folder.clone()];
        let mut there = Vec::new();
        while let Some(path) = waiting.pop() {
            if path.is_dir() {
                waiting.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
            } else if path.extension().is_some_and(|extension| extension == "lua") {
                let below = path.strip_prefix(&folder).unwrap().with_extension("");
                there.push(below.to_str().unwrap().to_owned());
            }
        }
        there.sort();
        let shipped = POLICIES.iter().chain(&MODULES);
        let mut shipped: Vec<&str> = shipped.map(|(path, _)| *path).collect();
        shipped.sort_unstable();
        assert_eq!(there, shipped);
    }
}
