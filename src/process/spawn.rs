//! Starting a child: a session of its own, pipes, a marker, and the system's refusals said plainly.

#![allow(
    unsafe_code,
    reason = "a child gets its own session between fork and exec, by one system call that is safe there"
)]

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::time::Instant;

use rustix::process::Pid;

use super::descendants::Family;
use super::environment::MARKER;
use super::leader::Leader;
use super::streams::Streams;
use super::{Command, Group};
use crate::error::{Kind, ToolError};
use crate::store::token;

/// Starts `command`. It has no terminal: its session is new, so nothing in it can open `/dev/tty`.
pub(super) fn start(mut command: Command) -> Result<(Leader, Streams), ToolError> {
    command.check()?;
    let marker = mark(&mut command)?;
    let begun = Instant::now();
    let mut child = fork(&command).map_err(|error| refusal(&error, &command))?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let group = Group::new(Family::new(Pid::from_child(&child), marker, begun));
    let watched = |error: io::Error| ToolError::from_io(&error, "watch", "the command");
    let leader = Leader::new(child, group).map_err(watched)?;
    let input = command.stdin.unwrap_or_default();
    let streams = Streams::new(pipes, input, command.capture).map_err(watched)?;
    Ok((leader, streams))
}

/// Gives the child the marker of a new call, below the call that this environment belongs to.
fn mark(command: &mut Command) -> Result<String, ToolError> {
    let outer = command.env.get(&OsString::from(MARKER));
    let marker = match outer.and_then(|outer| outer.to_str()) {
        Some(outer) if !outer.is_empty() => format!("{outer}.{}", token()?),
        _ => token()?,
    };
    command.env.insert(MARKER.into(), marker.clone().into());
    Ok(marker)
}

fn fork(command: &Command) -> io::Result<Child> {
    let stdin = match command.stdin {
        Some(_) => Stdio::piped(),
        None => Stdio::null(),
    };
    let mut child = std::process::Command::new(&command.program);
    child
        .args(&command.args)
        .current_dir(&command.cwd)
        .env_clear()
        .envs(&command.env)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // SAFETY: the closure makes one system call and touches no memory of the parent.
    unsafe {
        child.pre_exec(|| {
            rustix::process::setsid()?;
            Ok(())
        });
    }
    child.spawn()
}

/// Why the system would not start it: the folder, the program, the size, or a want of something.
fn refusal(error: &io::Error, command: &Command) -> ToolError {
    let program = format!("`{}`", command.program.to_string_lossy());
    if !command.cwd.is_dir() {
        let folder = command.cwd.to_string_lossy();
        let kind = match command.cwd.symlink_metadata() {
            Ok(_) => Kind::Argument,
            Err(_) => Kind::NotFound,
        };
        return ToolError::new(
            kind,
            format!("cannot run {program} in `{folder}`: no such folder"),
        )
        .with_hint("name a folder that exists as `cwd`");
    }
    match error.kind() {
        io::ErrorKind::NotFound => ToolError::not_found(format!("there is no program {program}"))
            .with_hint("check the name and the PATH, or install it"),
        io::ErrorKind::ArgumentListTooLong => ToolError::argument(format!(
            "the arguments and environment of {program} are longer than the system allows"
        ))
        .with_hint("pass the long part through `stdin` or a file"),
        _ => ToolError::from_io(error, "start", &program),
    }
}
