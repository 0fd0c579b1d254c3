//! How a run is ended from outside: Ctrl-C, SIGTERM, `--timeout`. Ending closes the tree of what is open.
//!
//! The first cause decides the exit code. What does not stop by itself within a second, such as a read
//! from a pipe where nothing comes, is left behind. Files that are being put back are waited for: a second
//! signal, once that second is over, leaves them as they are.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::outlet::Outlet;
use crate::error::{Error, Exit, ToolError};
use crate::tool::Scope;

/// The signal of a write past the limit on file sizes, on Linux.
const SIGXFSZ: i32 = 25;

/// How long what was asked to stop may take before the process leaves it behind.
const GRACE: Duration = Duration::from_secs(1);

/// The end of a run, whoever brings it about.
pub(super) struct Ending {
    root: Scope,
    cause: Mutex<Option<Exit>>,
    /// Held while everything is being ended.
    closing: Mutex<()>,
    told: Mutex<Option<io::PipeWriter>>,
    outlet: Arc<Outlet>,
}

impl Ending {
    /// The ending of everything under `root`, and what becomes readable when it comes. What is still
    /// to be written to `outlet` has to hurry then.
    ///
    /// # Errors
    /// `resource` when no pipe can be had.
    pub(super) fn of(
        root: Scope,
        outlet: Arc<Outlet>,
    ) -> Result<(Arc<Ending>, io::PipeReader), ToolError> {
        let pipe = io::pipe().map_err(|error| ToolError::from_io(&error, "open", "a pipe"));
        let (reader, writer) = pipe?;
        let told = Mutex::new(Some(writer));
        Ok((
            Arc::new(Ending {
                root,
                cause: Mutex::default(),
                closing: Mutex::default(),
                told,
                outlet,
            }),
            reader,
        ))
    }

    /// Why the run was ended, if it was.
    pub(super) fn cause(&self) -> Option<Exit> {
        *self.cause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run: children are killed, calls are recorded as cancelled, prompts are given up.
    pub(super) fn end(&self, cause: Exit) {
        let _closing = self.closing.lock().unwrap_or_else(PoisonError::into_inner);
        self.cause
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(cause);
        // Before the prompts are given up: a call that asked is over, and not refused for want of an answer.
        self.root.node().close();
        if let Some(mut told) = self
            .told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            let _ = told.write_all(b"x");
        }
        self.outlet.hurry();
    }

    /// Waits until an end that has begun is complete: what is to be killed is killed then.
    pub(super) fn wait(&self) {
        drop(self.closing.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Watches signals and the clock until the process is gone. Must be called inside the runtime;
    /// the signals are caught from this moment.
    ///
    /// # Errors
    /// `resource` when signals cannot be caught.
    pub(super) fn watch(self: &Arc<Ending>, timeout: Option<Duration>) -> Result<(), Error> {
        let caught =
            |kind| signal(kind).map_err(|error| ToolError::from_io(&error, "catch", "signals"));
        let interrupt = caught(SignalKind::interrupt())?;
        let terminate = caught(SignalKind::terminate())?;
        let hangup = caught(SignalKind::hangup())?;
        let quit = caught(SignalKind::quit())?;
        // Caught and passed over: writing past the size limit is then an error of the write, not the end.
        let too_large = caught(SignalKind::from_raw(SIGXFSZ))?;
        tokio::spawn(
            Arc::clone(self).follow([interrupt, terminate, hangup, quit, too_large], timeout),
        );
        Ok(())
    }

    async fn follow(self: Arc<Ending>, mut signals: [Signal; 5], timeout: Option<Duration>) {
        let clock = async {
            match timeout {
                Some(timeout) => tokio::time::sleep(timeout).await,
                None => std::future::pending().await,
            }
        };
        let cause = tokio::select! {
            cause = asked(&mut signals) => cause,
            () = clock => Exit::Timeout,
        };
        self.end(cause);
        // People press Ctrl-C twice, so what comes within the grace asks for nothing more.
        let pressed_again = async {
            loop {
                asked(&mut signals).await;
            }
        };
        let _over: Result<(), _> = tokio::time::timeout(GRACE, pressed_again).await;
        tokio::select! {
            () = self.root.settled() => {}
            _ = asked(&mut signals) => {
                let line = "left at once: files that were being put back may be half so\n";
                self.outlet.last_word(line);
            }
        }
        std::process::exit(cause.code().into());
    }
}

/// The next signal that asks for the end, as the exit it asks for.
async fn asked([interrupt, terminate, hangup, quit, _]: &mut [Signal; 5]) -> Exit {
    tokio::select! {
        _ = interrupt.recv() => Exit::Interrupted,
        _ = terminate.recv() => Exit::Terminated,
        _ = hangup.recv() => Exit::Terminated,
        _ = quit.recv() => Exit::Terminated,
    }
}
