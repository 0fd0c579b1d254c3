//! The tree of what is open: sessions, blocks, calls. Closing a node is synchronous and final.
//!
//! Closing ends the children first, then what the node adopted (process groups, temporary files),
//! then writes the one record. It never relies on a future being dropped: Lua may keep one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio_util::sync::CancellationToken;

use crate::error::ToolError;

type Cleanup = Box<dyn FnOnce() + Send>;
type Recording = Box<dyn FnOnce(Result<(), &ToolError>) + Send>;

/// One open thing, and all that ends with it.
pub struct Node {
    token: CancellationToken,
    stopped: Arc<AtomicBool>,
    parent: Option<(Weak<Node>, u64)>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    closed: bool,
    next: u64,
    children: BTreeMap<u64, Weak<Node>>,
    adopted: BTreeMap<u64, Cleanup>,
    recording: Option<Recording>,
}

impl Node {
    /// A node of its own: a session or a process.
    pub fn root() -> Arc<Node> {
        Arc::new(Node::under(None))
    }

    /// A node below this one.
    ///
    /// # Errors
    /// `cancelled` when this one is closed: what it would have held is not wanted any more.
    pub fn child(self: &Arc<Node>) -> Result<Arc<Node>, ToolError> {
        let mut state = self.lock();
        if state.closed {
            return Err(ToolError::cancelled());
        }
        let key = state.take_key();
        let child = Arc::new(Node::under(Some((Arc::downgrade(self), key))));
        state.children.insert(key, Arc::downgrade(&child));
        Ok(child)
    }

    /// Fires when the node is closed.
    pub fn token(&self) -> &CancellationToken {
        &self.token
    }

    /// Set when the node is closed.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stopped)
    }

    /// Whether the node is closed.
    pub fn is_closed(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// What must be undone when the node closes; runs at once if it is closed already.
    pub fn adopt(self: &Arc<Node>, cleanup: impl FnOnce() + Send + 'static) -> Adopted {
        let mut state = self.lock();
        if state.closed {
            drop(state);
            cleanup();
            return Adopted {
                node: Weak::new(),
                key: 0,
            };
        }
        let key = state.take_key();
        state.adopted.insert(key, Box::new(cleanup));
        Adopted {
            node: Arc::downgrade(self),
            key,
        }
    }

    /// Sets what writes the node's one record.
    pub fn on_record(&self, recording: impl FnOnce(Result<(), &ToolError>) + Send + 'static) {
        self.lock().recording = Some(Box::new(recording));
    }

    /// Writes the record with `result`, then closes the node.
    ///
    /// # Errors
    /// `cancelled` when the node was closed before: its record says so, and the result is void.
    pub fn finish(&self, result: Result<(), &ToolError>) -> Result<(), ToolError> {
        let (first, recording) = {
            let mut state = self.lock();
            (!state.closed, state.recording.take())
        };
        if let Some(recording) = recording {
            recording(result);
        }
        self.close();
        if first {
            Ok(())
        } else {
            Err(ToolError::cancelled())
        }
    }

    /// Ends everything below, undoes what was adopted, writes `cancelled` if nothing was written.
    pub fn close(&self) {
        let (children, adopted, recording) = {
            let mut state = self.lock();
            if std::mem::replace(&mut state.closed, true) {
                return;
            }
            self.stopped.store(true, Ordering::Release);
            let children = std::mem::take(&mut state.children);
            (
                children,
                std::mem::take(&mut state.adopted),
                state.recording.take(),
            )
        };
        self.token.cancel();
        for child in children.into_values().filter_map(|child| child.upgrade()) {
            child.close();
        }
        for cleanup in adopted.into_values().rev() {
            cleanup();
        }
        if let Some(recording) = recording {
            recording(Err(&ToolError::cancelled()));
        }
        if let Some((parent, key)) = &self.parent
            && let Some(parent) = parent.upgrade()
        {
            parent.lock().children.remove(key);
        }
    }

    fn under(parent: Option<(Weak<Node>, u64)>) -> Node {
        Node {
            token: CancellationToken::new(),
            stopped: Arc::default(),
            parent,
            state: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn take_key(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// Something a node will undo when it closes, unless it is released before.
pub struct Adopted {
    node: Weak<Node>,
    key: u64,
}

impl Adopted {
    /// What was adopted has ended by itself; nothing is left to undo.
    pub fn release(self) {
        if let Some(node) = self.node.upgrade() {
            node.lock().adopted.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn closes_children_first_then_what_it_adopted_then_records() {
        let (told, heard) = mpsc::channel();
        let root = Node::root();
        let call = root.child().unwrap();
        let tell = |word: &'static str| {
            let told = told.clone();
            move || told.send(word).unwrap()
        };
        let nested = call.child().unwrap();
        let _kept = nested.adopt(tell("nested child process"));
        let _kept = call.adopt(tell("temporary file"));
        let _kept = call.adopt(tell("child process"));
        call.on_record({
            let told = told.clone();
            move |result| {
                told.send(if result.is_err() { "cancelled" } else { "done" })
                    .unwrap()
            }
        });
        root.close();
        let order: Vec<&str> = heard.try_iter().collect();
        assert_eq!(
            order,
            [
                "nested child process",
                "child process",
                "temporary file",
                "cancelled"
            ]
        );
        assert!(nested.is_closed() && call.token().is_cancelled());
        assert!(call.child().is_err(), "nothing opens under a closed node");
    }

    #[test]
    fn records_once_whoever_comes_first() {
        let (told, heard) = mpsc::channel();
        let root = Node::root();
        let call = root.child().unwrap();
        call.on_record(move |result| told.send(result.is_ok()).unwrap());
        assert!(call.finish(Ok(())).is_ok());
        root.close();
        assert!(call.finish(Ok(())).is_err());
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), [true]);
    }

    #[test]
    fn undoes_at_once_what_comes_too_late() {
        let (told, heard) = mpsc::channel();
        let root = Node::root();
        root.close();
        let _kept = root.adopt(move || told.send(()).unwrap());
        assert!(heard.try_recv().is_ok());
    }

    #[test]
    fn forgets_children_that_have_ended() {
        let root = Node::root();
        for _ in 0..100 {
            root.child().unwrap().finish(Ok(())).unwrap();
        }
        assert!(root.lock().children.is_empty());
    }
}
