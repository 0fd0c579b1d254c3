//! `require` that waits: the body of a module runs once, and who asks for it meanwhile waits for that.
//!
//! Files are read on the blocking pool. A load that is cancelled is nobody's: who waited for it begins
//! anew. Modules that wait for each other in a circle are an error, not a wait without end.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::future::Future;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use mlua::{Function, Lua, LuaString, Table, Value};
use tokio_util::sync::CancellationToken;

use super::current::Current;
use super::host::Host;
use super::raise::{self, Caught, Failure};
use super::{clock, waiting};
use crate::error::{Kind, ToolError};

/// Puts `read(path)` and `once(name, load)` into `private`, for the prelude.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let settings = &host.vm.shared().settings;
    private.set("module_path", settings.module_path.as_str())?;
    private.set("read", lua.create_async_function(read)?)?;
    let loads = Rc::new(Loads::default());
    let host = Rc::clone(host);
    let once = lua.create_async_function(move |lua, (name, load): (String, Function)| {
        let begun = once(&lua, &host, &loads, name, load);
        async move { raise::outcome(&lua, waiting::finish(begun).await, None) }
    })?;
    private.set("once", once)
}

/// The text of a file; nil and the reason where it cannot be read.
async fn read(lua: Lua, path: LuaString) -> mlua::Result<(Option<LuaString>, Option<String>)> {
    let shown = path.to_string_lossy();
    let path = PathBuf::from(OsStr::from_bytes(&path.as_bytes()));
    let text = tokio::task::spawn_blocking(move || std::fs::read(path)).await;
    match text {
        Ok(Ok(text)) => Ok((Some(lua.create_string(text)?), None)),
        Ok(Err(error)) => {
            let said = ToolError::from_io(&error, "open", &shown).message;
            Ok((None, Some(said)))
        }
        Err(error) => Err(mlua::Error::external(ToolError::internal(
            error.to_string(),
        ))),
    }
}

/// The modules whose bodies run.
#[derive(Default)]
struct Loads(RefCell<HashMap<String, Rc<Load>>>);

/// One body that runs.
#[derive(Default)]
struct Load {
    /// Fires when it has ended, however it did.
    ended: CancellationToken,
    /// What it raised.
    raised: RefCell<Option<Value>>,
    /// The modules that it waits for and others load.
    waits: RefCell<Vec<String>>,
}

/// That a module did not come to its end, and where it stood.
fn too_long(host: &Host, name: &str, limit: Duration) -> ToolError {
    let at = host.pulse.place().map(|at| format!(" (at {at})"));
    let message = format!(
        "the module `{name}` was not done loading after {} s{}",
        limit.as_secs_f64(),
        at.unwrap_or_default()
    );
    ToolError::new(Kind::Timeout, message)
        .with_hint("a module that is loaded defines things and returns; do the work in a function")
}

/// Runs `load(name)`, unless somebody does so already: then waits for that, and fails as it failed.
fn once(
    lua: &Lua,
    host: &Rc<Host>,
    loads: &Rc<Loads>,
    name: String,
    load: Function,
) -> Result<impl Future<Output = Result<(), Failure>> + use<>, Failure> {
    let current = Current::get()?;
    let turn = loads.turn(&current, &name)?;
    let (lua, host) = (lua.clone(), Rc::clone(host));
    Ok(async move {
        match turn {
            Turn::Theirs(theirs) => theirs.wait().await,
            Turn::Mine(mine) => {
                let work = raise::run(&lua, &load, name.as_str());
                let current = current.loading(&name).block()?;
                let limit = host.vm.shared().settings.loading;
                host.pulse.watch();
                match clock::within(&host, current, limit, work).await {
                    Some(ended) => ended.map(|_| ()).map_err(|caught| mine.raised(caught)),
                    None => {
                        let error = raise::raise(&lua, too_long(&host, &name, limit), None);
                        Err(mine.raised(raise::caught(&lua, &error)))
                    }
                }
            }
        }
    })
}

/// Who runs the body.
enum Turn {
    Mine(Running),
    Theirs(Waiting),
}

impl Loads {
    fn turn(self: &Rc<Loads>, current: &Current, name: &str) -> Result<Turn, ToolError> {
        let Some(other) = self.get(name) else {
            return Ok(Turn::Mine(Running::begin(self, current, name)));
        };
        self.refuse_circle(current, name)?;
        let inside: Vec<Rc<Load>> = current
            .modules()
            .filter_map(|name| self.get(name))
            .collect();
        for load in &inside {
            load.waits.borrow_mut().push(name.to_owned());
        }
        Ok(Turn::Theirs(Waiting {
            name: name.to_owned(),
            other,
            inside,
        }))
    }

    fn get(&self, name: &str) -> Option<Rc<Load>> {
        let known = self.0.borrow().get(name).cloned();
        known.filter(|load| !load.ended.is_cancelled())
    }

    /// Refuses to wait for a module that waits, by way of others perhaps, for one that is loaded here.
    fn refuse_circle(&self, current: &Current, name: &str) -> Result<(), ToolError> {
        let mut seen = vec![name.to_owned()];
        let mut at = 0;
        while let Some(module) = seen.get(at).cloned() {
            if current.modules().any(|loading| loading == module) {
                let way = current.modules().next().unwrap_or(&module);
                let message = format!("the module `{name}` requires itself, by way of `{way}`");
                return Err(ToolError::new(Kind::Failed, message)
                    .with_hint("require one of the two inside a function, when it is needed"));
            }
            let waits = self.get(&module).map(|load| load.waits.borrow().clone());
            let new = waits
                .into_iter()
                .flatten()
                .filter(|next| !seen.contains(next));
            let new: Vec<String> = new.collect();
            seen.extend(new);
            at += 1;
        }
        Ok(())
    }
}

/// A body that runs here. Whatever ends it, it is not waited for any longer.
struct Running {
    loads: Rc<Loads>,
    name: String,
    load: Rc<Load>,
}

impl Running {
    fn begin(loads: &Rc<Loads>, current: &Current, name: &str) -> Running {
        let load = Rc::<Load>::default();
        let ended = load.ended.clone();
        // A coroutine that is pending when its scope ends is kept until it is collected.
        let _until_then = current.scope().node().adopt(move || ended.cancel());
        loads
            .0
            .borrow_mut()
            .insert(name.to_owned(), Rc::clone(&load));
        Running {
            loads: Rc::clone(loads),
            name: name.to_owned(),
            load,
        }
    }

    fn raised(&self, caught: Caught) -> Failure {
        *self.load.raised.borrow_mut() = Some(Value::clone(&caught.value));
        caught.into()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut loads = self.loads.0.borrow_mut();
        if loads
            .get(&self.name)
            .is_some_and(|load| Rc::ptr_eq(load, &self.load))
        {
            loads.remove(&self.name);
        }
        self.load.ended.cancel();
    }
}

/// Somebody who waits for a body that runs elsewhere, inside the bodies of other modules perhaps.
struct Waiting {
    name: String,
    other: Rc<Load>,
    inside: Vec<Rc<Load>>,
}

impl Waiting {
    async fn wait(self) -> Result<(), Failure> {
        self.other.ended.cancelled().await;
        match self.other.raised.borrow().clone() {
            Some(raised) => Err(Failure::Raised(Box::new(raised))),
            None => Ok(()),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        for load in &self.inside {
            let mut waits = load.waits.borrow_mut();
            if let Some(at) = waits.iter().position(|name| *name == self.name) {
                waits.swap_remove(at);
            }
        }
    }
}
