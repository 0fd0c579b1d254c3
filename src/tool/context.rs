//! All that a running tool may reach. A test replaces any part of it.
//!
//! The context belongs to one call. It holds no lock and starts nothing by itself.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{
    Account, Adopted, CallId, Destination, Event, Gate, Generation, Limits, Scope, Services,
    Stream, Tool, hidden,
};
use crate::data::Data;
use crate::error::ToolError;
use crate::permission::{Caller, Subject};
use crate::redact::{Reach, Redactor};

/// What one call gets: its scope, its services, and the way back to the door.
#[derive(Clone)]
pub struct Context {
    /// Who calls, under whom, and whether it is still wanted.
    pub scope: Scope,
    /// The number of this call.
    pub call: CallId,
    /// What was decided about this call so far.
    pub account: Arc<Account>,
    /// The id of the tool that runs.
    pub tool: Arc<str>,
    /// The tool itself, which need not be the one that is in place under its id.
    pub running: Arc<dyn Tool>,
    /// Who reads the result.
    pub destination: Destination,
    /// Files, stores, clock, terminal: shared by all calls of a session.
    pub services: Arc<Services>,
    /// The tools, hooks and policy that the call began with, and ends with.
    pub generation: Arc<Generation>,
    /// The door, for tools that call tools.
    pub gate: Arc<dyn Gate>,
    /// Whether it is only asked what a call would meet: then it does not count what this session has read.
    pub is_foreseen: bool,
}

impl Context {
    /// On whose behalf the call is made.
    pub fn caller(&self) -> Caller {
        self.scope.caller()
    }

    /// The surfaces that rules know the tool by: the one it belongs to, and the one it names itself.
    pub fn surfaces(&self) -> [&str; 2] {
        let declared = &self.running.spec().surface;
        [self.generation.surface_of(&*self.running), declared]
    }

    /// How much of the result of this tool each reader gets.
    pub fn limits(&self) -> Limits {
        let truncation = &self.generation.truncation;
        let limits = truncation.limits(&self.tool, &self.services.limits);
        Limits {
            bytes: limits.bytes.min(self.scope.space()),
            ..limits
        }
    }

    /// What hides secrets from whoever reads the result, if they are hidden from it.
    pub fn redactor(&self) -> Option<Arc<Redactor>> {
        let redaction = &self.generation.redaction;
        redaction.hiding(&self.services, &self.scope, self.destination)
    }

    /// A flag for blocking loops, set when the call is no longer wanted.
    pub fn stop_flag(&self) -> &AtomicBool {
        self.scope.node().stop_flag()
    }

    /// Registers what must be undone when the call ends, however it ends: children to kill,
    /// temporary files to remove. Runs at once if the call has ended already.
    pub fn adopt(&self, cleanup: impl FnOnce() + Send + 'static) -> Adopted {
        self.scope.node().adopt(cleanup)
    }

    /// Tells listeners what the call is doing now.
    pub fn update(&self, title: impl Into<String>, metadata: Data) {
        let (mut title, mut metadata) = (title.into(), metadata);
        if let Some(redactor) = self.redactor() {
            title = redactor.redact(&title, Reach::Model).into_owned();
            hidden::data(&mut metadata, &redactor);
        }
        self.emit(Event::Updated {
            call: self.call,
            title,
            metadata,
        });
    }

    /// Tells listeners how far the call is: `done` of `total` units, if a total is known.
    pub fn progress(&self, done: u64, total: Option<u64>, text: impl Into<String>) {
        let mut text = text.into();
        if let Some(redactor) = self.redactor() {
            text = redactor.redact(&text, Reach::Model).into_owned();
        }
        self.emit(Event::Progress {
            call: Some(self.call),
            done,
            total,
            text,
        });
    }

    /// Passes on output of a running command as it arrives. What must be hidden is hidden already.
    pub fn output(&self, stream: Stream, chunk: &[u8]) {
        let text = String::from_utf8_lossy(chunk).into_owned();
        self.emit(Event::Output {
            call: self.call,
            stream,
            text,
        });
    }

    /// Asks the door for one more permission in the middle of a call.
    ///
    /// # Errors
    /// `denied` or `rejected` when it is not given.
    pub async fn permit(&self, subject: Subject, reason: &str) -> Result<(), ToolError> {
        self.gate.permit(self, subject, reason.to_owned()).await
    }

    /// Runs `work` on the blocking pool; a panic in it is an `internal` error.
    ///
    /// # Errors
    /// What `work` returns, or `internal`.
    pub async fn blocking<T, F>(&self, work: F) -> Result<T, ToolError>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T, ToolError> + Send + 'static,
    {
        match tokio::task::spawn_blocking(work).await {
            Ok(result) => result,
            Err(error) if error.is_cancelled() => Err(ToolError::cancelled()),
            Err(_) => Err(ToolError::internal(format!(
                "the tool `{}` panicked",
                self.tool
            ))),
        }
    }

    fn emit(&self, event: Event) {
        self.scope.tell(&event);
        self.services.sink.emit(event);
    }
}
