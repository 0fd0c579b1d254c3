//! Lua functions that others may call: they hold a number, the function stays with its state.
//!
//! A handle that is dropped anywhere lets its function go.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use mlua::Function;

use super::vm::Vm;
use crate::error::ToolError;

/// A handle of one Lua function. Cheap to clone; means nothing to another state.
#[derive(Clone)]
pub struct Entry(Arc<Held>);

struct Held {
    number: u64,
    vm: Vm,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.vm.forget(self.number);
    }
}

/// The functions behind the handles.
#[derive(Default)]
pub(super) struct Entries {
    next: Cell<u64>,
    functions: RefCell<HashMap<u64, Function>>,
}

impl Entries {
    /// A handle of `function`.
    pub(super) fn keep(&self, function: Function, vm: &Vm) -> Entry {
        let number = self.next.get();
        self.next.set(number + 1);
        self.functions.borrow_mut().insert(number, function);
        Entry(Arc::new(Held {
            number,
            vm: vm.clone(),
        }))
    }

    /// The function behind `entry`.
    ///
    /// # Errors
    /// `internal` when there is none.
    pub(super) fn get(&self, entry: &Entry) -> Result<Function, ToolError> {
        let functions = self.functions.borrow();
        let found = functions.get(&entry.0.number).cloned();
        found.ok_or_else(|| ToolError::internal("a handle without its Lua function"))
    }

    /// Lets a function go.
    pub(super) fn forget(&self, number: u64) {
        let gone = self.functions.borrow_mut().remove(&number);
        drop(gone);
    }

    /// How many are kept.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.functions.borrow().len()
    }
}
