//! `agent doctor`: is everything here that this program needs? One check a line, the basic ones first.
//!
//! A check looks and says what to do; it mends nothing.

use std::path::Path;

use serde::Serialize;
use serde_json::json;

use super::args::Options;
use super::session::Session;
use super::{start, terminal};
use crate::error::{Error, Exit};
use crate::store::Room;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// As it should be.
    Ok,
    /// Works, and could be better.
    Warn,
    /// Something will fail.
    Fail,
}

/// What a check found, and what to do about it.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    status: Status,
    found: String,
    fix: Option<&'static str>,
}

/// The checks, most basic first.
const CHECKS: [fn(&Session) -> Finding; 6] =
    [version, workspace, configuration, state, shell, person];

/// Runs the checks and prints what they found.
///
/// # Errors
/// Usage and configuration.
pub(super) fn run(options: Options) -> Result<Exit, Error> {
    let session = start(options, Vec::new())?;
    let findings: Vec<Finding> = CHECKS.iter().map(|check| check(&session)).collect();
    let is_well = findings
        .iter()
        .all(|finding| finding.status != Status::Fail);
    if session.answer.is_machine() {
        session
            .answer
            .document(json!({ "ok": is_well, "checks": findings }));
    } else {
        session
            .answer
            .text(&findings.iter().map(as_line).collect::<String>());
    }
    Ok(if is_well { Exit::Done } else { Exit::Failed })
}

fn as_line(finding: &Finding) -> String {
    let mark = match finding.status {
        Status::Ok => "ok  ",
        Status::Warn => "warn",
        Status::Fail => "FAIL",
    };
    let fix = finding
        .fix
        .map(|fix| format!("\n       try: {fix}"))
        .unwrap_or_default();
    format!("{mark} {:<14} {}{fix}\n", finding.check, finding.found)
}

fn finding(check: &'static str, found: impl Into<String>) -> Finding {
    Finding {
        check,
        status: Status::Ok,
        found: found.into(),
        fix: None,
    }
}

fn version(_: &Session) -> Finding {
    finding(
        "version",
        concat!("agent ", env!("CARGO_PKG_VERSION"), ", Lua 5.4"),
    )
}

fn workspace(session: &Session) -> Finding {
    let files = &session.services.files;
    let found = finding("workspace", files.show(files.cwd()));
    if !session.workspace.restricted {
        return found;
    }
    Finding {
        status: Status::Warn,
        fix: Some("work in a project folder of your own: here every write asks first"),
        ..found
    }
}

fn configuration(session: &Session) -> Finding {
    let folder = &session.paths.config;
    let is_there = if folder.is_dir() {
        ""
    } else {
        " (not there, which is fine)"
    };
    finding(
        "configuration",
        format!("{}{is_there}", session.services.files.show(folder)),
    )
}

fn state(session: &Session) -> Finding {
    let shown = session.services.files.show(&session.paths.state);
    match session.paths.make(Room::Store) {
        Ok(_) => finding("state", shown),
        Err(error) => Finding {
            status: Status::Fail,
            found: error.to_string(),
            fix: Some("set AGENT_STATE_DIR to a folder that you can write"),
            ..finding("state", "")
        },
    }
}

fn shell(session: &Session) -> Finding {
    let path = session
        .services
        .environment
        .get(std::ffi::OsStr::new("PATH"));
    let found = path.and_then(|path| {
        std::env::split_paths(path)
            .map(|folder| folder.join("bash"))
            .find(|file| is_program(file))
    });
    match found {
        Some(file) => finding("shell", file.display().to_string()),
        None => Finding {
            status: Status::Fail,
            fix: Some("install bash, or put it on PATH: the tool `shell` runs it"),
            ..finding("shell", "bash is not on PATH")
        },
    }
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

fn person(_: &Session) -> Finding {
    let found = if terminal::is_attended() {
        "attended: questions are asked here"
    } else {
        "unattended: what would ask is denied"
    };
    finding("person", found)
}
