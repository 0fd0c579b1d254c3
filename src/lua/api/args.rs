//! `agent.args`: the options of a script, from the words behind its name on the command line.
//!
//! `--help` ends the program with 0 and the help on stdout, wrong usage with 2; a script that is past this call has
//! exactly what it declared.

use std::ffi::OsString;
use std::rc::Rc;

use mlua::{Lua, Table, Value};

use super::bind::{Doc, function, strict_but};
use crate::error::ToolError;
use crate::lua::host::Host;
use crate::lua::raise::{Exit, Failure};
use crate::lua::{convert, short};
use crate::schema::{Parameters, Parsed, parse_args};

/// Sets `agent.args`.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let doc = Doc {
        name: "agent.args",
        takes: "{ \"positional\", option = \"type\", … } → options",
        about: "the options of a script, with --help, and exit 2 for wrong ones",
    };
    let host = Rc::downgrade(host);
    function(lua, agent, doc, move |given| {
        let host = host
            .upgrade()
            .ok_or_else(|| ToolError::internal("the session has ended"))?;
        let parameters = short::parameters(&Value::Table(given.table(1, "options")?))?;
        let words: Vec<OsString> = host
            .script_args
            .borrow()
            .iter()
            .map(OsString::from)
            .collect();
        read(given.lua, &host.script_name.borrow(), &parameters, &words)
    })
}

/// The options as a table in which a name that was not declared is an error, and one that was not
/// given is nil; else the end of the program.
fn read(
    lua: &Lua,
    script: &str,
    parameters: &Parameters,
    words: &[OsString],
) -> Result<Value, Failure> {
    let values = match parse_args(script, parameters, words) {
        Ok(Parsed::Values(values)) => values,
        Ok(Parsed::Help(text)) => return Err(Exit { code: 0, text }.into()),
        Err(error) => {
            let text = format!("{script}: {error}\n");
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
