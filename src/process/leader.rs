//! The command's own process: waiting for its exit without reaping it, and reaping it last.
//!
//! Dropped before it was reaped, it kills its group at once and leaves the reaping to a task, so
//! that dropping neither waits nor leaves a zombie.

use std::io;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use rustix::process::Pid;
use tokio::runtime::Handle;

use super::Group;
use super::exit::Exit;

/// A child that is running, or has exited and was not reaped.
pub(super) struct Leader {
    group: Group,
    running: Option<(Child, Exit)>,
    runtime: Handle,
}

impl Leader {
    /// Takes over a child that leads `group`. On failure the child is ended. Needs a running runtime.
    pub(super) fn new(mut child: Child, group: Group) -> io::Result<Leader> {
        match Exit::watch(Pid::from_child(&child)) {
            Ok(exit) => Ok(Leader {
                group,
                running: Some((child, exit)),
                runtime: Handle::current(),
            }),
            Err(error) => {
                group.kill();
                let _ = child.wait();
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
        if let Some((_, exit)) = &self.running {
            exit.happened().await;
        }
    }

    /// Waits for the exit and reaps. `None`: the kernel keeps the process longer than `limit`.
    pub(super) async fn reap(mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        if tokio::time::timeout(limit, self.exited()).await.is_err() {
            return Ok(None);
        }
        let Some((mut child, _)) = self.running.take() else {
            return Ok(None);
        };
        self.group.reap(&mut child)
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        let Some((mut child, exit)) = self.running.take() else {
            return;
        };
        let group = self.group.clone();
        group.kill();
        self.runtime.spawn(async move {
            exit.happened().await;
            group.kill();
            let _ = group.reap(&mut child);
        });
    }
}
