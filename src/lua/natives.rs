//! What the Lua prelude asks of Rust: few small functions, none of which waits.
//! They hold no state of their own: what they read and set belongs to the host.

use std::rc::Rc;

use mlua::{Lua, LuaString, Table, Value, Variadic};

use super::current::{self, Voice};
use super::host::Host;
use super::raise::{self, Exit};
use super::script;
use super::short::wrong;
use crate::error::ToolError;
use crate::tool::Level;

/// Puts them into `private`, which only the prelude sees, and replaces what Lua itself must not do.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    private.set("pending", Value::LightUserData(Lua::poll_pending()))?;
    errors(lua, private, host)?;
    let pulse = Rc::clone(host);
    let took_slice = lua.create_function(move |_, ()| Ok(pulse.pulse.took_slice()))?;
    private.set("took_slice", took_slice)?;
    let speaker = Rc::clone(host);
    let write = lua.create_function(move |_, text: LuaString| {
        say(&speaker, &text.as_bytes());
        Ok(())
    })?;
    private.set("write", write)?;
    let refused = lua.create_function(|_, (text, name): (LuaString, LuaString)| {
        let name = name.to_string_lossy();
        Ok(script::refused(
            name.trim_start_matches(['@', '=']),
            &text.as_bytes(),
        ))
    })?;
    private.set("refused", refused)?;
    let os: Table = lua.globals().get("os")?;
    os.set("exit", lua.create_function(exit)?)?;
    lua.globals().set("debug", debug(lua)?)
}

/// What is caught, and as what.
fn errors(lua: &Lua, private: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let stopping = Rc::clone(host);
    let stops = lua.create_function(move |_, raised: Value| {
        Ok(stopping.is_stopped() || current::is_cancelled() || raise::is_final(&raised))
    })?;
    private.set("stops", stops)?;
    let value = lua.create_function(|lua, raised: Value| Ok(raise::value(lua, raised)))?;
    private.set("value", value)?;
    private.set("dressed", raise::dressed(lua)?)?;
    let failure = lua.create_function(|lua, raised: Value| match raised {
        Value::Table(_) => Ok(raised),
        other => {
            let caught = raise::caught_value(lua, other);
            raise::table(lua, &caught.error, None).map(Value::Table)
        }
    })?;
    private.set("failure", failure)?;
    let refuse = lua.create_function(|lua, name: String| -> mlua::Result<()> {
        let tool = name.strip_prefix("tools.");
        Err(raise::raise(lua, raise::not_here(lua, &name), tool))
    })?;
    private.set("refuse", refuse)
}

/// What is printed: to standard output by a script, to the log by all else.
fn say(host: &Host, text: &[u8]) {
    match current::voice().as_deref() {
        Some(Voice::Out(_)) => (host.write)(text),
        Some(Voice::Log(name, _)) => log(host, name, text),
        None => log(host, "Lua", text),
    }
}

fn log(host: &Host, name: &str, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let line = format!("{name}: {}", text.trim_end_matches('\n'));
    host.services.sink.log(Level::Info, line);
}

/// `os.exit`: the script unwinds, everything it opened is ended, then the program leaves.
fn exit(lua: &Lua, code: Value) -> mlua::Result<()> {
    let speaks = matches!(current::voice().as_deref(), Some(Voice::Out(_)));
    if !speaks {
        let message = "os.exit ends a script; a tool, a hook or a test returns or raises";
        let error =
            ToolError::argument(message).with_hint("raise error{ kind =, message =, hint = }");
        return Err(raise::raise(lua, error, None));
    }
    let code = match code {
        Value::Nil | Value::Boolean(true) => 0,
        Value::Boolean(false) => 1,
        Value::Integer(code) => i32::try_from(code & 0xff).unwrap_or(1),
        Value::Number(code) if code.fract() == 0.0 => (code as i64 & 0xff) as i32,
        other => {
            return Err(raise::raise(
                lua,
                wrong("os.exit", "a whole number", &other),
                None,
            ));
        }
    };
    let text = String::new();
    Err(mlua::Error::external(Exit { code, text }))
}

/// The harmless part of `debug`: the hook and the insides of other functions are out of reach.
fn debug(lua: &Lua) -> mlua::Result<Table> {
    let debug = lua.create_table()?;
    let traceback = |lua: &Lua, args: Variadic<Value>| {
        let message = args.first().cloned().unwrap_or(Value::Nil);
        let text = match &message {
            Value::Nil => None,
            Value::String(text) => Some(text.to_string_lossy()),
            Value::Integer(_) | Value::Number(_) => message.to_string().ok(),
            _ => return Ok(message),
        };
        lua.traceback(text.as_deref(), 1).map(Value::String)
    };
    debug.set("traceback", lua.create_function(traceback)?)?;
    debug.set("getinfo", lua.create_function(getinfo)?)?;
    Ok(debug)
}

fn getinfo(lua: &Lua, (of, _what): (Value, Value)) -> mlua::Result<Value> {
    let table = lua.create_table()?;
    if let Value::Function(function) = &of {
        let info = function.info();
        table.set("source", info.source)?;
        table.set("short_src", info.short_src)?;
        table.set("linedefined", info.line_defined)?;
        table.set("lastlinedefined", info.last_line_defined)?;
        table.set("what", info.what)?;
        table.set("func", function)?;
        return Ok(Value::Table(table));
    }
    let Some(level) = of.as_usize() else {
        let error = wrong("debug.getinfo", "a level or a function", &of);
        return Err(raise::raise(lua, error, None));
    };
    let found = lua.inspect_stack(level, |frame| -> mlua::Result<()> {
        let source = frame.source();
        table.set("source", source.source.as_deref())?;
        table.set("short_src", source.short_src.as_deref())?;
        table.set("linedefined", source.line_defined)?;
        table.set("what", source.what)?;
        table.set("currentline", frame.current_line())?;
        table.set("name", frame.names().name.as_deref())
    });
    match found {
        Some(filled) => filled.map(|()| Value::Table(table)),
        None => Ok(Value::Nil),
    }
}
