//! The tree of what is open: sessions, blocks, calls. Closing a node is synchronous and final.
//!
//! Closing ends the children first, then what the node adopted (process groups, temporary files, the
//! newest first), then writes the one record. It never relies on a future being dropped: Lua may keep one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use futures_util::future::BoxFuture;
use tokio::sync::Notify;

use crate::error::ToolError;

type Cleanup = Box<dyn FnOnce() + Send>;
type Recording = Box<dyn FnOnce(Result<(), &ToolError>) + Send>;

/// One open thing, and all that ends with it.
#[derive(Default)]
pub struct Node {
    /// Set once, with `held` locked; read by loops that must not wait for a lock.
    closed: AtomicBool,
    closing: Notify,
    /// Set when everything that closing does has been done here; what was below has its own.
    ended: AtomicBool,
    ending: Notify,
    parent: Option<(Weak<Node>, u64)>,
    held: Mutex<Held>,
}

/// What ends with a node. The keys of each list ascend.
#[derive(Default)]
struct Held {
    next: u64,
    children: Vec<(u64, Weak<Node>)>,
    adopted: Vec<(u64, Cleanup)>,
    recording: Option<Recording>,
    /// What was open below when it was closed.
    closed_with: Vec<Arc<Node>>,
}

impl Node {
    /// A node of its own: a session or a process.
    pub fn root() -> Arc<Node> {
        Arc::default()
    }

    /// A node below this one.
    ///
    /// # Errors
    /// `cancelled` when this one is closed: what it would have held is not wanted any more.
    pub fn child(self: &Arc<Node>) -> Result<Arc<Node>, ToolError> {
        let mut held = self.lock();
        if self.is_closed() {
            return Err(ToolError::cancelled());
        }
        let key = held.take_key();
        let child = Arc::new(Node {
            parent: Some((Arc::downgrade(self), key)),
            ..Node::default()
        });
        held.children.push((key, Arc::downgrade(&child)));
        Ok(child)
    }

    /// Ready when the node is closed.
    pub async fn closed(&self) {
        let closing = self.closing.notified();
        if !self.is_closed() {
            closing.await;
        }
    }

    /// Ready when all that closing does has been done, here and below: somebody else may be closing it still.
    pub fn ended(self: Arc<Node>) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            loop {
                let ending = self.ending.notified();
                if self.ended.load(Ordering::Acquire) {
                    break;
                }
                ending.await;
            }
            let below = self.lock().closed_with.clone();
            for node in below {
                node.ended().await;
            }
        })
    }

    /// Set when the node is closed, for loops that cannot wait.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.closed
    }

    /// Whether the node is closed.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// What must be undone when the node closes; runs at once if it is closed already.
    pub fn adopt(self: &Arc<Node>, cleanup: impl FnOnce() + Send + 'static) -> Adopted {
        let mut held = self.lock();
        if self.is_closed() {
            drop(held);
            cleanup();
            return Adopted {
                node: Weak::new(),
                key: 0,
            };
        }
        let key = held.take_key();
        held.adopted.push((key, Box::new(cleanup)));
        Adopted {
            node: Arc::downgrade(self),
            key,
        }
    }

    /// Sets what writes the node's one record; writes `cancelled` at once if it is closed already.
    pub fn on_record(&self, recording: impl FnOnce(Result<(), &ToolError>) + Send + 'static) {
        let mut held = self.lock();
        if self.is_closed() {
            drop(held);
            recording(Err(&ToolError::cancelled()));
        } else {
            held.recording = Some(Box::new(recording));
        }
    }

    /// Closes the node with `result` as its record.
    ///
    /// # Errors
    /// `cancelled` when the node was closed before: its record says so, and the result is void.
    pub fn finish(&self, result: Result<(), &ToolError>) -> Result<(), ToolError> {
        match self.end(result) {
            true => Ok(()),
            false => Err(ToolError::cancelled()),
        }
    }

    /// Closes the node with `cancelled` as its record. Nothing, when it is closed already.
    pub fn close(&self) {
        self.end(Err(&ToolError::cancelled()));
    }

    /// Ends everything below, undoes what was adopted, writes the record. False when that was done before.
    fn end(&self, result: Result<(), &ToolError>) -> bool {
        let (children, adopted, recording) = {
            let mut held = self.lock();
            if self.closed.swap(true, Ordering::AcqRel) {
                return false;
            }
            let children = std::mem::take(&mut held.children).into_iter();
            let children: Vec<Arc<Node>> =
                children.filter_map(|(_, child)| child.upgrade()).collect();
            held.closed_with.clone_from(&children);
            (
                children,
                std::mem::take(&mut held.adopted),
                held.recording.take(),
            )
        };
        self.closing.notify_waiters();
        for child in children {
            child.close();
        }
        for (_, cleanup) in adopted.into_iter().rev() {
            cleanup();
        }
        if let Some(recording) = recording {
            recording(result);
        }
        self.ended.store(true, Ordering::Release);
        self.ending.notify_waiters();
        if let Some((parent, key)) = &self.parent
            && let Some(parent) = parent.upgrade()
        {
            take(&mut parent.lock().children, *key);
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn take_key(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// Takes the entry `key` out of a list whose keys ascend.
fn take<T>(list: &mut Vec<(u64, T)>, key: u64) -> Option<T> {
    let at = list.binary_search_by_key(&key, |(key, _)| *key).ok()?;
    Some(list.remove(at).1)
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
            let cleanup = take(&mut node.lock().adopted, self.key);
            drop(cleanup);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::error::Kind;

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
        assert!(nested.is_closed() && call.is_closed());
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
    fn records_at_once_where_it_was_closed_before_there_was_a_record() {
        let (told, heard) = mpsc::channel();
        let root = Node::root();
        let call = root.child().unwrap();
        root.close();
        call.on_record(move |result| {
            told.send(result.err().map(|error| error.kind)).unwrap();
        });
        let recorded = heard.try_iter().collect::<Vec<_>>();
        assert_eq!(recorded, [Some(Kind::Cancelled)]);
        assert_eq!(call.finish(Ok(())).unwrap_err().kind, Kind::Cancelled);
    }

    #[test]
    fn a_result_is_recorded_after_what_it_leaves_has_ended() {
        let (told, heard) = mpsc::channel();
        let call = Node::root().child().unwrap();
        let nested = call.child().unwrap();
        let _kept = nested.adopt({
            let told = told.clone();
            move || told.send("child process").unwrap()
        });
        call.on_record(move |_| told.send("record").unwrap());
        call.finish(Ok(())).unwrap();
        let order: Vec<&str> = heard.try_iter().collect();
        assert_eq!(order, ["child process", "record"]);
    }

    #[tokio::test]
    async fn wakes_whoever_waits_for_its_end() {
        let node = Node::root();
        let ((), ()) = tokio::join!(node.closed(), async { node.close() });
        node.closed().await;
    }

    #[tokio::test]
    async fn has_ended_when_whoever_closes_it_is_done_here_and_below() {
        let root = Node::root();
        let child = root.child().unwrap();
        let (go, gone) = mpsc::channel::<()>();
        let _kept = child.adopt(move || gone.recv().unwrap());
        let closing = {
            let child = Arc::clone(&child);
            std::thread::spawn(move || child.close())
        };
        child.closed().await;
        root.close();
        let ended = tokio::spawn(Arc::clone(&root).ended());
        tokio::task::yield_now().await;
        assert!(!ended.is_finished(), "the child is being closed still");
        go.send(()).unwrap();
        ended.await.unwrap();
        closing.join().unwrap();
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
