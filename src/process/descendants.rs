//! Who descends from a command: its session's members, and those that left it but carry its marker.
//!
//! Looking is cheap, since every command that ends is followed by a look: process ids are handed out
//! in order, so mostly a few system calls say that nobody is left: less than handing the look to the
//! blocking pool would cost, so it is done where it is asked. It never names a process that
//! is not the command's, and a handle keeps a process id from meaning another process later.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::Left;
use super::environment::MARKER;
use super::exit::Exit;
use crate::text::head_bytes;

/// As long as a command runs no longer than this, process ids cannot have gone once around.
const NO_WRAP: Duration = Duration::from_secs(1);
/// Above this many process ids, listing `/proc` costs less than trying each.
const MANY: u32 = 2048;
/// How often, and after how long, an environment that is empty is looked at again.
const EXEC_LOOKS: usize = 10;
const EXEC_PAUSE: Duration = Duration::from_millis(2);

/// How much of an environment is searched for the marker.
const ENVIRONMENT: usize = 1 << 20;
/// How much of a command line is shown, in bytes.
const SHOWN: usize = 200;

/// What a command's descendants have in common.
#[derive(Debug)]
pub(super) struct Family {
    leader: Pid,
    marker: String,
    begun: Instant,
}

/// A living descendant.
#[derive(Debug)]
pub(super) struct Member {
    pid: Pid,
    command: String,
    /// Absent on kernels without process handles (before 5.3).
    handle: Option<OwnedFd>,
}

impl Family {
    /// The family of `leader`, which leads a session and was started at `begun` with this marker.
    pub(super) fn new(leader: Pid, marker: String, begun: Instant) -> Family {
        Family {
            leader,
            marker,
            begun,
        }
    }

    /// The process at its head.
    pub(super) fn leader(&self) -> Pid {
        self.leader
    }

    /// All who live, without the leader.
    pub(super) fn members(&self) -> Vec<Member> {
        let candidates = self.candidates().filter_map(Pid::from_raw);
        candidates.filter_map(|pid| self.member(pid)).collect()
    }

    /// Whether anybody lives, the leader or another.
    pub(super) fn is_alive(&self) -> bool {
        living_session(self.leader).is_some() || !self.members().is_empty()
    }

    /// Ids that could be descendants': those handed out since the leader's, else all there are.
    fn candidates(&self) -> Box<dyn Iterator<Item = i32>> {
        let leader = self.leader.as_raw_nonzero().get();
        let last = last_pid().unwrap_or(0);
        let in_order = self.begun.elapsed() < NO_WRAP && last >= leader;
        if in_order && last.abs_diff(leader) <= MANY {
            return Box::new(leader + 1..=last);
        }
        let names = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = names.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        Box::new(pids.filter(move |pid| *pid != leader))
    }

    /// Asked twice, before and after the handle is taken: then the handle is that of a descendant.
    fn member(&self, pid: Pid) -> Option<Member> {
        if !self.has(pid) {
            return None;
        }
        let handle = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(handle) => Some(handle),
            Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => None,
            Err(_) => return None, // gone, or a thread and no process
        };
        if !self.has(pid) {
            return None;
        }
        Some(Member {
            pid,
            command: command_line(pid),
            handle,
        })
    }

    /// Whether a living descendant has this id now. (A system call for the session alone would be
    /// cheaper, but its wrapper cannot take the answer 0, which is that of a kernel thread.)
    fn has(&self, pid: Pid) -> bool {
        let session = living_session(pid);
        session.is_some_and(|session| {
            session == self.leader.as_raw_nonzero().get() || self.is_marked(pid)
        })
    }

    /// Whether the process was started with this marker, or with that of a call nested in this one.
    fn is_marked(&self, pid: Pid) -> bool {
        let environment = environment(pid);
        let searched = &environment[..environment.len().min(ENVIRONMENT)];
        searched.split(|byte| *byte == 0).any(|pair| {
            let value = pair
                .strip_prefix(MARKER.as_bytes())
                .and_then(|rest| rest.strip_prefix(b"="));
            let rest = value.and_then(|value| value.strip_prefix(self.marker.as_bytes()));
            rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'.')
        })
    }
}

/// The environment that a process was started with; empty where it has none or is gone. In the middle of an
/// exec it has none for a moment, so an empty one is asked for again.
fn environment(pid: Pid) -> Vec<u8> {
    let read = || fs::read(format!("/proc/{pid}/environ"));
    for _ in 0..EXEC_LOOKS {
        match read() {
            Ok(environment) if environment.is_empty() => std::thread::sleep(EXEC_PAUSE),
            known => return known.unwrap_or_default(),
        }
    }
    Vec::new()
}

impl Member {
    /// Sends SIGKILL; whether it was ours to send.
    pub(super) fn kill(&self) -> bool {
        match &self.handle {
            Some(handle) => pidfd_send_signal(handle, Signal::KILL).is_ok(),
            None => kill_process(self.pid, Signal::KILL).is_ok(),
        }
    }

    /// Whether it holds a pipe that we do not: it may be at work on what the command left in it, as
    /// `tee` is in `command > >(tee log)`.
    pub(super) fn has_pipe_of_its_own(&self) -> bool {
        let ours = pipes("self");
        let theirs = pipes(&self.pid.to_string());
        theirs.iter().any(|pipe| !ours.contains(pipe))
    }

    /// Whether both are the same process.
    pub(super) fn is(&self, other: &Member) -> bool {
        self.pid == other.pid
    }

    /// Its id and command line.
    pub(super) fn left(&self) -> Left {
        Left {
            pid: self.pid.as_raw_nonzero().get().unsigned_abs(),
            command: self.command.clone(),
        }
    }

    async fn gone(self) {
        if let Some(Ok(exit)) = self.handle.map(Exit::by_handle) {
            exit.happened().await;
        }
    }
}

/// Waits until the members have died, no longer than `limit`: those that died, those that live on.
pub(super) async fn gone_within(limit: Duration, members: Vec<Member>) -> (Vec<Left>, Vec<Left>) {
    let until = tokio::time::Instant::now() + limit;
    let (mut gone, mut alive) = (Vec::new(), Vec::new());
    for member in members {
        let left = member.left();
        match tokio::time::timeout_at(until, member.gone()).await {
            Ok(()) => gone.push(left),
            Err(_) => alive.push(left),
        }
    }
    (gone, alive)
}

/// The pipes a process holds, as `pipe:[INODE]`, which is one name for both ends.
fn pipes(process: &str) -> Vec<PathBuf> {
    let fds = fs::read_dir(format!("/proc/{process}/fd"));
    let fds = fds.into_iter().flatten().flatten();
    let targets = fds.filter_map(|fd| fs::read_link(fd.path()).ok());
    targets
        .filter(|target| target.as_os_str().as_bytes().starts_with(b"pipe:"))
        .collect()
}

/// The process id handed out last (proc(5), `/proc/loadavg`).
fn last_pid() -> Option<i32> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_whitespace().last()?.parse().ok()
}

/// The session of a process; `None` when it is dead or a zombie (proc(5), `/proc/PID/stat`). State,
/// parent, group and session follow the name, which stands in brackets and may hold any character.
fn living_session(pid: Pid) -> Option<i32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let name_ends = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(&stat[name_ends + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    if ["Z", "X"].contains(&state) {
        return None;
    }
    fields.nth(2)?.parse().ok()
}

fn command_line(pid: Pid) -> String {
    let mut line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    if line.is_empty() {
        line = fs::read(format!("/proc/{pid}/comm")).unwrap_or_default();
    }
    let line = String::from_utf8_lossy(&line).replace('\0', " ");
    head_bytes(line.trim(), SHOWN).to_owned()
}
