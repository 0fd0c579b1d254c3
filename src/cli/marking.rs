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
use crate::layers::{Dev, Layer, Stamp};
use crate::store::{Paths, Room, Workspace};
use crate::tool::{Hook, HookReply, Point, Scope};

/// The watch over one project.
pub(super) struct Marking {
    dev: Dev,
    workspace: Workspace,
    open: Mutex<Open>,
}

/// The model's calls that are running, and what the project held before the first of them.
#[derive(Default)]
struct Open {
    calls: HashSet<String>,
    stamp: Option<Stamp>,
}

impl Marking {
    /// A watch over the project in `workspace`, where this login session said yes to what no model changes.
    pub(super) fn of(workspace: &Workspace, paths: &Paths) -> Option<Arc<Marking>> {
        if workspace.restricted || !paths.room(Room::Trust).is_dir() {
            return None;
        }
        let dev = Dev::new(paths);
        let marking = || Marking {
            workspace: workspace.clone(),
            open: Mutex::default(),
            dev: dev.clone(),
        };
        dev.is_active(&workspace.root).then(|| Arc::new(marking()))
    }

    /// The hooks that begin and end the watch over a call. They belong before all others: what another hook
    /// calls for a model is watched as a call of its own.
    pub(super) fn hooks(self: &Arc<Marking>) -> [Arc<dyn Hook>; 2] {
        [Point::ToolBefore, Point::ToolAfter].map(|point| {
            let marking = Arc::clone(self);
            Arc::new(At { marking, point }) as Arc<dyn Hook>
        })
    }

    fn begin(&self, call: String) -> Result<(), ToolError> {
        let mut open = self.lock();
        if open.stamp.is_none() {
            open.stamp = Some(self.dev.before(&self.workspace)?);
        }
        open.calls.insert(call);
        Ok(())
    }

    fn end(&self, call: &str) -> Result<(), ToolError> {
        let mut open = self.lock();
        open.calls.remove(call);
        match open.calls.is_empty().then(|| open.stamp.take()).flatten() {
            Some(stamp) => self.dev.after(stamp),
            None => Ok(()),
        }
    }

    /// Ends the watch: what is still open is looked at now.
    ///
    /// # Errors
    /// `resource` when a change cannot be marked; the session's yes has ended then.
    pub(super) fn finish(&self) -> Result<(), ToolError> {
        let stamp = self.lock().stamp.take();
        stamp.map_or(Ok(()), |stamp| self.dev.after(stamp))
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watch at one point.
struct At {
    marking: Arc<Marking>,
    point: Point,
}

impl Hook for At {
    fn id(&self) -> u64 {
        match self.point {
            Point::ToolBefore => u64::MAX,
            _ => u64::MAX - 1,
        }
    }

    fn point(&self) -> Point {
        self.point
    }

    fn layer(&self) -> Layer {
        Layer::Shipped
    }

    fn name(&self) -> String {
        "that marks what a model changes of the project".to_owned()
    }

    fn run<'a>(
        &'a self,
        _scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>> {
        let text = |field| event.get(field).and_then(Data::as_str).unwrap_or_default();
        let (is_model, call) = (text("caller") == "model", text("call").to_owned());
        drop(event);
        Box::pin(async move {
            if is_model {
                let (marking, point) = (Arc::clone(&self.marking), self.point);
                let work = move || match point {
                    Point::ToolBefore => marking.begin(call),
                    _ => marking.end(&call),
                };
                let done = tokio::task::spawn_blocking(work).await;
                done.map_err(|error| ToolError::internal(error.to_string()))??;
            }
            Ok(HookReply::default())
        })
    }
}
