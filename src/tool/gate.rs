//! The one door. Everything that runs a tool does so through [`Gate::call`].
//!
//! The traits keep the rooms below from knowing how the door works, and tests from needing a real one.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::future::BoxFuture;

use super::{Call, CallId, Context, Generation, Hiding, Judged, Outcome, Scope};
use crate::error::{Kind, ToolError};
use crate::permission::{Caller, Subject};
use crate::store::SessionId;

/// Dispatch as everything else sees it.
pub trait Gate: Send + Sync {
    /// Runs one call through all stages and returns its one result. The call is open from this
    /// moment: dropping the future ends it as `cancelled`.
    fn call(self: Arc<Self>, scope: &Scope, call: Call) -> BoxFuture<'static, Outcome>;

    /// Judges one more subject for a call that is already running.
    fn permit(
        &self,
        context: &Context,
        subject: Subject,
        reason: String,
    ) -> BoxFuture<'static, Result<(), ToolError>>;

    /// Tells whoever listens, and the hooks at `notification`, that somebody should look up. Ready when
    /// the hooks are done; what fails is logged.
    fn notify(&self, scope: &Scope, title: Option<String>, text: String) -> BoxFuture<'static, ()>;

    /// The tools, hooks and policy that the next call will meet.
    fn generation(&self) -> Arc<Generation>;
}

/// The one line a call leaves behind.
#[derive(Clone, Debug)]
pub struct Record {
    /// The session it was made in.
    pub session: SessionId,
    /// When it came to the door.
    pub began: SystemTime,
    /// The call's number.
    pub call: CallId,
    /// The calls around it, the outermost first.
    pub chain: Vec<CallId>,
    /// The tool's id, or the name asked for.
    pub tool: Arc<str>,
    /// On whose behalf.
    pub caller: Caller,
    /// The profile it was made under.
    pub profile: Option<Arc<str>>,
    /// `None` when it worked, else the kind of its error.
    pub error: Option<Kind>,
    /// From the door to the result.
    pub duration: Duration,
    /// What was judged, if it came to that.
    pub judged: Option<Judged>,
    /// What hides secrets from whoever reads what is kept of it.
    pub hiding: Hiding,
}

impl Record {
    /// The call it was made for.
    pub fn parent(&self) -> Option<CallId> {
        self.chain.last().copied()
    }
}

/// Keeps records. Called exactly once for every call, synchronously, also when it is cancelled;
/// must not block for long and never calls back into the door.
pub trait Recorder: Send + Sync {
    /// Keeps one record.
    fn record(&self, record: Record);
}
