//! Who calls, under whom, and whether it is still wanted: an immutable chain, handed down as an argument.
//!
//! The caller belongs to the chain: whatever is done for a model's call acts as the model.

use std::sync::Arc;

use super::{CallId, Node};
use crate::error::{Kind, ToolError};
use crate::permission::Caller;

/// How many calls may stand inside each other.
pub const MAX_NESTING: usize = 16;

/// One link of the chain. Cheap to clone; cannot be forged by a script.
#[derive(Clone)]
pub struct Scope(Arc<Link>);

struct Link {
    caller: Caller,
    node: Arc<Node>,
    call: Option<CallId>,
    hook: Option<u64>,
    depth: usize,
    parent: Option<Scope>,
}

impl Scope {
    /// The start of a chain: a process or a session, for `caller`.
    pub fn root(caller: Caller) -> Scope {
        let node = Node::root();
        Scope(Arc::new(Link {
            caller,
            node,
            call: None,
            hook: None,
            depth: 0,
            parent: None,
        }))
    }

    /// A call inside this scope.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended, `resource` when calls nest too deeply.
    pub fn call(&self, id: CallId) -> Result<Scope, ToolError> {
        let depth = self.0.depth + 1;
        if depth > MAX_NESTING {
            let message = format!("calls stand {MAX_NESTING} deep inside each other");
            return Err(ToolError::new(Kind::Resource, message)
                .with_hint("a tool or hook calls itself; break the circle"));
        }
        self.link(|link| {
            link.call = Some(id);
            link.depth = depth;
        })
    }

    /// A block inside this scope that can be ended by itself: a job, a limit, one of several.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn block(&self) -> Result<Scope, ToolError> {
        self.link(|_| {})
    }

    /// The scope in which the hook `id` runs.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn hook(&self, id: u64) -> Result<Scope, ToolError> {
        self.link(|link| link.hook = Some(id))
    }

    /// The same place, acting as `caller` from here on. A model stays a model.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn lowered(&self, caller: Caller) -> Result<Scope, ToolError> {
        let caller = if self.0.caller == Caller::Model {
            Caller::Model
        } else {
            caller
        };
        self.link(|link| link.caller = caller)
    }

    /// On whose behalf things are done here.
    pub fn caller(&self) -> Caller {
        self.0.caller
    }

    /// The node that ends with this scope.
    pub fn node(&self) -> &Arc<Node> {
        &self.0.node
    }

    /// The call that this scope belongs to, if any.
    pub fn enclosing_call(&self) -> Option<CallId> {
        self.chain().find_map(|scope| scope.0.call)
    }

    /// Whether the hook `id` is running somewhere up the chain.
    pub fn is_inside_hook(&self, id: u64) -> bool {
        self.chain().any(|scope| scope.0.hook == Some(id))
    }

    /// How many calls stand around this scope.
    pub fn depth(&self) -> usize {
        self.0.depth
    }

    fn chain(&self) -> impl Iterator<Item = &Scope> {
        std::iter::successors(Some(self), |scope| scope.0.parent.as_ref())
    }

    fn link(&self, change: impl FnOnce(&mut Link)) -> Result<Scope, ToolError> {
        let mut link = Link {
            caller: self.0.caller,
            node: self.0.node.child()?,
            call: None,
            hook: None,
            depth: self.0.depth,
            parent: Some(self.clone()),
        };
        change(&mut link);
        Ok(Scope(Arc::new(link)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_a_model_all_the_way_down() {
        let scope = Scope::root(Caller::User).lowered(Caller::Model).unwrap();
        let deeper = scope
            .call(CallId(1))
            .unwrap()
            .hook(7)
            .unwrap()
            .lowered(Caller::User)
            .unwrap();
        assert_eq!(deeper.caller(), Caller::Model);
        assert!(deeper.is_inside_hook(7) && !deeper.is_inside_hook(8));
        assert_eq!(deeper.enclosing_call(), Some(CallId(1)));
    }

    #[test]
    fn refuses_a_call_that_nests_too_deeply() {
        let mut scope = Scope::root(Caller::User);
        for id in 0..MAX_NESTING {
            scope = scope.block().unwrap().call(CallId(id as u64)).unwrap();
        }
        assert_eq!(scope.call(CallId(99)).err().unwrap().kind, Kind::Resource);
    }

    #[test]
    fn ends_with_what_stands_around_it() {
        let outer = Scope::root(Caller::User);
        let inner = outer.block().unwrap();
        outer.node().close();
        assert!(inner.node().is_closed());
        assert_eq!(inner.call(CallId(1)).err().unwrap().kind, Kind::Cancelled);
    }
}
