//! Who calls, under whom, and whether it is still wanted: an immutable chain, handed down as an argument.
//!
//! The caller belongs to the chain: whatever is done for a model's call acts as the model.

use std::sync::Arc;

use super::{
    Budget, CallId, Deferred, Event, Node, Sink, Space, Spent, Steering, Terms, Transaction,
    Unsettled,
};
use crate::error::{Kind, ToolError};
use crate::permission::{Caller, Rule};

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
    carries: Option<Carried>,
    unsettled: Arc<Unsettled>,
    depth: usize,
    parent: Option<Scope>,
}

/// What holds for all that is done below one link.
#[derive(Clone)]
enum Carried {
    /// Changes to files stand or fall together.
    Transaction(Arc<Transaction>),
    /// Somebody listens to the calls made here.
    Listener(Arc<dyn Sink>),
    /// Rules that hold for the calls made here, and not inside of them.
    Authority(Arc<[Rule]>),
    /// A tool is made ready for its first use.
    Preparing(u64),
    /// The profile of this name holds.
    Profile(Arc<str>),
    /// What was laid down for a model holds, all that stands around included.
    Terms(Arc<Terms>),
    /// What models are asked for here is paid from this.
    Budget(Arc<Budget>),
    /// Tools that a conversation opens before it calls them.
    Deferred(Arc<Deferred>),
    /// How much of a result fits the conversation.
    Space(Arc<Space>),
    /// What is said meanwhile to the model that works here.
    Steering(Arc<Steering>),
}

impl Scope {
    /// The start of a chain: a process or a session, for `caller`.
    pub fn root(caller: Caller) -> Scope {
        Scope::root_under(caller, None)
    }

    /// The same under the profile of this name, which holds for all that is done in it.
    pub fn root_under(caller: Caller, profile: Option<&str>) -> Scope {
        let node = Node::root();
        Scope(Arc::new(Link {
            caller,
            node,
            call: None,
            hook: None,
            carries: profile.map(|name| Carried::Profile(name.into())),
            unsettled: Arc::default(),
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

    /// A block whose changes to files belong to `transaction`.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn within(&self, transaction: Arc<Transaction>) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Transaction(transaction)))
    }

    /// A block whose calls `listener` hears: what they say themselves, and the output of all below them.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn heard(&self, listener: Arc<dyn Sink>) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Listener(listener)))
    }

    /// A block in which `rules` hold for the calls that are made, and not for what those calls do.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn under(&self, rules: Arc<[Rule]>) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Authority(rules)))
    }

    /// A block in which the tool is made ready that has the number `id`.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn preparing(&self, id: u64) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Preparing(id)))
    }

    /// What holds here of one kind; of several the innermost.
    fn carried<'a, T>(&'a self, pick: impl Fn(&'a Carried) -> Option<T>) -> Option<T> {
        self.chain()
            .find_map(|scope| scope.0.carries.as_ref().and_then(&pick))
    }

    /// A block in which the profile `name` holds.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn under_profile(&self, name: &str) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Profile(name.into())))
    }

    /// The name of the profile that holds here; of several the innermost counts.
    pub fn profile(&self) -> Option<&str> {
        self.carried(|carried| match carried {
            Carried::Profile(name) => Some(&**name),
            _ => None,
        })
    }

    /// A block in which `terms` hold, which were made with those that hold here.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn on_terms(&self, terms: Arc<Terms>) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Terms(terms)))
    }

    /// What was laid down for the model that acts here.
    pub fn terms(&self) -> Option<&Arc<Terms>> {
        self.carried(|carried| match carried {
            Carried::Terms(terms) => Some(terms),
            _ => None,
        })
    }

    /// A block whose calls open the tools of `deferred` before they call them. It holds for the calls that are made
    /// here, and not for what those calls do.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn deferring(&self, deferred: Arc<Deferred>) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Deferred(deferred)))
    }

    /// What has to be opened before it is called: by the call of this scope, or by one that is made in it.
    pub fn deferred(&self) -> Option<&Arc<Deferred>> {
        let mut calls = 0;
        for scope in self.chain() {
            if let Some(Carried::Deferred(deferred)) = &scope.0.carries {
                return Some(deferred);
            }
            calls += usize::from(scope.0.call.is_some());
            if calls > 1 || scope.0.hook.is_some() {
                return None;
            }
        }
        None
    }

    /// A block in which a model works to which more may be said.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn steered(&self, steering: Arc<Steering>) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Steering(steering)))
    }

    /// How something is said to the model that works here: the innermost one.
    pub fn steering(&self) -> Option<&Arc<Steering>> {
        self.carried(|carried| match carried {
            Carried::Steering(steering) => Some(steering),
            _ => None,
        })
    }

    /// A block whose results go into a conversation that has so much space.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn spaced(&self, space: Arc<Space>) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Space(space)))
    }

    /// How many bytes of one result fit the conversation that it goes into.
    pub fn space(&self) -> usize {
        let space = self.carried(|carried| match carried {
            Carried::Space(space) => Some(space.bytes()),
            _ => None,
        });
        space.unwrap_or(usize::MAX)
    }

    /// A block that pays from `budget` too.
    ///
    /// # Errors
    /// `cancelled` when the scope has ended.
    pub fn paying(&self, budget: Arc<Budget>) -> Result<Scope, ToolError> {
        self.link(|link| link.carries = Some(Carried::Budget(budget)))
    }

    /// Whether every budget around admits a request that spends `next` at the least.
    ///
    /// # Errors
    /// Those of [`Budget::admits`].
    pub fn admits(&self, next: Spent) -> Result<(), ToolError> {
        self.budgets().try_for_each(|budget| budget.admits(next))
    }

    /// Charges what a request spent to every budget around.
    pub fn charge(&self, spent: Spent) {
        self.budgets().for_each(|budget| budget.charge(spent));
    }

    /// Whether money is limited anywhere around.
    pub fn counts_money(&self) -> bool {
        self.budgets().any(|budget| budget.counts_money())
    }

    fn budgets(&self) -> impl Iterator<Item = &Arc<Budget>> {
        self.chain().filter_map(|scope| match &scope.0.carries {
            Some(Carried::Budget(budget)) => Some(budget),
            _ => None,
        })
    }

    /// Whether the tool with the number `id` is made ready somewhere up the chain.
    pub fn is_preparing(&self, id: u64) -> bool {
        let is_it =
            |carried: &Carried| matches!(carried, Carried::Preparing(other) if *other == id);
        self.chain()
            .any(|scope| scope.0.carries.as_ref().is_some_and(is_it))
    }

    /// The transaction that changes to files belong to here.
    pub fn transaction(&self) -> Option<&Arc<Transaction>> {
        self.carried(|carried| match carried {
            Carried::Transaction(transaction) => Some(transaction),
            _ => None,
        })
    }

    /// The rules that whoever makes the call of this scope gives to it.
    pub fn authority(&self) -> Option<&Arc<[Rule]>> {
        let around = self.chain().skip_while(|scope| scope.0.call.is_none());
        let maker = around
            .skip(1)
            .take_while(|scope| scope.0.call.is_none() && scope.0.hook.is_none());
        maker.into_iter().find_map(|scope| match &scope.0.carries {
            Some(Carried::Authority(rules)) => Some(rules),
            _ => None,
        })
    }

    /// Tells those of an event in this scope who listen around it.
    pub fn tell(&self, event: &Event) {
        for scope in self.chain() {
            if let Some(Carried::Listener(listener)) = &scope.0.carries
                && (self.0.depth == scope.0.depth + 1 || matches!(event, Event::Output { .. }))
            {
                listener.emit(event.clone());
            }
        }
    }

    /// Ready when this scope, which is closed or being closed, has left nothing behind that goes on.
    pub async fn settled(&self) {
        Arc::clone(&self.0.node).ended().await;
        self.0.unsettled.settled().await;
    }

    /// What goes on after what asked for it has ended, anywhere in this tree.
    pub fn unsettled(&self) -> &Arc<Unsettled> {
        &self.0.unsettled
    }

    /// On whose behalf things are done here.
    pub fn caller(&self) -> Caller {
        self.0.caller
    }

    /// Whether no call stands around the one that this scope belongs to.
    pub fn is_direct(&self) -> bool {
        self.0.depth <= 1
    }

    /// The node that ends with this scope.
    pub fn node(&self) -> &Arc<Node> {
        &self.0.node
    }

    /// The call that this scope belongs to, if any.
    pub fn enclosing_call(&self) -> Option<CallId> {
        self.chain().find_map(|scope| scope.0.call)
    }

    /// The calls around this scope, the innermost first.
    pub fn calls(&self) -> impl Iterator<Item = CallId> {
        self.chain().filter_map(|scope| scope.0.call)
    }

    /// Whether the call of this scope is a model's own: not made for another call of a model, nor in a hook.
    pub fn is_models_own(&self) -> bool {
        let around = self.chain().skip_while(|scope| scope.0.call.is_none());
        let is_between = |scope: &Scope| {
            let is_call = scope.0.call.is_some() && scope.caller() == Caller::Model;
            is_call || scope.0.hook.is_some()
        };
        self.caller() == Caller::Model && !around.skip(1).any(is_between)
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
            carries: None,
            unsettled: Arc::clone(&self.0.unsettled),
            depth: self.0.depth,
            parent: Some(self.clone()),
        };
        change(&mut link);
        Ok(Scope(Arc::new(link)))
    }
}

#[cfg(test)]
mod tests;
