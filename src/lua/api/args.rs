//! `agent.args`: the options of a script, from the words behind its name on the command line.
//!
//! `--help` ends the program with 0 and the help on stdout, wrong usage with 2; a script that is past this call has
//! exactly what it declared.

use std::rc::Rc;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, function, strict_but};
use crate::error::{Kind, ToolError};
use crate::lua::current::{self, Script, Voice};
use crate::lua::host::Host;
use crate::lua::raise::{Exit, Failure};
use crate::lua::{convert, short};
use crate::schema::{Parameters, Parsed, parse_args};

/// Sets `agent.args`.
pub(super) fn install(lua: &Lua, agent: &Table, _host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.args",
        takes: "{ \"positional\", option = \"type\", … } → options",
        about: "the options of a script, with --help, and exit 2 for wrong ones",
    };
    function(lua, agent, doc, |given| {
        let parameters = short::parameters(&Value::Table(given.table(1, "options")?))?;
        match current::voice().as_deref() {
            Some(Voice::Out(script)) => read(given.lua, script, &parameters),
            _ => Err(ToolError::new(
                Kind::Unavailable,
                "agent.args reads the words behind a script's name, and this is no script",
            )
            .with_hint("a tool declares `parameters` and gets them as its first argument")
            .into()),
        }
    })
}

/// The options as a table in which a name that was not declared is an error, and one that was not
/// given is nil; else the end of the program.
fn read(lua: &Lua, script: &Script, parameters: &Parameters) -> Result<Value, Failure> {
    let values = match parse_args(&script.name, parameters, &script.args) {
        Ok(Parsed::Values(values)) => values,
        Ok(Parsed::Help(text)) => return Err(Exit { code: 0, text }.into()),
        Err(error) => {
            let text = format!("{}: {error}\n", script.name);
            let code = error.exit().code().into();
            return Err(Exit { code, text }.into());
        }
    };
    let value = convert::to_lua(lua, &values)?;
    if let Value::Table(table) = &value {
        let names = parameters.names().map(str::to_owned).collect();
        strict_but(lua, table, "args", names)?;
    }
    Ok(value)
}
