//! What a model is told before anything else: its profile's prompt, where it is, and what the repository's people want it
//! to know.
//!
//! It is made once for a conversation and stays as it is: requests begin with it.

use std::path::Path;

use crate::layers::{Guide, guides};
use crate::redact::{Reach, Redactor};
use crate::store::Workspace;
use crate::tool::Services;

/// The paragraphs, the most lasting first. `prompt` is what the profile says.
pub(super) fn system(
    prompt: &str,
    workspace: &Workspace,
    services: &Services,
    redactor: Option<&Redactor>,
) -> Vec<String> {
    let files = &services.files;
    let told = guides(workspace, files.cwd());
    let place = place(workspace, files.cwd(), |text| files.without_home(text));
    let all = [prompt.trim().to_owned(), place, guidance(&told)];
    let all = all.into_iter().filter(|text| !text.is_empty());
    let hidden = |text: String| match redactor {
        Some(redactor) => redactor.redact(&text, Reach::Model).into_owned(),
        None => text,
    };
    all.map(hidden).collect()
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
