//! The Lua state: libraries, prelude, the global `tools` and the interface `agent`. Lives on the vm thread.
//!
//! Pure Lua text only: no bytecode, no C modules, nothing from the current folder. The order of the steps
//! matters: what binds to the library's own functions comes before what replaces them.

use std::rc::Rc;
use std::sync::Arc;

use mlua::chunk::ChunkMode;
use mlua::{Function, IntoLuaMulti, Lua, LuaOptions, MultiValue, StdLib, Value};

use super::entries::Entry;
use super::host::Host;
use super::raise::{self, Caught};
use super::vm::Vm;
use super::{
    api, blocks, commands, convert, execute, hooks, load, modules, natives, pulse, testing, tool,
    tools_table, transaction, waiting,
};
use crate::data::Data;
use crate::error::ToolError;

/// The prelude, in the order it runs.
const PRELUDE: [&str; 8] = [
    include_str!("prelude/coroutine.lua"),
    include_str!("prelude/protect.lua"),
    include_str!("prelude/sort.lua"),
    include_str!("prelude/text.lua"),
    include_str!("prelude/modules.lua"),
    include_str!("prelude/output.lua"),
    include_str!("prelude/tools.lua"),
    include_str!("prelude/commands.lua"),
];

/// A Lua state and what it reaches.
pub(super) struct State {
    // Functions go before the state that they belong to.
    pub(super) host: Rc<Host>,
    pub(super) lua: Lua,
}

impl State {
    /// A fresh state.
    ///
    /// # Errors
    /// What Lua says, such as want of memory.
    pub(super) fn new(vm: &Vm) -> mlua::Result<State> {
        let lua = Lua::new_with(StdLib::ALL_SAFE, LuaOptions::default())?;
        lua.gc_stop(); // nothing of what follows is garbage
        let host = Rc::new(host(vm));
        lua.set_app_data(Rc::downgrade(&host));
        raise::install(&lua)?;
        let (private, agent) = (lua.create_table()?, lua.create_table()?);
        private.set("agent", &agent)?;
        natives::install(&lua, &private, &host)?;
        tools_table::install(&lua, &private, &host)?;
        commands::install(&lua, &private, &host)?;
        modules::install(&lua, &private, &host)?;
        for chunk in PRELUDE {
            let chunk = lua
                .load(chunk)
                .set_name(raise::OURS)
                .set_mode(ChunkMode::Text);
            chunk.call::<()>(&private)?;
        }
        waiting::install(&lua, &private)?;
        tools_table::settle(&lua, &private)?;
        load::install(&lua, &private)?;
        execute::install(&lua, &host)?;
        blocks::install(&lua, &agent, &host)?;
        transaction::install(&lua, &agent, &host)?;
        tool::install(&lua, &private, &agent, &host)?;
        hooks::install(&lua, &agent, &host)?;
        api::install(&lua, &agent, &host)?;
        lua.globals().set("agent", agent)?;
        if let Some(world) = &vm.shared().settings.testing {
            testing::install(&lua, &host, world)?;
        }
        private.get::<Function>("publish")?.call::<()>(())?;
        pulse::install(&lua, &host)?;
        lua.set_memory_limit(vm.shared().settings.memory)?;
        lua.gc_restart();
        Ok(State { host, lua })
    }

    /// Calls `function` in a coroutine of its own.
    ///
    /// # Errors
    /// What it raised.
    pub(super) async fn call(
        &self,
        function: &Function,
        args: impl IntoLuaMulti,
    ) -> Result<MultiValue, Caught> {
        raise::run(&self.lua, function, args).await
    }

    /// Calls the function behind `entry` with plain data, and returns its first result as plain data.
    ///
    /// # Errors
    /// What it raised; `argument` when the result is no plain data.
    pub(super) async fn run(&self, entry: &Entry, args: &[Data]) -> Result<Data, ToolError> {
        convert::to_data_named(&self.first(entry, args).await?, "result")
    }

    /// As [`State::run`], with the first result as it is.
    ///
    /// # Errors
    /// What it raised.
    pub(super) async fn first(&self, entry: &Entry, args: &[Data]) -> Result<Value, ToolError> {
        let function = self.host.entries.get(entry)?;
        let args: mlua::Result<MultiValue> = args
            .iter()
            .map(|arg| convert::to_lua(&self.lua, arg))
            .collect();
        let args = args.map_err(|error| self.told(&error))?;
        let results = self.call(&function, args).await;
        let mut results = results.map_err(|caught| caught.error)?;
        Ok(results.pop_front().unwrap_or_default())
    }

    /// What an error of the runtime says.
    pub(super) fn told(&self, error: &mlua::Error) -> ToolError {
        raise::caught(&self.lua, error).error
    }
}

fn host(vm: &Vm) -> Host {
    let shared = vm.shared();
    Host {
        agency: Arc::clone(&shared.settings.agency),
        door: shared.door.clone(),
        services: Arc::clone(&shared.services),
        vm: vm.clone(),
        stop: Arc::clone(&shared.stop),
        pulse: pulse::Pulse::new(),
        write: Arc::clone(&shared.settings.write),
        settle: Arc::clone(&shared.settings.settle),
        is_quiet: shared.settings.is_quiet,
        entries: Default::default(),
        loaded: Default::default(),
        given: Default::default(),
    }
}
