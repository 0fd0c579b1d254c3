//! `agent eval CODE`: a piece of Lua, and the values it returns.
//!
//! Values stand on one line, separated by tabs; the result of a tool is shown as its text.

use std::ffi::OsString;
use std::io::{self, Read as _};

use super::args::Options;
use super::{ended, start};
use crate::error::{Error, Exit, ToolError};
use crate::lua::Chunk;
use crate::permission::Caller;

/// Runs the code and prints what it returns.
///
/// # Errors
/// Usage and configuration; code that fails is told of here and returned as its exit code.
pub(super) fn run(options: Options, code: OsString) -> Result<Exit, Error> {
    if options.caller() == Caller::Model {
        return Err(Error::usage(
            "code runs for a person here; the confined state of a model does not exist yet",
            "leave out `--as model`, or make single calls with `agent call --as model`",
        ));
    }
    let source = source(code)?;
    let session = start(options, Vec::new())?;
    session.run(Some("eval"), None, async |session| {
        let chunk = Chunk {
            name: "eval".to_owned(),
            source,
            args: Vec::new(),
        };
        let ended = session.vm().eval(&session.scope()?, chunk).await;
        ended::eval(&session.answer, ended, session.asking.left_over())
    })
}

/// The code itself, or what stands on standard input.
fn source(code: OsString) -> Result<Vec<u8>, Error> {
    if code != "-" {
        return Ok(code.into_encoded_bytes());
    }
    let mut source = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut source);
    read.map_err(|error| ToolError::from_io(&error, "read", "stdin"))?;
    Ok(source)
}
