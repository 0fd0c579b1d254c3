//! Asking a function of a tool: all but `execute` are asked here, and none of them longer than its time.
//!
//! They run before a verdict, or around the work, where no time of the tool's own holds. What goes wrong is
//! told with the name of the function and its line. Those that only compute can make no call.

use std::time::Duration;

use mlua::{Function, IntoLuaMulti, MultiValue, Value};

use crate::error::{Kind, ToolError};
use crate::lua::clock;
use crate::lua::current::Current;
use crate::lua::hooks::place;
use crate::lua::host::Host;
use crate::lua::raise::{self, Caught};

/// How long one may take that works something out, unless the tool has a time of its own.
pub(super) const WORKED: Duration = Duration::from_secs(120);

/// A question to a function of a tool.
pub(super) struct Question {
    /// What messages call the function: `` `subjects` of `todo` ``.
    name: String,
    limit: Duration,
    is_pure: bool,
}

impl Question {
    /// A question to the function `name`, which takes `limit` at most.
    pub(super) fn new(name: impl Into<String>, limit: Duration) -> Question {
        let name = name.into();
        Question {
            name,
            limit,
            is_pure: false,
        }
    }

    /// The same, to a function that only computes: it can make no call.
    pub(super) fn pure(self) -> Question {
        let is_pure = true;
        Question { is_pure, ..self }
    }

    /// What `function` returns.
    ///
    /// # Errors
    /// What it raised; that its time ran out, at the line where it stands.
    pub(super) async fn ask(
        &self,
        lua: &mlua::Lua,
        host: &Host,
        function: &Function,
        args: impl IntoLuaMulti,
    ) -> Result<MultiValue, Caught> {
        let current = Current::get().and_then(|current| current.block());
        let current = match (current, self.is_pure) {
            (Ok(current), true) => current.within_pure(&self.name),
            (Ok(current), false) => current,
            (Err(error), _) => return Err(of_ours(error, None)),
        };
        let work = raise::run(lua, function, args);
        match clock::within(host, current, self.limit, work).await {
            Some(done) => done,
            None if host.is_stopped() => Err(of_ours(ToolError::cancelled(), None)),
            None => Err(of_ours(self.late(), Some(place(lua, function)))),
        }
    }

    /// What went wrong in the function, with its name and line.
    pub(super) fn failed(&self, caught: Caught) -> ToolError {
        if caught.error.kind == Kind::Cancelled {
            return caught.error;
        }
        let place = caught.position.map(|place| format!(" at {place}"));
        let (name, place) = (&self.name, place.unwrap_or_default());
        let message = format!("{name} failed{place}: {}", caught.error);
        ToolError {
            message,
            ..caught.error
        }
    }

    /// The same, where a table that was raised is its author's word.
    pub(super) fn said(&self, caught: Caught) -> ToolError {
        match *caught.value {
            Value::Table(_) => caught.error,
            _ => self.failed(caught),
        }
    }

    fn late(&self) -> ToolError {
        let seconds = self.limit.as_secs_f64();
        let error = ToolError::new(Kind::Timeout, format!("it was not done after {seconds} s"));
        error.with_hint(match self.is_pure {
            true => "it only computes; do the work in `execute`",
            false => "do less in it, or do it in `execute`",
        })
    }
}

fn of_ours(error: ToolError, position: Option<String>) -> Caught {
    Caught {
        error,
        position,
        value: Box::new(Value::Nil),
        exit: None,
    }
}
