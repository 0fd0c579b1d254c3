//! Running one file, within a time, and taking what it gives: a part of the generation to come.
//!
//! What it registers while it runs counts only if it comes to its end. A file that does not end by itself
//! is ended, and told of with the line it stood at.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use mlua::{Function, Value};

use super::draft::{Draft, Registered};
use super::space::Space;
use super::{Problem, policy};
use crate::error::{Kind, ToolError};
use crate::layers::{Layer, Role, SourceFile};
use crate::lua::current::{Current, Voice};
use crate::lua::lines::{self, Key};
use crate::lua::raise::{self, Caught};
use crate::lua::state::State;
use crate::lua::{clock, script};
use crate::tool::{Command, Hook, Registry, Tool};

/// What one file gives.
pub(in crate::lua) struct Part {
    pub(super) layer: Layer,
    pub(super) role: Role,
    /// The file, as messages call it.
    pub(super) file: String,
    pub(super) tools: Vec<Arc<dyn Tool>>,
    pub(super) hooks: Vec<Arc<dyn Hook>>,
    pub(super) commands: Vec<Arc<dyn Command>>,
    pub(super) policy: Option<policy::Said>,
    /// Its bytes, for messages about them.
    pub(super) text: Option<Arc<[u8]>>,
}

impl Part {
    /// `error` about the id of a tool as a problem of the file that gave it.
    pub(super) fn problem(&self, error: ToolError) -> Problem {
        Problem {
            role: self.role,
            file: self.file.clone(),
            position: self
                .text
                .as_deref()
                .map(|text| at(&self.file, text, &lines::path("id: "))),
            error,
            is_kept: false,
            is_lost: false,
        }
    }
}

/// A file that runs: its layer's globals, and the place for what it registers.
pub(super) struct Running<'a> {
    state: &'a Rc<State>,
    file: &'a SourceFile,
    space: &'a Space,
    draft: Rc<Draft>,
}

impl<'a> Running<'a> {
    pub(super) fn new(
        state: &'a Rc<State>,
        file: &'a SourceFile,
        space: &'a Space,
        beneath: &Registry,
    ) -> Self {
        Running {
            state,
            file,
            space,
            draft: Rc::new(Draft::over(beneath.clone())),
        }
    }

    /// What the file returns.
    ///
    /// # Errors
    /// That it cannot be read or compiled, what it raised, that it took too long.
    pub(super) async fn returned(&self) -> Result<Value, Box<Problem>> {
        let bytes = self
            .file
            .text
            .as_ref()
            .map_err(|error| self.problem(error.clone()))?;
        let text = script::without_shebang(bytes);
        let lua = &self.state.lua;
        let compiled = script::compile(lua, &self.file.shown, &text).and_then(|function| {
            function.set_environment(self.space.environment(lua, self.file.layer)?)?;
            Ok(function)
        });
        let function = compiled.map_err(|error| self.caught(raise::caught(lua, &error)))?;
        self.call(&function, Value::Nil).await
    }

    /// What `function`, which the file returned, makes of `given`.
    ///
    /// # Errors
    /// What it raised, that it took too long.
    pub(super) async fn call(
        &self,
        function: &Function,
        given: Value,
    ) -> Result<Value, Box<Problem>> {
        let current = self.current()?;
        let work = self.state.call(function, given);
        let host = &self.state.host;
        let limit = host.vm.shared().settings.loading;
        host.pulse.watch();
        match clock::within(host, current, limit, work).await {
            Some(Ok(mut values)) => Ok(values.pop_front().unwrap_or_default()),
            Some(Err(caught)) => Err(self.caught(caught)),
            None => {
                let at = host
                    .pulse
                    .place()
                    .filter(|at| at.starts_with(&self.file.shown));
                let mut problem = self.problem(too_long(limit));
                problem.position = at;
                Err(problem)
            }
        }
    }

    /// Whether the file has registered anything.
    pub(super) fn has_registered(&self) -> bool {
        !self.draft.is_empty()
    }

    /// A block in which the file runs: what is registered in it counts as the file's.
    ///
    /// # Errors
    /// `cancelled`.
    pub(super) fn current(&self) -> Result<Current, Box<Problem>> {
        let voice = Voice::Log(self.file.shown.clone(), self.file.layer);
        let current = Current::get().and_then(|current| current.block());
        let current = current.map_err(|error| self.problem(error))?;
        Ok(current.drafting(&self.draft, voice))
    }

    /// The tools, hooks and commands that the file registered.
    pub(super) fn registered(&self) -> Registered {
        self.draft.take()
    }

    /// `error` as a problem of this file.
    pub(super) fn problem(&self, error: ToolError) -> Box<Problem> {
        problem(self.file, error)
    }

    /// `error` about what the file returned, with the line it is about.
    pub(super) fn wrong(&self, error: ToolError) -> Box<Problem> {
        wrong(self.file, &[], error)
    }

    fn caught(&self, caught: Caught) -> Box<Problem> {
        let mut problem = self.problem(caught.error);
        problem.position = caught.position;
        problem
    }
}

/// `error` as a problem of `file`.
pub(super) fn problem(file: &SourceFile, error: ToolError) -> Box<Problem> {
    Box::new(Problem {
        role: file.role,
        file: file.shown.clone(),
        position: None,
        error,
        is_kept: false,
        is_lost: false,
    })
}

/// `error` about what `file` returned, below the field `within` of it, with the line it is about.
pub(super) fn wrong(file: &SourceFile, within: &[&str], error: ToolError) -> Box<Problem> {
    let mut problem = problem(file, error);
    problem.position = position(file, within, &problem.error.message);
    problem
}

/// The line of `file` that a message about what it returned is about.
fn position(file: &SourceFile, within: &[&str], message: &str) -> Option<String> {
    let text = file.text.as_ref().ok()?;
    let mut path = lines::path(message);
    if let Role::Policy(name) = file.role
        && path.first() == Some(&Key::Name(name.as_str().to_owned()))
    {
        path.remove(0);
    }
    let within = within.iter().map(|name| Key::Name((*name).to_owned()));
    let path: Vec<Key> = within.chain(path).collect();
    Some(at(&file.shown, text, &path))
}

/// `file:line` of the field at `path` in what the file returns; of one that returns nothing its last line.
fn at(shown: &str, text: &[u8], path: &[Key]) -> String {
    let last = || text.trim_ascii_end().split(|byte| *byte == b'\n').count();
    let line = lines::of(text, path).unwrap_or_else(last);
    format!("{shown}:{line}")
}

fn too_long(limit: Duration) -> ToolError {
    let message = format!("it was not done loading after {} s", limit.as_secs_f64());
    ToolError::new(Kind::Timeout, message)
        .with_hint("a file that is loaded registers things and returns; do the work in `execute`")
}

/// What the hint for a role says a file of it should look like.
pub(super) fn form(role: Role) -> &'static str {
    match role {
        Role::Policy(_) => {
            "return a table, or a function that takes the value so far and returns one"
        }
        _ => {
            "return { description =, parameters =, effect =, execute = function(args, ctx) … end }"
        }
    }
}
