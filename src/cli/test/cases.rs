//! The cases that policies declare, run as tests: what a model's call would meet in the mode `default`.
//!
//! No call is made, and no file need be there: a case may bring some.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::report::FileTests;
use crate::error::{Kind, ToolError};
use crate::gate::{Dispatch, Given};
use crate::lua::{self, PolicyCase, Status, Tested};
use crate::permission::{Action, Caller};
use crate::tool::Scope;

/// Runs those of `cases` whose name holds `filter`, a file of tests for each file that declares some. Each has
/// `workspace` with its own files and no others.
///
/// # Errors
/// `cancelled`; what the system says of the workspace.
pub(super) async fn run(
    door: &Arc<Dispatch>,
    scope: &Scope,
    workspace: &Path,
    cases: &[PolicyCase],
    filter: Option<&str>,
) -> Result<Vec<FileTests>, ToolError> {
    let model = scope.lowered(Caller::Model)?;
    let mut all: Vec<FileTests> = Vec::new();
    for case in cases {
        let name = name(case);
        if filter.is_some_and(|filter| !name.contains(filter)) {
            continue;
        }
        lua::empty(workspace)?;
        let test = tested(door, &model, workspace, case, name).await?;
        match all.iter_mut().find(|tests| tests.file == case.file) {
            Some(tests) => tests.tests.push(test),
            None => all.push(FileTests {
                file: case.file.clone(),
                tests: vec![test],
            }),
        }
    }
    Ok(all)
}

/// `shell git push: deny`, `explore shell git push: deny`.
fn name(case: &PolicyCase) -> String {
    let given = match &case.given {
        Given::Subject(text) => text.clone(),
        Given::Arguments(map) => serde_json::to_string(map).unwrap_or_default(),
    };
    let PolicyCase { tool, verdict, .. } = case;
    let profile = case.profile.iter().map(|name| format!("{name} "));
    let profile: String = profile.collect();
    format!("{profile}{tool} {given}: {verdict}")
}

async fn tested(
    door: &Arc<Dispatch>,
    model: &Scope,
    workspace: &Path,
    case: &PolicyCase,
    name: String,
) -> Result<Tested, ToolError> {
    let start = Instant::now();
    let scope = match &case.profile {
        Some(profile) => model.under_profile(profile)?,
        None => model.clone(),
    };
    let foreseen = match lua::fill(workspace, &case.files) {
        Ok(()) => door.foresee(&scope, &case.tool, case.given.clone()).await,
        Err(error) => Err(error),
    };
    let message = match foreseen {
        Err(error) if error.kind == Kind::Cancelled => return Err(error),
        Err(error) => Some(format!("{}: {error}", error.kind)),
        Ok(foreseen) => {
            let verdict = foreseen.verdict;
            let differs = verdict.action != case.verdict;
            let got = (verdict.action, &verdict.reason);
            differs.then(|| told(case.verdict, got.0, got.1))
        }
    };
    let status = match message {
        Some(_) => Status::Failed,
        None => Status::Passed,
    };
    Ok(Tested {
        name,
        line: None,
        status,
        message,
        duration: start.elapsed(),
    })
}

fn told(expected: Action, got: Action, why: &str) -> String {
    format!("expected {expected}, got {got}: {why}")
}
