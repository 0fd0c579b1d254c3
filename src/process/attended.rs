//! A command line that shares our terminal: what `os.execute` runs for a person.
//!
//! Nothing is captured and nothing is judged. It ends when the handle that `adopt` gets is used, so that
//! it does not outlive the call it was started for.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitStatus, Stdio};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::descendants::Family;
use super::environment::MARKER;
use super::spawn::marker_below;
use crate::error::ToolError;

/// How long the kernel may take to end what was sent SIGKILL.
const DEATH: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// Ends a command; harmless when it has ended already.
pub type End = Box<dyn FnOnce() + Send>;

/// Runs `line` with `sh -c` on our own standard streams. `is_quiet` sends what it writes to standard
/// output to standard error, where the former carries a document.
///
/// # Errors
/// `resource` or `not_found` when it cannot be started.
pub async fn attended(
    line: &OsStr,
    is_quiet: bool,
    adopt: impl FnOnce(End),
) -> Result<ExitStatus, ToolError> {
    let failed = |error: std::io::Error| ToolError::from_io(&error, "run", "the command");
    let marker = marker_below(std::env::var_os(MARKER).as_deref())?;
    let begun = Instant::now();
    let mut command = tokio::process::Command::new("sh");
    command
        .arg("-c")
        .arg(line)
        .env(MARKER, &marker)
        .kill_on_drop(true);
    if is_quiet {
        command.stdout(Stdio::from(std::io::stderr()));
    }
    let mut child = command.spawn().map_err(failed)?;
    let pid = child
        .id()
        .and_then(|pid| i32::try_from(pid).ok())
        .and_then(Pid::from_raw);
    if let Some(pid) = pid
        && let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
    {
        adopt(Box::new(move || {
            let _ended_already = pidfd_send_signal(&handle, Signal::KILL);
            // A shell in the middle of a fork leaves a child behind: look when it is really gone.
            let mut gone = [PollFd::new(&handle, PollFlags::IN)];
            let _in_time = poll(&mut gone, Some(&DEATH));
            for member in Family::new(pid, marker, begun).members() {
                member.kill();
            }
        }));
    }
    child.wait().await.map_err(failed)
}

/// How it ended, in the words of Lua's `os.execute`: `exit` or `signal`, and the number.
pub fn ending(status: ExitStatus) -> (&'static str, i32) {
    match status.signal() {
        Some(signal) => ("signal", signal),
        None => ("exit", status.code().unwrap_or(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: &str, end: bool) -> (&'static str, i32) {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap();
        let adopt = |kill: End| {
            if end {
                kill();
            }
        };
        ending(
            runtime
                .block_on(attended(OsStr::new(line), true, adopt))
                .unwrap(),
        )
    }

    #[test]
    fn says_how_a_command_ended() {
        assert_eq!(run("exit 3", false), ("exit", 3));
        assert_eq!(run("kill -TERM $$", false), ("signal", 15));
    }

    #[test]
    fn ends_when_it_is_told_to() {
        assert_eq!(run("sleep 300; true", true), ("signal", 9));
    }
}
