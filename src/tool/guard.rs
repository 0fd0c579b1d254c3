//! A future that ends its node when it is dropped. The node closes first, the future is dropped second.
//! Closing is what ends a call; dropping only frees memory.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::Node;

/// Closes a node when it goes out of scope.
pub struct Guard(Arc<Node>);

impl Guard {
    /// Watches over `node`.
    pub fn new(node: Arc<Node>) -> Guard {
        Guard(node)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A future and the guard of its node. The order of the fields is the order in which they drop.
pub struct Guarded<F> {
    _guard: Guard,
    inner: Pin<Box<F>>,
}

impl<F: Future> Guarded<F> {
    /// `inner`, watched over by `guard`.
    pub fn new(guard: Guard, inner: F) -> Guarded<F> {
        Guarded {
            _guard: guard,
            inner: Box::pin(inner),
        }
    }
}

impl<F: Future> Future for Guarded<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.inner.as_mut().poll(context)
    }
}
