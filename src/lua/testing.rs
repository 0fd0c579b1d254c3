//! Tests in Lua: one file in a state of its own, every test in an empty workspace, and what became of each.
//!
//! Nothing of this is in a state that runs no tests. A test's calls go through the door like any others; what a
//! test registered, mocked or began ends with it.

mod case;
mod mock;
mod stand_in;
mod words;
mod workspace;

use std::future::Future;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use mlua::chunk::ChunkMode;
use mlua::{Lua, Table};

use super::current::Voice;
use super::host::Host;
use super::vm::Vm;
use super::{raise, script};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::tool::Scope;

pub use stand_in::{Mocks, fenced};
pub use workspace::{empty, fill};

/// How long one test may run, unless it says otherwise; its cleaning up has as long again.
pub const LIMIT: Duration = Duration::from_secs(10);

/// The Lua side, in the order it runs.
const PRELUDE: [&str; 3] = [
    include_str!("testing/cases.lua"),
    include_str!("testing/compare.lua"),
    include_str!("testing/assert.lua"),
];

/// The registry entry of what the Lua side and this share.
const SHARED: &str = "agent.testing";

/// Where tests run.
#[derive(Clone, Default)]
pub struct TestWorld {
    /// The folder that is emptied before every test.
    pub workspace: PathBuf,
    /// What answers in the place of the tools that [`fenced`] made.
    pub mocks: Mocks,
}

/// One file of tests.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// What messages call it.
    pub shown: String,
    /// Its text.
    pub source: Vec<u8>,
    /// Only tests whose full name holds this run.
    pub filter: Option<String>,
    /// How long the file may take to declare its tests.
    pub limit: Duration,
}

/// What became of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// Its full name: those of the blocks around it, and its own.
    pub name: String,
    /// The line it is declared on.
    pub line: Option<usize>,
    /// How it ended.
    pub status: Status,
    /// Why it failed or was left out; over several lines perhaps.
    pub message: Option<String>,
    /// How long it took.
    pub duration: Duration,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All of it held.
    Passed,
    /// Something did not hold, raised, or took too long.
    Failed,
    /// It was not run, or ended itself with `pending`.
    Skipped,
}

impl Status {
    /// The word that documents use.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Skipped => "skipped",
        }
    }
}

impl Vm {
    /// Runs the tests of `file` one after the other, and tells of each as it ends. The state must have been made
    /// with [`Settings::testing`](super::Settings::testing).
    ///
    /// # Errors
    /// What the file itself raised, before any of its tests ran, in words with its position; `cancelled`.
    pub fn test(
        &self,
        scope: &Scope,
        file: TestFile,
        told: Arc<dyn Fn(Tested) + Send + Sync>,
    ) -> impl Future<Output = Result<(), ToolError>> + Send + use<> {
        let voice = Voice::Log(file.shown.clone(), Layer::Script);
        self.job(scope, voice, move |state| async move {
            let shared: Table = state
                .lua
                .named_registry_value(SHARED)
                .map_err(|error| state.told(&error))?;
            let source = script::without_shebang(&file.source);
            match script::compile(&state.lua, &file.shown, &source) {
                Ok(function) => case::load(&state, &function, file.limit).await?,
                Err(error) => return Err(case::unloaded(&raise::caught(&state.lua, &error))),
            }
            case::all(&state, &shared, &file, &*told).await
        })
    }
}

/// Puts the words of tests into a state that runs in `world`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, host: &Rc<Host>, world: &TestWorld) -> mlua::Result<()> {
    let shared = lua.create_table()?;
    words::install(lua, &shared, host, world)?;
    for chunk in PRELUDE {
        let chunk = lua.load(chunk).set_name(raise::OURS);
        chunk.set_mode(ChunkMode::Text).call::<()>(&shared)?;
    }
    lua.set_named_registry_value(SHARED, shared)
}
