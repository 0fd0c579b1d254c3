//! The folders that verdicts depend on, as a session finds them at its start.
//!
//! It looks where links lead and judges nothing.

use std::path::{Path, PathBuf};

use crate::layers::{Instructions, places_of};
use crate::permission::Bounds;
use crate::store::{Paths, Workspace};

/// Where the links lead that stand for what a project loads: what is there is as powerful as what they are called.
fn linked(workspace: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let names = [
        ".agent",
        ".agent/init.lua",
        ".agent/tools",
        ".agent/lua",
        "tools",
        "tool",
    ];
    let loads = workspace.join(".agent").is_dir();
    let places = names.map(|name| workspace.join(name)).into_iter();
    places
        .filter(move |place| loads && place.is_symlink())
        .filter_map(|place| place.canonicalize().ok())
}

/// The folders that verdicts depend on.
pub(super) fn bounds(
    workspace: &Workspace,
    paths: &Paths,
    home: Option<PathBuf>,
    instructions: &Instructions,
    tools: &[PathBuf],
) -> Bounds {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    Bounds {
        workspace: text(&workspace.root),
        home: home.as_deref().map(text).unwrap_or_default(),
        own: [text(&paths.config), text(&paths.state)]
            .into_iter()
            .chain(linked(&workspace.root).map(|place| text(&place)))
            .collect(),
        loads_tools: workspace.root.join(".agent").is_dir(),
        tools: places_of(tools).iter().map(|place| text(place)).collect(),
        instructions: instructions.files.iter().map(|file| text(file)).collect(),
    }
}
