//! What a project would load, read once. The bytes that are hashed here are the bytes that load; nothing
//! of them is run.

use std::path::PathBuf;

use super::sources::Sources;
use super::tree::Tree;
use super::{Entry, Layer, PolicyName, Refused, Role, SourceFile, What, module};
use crate::error::{Kind, ToolError};
use crate::store::{Hash, Workspace};

/// All of a project that could run.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The project's root, a real path.
    pub root: PathBuf,
    /// The files, sorted by path.
    pub entries: Vec<Entry>,
    /// What can never load as it is, and why.
    pub refused: Vec<Refused>,
}

/// What the project in `workspace` would load. A restricted workspace loads nothing.
pub fn survey(workspace: &Workspace) -> Survey {
    let mut found = Survey {
        root: workspace.root.clone(),
        entries: Vec::new(),
        refused: Vec::new(),
    };
    if workspace.restricted {
        return found;
    }
    match Tree::open(&workspace.root) {
        Ok(mut tree) => {
            tree.read_all();
            found.refused = tree.refused;
            match tree.over {
                // Half of a project is another project: where it is too much, none of it loads.
                Some(why) => found.refused.insert(0, whole(why)),
                None => found.entries = tree.entries,
            }
        }
        Err(error) => {
            let error = ToolError::from_io(&error, "read", "the project");
            found
                .refused
                .push(whole(format!("cannot be entered: {}", error.message)));
        }
    }
    found
}

/// The folder `tools` or `tool` of a workspace whose Lua is not loaded since there is no `.agent` beside it.
pub fn idle_tools(workspace: &Workspace) -> Option<&'static str> {
    let root = &workspace.root;
    if workspace.restricted || root.join(".agent").symlink_metadata().is_ok() {
        return None;
    }
    let would_load = |folder: &&str| {
        let entries = root.join(folder).read_dir().into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name());
        names.any(|name| {
            let path = format!("{folder}/{}", name.to_string_lossy());
            What::of(&path, true).is_some_and(|what| what.role().is_some())
        })
    };
    ["tools", "tool"].into_iter().find(would_load)
}

/// The project as a whole is refused.
fn whole(why: String) -> Refused {
    Refused {
        shown: ".".to_owned(),
        why: format!("loads nothing: {why}"),
        what: None,
    }
}

impl Survey {
    /// Whether nothing here would load when a session starts. Files that nothing loads yet, such as
    /// `.mcp.json`, do not count.
    pub fn is_empty(&self) -> bool {
        let loads = |entry: &Entry| entry.what.role().is_some();
        !self.entries.iter().any(loads) && !self.refused.iter().any(Refused::would_load)
    }

    /// One hash over all paths and the hashes of their contents: 64 hexadecimal digits. It does not
    /// depend on where the project lies.
    pub fn digest(&self) -> String {
        // Paths hold no line end, so that each line is one file.
        let line = |entry: &Entry| format!("{} {}\n", entry.hash, entry.path);
        let lines: String = self.entries.iter().map(line).collect();
        Hash::of(lines.as_bytes()).to_string()
    }

    /// The policies that would load, or that are refused, by path.
    pub fn policies(&self) -> Vec<&str> {
        let is_policy = |what: What| matches!(what, What::Policy(_));
        let entries = self.entries.iter().filter(|entry| is_policy(entry.what));
        let refused = self.refused.iter();
        let refused = refused.filter(|refused| match refused.what {
            Some(what) => is_policy(what),
            None => refused.would_load() && !refused.shown.starts_with(".agent/lua"),
        });
        entries
            .map(|entry| entry.path.as_str())
            .chain(refused.map(|refused| refused.shown.as_str()))
            .collect()
    }

    /// Whether a policy would load, or is refused: without it a model would act under weaker rules.
    pub fn has_policy(&self) -> bool {
        !self.policies().is_empty()
    }

    /// What is loaded once all of this is trusted. A refused file stands there with the reason.
    pub fn sources(&self) -> Vec<SourceFile> {
        let mut files = Vec::new();
        for entry in &self.entries {
            if let Some(role) = entry.what.role() {
                add(&mut files, role, &entry.path, Ok(entry.bytes.clone()));
            }
        }
        for refused in &self.refused {
            if let Some(role) = refused.what.and_then(What::role) {
                let message = format!("{} {}", refused.shown, refused.why);
                let error = ToolError::new(Kind::Denied, message)
                    .with_hint("put a file of your own in its place");
                add(&mut files, role, &refused.shown, Err(error));
            }
        }
        Sources::of(files).files
    }
}

fn add(
    files: &mut Vec<SourceFile>,
    role: Role,
    path: &str,
    text: Result<std::sync::Arc<[u8]>, ToolError>,
) {
    let stem = path.rsplit('/').next().unwrap_or(path);
    let stem = stem.strip_suffix(".lua").unwrap_or(stem);
    let names = match role {
        Role::Module => module::names(path.strip_prefix(".agent/lua/").unwrap_or(path)),
        Role::Init | Role::Policy(_) | Role::Tool => vec![stem.to_owned()],
    };
    for name in names {
        files.push(SourceFile {
            layer: Layer::Project,
            role,
            name,
            shown: path.to_owned(),
            text: text.clone(),
        });
    }
}

impl Entry {
    /// The policy it is, if it is one.
    pub fn policy(&self) -> Option<PolicyName> {
        match self.what {
            What::Policy(policy) => Some(policy),
            _ => None,
        }
    }
}
