//! The handle by which a running command is ended, with everything it started. Synchronous, from any thread.
//!
//! Invariant: no signal reaches a stranger. The group's id is the leader's process id, which stays
//! taken until the leader is reaped; signals and the reaping exclude each other by one lock.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpid};

use super::descendants::{Family, Member};

/// How often the descendants are looked for again, since those that are found may have started others.
const ROUNDS: usize = 8;

/// A command's process group, its session, and what left the session.
#[derive(Clone, Debug)]
pub struct Group(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    family: Family,
    reaped: Mutex<bool>,
}

impl Group {
    pub(super) fn new(family: Family) -> Group {
        Group(Arc::new(Shared {
            family,
            reaped: Mutex::new(false),
        }))
    }

    /// The process id of the command itself.
    pub fn pid(&self) -> u32 {
        self.leader().as_raw_nonzero().get().unsigned_abs()
    }

    pub(super) fn leader(&self) -> Pid {
        self.0.family.leader()
    }

    /// Ends the command and all its descendants with SIGKILL. May be called any number of times, and
    /// after the command has ended; it waits for nothing.
    pub fn kill(&self) {
        let reaped = self.lock();
        if !*reaped {
            self.signal(Signal::KILL);
            self.sweep();
        }
    }

    /// Ends it, and waits until all of it has died, no longer than `limit`: not for a thread that must go on.
    pub fn kill_and_wait(&self, limit: Duration) {
        let until = Instant::now() + limit;
        loop {
            self.kill();
            if !self.0.family.is_alive() || Instant::now() >= until {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Asks the group to end, also those in it that are stopped.
    pub(super) fn terminate(&self) {
        let reaped = self.lock();
        if !*reaped {
            self.signal(Signal::TERM);
            self.signal(Signal::CONT);
        }
    }

    /// The descendants that live.
    pub(super) fn members(&self) -> Vec<Member> {
        self.0.family.members()
    }

    /// Kills like [`Group::kill`]; who had been alive beside the leader: sent a signal, and out of our reach.
    pub(super) fn end(&self) -> (Vec<Member>, Vec<Member>) {
        let reaped = self.lock();
        if *reaped {
            return (Vec::new(), Vec::new());
        }
        let swept = self.sweep();
        self.signal(Signal::KILL);
        swept
    }

    /// Takes the leader's exit status, if it has exited or `options` say to wait. From then on no
    /// signal is sent.
    pub(super) fn reap(&self, options: WaitOptions) -> io::Result<Option<ExitStatus>> {
        let mut reaped = self.lock();
        if *reaped {
            return Ok(None);
        }
        let status = waitpid(Some(self.leader()), options);
        *reaped = !matches!(status, Ok(None));
        Ok(status?.map(|(_, status)| ExitStatus::from_raw(status.as_raw())))
    }

    /// Kills descendants until a look finds no new one. Each is named before it is killed.
    fn sweep(&self) -> (Vec<Member>, Vec<Member>) {
        let (mut killed, mut kept): (Vec<Member>, Vec<Member>) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mut found = self.members();
            found.retain(|member| !killed.iter().chain(&kept).any(|known| known.is(member)));
            if found.is_empty() {
                break;
            }
            for member in found {
                match member.kill() {
                    true => killed.push(member),
                    false => kept.push(member),
                }
            }
        }
        (killed, kept)
    }

    /// To every member of the group at once. Nobody there is no failure.
    fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.leader(), signal);
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.0.reaped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
