//! Running the tests of one file, in order: an empty workspace, the test, what cleans up after it, as they were the tools.
//!
//! The beginning and each piece of cleaning up have a block and a time of their own, so a test that does not end
//! takes nothing else with it.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mlua::{Function, Table, Value};

use super::{Status, TestFile, Tested, workspace};
use crate::error::{Kind, ToolError};
use crate::lua::clock;
use crate::lua::current::Current;
use crate::lua::raise::{self, Caught};
use crate::lua::state::State;
use crate::tool::{Gate as _, Generation, Guard, Guarded};

/// Runs every test that the file has noted.
///
/// # Errors
/// `cancelled`, and what the system says of the workspace.
pub(super) async fn all(
    state: &Rc<State>,
    shared: &Table,
    file: &TestFile,
    told: &(dyn Fn(Tested) + Send + Sync),
) -> Result<(), ToolError> {
    let lua = |error: mlua::Error| state.told(&error);
    let select: Function = shared.get("select").map_err(lua)?;
    let cases: Table = select.call(file.filter.as_deref()).map_err(lua)?;
    for case in cases.sequence_values::<Table>() {
        let case = Case::read(state, shared, file, &case.map_err(lua)?).map_err(lua)?;
        told(case.run().await?);
    }
    Ok(())
}

/// Runs what `file` itself does, which is to declare its tests.
///
/// # Errors
/// What it raised, in words with the position; `timeout`.
pub(super) async fn load(state: &State, file: &Function, limit: Duration) -> Result<(), ToolError> {
    match within(state, file, limit).await? {
        Some(Ok(())) => Ok(()),
        Some(Err(caught)) => Err(unloaded(&caught)),
        None => Err(clock::timeout("the file", limit)
            .with_hint("what takes long belongs inside of `it` or `setup`")),
    }
}

/// Runs `function` in a block that ends with it. None: it was not done by then.
async fn within(
    state: &State,
    function: &Function,
    limit: Duration,
) -> Result<Option<Result<(), Caught>>, ToolError> {
    let block = Current::get()?.block()?;
    let guard = Guard::new(Arc::clone(block.scope().node()));
    let work = raise::run(&state.lua, function, ());
    let work = clock::within(&state.host, block, limit, work);
    let done = Guarded::new(guard, work).await;
    Ok(done.map(|result| result.map(|_| ())))
}

/// What a file that did not come to its tests says.
pub(super) fn unloaded(caught: &Caught) -> ToolError {
    match caught.error.kind {
        Kind::Cancelled => caught.error.clone(),
        _ => ToolError::new(caught.error.kind, words(caught)),
    }
}

/// One test, ready to run.
struct Case<'a> {
    state: &'a Rc<State>,
    shared: &'a Table,
    name: String,
    line: Option<usize>,
    place: String,
    limit: Duration,
    /// None: it is to be written yet.
    phases: Option<(Function, Vec<Function>)>,
}

impl<'a> Case<'a> {
    fn read(
        state: &'a Rc<State>,
        shared: &'a Table,
        file: &TestFile,
        case: &Table,
    ) -> mlua::Result<Case<'a>> {
        let here: Option<String> = case.get("line")?;
        let number = here.as_deref().and_then(|here| here.rsplit_once(':'));
        let line = number.and_then(|(_, line)| line.parse().ok());
        let limit: Option<f64> = case.get("timeout")?;
        let limit = limit.and_then(|limit| Duration::try_from_secs_f64(limit).ok());
        let body: Option<Function> = case.get("body")?;
        let phases = match body {
            None => None,
            Some(_) => Some(shared.get::<Function>("phases")?.call(case)?),
        };
        Ok(Case {
            state,
            shared,
            name: case.get("name")?,
            place: here.unwrap_or_else(|| file.shown.clone()),
            line,
            limit: limit.unwrap_or(super::LIMIT),
            phases,
        })
    }

    async fn run(self) -> Result<Tested, ToolError> {
        let Some((begin, cleaning)) = &self.phases else {
            return Ok(self.tested(Status::Skipped, None, Duration::ZERO));
        };
        let door = self.state.host.door()?;
        let before = door.generation();
        self.begin_anew().await?;
        let start = Instant::now();
        self.is_running(true)?;
        let mut status = Status::Passed;
        let mut said = Vec::new();
        match self.phase(begin).await? {
            Ok(()) => {}
            Err(caught) => match self.reason(&caught) {
                Some(reason) => (status, said) = (Status::Skipped, vec![reason]),
                None => (status, said) = (Status::Failed, vec![self.words(&caught)]),
            },
        }
        for function in cleaning {
            if let Err(caught) = self.phase(function).await? {
                status = Status::Failed;
                said.push(format!("while cleaning up: {}", self.words(&caught)));
            }
        }
        self.is_running(false)?;
        door.replace(Generation::clone(&before));
        if let Some(world) = &self.state.host.vm.shared().settings.testing {
            world.mocks.clear();
        }
        let message = (!said.is_empty()).then(|| said.join("\n"));
        Ok(self.tested(status, message, start.elapsed()))
    }

    /// One piece of the test, in a block that ends with it; what it raised, if anything.
    async fn phase(&self, function: &Function) -> Result<Result<(), Caught>, ToolError> {
        let done = within(self.state, function, self.limit).await?;
        Ok(done.unwrap_or_else(|| Err(late(self.limit))))
    }

    /// An empty workspace, of which nothing is known.
    async fn begin_anew(&self) -> Result<(), ToolError> {
        let services = &self.state.host.services;
        let folder = services.files.workspace().to_owned();
        services.ledger.forget(&folder);
        let emptied = tokio::task::spawn_blocking(move || workspace::empty(&folder)).await;
        emptied.map_err(|error| ToolError::internal(error.to_string()))?
    }

    fn is_running(&self, running: bool) -> Result<(), ToolError> {
        let tell = |run: Function| run.call::<()>(running);
        let told = self.shared.get("run").and_then(tell);
        told.map_err(|error| self.state.told(&error))
    }

    /// Why the test left out the rest of itself, if it did.
    fn reason(&self, caught: &Caught) -> Option<String> {
        let ask: Function = self.shared.get("skipped").ok()?;
        let reason = ask.call::<Option<String>>(&*caught.value);
        reason.ok().flatten()
    }

    fn words(&self, caught: &Caught) -> String {
        let position = caught.position.as_deref();
        spoken(position.unwrap_or(&self.place), &caught.error)
    }

    fn tested(&self, status: Status, message: Option<String>, duration: Duration) -> Tested {
        Tested {
            name: self.name.clone(),
            line: self.line,
            status,
            message,
            duration,
        }
    }
}

fn late(limit: Duration) -> Caught {
    let error = clock::timeout("the test", limit);
    Caught {
        error: error.with_hint("do less, or it(name, function, { timeout = 30 })"),
        position: None,
        value: Box::new(Value::Nil),
        exit: None,
    }
}

/// What a person reads of a failure: where, what, and what to try.
fn words(caught: &Caught) -> String {
    match &caught.position {
        Some(position) => spoken(position, &caught.error),
        None => without_position(&caught.error),
    }
}

fn spoken(position: &str, error: &ToolError) -> String {
    format!("{position}: {}", without_position(error))
}

fn without_position(error: &ToolError) -> String {
    let kind = match error.kind {
        Kind::Failed => String::new(),
        kind => format!("{kind}: "),
    };
    let hint = error.hint.as_ref().map(|hint| format!("\n  try: {hint}"));
    format!("{kind}{}{}", error.message, hint.unwrap_or_default())
}
