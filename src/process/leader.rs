//! The command's own process: waiting for its exit without reaping it, and reaping it last.
//!
//! Dropped before it was reaped, it kills its group at once and leaves the reaping to a task, so
//! that dropping neither waits nor leaves a zombie.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::WaitOptions;
use tokio::runtime::Handle;

use super::Group;
use super::exit::Exit;

/// A child that is running, or has exited and was not reaped.
pub(super) struct Leader {
    group: Group,
    /// Gone once the child was reaped.
    exit: Option<Exit>,
    runtime: Handle,
}

impl Leader {
    /// Takes over the child that leads `group`. On failure it is ended. Needs a running runtime.
    pub(super) fn new(group: Group) -> io::Result<Leader> {
        match Exit::watch(group.leader()) {
            Ok(exit) => Ok(Leader {
                group,
                exit: Some(exit),
                runtime: Handle::current(),
            }),
            Err(error) => {
                group.kill();
                let _ = group.reap(WaitOptions::empty());
                Err(error)
            }
        }
    }

    /// The handle to its group.
    pub(super) fn group(&self) -> &Group {
        &self.group
    }

    /// Resolves once the child has exited; may be asked again and again.
    pub(super) async fn exited(&self) {
        if let Some(exit) = &self.exit {
            exit.happened().await;
        }
    }

    /// Waits for the exit and reaps. `None`: the kernel keeps the process longer than `limit`.
    pub(super) async fn reap(mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        if tokio::time::timeout(limit, self.exited()).await.is_err() {
            return Ok(None);
        }
        self.exit = None;
        self.group.reap(WaitOptions::NOHANG)
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        let Some(exit) = self.exit.take() else {
            return;
        };
        let group = self.group.clone();
        group.kill();
        self.runtime.spawn(async move {
            exit.happened().await;
            group.kill();
            let _ = group.reap(WaitOptions::NOHANG);
        });
    }
}
