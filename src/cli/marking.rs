//! Marks what changes of a project while a model's calls run, where a login session said yes to changes
//! that no model makes.
//!
//! A call that cannot be watched does not run. What a call that was cut off left open is looked at when
//! the last one ends, or with the session.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;

use crate::data::Data;
use crate::error::ToolError;
use crate::layers::Layer;
use crate::permission::Caller;
use crate::store::{Paths, Workspace};
use crate::tool::{Head, Hook, HookReply, Point, Scope, Selection};
use crate::trust::{Stamp, Trust};

/// The watch over one project.
pub(super) struct Marking {
    trust: Trust,
    workspace: Workspace,
    open: Mutex<Open>,
}

/// The model's calls that are running, and what the project held before the first that is watched.
#[derive(Default)]
struct Open {
    watched: HashSet<String>,
    /// Those that began before the login session said its yes.
    unwatched: HashSet<String>,
    stamp: Option<Stamp>,
}

impl Marking {
    /// A watch over the project in `workspace`. Whether this login session said yes to what no model changes
    /// is asked call by call: it may do so at any time.
    pub(super) fn of(workspace: &Workspace, paths: &Paths) -> Option<Arc<Marking>> {
        let marking = || Marking {
            trust: Trust::new(paths),
            workspace: workspace.clone(),
            open: Mutex::default(),
        };
        (!workspace.restricted).then(|| Arc::new(marking()))
    }

    /// The hooks that begin and end the watch over a call. They belong before all others: what another hook
    /// calls for a model is watched as a call of its own.
    pub(super) fn hooks(self: &Arc<Marking>) -> [Arc<dyn Hook>; 2] {
        [Point::ToolBefore, Point::ToolAfter]
            .map(|point| Arc::new(At::new(Arc::clone(self), point)) as Arc<dyn Hook>)
    }

    fn begin(&self, call: String) -> Result<(), ToolError> {
        let mut open = self.lock();
        if open.stamp.is_none() {
            if !self.is_active() {
                open.unwatched.insert(call);
                return Ok(());
            }
            open.stamp = Some(self.trust.dev().before(&self.workspace)?);
        }
        open.watched.insert(call);
        Ok(())
    }

    fn end(&self, call: &str) -> Result<(), ToolError> {
        let mut open = self.lock();
        if open.unwatched.remove(call) && self.is_active() {
            self.trust.doubt(&self.workspace)?;
        }
        open.watched.remove(call);
        match open.watched.is_empty().then(|| open.stamp.take()).flatten() {
            Some(stamp) => self.trust.dev().after(stamp),
            None => Ok(()),
        }
    }

    /// Ends the watch: what is still open is looked at now.
    ///
    /// # Errors
    /// `resource` when a change cannot be marked; the session's yes has ended then.
    pub(super) fn finish(&self) -> Result<(), ToolError> {
        let Open {
            unwatched, stamp, ..
        } = std::mem::take(&mut *self.lock());
        if !unwatched.is_empty() && self.is_active() {
            self.trust.doubt(&self.workspace)?;
        }
        stamp.map_or(Ok(()), |stamp| self.trust.dev().after(stamp))
    }

    fn is_active(&self) -> bool {
        self.trust.dev().is_active(&self.workspace.root)
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watch at one point.
struct At {
    marking: Arc<Marking>,
    head: Head,
}

impl At {
    fn new(marking: Arc<Marking>, point: Point) -> At {
        let head = Head {
            id: match point {
                Point::ToolBefore => u64::MAX,
                _ => u64::MAX - 1,
            },
            point,
            layer: Layer::Shipped,
            name: "that marks what a model changes of the project".to_owned(),
            selection: Selection::default(),
        };
        At { marking, head }
    }
}

impl Hook for At {
    fn head(&self) -> &Head {
        &self.head
    }

    fn hears(&self, caller: Caller) -> bool {
        caller == Caller::Model
    }

    fn run<'a>(
        &'a self,
        _scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>> {
        let call = event.get("call").and_then(Data::as_str);
        let call = call.unwrap_or_default().to_owned();
        drop(event);
        Box::pin(async move {
            let (marking, point) = (Arc::clone(&self.marking), self.head.point);
            let work = move || match point {
                Point::ToolBefore => marking.begin(call),
                _ => marking.end(&call),
            };
            let done = tokio::task::spawn_blocking(work).await;
            done.map_err(|error| ToolError::internal(error.to_string()))??;
            Ok(HookReply::default())
        })
    }
}
