//! The files of a folder as a layer: tools, policies, modules.
//!
//! It reads and runs nothing.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{Layer, PolicyName, Role, SourceFile};
use crate::error::ToolError;

/// The person's folder.
pub fn of_user(config: &Path) -> Vec<SourceFile> {
    let mut files = Vec::new();
    let init = config.join("init.lua");
    if init.is_file() {
        files.push(read(
            &init,
            Layer::User,
            Role::Init,
            "init".into(),
            "init.lua".into(),
        ));
    }
    files.extend(tools(&config.join("tools"), Layer::User, "tools").unwrap_or_default());
    files.extend(modules(&config.join("lua"), Layer::User, "lua"));
    files
}

/// A folder named with `--tools`.
pub fn of_folder(folder: &Path, shown: &str) -> Result<Vec<SourceFile>, ToolError> {
    let shown = shown.trim_end_matches('/');
    let mut files = tools(folder, Layer::CommandLine, shown)?;
    files.extend(modules(
        &folder.join("lua"),
        Layer::CommandLine,
        &format!("{shown}/lua"),
    ));
    Ok(files)
}

fn tools(folder: &Path, layer: Layer, shown: &str) -> Result<Vec<SourceFile>, ToolError> {
    let failed = |error: std::io::Error| ToolError::from_io(&error, "read the tools in", shown);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "lua") && path.is_file() {
            names.push(path);
        }
    }
    names.sort();
    let mut files: Vec<SourceFile> = names
        .into_iter()
        .map(|path| {
            let stem = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let role = PolicyName::named(&stem).map_or(Role::Tool, Role::Policy);
            read(
                &path,
                layer,
                role,
                stem.clone(),
                format!("{shown}/{stem}.lua"),
            )
        })
        .collect();
    files.sort_by_key(|file| file.role);
    Ok(files)
}

fn modules(folder: &Path, layer: Layer, shown: &str) -> Vec<SourceFile> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let lua = paths.filter(|path| path.extension().is_some_and(|extension| extension == "lua"));
    lua.map(|path| {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let shown = format!("{shown}/{stem}.lua");
        read(&path, layer, Role::Module, stem, shown)
    })
    .collect()
}

fn read(path: &Path, layer: Layer, role: Role, name: String, shown: String) -> SourceFile {
    let text = fs::read(path).map(Arc::from);
    SourceFile {
        layer,
        role,
        name,
        text: text.map_err(|error| ToolError::from_io(&error, "read", &shown)),
        shown,
    }
}
