//! Starting a command: its program found, its pipes laid, its marker set, the system's refusals said plainly.
//! Nothing is inherited but what is laid here: three pipes, a folder, an environment.
//!
//! It runs where it is called, on a thread of the runtime: the child begins on shared memory, so starting
//! it takes a fraction of a millisecond, while the way to the blocking pool and back would add 50 µs to
//! every command and a moment in which a child exists that nobody has adopted yet.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rustix::fs::Access;

use super::below::{self, HANDED};
use super::descendants::Family;
use super::environment::{CALLER, MARKER};
use super::launch::{Descriptors, launch};
use super::leader::Leader;
use super::streams::{Pipes, Streams};
use super::{Command, Group};
use crate::error::{Kind, ToolError};
use crate::store::token;

/// Where a program is looked for when the environment has no `PATH` (exec(3)).
const PATH: &str = "/bin:/usr/bin";

/// Starts `command`. It has no terminal: its session is new, so nothing in it can open `/dev/tty`.
pub(super) fn start(mut command: Command) -> Result<(Leader, Streams), ToolError> {
    command.check()?;
    let marker = mark(&mut command)?;
    let begun = Instant::now();
    let started = match (piped(&command), command.instead.take()) {
        (Err(_), Some(instead)) => {
            (command.program, command.args) = (instead.program, instead.args);
            let without = &instead.without;
            command.env.retain(|name, _| !without.contains(name));
            piped(&command)
        }
        (started, _) => started,
    };
    let (pid, pipes) = started.map_err(|error| refusal(&error, &command))?;
    let group = Group::new(Family::new(pid, marker, begun));
    let watched = |error: io::Error| ToolError::from_io(&error, "watch", "the command");
    let leader = Leader::new(group).map_err(watched)?;
    let input = command.stdin.unwrap_or_default();
    let streams = Streams::new(pipes, input, command.capture, command.filter).map_err(watched)?;
    Ok((leader, streams))
}

/// Gives the child the marker of a new call, below the call that this environment belongs to.
fn mark(command: &mut Command) -> Result<String, ToolError> {
    let marker = marker_below(command.env.get(OsStr::new(MARKER)).map(OsString::as_os_str))?;
    command.env.insert(MARKER.into(), marker.clone().into());
    Ok(marker)
}

/// The marker of a new call below the call `outer`.
pub(super) fn marker_below(outer: Option<&OsStr>) -> Result<String, ToolError> {
    match outer.and_then(OsStr::to_str) {
        Some(outer) if !outer.is_empty() => Ok(format!("{outer}.{}", token()?)),
        _ => token(),
    }
}

/// Starts the program with pipes to it. Our copies of the child's ends are closed on return.
fn piped(command: &Command) -> io::Result<(rustix::process::Pid, Pipes)> {
    let program = found(command)?;
    let (stdout, child_stdout) = io::pipe()?;
    let (stderr, child_stderr) = io::pipe()?;
    let input = command.stdin.as_ref().map(|_| io::pipe()).transpose()?;
    let given = Descriptors {
        stdin: input.as_ref().map(|(child_stdin, _)| child_stdin.as_fd()),
        stdout: child_stdout.as_fd(),
        stderr: child_stderr.as_fd(),
    };
    let caller = command.env.get(OsStr::new(CALLER));
    let handed = command.env.get(OsStr::new(HANDED)).map(OsString::as_os_str);
    let mark = caller
        .filter(|caller| *caller == "model")
        .map(|_| below::mark_of(handed));
    let pid = below::started(mark, || launch(command, &program, &given))?;
    let stdin = input.map(|(_, stdin)| stdin.into());
    let pipes = Pipes {
        stdin,
        stdout: stdout.into(),
        stderr: stderr.into(),
    };
    Ok((pid, pipes))
}

/// The file of the program: as it is when it holds a slash, else the first in the child's `PATH`
/// that may be executed.
fn found(command: &Command) -> io::Result<PathBuf> {
    let path = command.env.get(OsStr::new("PATH"));
    find_program(
        &command.program,
        path.map(OsString::as_os_str),
        &command.cwd,
    )
}

/// The file of `program`: as it is when it holds a slash, else the first in the folders of `path` that may be
/// executed. Without a `path` the system's own folders are looked in; relative ones are meant from `cwd`.
///
/// # Errors
/// `NotFound`; `PermissionDenied` where there are such files and none may be executed.
pub fn find_program(program: &OsStr, path: Option<&OsStr>, cwd: &Path) -> io::Result<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return Ok(PathBuf::from(program));
    }
    let mut denied = false;
    for folder in std::env::split_paths(path.unwrap_or(OsStr::new(PATH))) {
        let file = cwd.join(folder).join(program);
        if !file.is_file() {
            continue;
        }
        if rustix::fs::access(&file, Access::EXEC_OK).is_ok() {
            return Ok(file);
        }
        denied = true;
    }
    Err(match denied {
        true => io::ErrorKind::PermissionDenied.into(),
        false => io::ErrorKind::NotFound.into(),
    })
}

/// Why the system would not start it: the folder, the program, the size, or a want of something.
fn refusal(error: &io::Error, command: &Command) -> ToolError {
    let program = format!("`{}`", command.program.to_string_lossy());
    if !command.cwd.is_dir() {
        return no_folder(&program, &command.cwd);
    }
    match error.kind() {
        io::ErrorKind::NotFound => ToolError::not_found(format!("there is no program {program}"))
            .with_hint("check its name, the PATH, and the interpreter that its first line names"),
        io::ErrorKind::ArgumentListTooLong => ToolError::argument(format!(
            "the arguments and environment of {program} are longer than the system allows"
        ))
        .with_hint("pass the long part through `stdin` or a file"),
        _ => ToolError::from_io(error, "start", &program),
    }
}

fn no_folder(program: &str, folder: &Path) -> ToolError {
    let kind = match folder.symlink_metadata() {
        Ok(_) => Kind::Argument,
        Err(_) => Kind::NotFound,
    };
    let folder = folder.to_string_lossy();
    ToolError::new(
        kind,
        format!("cannot run {program} in `{folder}`: no such folder"),
    )
    .with_hint("name a folder that exists as `cwd`")
}
