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
use crate::tool::{Arguments, Call, Destination, Level, Output, Span, Tool};

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
    let given = arguments
        .as_deref()
        .and_then(OsStr::to_str)
        .map(str::to_owned);
    let session = start(options, named)?;
    session.run(Some("call"), Some(&tool), async |session| {
        let asked = destination(&session.options, &session.answer);
        let generation = session.gate().generation();
        let form = generation.tools.get(&tool).filter(|tool| tool.has_form());
        let form = form.filter(|_| asked == Destination::Person);
        let call = Call {
            tool: tool.clone(),
            arguments: read_arguments(arguments, generation.tools.get(&tool).map(|tool| &**tool))?,
            // What the tool's own form shows is made visible afterwards.
            destination: if form.is_some() {
                Destination::Program
            } else {
                asked
            },
        };
        let scope = session.scope()?;
        let output = session.gate().call(&scope, call).await;
        let output = output.map_err(|error| {
            let error = taken_as_text(error, given.as_deref());
            in_one_process(error, &tool, &session.options)
        })?;
        let drawn = form.and_then(|tool| tool.shown(&output, width(), &scope));
        match drawn {
            Some(drawn) => draw(session, drawn.await, &output),
            None => tell(&session.answer, &tool_id(session, &tool), &output),
        }
        Ok(Exit::Done)
    })
}

/// What failed with a text that begins as an object does was perhaps meant as one.
fn taken_as_text(error: ToolError, given: Option<&str>) -> ToolError {
    let Some(text) = given.filter(|text| text.trim_start().starts_with('{')) else {
        return error;
    };
    match data::parse(text) {
        Ok(_) => error,
        Err(why) => {
            let hint = format!(
                "{}; it was taken as text, since it is no JSON: {why}",
                error.hint()
            );
            error.with_hint(hint)
        }
    }
}

/// What one call cannot do as a model: read a file, and then change it.
fn in_one_process(error: ToolError, tool: &str, options: &Options) -> ToolError {
    let detail = error.detail.as_deref();
    let is_unread = detail.is_some_and(|detail| detail.contains_key("unread"));
    if !is_unread || options.caller() == Caller::User {
        return error;
    }
    let hint = format!(
        "read it first, in the same process: agent eval 'agent.replay {{ {{ tool = \"read\", args = {{ path = … }} }}, \
         {{ tool = \"{tool}\", args = {{ … }} }} }}' makes both as a model's calls"
    );
    error.with_hint(hint)
}

/// The parameters that hold paths, in the shipped tools.
const PATHS: [&str; 4] = ["path", "from", "to", "cwd"];

/// What the person named: the text itself, or the paths of the JSON object. Standard input names
/// nothing.
pub(super) fn named(given: Option<&OsStr>) -> Vec<String> {
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

fn read_arguments(given: Option<OsString>, tool: Option<&dyn Tool>) -> Result<Arguments, Error> {
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
        Err(error) if is_meant_as_json(&text, tool) => Err(no_json(error)),
        _ => Ok(Arguments::Positional(vec![Data::Text(text)])),
    }
}

/// That a text which was meant as an object is none, and where.
pub(super) fn no_json(error: impl std::fmt::Display) -> Error {
    Error::usage(
        format!("the arguments are no JSON: {error}"),
        "write them as one JSON object, names and texts in double quotes, each key once: {\"name\": \"text\"}",
    )
}

/// Whether a text that is no JSON was meant as an object for `tool`: `{"…` is, `{a,b}.txt` is not; `{path: …`
/// is, unless the tool takes a text first that could be it, such as a pattern or a command.
pub(super) fn is_meant_as_json(text: &str, tool: Option<&dyn Tool>) -> bool {
    let Some(inner) = text.trim_start().strip_prefix('{').map(str::trim_start) else {
        return false;
    };
    if inner.is_empty() || inner.starts_with(['"', '}']) {
        return true;
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = inner.trim_start_matches(is_word);
    let is_named = rest.len() < inner.len() && rest.trim_start().starts_with([':', '=']);
    (is_named || inner.starts_with('\'')) && !tool.is_some_and(takes_text)
}

/// Whether the tool takes one text by place that is no path.
fn takes_text(tool: &dyn Tool) -> bool {
    let parameters = &tool.spec().parameters;
    let first = parameters.positional().first();
    first.is_some_and(|first| {
        let is_path = parameters.is_path(first) || PATHS.contains(&first.as_str());
        let mut others = parameters.names().filter(|name| *name != first);
        !is_path && !others.any(|name| parameters.is_required(name))
    })
}

/// A model's view under `--as model`, all of it for a program, escapes for a terminal.
pub(super) fn destination(options: &Options, answer: &Answer) -> Destination {
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

/// How many columns the terminal has.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout());
    let columns = size.map_or(0, |size| usize::from(size.ws_col));
    if columns == 0 { 80 } else { columns }
}

/// Shows the tool's own form of a result; where that failed, its text.
fn draw(session: &super::Session, drawn: Result<Vec<Span>, ToolError>, output: &Output) {
    let answer = &session.answer;
    match drawn {
        Ok(spans) => answer.spans(&spans),
        Err(error) => {
            answer.text(&output.text);
            let line = format!("the tool's own form was passed over: {error}");
            session.services.sink.log(Level::Warn, line);
        }
    }
}

pub(super) fn tell(answer: &Answer, tool: &str, output: &Output) {
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
