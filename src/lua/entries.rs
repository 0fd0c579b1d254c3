//! Lua values that others hold a number of: functions to be called, and what a call keeps. The value stays with
//! its state.
//!
//! A handle that is dropped anywhere lets its value go.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use mlua::{Function, Table, Value};

use super::vm::Vm;
use crate::error::ToolError;

/// A handle of one Lua value. Cheap to clone; means nothing to another state.
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

impl Entry {
    /// Its number, which no other value of its state has or will have.
    pub(super) fn number(&self) -> u64 {
        self.0.number
    }
}

/// The values behind the handles.
#[derive(Default)]
pub(super) struct Entries {
    next: Cell<u64>,
    values: RefCell<HashMap<u64, Value>>,
}

impl Entries {
    /// A handle of `function`.
    pub(super) fn keep(&self, function: Function, vm: &Vm) -> Entry {
        self.keep_value(Value::Function(function), vm)
    }

    /// A handle of `table`.
    pub(super) fn keep_table(&self, table: Table, vm: &Vm) -> Entry {
        self.keep_value(Value::Table(table), vm)
    }

    fn keep_value(&self, value: Value, vm: &Vm) -> Entry {
        let number = self.next.get();
        self.next.set(number + 1);
        self.values.borrow_mut().insert(number, value);
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
        match self.values.borrow().get(&entry.0.number) {
            Some(Value::Function(function)) => Ok(function.clone()),
            _ => Err(ToolError::internal("a handle without its Lua function")),
        }
    }

    /// The table behind `entry`.
    ///
    /// # Errors
    /// `internal` when there is none.
    pub(super) fn table(&self, entry: &Entry) -> Result<Table, ToolError> {
        match self.values.borrow().get(&entry.0.number) {
            Some(Value::Table(table)) => Ok(table.clone()),
            _ => Err(ToolError::internal("a handle without its Lua table")),
        }
    }

    /// Lets a value go.
    pub(super) fn forget(&self, number: u64) {
        let gone = self.values.borrow_mut().remove(&number);
        drop(gone);
    }

    /// How many are kept.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.values.borrow().len()
    }
}
