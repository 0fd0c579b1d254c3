//! What editors and checkers read of this program: `---@meta` files for the tools, for `agent.*` and for tests.
//!
//! All of it is derived from declarations, so it is never written by hand; nothing here is read back.

mod agent;
mod results;
mod tools;
mod words;

use std::future::Future;

use super::api::Docs;
use super::current::Voice;
use super::vm::Vm;
use crate::error::ToolError;
use crate::layers::Layer;
use crate::tool::{Registry, Scope};

pub use results::{Field, fields};

/// The first line after `---@meta` of every file that is made here.
pub const GENERATED: &str =
    "--- Made by `agent init`, and made anew by it: what is changed here is lost.";

/// The words of tests are the same for everybody.
const TESTING: &str = include_str!("stubs/testing.lua");

/// The files, by what they describe.
#[derive(Clone, Debug)]
pub struct Stubs {
    /// The interface `agent`.
    pub agent: String,
    /// The global `tools`.
    pub tools: String,
    /// The words of tests.
    pub testing: String,
}

impl Stubs {
    /// Each with the name of its file.
    pub fn files(&self) -> [(&'static str, &str); 3] {
        [
            ("agent.lua", &self.agent),
            ("tools.lua", &self.tools),
            ("testing.lua", &self.testing),
        ]
    }
}

impl Vm {
    /// The stubs of this state's interface, and of `tools`.
    ///
    /// # Errors
    /// `cancelled`, and that the state cannot be made.
    pub fn stubs(
        &self,
        scope: &Scope,
        tools: Registry,
    ) -> impl Future<Output = Result<Stubs, ToolError>> + Send + use<> {
        let voice = Voice::Log("stubs".to_owned(), Layer::Shipped);
        self.job(scope, voice, move |state| async move {
            let docs = state.lua.app_data_ref::<Docs>();
            let docs = docs.as_ref().map(|docs| docs.list()).unwrap_or_default();
            Ok(Stubs {
                agent: headed(&agent::page(docs)),
                tools: headed(&tools::page(&tools)),
                testing: headed(TESTING.trim_start_matches("---@meta\n")),
            })
        })
    }
}

fn headed(page: &str) -> String {
    format!("---@meta\n{GENERATED}\n\n{page}")
}

/// Prose as comment lines of a stub.
fn comment(text: &str) -> String {
    let lines = text.trim().lines();
    lines
        .map(|line| format!("--- {}\n", line.trim_end()))
        .collect()
}

/// Prose on one line, as it stands behind a field.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
