//! `agent init [DIR]`: a folder `.agent` to begin with, and what an editor needs to know of this program.
//!
//! What is there stays as it is; only files that were generated before are made anew. What is written here is trusted at
//! once, and never anything else.

mod trusted;
mod write;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args::Options;
use super::session::Session;
use super::start;
use crate::error::{Error, Exit, ToolError};
use crate::layers::Layer;
use crate::permission::Caller;
use crate::store::Workspace;
use crate::tool::Registry;

use trusted::Trusted;
use write::Done;

/// What a new project begins with: paths below its top, and their text.
const FILES: [(&str, &str); 4] = [
    (".agent/init.lua", include_str!("init/init.lua")),
    (".agent/tools/hello.lua", include_str!("init/hello.lua")),
    (
        ".agent/tests/hello_test.lua",
        include_str!("init/hello_test.lua"),
    ),
    (".luarc.json", include_str!("init/luarc.json")),
];

/// The folders that these, and what comes later, lie in.
const FOLDERS: [&str; 5] = [
    ".agent",
    ".agent/tools",
    ".agent/tests",
    ".agent/lua",
    TYPES,
];

/// Where the generated files go.
const TYPES: &str = ".agent/types";

/// Creates what is missing in `folder`, else in the working folder, and tells of each file.
///
/// # Errors
/// Usage: a place that can be no workspace, a folder that cannot be made; what the system says.
pub(super) fn run(mut options: Options, folder: Option<PathBuf>) -> Result<Exit, Error> {
    if options.caller() == Caller::Model {
        return Err(Error::usage(
            "a project is set up by a person, never by a model",
            "leave out `--as model`",
        ));
    }
    if let Some(folder) = folder {
        let from = options.cwd.take().unwrap_or_default();
        let folder = from.join(folder);
        create(&folder)?;
        options.cwd = Some(folder);
    }
    let session = start(options, Vec::new())?;
    let top = session.services.files.cwd().to_owned();
    check(&top, &session.workspace)?;
    session.run(None, None, async |session| {
        let mut trusted = Trusted::before(&top, &session.paths);
        let mut told = Vec::new();
        for path in FOLDERS {
            write::folder(&top, path)?;
        }
        for (path, text) in FILES {
            told.push((path.to_owned(), write::create(&top, path, text)?));
            trusted.wrote(path, text);
        }
        let tools = tools(session, &trusted).await?;
        let stubs = session.vm().stubs(&session.scope()?, tools).await?;
        for (name, text) in stubs.files() {
            let path = format!("{TYPES}/{name}");
            told.push((path.clone(), write::generate(&top, &path, text)?));
            trusted.wrote(&path, text);
        }
        let is_trusted = trusted.accept()?;
        tell(session, &told, is_trusted);
        Ok(Exit::Done)
    })
}

/// Makes the folder of the project, unless it is there.
fn create(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let shown = folder.display().to_string();
        let error = ToolError::from_io(&error, "create", &shown);
        Error::usage(
            error.message,
            "name a folder that is there or can be made: `agent init DIR`",
        )
    })
}

/// Whether a project may begin at `top`.
fn check(top: &Path, workspace: &Workspace) -> Result<(), Error> {
    if workspace.restricted {
        return Err(Error::usage(
            format!("{} can be no workspace", top.display()),
            "choose a folder of your own below the home folder: `agent init DIR`",
        ));
    }
    for path in FOLDERS {
        let found = top.join(path).symlink_metadata();
        if found.is_ok_and(|found| !found.is_dir()) {
            return Err(Error::usage(
                format!("{path} is there and is no folder"),
                "move it away: a link or a file there is not followed",
            ));
        }
    }
    Ok(())
}

/// The tools that stubs are made for: those of the session, and those of the project where it may run.
async fn tools(session: &Session, trusted: &Trusted) -> Result<Registry, Error> {
    let tools = session.gate().generation().tools.clone();
    let is_loaded = tools
        .iter()
        .any(|tool| tool.origin().layer() == Layer::Project);
    let Some(files) = trusted.sources().filter(|_| !is_loaded) else {
        return Ok(tools);
    };
    let scope = session.scope()?;
    let loading = session
        .vm()
        .load(&scope, tools, files, Box::new(|_, _| Ok(())));
    Ok(loading.await?.tools)
}

fn tell(session: &Session, told: &[(String, Done)], is_trusted: bool) {
    if session.answer.is_machine() {
        let files: Vec<Value> = told
            .iter()
            .map(|(path, done)| json!({ "path": path, "status": done.as_str() }))
            .collect();
        let document = json!({ "ok": true, "trusted": is_trusted, "files": files });
        return session.answer.document(document);
    }
    let mut text = String::new();
    for (path, done) in told {
        text.push_str(&format!("{:<9} {path}\n", done.as_str()));
    }
    text.push_str(match is_trusted {
        true => {
            "\ntrusted: what lies in .agent now. A change waits for another `agent trust`; `agent trust --dev` says yes to\n\
             your own changes until you log out of this shell\n\n"
        }
        false => "\nnot trusted: .agent holds other files too; `agent trust` shows them\n\n",
    });
    text.push_str("agent test .agent                              runs its tests\n");
    text.push_str("agent --tools .agent/tools call hello world    calls its tool\n");
    session.answer.text(&text);
}
