//! `agent test [PATH…]`: Lua tests, the examples of tool files and the cases of policies, each in an empty workspace
//! that goes when it is over.
//!
//! What PATH names is the person's own act and runs; nothing of the configuration or the project does. The report is
//! the answer: a line a file, every failure in full, the three numbers last.

mod cases;
mod find;
mod junit;
mod project;
mod report;
mod stray;
mod world;

use std::path::{Path, PathBuf};

use super::args::Options;
use super::session::Session;
use super::start;
use crate::error::{Error, Exit, ToolError};
use crate::permission::Caller;

use find::Found;
use report::Report;
use world::World;

/// What is asked of a run of tests.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// Files and folders; none: the project's own.
    pub(super) paths: Vec<PathBuf>,
    /// Only tests whose full name holds this.
    pub(super) filter: Option<String>,
    /// Where a report as JUnit XML goes.
    pub(super) junit: Option<PathBuf>,
}

/// Runs the tests and reports.
///
/// # Errors
/// Usage and configuration: a PATH that is not there, no tests.
pub(super) fn run(mut options: Options, wanted: Wanted) -> Result<Exit, Error> {
    if options.caller() == Caller::Model {
        return Err(Error::usage(
            "tests run for a person, never as a model",
            "leave out `--as model`; inside a test, as_model(function() … end) acts as one",
        ));
    }
    // The tools of the command line belong to the tests; the session itself loads nothing.
    let tools = std::mem::take(&mut options.tools);
    options.bare = true;
    let session = start(options, Vec::new())?;
    let found = match wanted.paths.is_empty() {
        true => find::of_the_project(&session, &tools)?,
        false => find::all(&wanted.paths, &tools)?,
    };
    let junit = wanted.junit.as_deref().map(created).transpose()?;
    session.run(None, None, async |session| {
        let report = tested(session, &found, wanted.filter.as_deref()).await?;
        if report.is_empty() {
            return Err(nothing(&wanted));
        }
        if let Some(file) = &junit {
            std::fs::write(file, junit::document(&report)).map_err(|error| {
                ToolError::from_io(&error, "write", &file.display().to_string())
            })?;
        }
        report.tell(&session.answer);
        Ok(report.exit())
    })
}

/// Runs everything that was found, file after file.
async fn tested(session: &Session, found: &Found, filter: Option<&str>) -> Result<Report, Error> {
    let world = World::new(session)?;
    let mut report = Report::begin(session);
    for file in &found.tests {
        report.add(world.test(file, filter).await?);
    }
    for folder in &found.tools {
        for tests in world.examples(folder, filter).await? {
            report.add(tests);
        }
    }
    Ok(report)
}

fn nothing(wanted: &Wanted) -> Error {
    match &wanted.filter {
        Some(filter) => Error::usage(
            format!("no test has `{filter}` in its name"),
            "the name is that of the blocks and of the test: `describe it`",
        ),
        None => Error::usage(
            "there are no tests",
            "a test is it(\"name\", function() … end) in a file *_test.lua or *_spec.lua, an example of a tool, or a case of a policy",
        ),
    }
}

/// The file for the other report, made before anything runs; the working folder is another then.
fn created(file: &Path) -> Result<PathBuf, Error> {
    std::fs::File::create(file).map_err(|error| {
        let failed = ToolError::from_io(&error, "write", &file.display().to_string());
        Error::usage(
            failed.message,
            "name a file after --junit that can be written",
        )
    })?;
    absolute(file)
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|error| {
        let shown = path.display().to_string();
        Error::from(ToolError::from_io(&error, "find", &shown))
    })
}
