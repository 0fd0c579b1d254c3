//! `agent eval CODE`: a piece of Lua, and the values it returns.
//!
//! Values stand on one line, separated by tabs; the result of a tool is shown as its text.

use std::ffi::OsStr;

use super::args::Options;
use super::{ended, start};
use crate::error::{Error, Exit};
use crate::lua::Chunk;
use crate::permission::Caller;

/// Runs the code and prints what it returns.
///
/// # Errors
/// Usage and configuration; code that fails is told of here and returned as its exit code.
pub(super) fn run(options: Options, code: &OsStr) -> Result<Exit, Error> {
    if options.caller() == Caller::Model {
        return Err(Error::usage(
            "code runs for a person here; the confined state of a model does not exist yet",
            "leave out `--as model`, or make single calls with `agent call --as model`",
        ));
    }
    let source = code.as_encoded_bytes().to_vec();
    let session = start(options, Vec::new())?;
    session.run(None, async |session| {
        let chunk = Chunk {
            name: "eval".to_owned(),
            source,
            args: Vec::new(),
        };
        let ended = session.vm().eval(&session.scope()?, chunk).await;
        ended::eval(&session.answer, ended)
    })
}
