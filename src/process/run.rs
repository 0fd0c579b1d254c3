//! One command from start to end. A time limit, a signal, a failing command are results, not errors.
//!
//! The order of the end matters: the exit of the command itself, what its pipes hold, SIGKILL to
//! all it left behind, and only then the reaping, which frees the process id that names the group.

use std::time::{Duration, Instant};

use super::descendants::{Member, gone_within};
use super::finished::outcome;
use super::leader::Leader;
use super::streams::Streams;
use super::{Command, Finished, Group, Left, Stream, spawn};
use crate::error::{Kind, ToolError};

/// Between SIGTERM and SIGKILL, when the time is up.
const GRACE: Duration = Duration::from_millis(1000);
/// For what still reads a pipe of the command's (`command > >(tee log)`) to finish with it.
const SETTLE: Duration = Duration::from_millis(150);
/// For the kernel to take away what was sent SIGKILL.
const DEATH: Duration = Duration::from_millis(500);

/// Runs `command` to its end. `adopt` gets the handle to end it by, before anything is waited for;
/// `sink` gets every chunk of output as it arrives, in whole characters. Dropping the future kills the group.
///
/// Errors: `argument` for what cannot be a command, `not_found` for a program or folder that is not
/// there, `resource` when the system lacks something.
pub async fn run(
    command: Command,
    adopt: impl FnOnce(Group) + Send,
    mut sink: impl FnMut(Stream, &[u8]) + Send,
) -> Result<Finished, ToolError> {
    let begun = Instant::now();
    let deadline = command.timeout.and_then(|limit| begun.checked_add(limit));
    let (leader, mut streams) = spawn::start(command)?;
    adopt(leader.group().clone());

    let timed_out = !attend(&leader, &mut streams, deadline, &mut sink).await;
    if timed_out {
        terminate(&leader, &mut streams, &mut sink).await;
    } else {
        settle(&leader, &mut streams, &mut sink).await;
    }
    let (killed, kept) = leader.group().end();
    let (ended, undead) = gone_within(DEATH, killed).await;
    streams.drain(&mut sink);

    let mut left_running: Vec<Left> = kept.iter().map(Member::left).collect();
    left_running.extend(undead);
    let pid = leader.group().pid();
    let status = leader.reap(DEATH).await.map_err(|error| lost(&error))?;
    if status.is_none() {
        let command = "the command itself".to_owned();
        left_running.push(Left { pid, command });
    }
    let (exit_code, signal) = outcome(status, timed_out);
    let (stdout, stderr, merged) = streams.finish(&mut sink);
    Ok(Finished {
        exit_code,
        signal,
        stdout,
        stderr,
        merged,
        duration: begun.elapsed(),
        timed_out,
        ended,
        left_running,
    })
}

/// Moves bytes until the command has exited, or until the deadline: whether it has exited.
async fn attend(
    leader: &Leader,
    streams: &mut Streams,
    deadline: Option<Instant>,
    sink: &mut (impl FnMut(Stream, &[u8]) + Send),
) -> bool {
    let clock = async {
        match deadline {
            Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(clock);
    loop {
        tokio::select! {
            biased;
            () = leader.exited() => return true,
            () = &mut clock => return false,
            () = streams.turn(sink), if streams.is_open() => {}
        }
    }
}

/// Asks the group to end and gives it, the command first, a moment to do so.
async fn terminate(
    leader: &Leader,
    streams: &mut Streams,
    sink: &mut (impl FnMut(Stream, &[u8]) + Send),
) {
    let until = Instant::now() + GRACE;
    leader.group().terminate();
    if attend(leader, streams, Some(until), sink).await {
        let rest = until.saturating_duration_since(Instant::now());
        let others = gone_within(rest, leader.group().members());
        tokio::select! {
            _ = others => {}
            () = async { streams.until_closed(sink).await; std::future::pending().await } => {}
        }
    }
}

/// Takes what the pipes hold. Only a process at work on another pipe is waited for, and briefly.
async fn settle(
    leader: &Leader,
    streams: &mut Streams,
    sink: &mut (impl FnMut(Stream, &[u8]) + Send),
) {
    streams.drain(sink);
    if !streams.is_read() {
        return;
    }
    let members = leader.group().members();
    if members.iter().any(Member::has_pipe_of_its_own) {
        let _ = tokio::time::timeout(SETTLE, streams.until_closed(sink)).await;
    }
}

/// The exit status went elsewhere: whoever started this program had it ignore the end of children.
fn lost(error: &std::io::Error) -> ToolError {
    ToolError::new(
        Kind::Internal,
        format!("the command's exit status was lost: {error}"),
    )
    .with_hint("start the program with SIGCHLD at its default")
}

#[cfg(test)]
mod tests;
