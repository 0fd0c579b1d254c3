//! What one file registers while it is loaded.
//!
//! Nothing of it counts before the file has come to its end.

use std::cell::RefCell;
use std::sync::Arc;

use crate::tool::{Command, Hook, Tool};

/// All that a file has registered, in order.
pub(super) struct Registered {
    pub(super) tools: Vec<Arc<dyn Tool>>,
    pub(super) hooks: Vec<Arc<dyn Hook>>,
    pub(super) commands: Vec<Arc<dyn Command>>,
}

/// Tools, hooks and commands on their way.
#[derive(Default)]
pub(in crate::lua) struct Draft {
    tools: RefCell<Vec<Arc<dyn Tool>>>,
    hooks: RefCell<Vec<Arc<dyn Hook>>>,
    commands: RefCell<Vec<Arc<dyn Command>>>,
}

impl Draft {
    /// Adds a tool.
    pub(in crate::lua) fn tool(&self, tool: Arc<dyn Tool>) {
        self.tools.borrow_mut().push(tool);
    }

    /// Adds a hook.
    pub(in crate::lua) fn hook(&self, hook: Arc<dyn Hook>) {
        self.hooks.borrow_mut().push(hook);
    }

    /// Adds a command.
    pub(in crate::lua) fn command(&self, command: Arc<dyn Command>) {
        self.commands.borrow_mut().push(command);
    }

    /// Takes the hook `id` off again.
    pub(in crate::lua) fn without_hook(&self, id: u64) {
        self.hooks.borrow_mut().retain(|hook| hook.id() != id);
    }

    /// Whether nothing was registered.
    pub(super) fn is_empty(&self) -> bool {
        let nothing = self.tools.borrow().is_empty() && self.hooks.borrow().is_empty();
        nothing && self.commands.borrow().is_empty()
    }

    /// All that was registered.
    pub(super) fn take(&self) -> Registered {
        Registered {
            tools: self.tools.take(),
            hooks: self.hooks.take(),
            commands: self.commands.take(),
        }
    }
}
