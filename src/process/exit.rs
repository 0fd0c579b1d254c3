//! Noticing that a process has exited, without reaping it and without a timer.
//! The process id stays taken until it is reaped, so that it can still name the group.

#![allow(
    unsafe_code,
    reason = "the runtime takes a descriptor to watch only on the word that it stays open; here it owns it"
)]

use std::io;
use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::watch;

/// The exit of one process.
pub(super) enum Exit {
    /// A process handle becomes readable.
    Handle(AsyncFd<OwnedFd>),
    /// A thread waits, where the kernel or its guard has no process handles.
    Thread(watch::Receiver<bool>),
}

impl Exit {
    /// The exit of a child that nobody else reaps. Needs a running runtime.
    pub(super) fn watch(pid: Pid) -> io::Result<Exit> {
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(handle) => Exit::by_handle(handle),
            Err(Errno::NOSYS | Errno::PERM) => Exit::by_thread(pid),
            Err(error) => Err(error.into()),
        }
    }

    /// The exit of the process that `handle` stands for. Needs a running runtime.
    pub(super) fn by_handle(handle: OwnedFd) -> io::Result<Exit> {
        // SAFETY: the descriptor is owned by the result, which neither closes nor replaces it.
        let watched = unsafe { AsyncFd::register_with_interest(handle, Interest::READABLE) };
        Ok(Exit::Handle(watched?))
    }

    fn by_thread(pid: Pid) -> io::Result<Exit> {
        let (tell, told) = watch::channel(false);
        std::thread::Builder::new()
            .name("exit".to_owned())
            .spawn(move || {
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
                while let Err(Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
                let _ = tell.send(true);
            })?;
        Ok(Exit::Thread(told))
    }

    /// Resolves once the process has exited; may be asked again and again.
    pub(super) async fn happened(&self) {
        match self {
            Exit::Handle(handle) => {
                let _ = handle.readable().await;
            }
            Exit::Thread(told) => {
                let _ = told.clone().wait_for(|exited| *exited).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_thread_notices_the_exit_where_there_are_no_process_handles() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let exit = Exit::by_thread(Pid::from_child(&child)).unwrap();
        let early = tokio::time::timeout(Duration::from_millis(20), exit.happened()).await;
        assert!(early.is_err(), "it still runs");
        drop(child.stdin.take());
        exit.happened().await;
        exit.happened().await;
        assert!(
            child.try_wait().unwrap().unwrap().success(),
            "not reaped by the thread"
        );
    }
}
