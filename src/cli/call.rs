//! `agent call TOOL [JSON|TEXT|-]`: one tool call, from a person or from any program.
//!
//! The arguments go to the door as they were typed; what they mean is decided there.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _, Read as _};

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::answer::Answer;
use super::args::Options;
use super::start;
use crate::data::{self, Data, Map};
use crate::error::{Error, Exit, ToolError};
use crate::permission::Caller;
use crate::tool::{Arguments, Call, Destination, Output};

/// Makes the call and prints its result.
///
/// # Errors
/// Usage and configuration; a failed call is told here and returned as its exit code.
pub(super) fn run(
    options: Options,
    tool: String,
    arguments: Option<OsString>,
) -> Result<Exit, Error> {
    let named = named(arguments.as_deref());
    let session = start(options, named)?;
    session.run(Some("call"), Some(&tool), async |session| {
        let call = Call {
            tool: tool.clone(),
            arguments: read_arguments(arguments)?,
            destination: destination(&session.options, &session.answer),
        };
        let scope = session.scope()?;
        let output = session.gate().call(&scope, call).await?;
        tell(&session.answer, &tool_id(session, &tool), &output);
        Ok(Exit::Done)
    })
}

/// The parameters that hold paths, in the shipped tools.
const PATHS: [&str; 4] = ["path", "from", "to", "cwd"];

/// What the person named: the text itself, or the paths of the JSON object. Standard input names
/// nothing.
fn named(given: Option<&OsStr>) -> Vec<String> {
    let Some(text) = given.and_then(OsStr::to_str).filter(|text| *text != "-") else {
        return Vec::new();
    };
    match data::parse(text) {
        Ok(Data::Map(map)) => PATHS
            .iter()
            .filter_map(|name| map.get(*name).and_then(Data::as_str))
            .map(str::to_owned)
            .collect(),
        _ => vec![text.to_owned()],
    }
}

fn read_arguments(given: Option<OsString>) -> Result<Arguments, Error> {
    let Some(given) = given else {
        return Ok(Arguments::Named(Map::new()));
    };
    let mut text = given.into_encoded_bytes();
    if text == b"-" {
        text.clear();
        let read = io::stdin().lock().read_to_end(&mut text);
        read.map_err(|error| ToolError::from_io(&error, "read", "stdin"))?;
        // `echo` ends what it says with a line end that is nobody's argument.
        text.pop_if(|last| *last == b'\n');
    }
    let text = String::from_utf8(text).map_err(|_| {
        Error::usage(
            "the arguments are not UTF-8",
            "pass them as a JSON object in UTF-8",
        )
    })?;
    match data::parse(&text) {
        Ok(Data::Map(map)) => Ok(Arguments::Named(map)),
        Err(error) if is_meant_as_json(&text) => Err(Error::usage(
            format!("the arguments are no JSON: {error}"),
            "write them as one JSON object, each key once",
        )),
        _ => Ok(Arguments::Positional(vec![Data::Text(text)])),
    }
}

/// Whether a text that is no JSON was meant as an object: `{"…` is, `{a,b}.txt` is not.
fn is_meant_as_json(text: &str) -> bool {
    let inner = text.trim_start().strip_prefix('{').map(str::trim_start);
    inner.is_some_and(|inner| inner.is_empty() || inner.starts_with(['"', '}']))
}

/// A model's view under `--as model`, all of it for a program, escapes for a terminal.
fn destination(options: &Options, answer: &Answer) -> Destination {
    match options.caller() {
        Caller::Model => Destination::Model,
        Caller::User if !answer.is_machine() && io::stdout().is_terminal() => Destination::Person,
        Caller::User => Destination::Program,
    }
}

fn tool_id(session: &super::Session, name: &str) -> String {
    let generation = session.gate().generation();
    generation
        .tools
        .get(name)
        .map_or(name, |tool| tool.id())
        .to_owned()
}

fn tell(answer: &Answer, tool: &str, output: &Output) {
    if !answer.is_machine() {
        return answer.text(&output.text);
    }
    let attachments: Vec<Value> = output
        .attachments
        .iter()
        .map(|file| json!({ "mime": file.mime, "b64": BASE64.encode(&file.bytes) }))
        .collect();
    answer.document(json!({
        "ok": true,
        "tool": tool,
        "title": output.title,
        "output": output.text,
        "metadata": output.metadata,
        "attachments": attachments,
    }));
}
