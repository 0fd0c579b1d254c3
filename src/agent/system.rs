//! What a model is told before anything else: its profile's prompt, where it is, and what the repository's people want it
//! to know.
//!
//! It is made once for a conversation and stays as it is: requests begin with it.

use std::collections::BTreeMap;
use std::path::Path;

use super::talk::Acting;
use crate::layers::{Guide, guides};
use crate::store::Workspace;
use crate::tool::{Gate as _, Generation, Scope};

/// The paragraphs, the most lasting first. `prompt` is what the profile says.
pub(super) fn system(prompt: &str, workspace: &Workspace, acting: &Acting) -> Vec<String> {
    let files = &acting.gate.services().files;
    let told = guides(workspace, files.cwd());
    let mut place = place(workspace, files.cwd(), |text| files.without_home(text));
    place.push_str(&lacking(&acting.gate.generation(), &acting.scope));
    let all = [prompt.trim().to_owned(), place, guidance(&told)];
    let all = all.into_iter().filter(|text| !text.is_empty());
    all.map(|text| acting.hide(text)).collect()
}

/// The surfaces that the model would have, and that are not there: a plan must do without them.
fn lacking(generation: &Generation, scope: &Scope) -> String {
    let mut lacking: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for tool in generation.tools.listed() {
        let is_off = generation.surfaces.is_disabled(tool.spec());
        if is_off && generation.usable_in(scope, &**tool).is_ok() {
            let name = generation.surface_of(&**tool);
            lacking.entry(name).or_default().push(tool.id());
        }
    }
    let told = lacking.iter().map(|(name, tools)| {
        let tools = tools.join(", ");
        format!(
            "\nThe surface `{name}` is not available: {tools} cannot be called. Plan without it."
        )
    });
    told.collect()
}

/// Where the model is.
fn place(workspace: &Workspace, folder: &Path, without_home: impl Fn(&str) -> String) -> String {
    let root = without_home(&workspace.root.to_string_lossy());
    let below = folder.strip_prefix(&workspace.root).ok();
    let below = below.filter(|below| !below.as_os_str().is_empty());
    let folder = match below {
        Some(below) => format!(" You are in its folder {}.", below.display()),
        None => String::new(),
    };
    format!(
        "The workspace is {root}, on {}.{folder} Paths are relative to where you are.",
        std::env::consts::OS
    )
}

/// The text of instruction files, marked as what it is.
pub(super) fn guidance(guides: &[Guide]) -> String {
    let guides = guides.iter().map(|guide| {
        format!(
            "<instructions file=\"{}\">\n{}\n</instructions>",
            guide.path, guide.text
        )
    });
    guides.collect::<Vec<_>>().join("\n")
}
