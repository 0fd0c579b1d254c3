//! `script:FILE`: a model whose answers stand in a file. It answers in order, and fails where it is asked something else
//! than the file expects, so that a whole loop can be tried, and checked, without any provider.
//!
//! One JSON object a line. `expect` says what the request must hold; `say`, `think` and `calls` are the answer.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::speak::{About, Speak};
use crate::chat::{Delta, Message, Prices, Request, Role, Stop, Usage, pairs};
use crate::error::{Error, Kind, ToolError};
use crate::text::head_bytes;

/// How a name of such a model begins.
const PREFIX: &str = "script:";

/// A model out of a file.
pub struct Scripted {
    name: String,
    about: About,
    lines: Vec<(usize, Exchange)>,
    next: Mutex<usize>,
}

/// What a line says of the model, where it says that and nothing else.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// What is known of it.
    about: Told,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Told {
    window: Option<u64>,
    max_output: Option<u32>,
    price: Option<Prices>,
}

/// A request, and its answer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Exchange {
    expect: Expect,
    think: String,
    say: String,
    calls: Vec<Called>,
    stop: Option<Stop>,
    usage: Option<Usage>,
    /// The provider fails with these words.
    fail: Option<String>,
}

/// A call of an answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Called {
    tool: String,
    #[serde(default)]
    args: Option<Map<String, Value>>,
    /// The arguments as a text, which need be no JSON.
    #[serde(default)]
    arguments: Option<String>,
    #[serde(default)]
    id: Option<String>,
}

/// What a request must hold.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Expect {
    /// A part of what the person said last.
    user: Option<String>,
    /// A part of what stands before everything.
    system: Option<String>,
    /// The results since the last answer, in order.
    results: Option<Vec<ExpectedResult>>,
    /// Tools that are offered.
    tools: Vec<String>,
    /// Tools that are not.
    no_tools: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ExpectedResult {
    tool: Option<String>,
    ok: Option<bool>,
    /// A part of its text.
    text: Option<String>,
}

impl Scripted {
    /// The model that `file` holds.
    ///
    /// # Errors
    /// Usage: the file, and the line in it, that cannot be read.
    pub fn open(file: &Path) -> Result<Scripted, Error> {
        let shown = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| {
            let failed = ToolError::from_io(&error, "read", &shown.to_string());
            Error::usage(
                failed.message,
                "name a file of scripted answers after `script:`",
            )
        })?;
        let wrong = |number: usize, error: serde_json::Error| {
            Error::usage(
                format!("{shown}:{number}: {error}"),
                "one JSON object a line: { \"expect\": { \"user\": … }, \"say\": …, \"calls\": [{ \"tool\": …, \"args\": {…} }] }",
            )
        };
        let mut about = Told::default();
        let mut lines = Vec::new();
        for (number, line) in (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let value: Value = serde_json::from_str(line).map_err(|error| wrong(number, error))?;
            if lines.is_empty() && value.get("about").is_some() {
                about = serde_json::from_value::<Header>(value)
                    .map_err(|error| wrong(number, error))?
                    .about;
                continue;
            }
            let exchange = serde_json::from_value(value).map_err(|error| wrong(number, error))?;
            lines.push((number, exchange));
        }
        let free = Prices {
            input: Some(0.0),
            output: Some(0.0),
            ..Prices::default()
        };
        Ok(Scripted {
            name: format!("{PREFIX}{shown}"),
            about: About {
                window: about.window,
                max_output: about.max_output,
                prices: about.price.unwrap_or(free),
            },
            lines,
            next: Mutex::new(0),
        })
    }

    /// The file of a word that names such a model.
    pub fn file_of(word: &str) -> Option<PathBuf> {
        word.strip_prefix(PREFIX).map(PathBuf::from)
    }

    /// What is wrong with the way it was used, now that nobody will ask any more: answers that nobody asked for.
    pub fn left_over(&self) -> Option<ToolError> {
        let next = *self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let (line, _) = self.lines.get(next)?;
        let left = self.lines.len() - next;
        Some(self.failed(
            *line,
            &format!("{left} of {} answers were not asked for", self.lines.len()),
        ))
    }

    fn failed(&self, line: usize, what: &str) -> ToolError {
        let file = self.name.trim_start_matches(PREFIX);
        ToolError::new(Kind::Provider, format!("{file}:{line}: {what}"))
            .with_hint("the scripted model was asked something else than its file expects: mend one of the two")
    }

    fn answer(&self, request: &Request) -> Result<Vec<Delta>, ToolError> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((line, exchange)) = self.lines.get(*next) else {
            let last = self.lines.last().map_or(0, |(line, _)| *line);
            return Err(self.failed(last, "asked once more, and there is no answer left"));
        };
        *next += 1;
        if !pairs::is_paired(&request.messages) {
            return Err(self.failed(*line, "a call has no result, or a result no call"));
        }
        exchange
            .expect
            .check(request)
            .map_err(|what| self.failed(*line, &what))?;
        match &exchange.fail {
            Some(words) => Err(ToolError::new(Kind::Provider, words.clone())),
            None => Ok(exchange.deltas(request)),
        }
    }
}

impl Speak for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &About {
        &self.about
    }

    fn speak(&self, request: Request) -> BoxStream<'static, Result<Delta, ToolError>> {
        let pieces = match self.answer(&request) {
            Ok(deltas) => deltas.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        stream::iter(pieces).boxed()
    }
}

impl Expect {
    fn check(&self, request: &Request) -> Result<(), String> {
        let messages = &request.messages;
        if let Some(part) = &self.user {
            let last = messages
                .iter()
                .rev()
                .find(|message| message.role == Role::User);
            let said = last.map(Message::said).unwrap_or_default();
            holds(&said, part, "the person's words")?;
        }
        if let Some(part) = &self.system {
            holds(
                &request.system.join("\n"),
                part,
                "what the model is told first",
            )?;
        }
        let is_there = |name: &&String| request.tools.iter().any(|tool| tool.name == **name);
        if let Some(missing) = self.tools.iter().find(|name| !is_there(name)) {
            return Err(format!("the tool `{missing}` is not offered"));
        }
        if let Some(extra) = self.no_tools.iter().find(is_there) {
            return Err(format!("the tool `{extra}` is offered"));
        }
        let Some(expected) = &self.results else {
            return Ok(());
        };
        let since = messages
            .iter()
            .rposition(|message| message.role == Role::Assistant);
        let since = since.map_or(&[][..], |at| &messages[at + 1..]);
        let results: Vec<_> = since.iter().flat_map(Message::answers).collect();
        if results.len() != expected.len() {
            return Err(format!(
                "expected {} results, got {}",
                expected.len(),
                results.len()
            ));
        }
        for (at, (result, expected)) in (1..).zip(results.into_iter().zip(expected)) {
            if let Some(tool) = expected.tool.as_ref().filter(|tool| **tool != result.tool) {
                return Err(format!(
                    "result {at}: expected one of `{tool}`, got one of `{}`",
                    result.tool
                ));
            }
            if expected.ok.is_some_and(|ok| ok == result.is_error) {
                let said = if result.is_error { "failed" } else { "worked" };
                return Err(format!(
                    "result {at}: the call {said}: {}",
                    head_bytes(&result.text, 300)
                ));
            }
            if let Some(part) = &expected.text {
                holds(&result.text, part, &format!("result {at}"))?;
            }
        }
        Ok(())
    }
}

fn holds(text: &str, part: &str, what: &str) -> Result<(), String> {
    match text.contains(part) {
        true => Ok(()),
        false => Err(format!(
            "expected {part:?} in {what}, got {:?}",
            head_bytes(text, 300)
        )),
    }
}

impl Exchange {
    fn deltas(&self, request: &Request) -> Vec<Delta> {
        let mut deltas = Vec::new();
        if !self.think.is_empty() {
            deltas.push(Delta::Reasoning(self.think.clone()));
        }
        // Piece by piece, as a provider would.
        let words = self.say.split_inclusive(' ');
        deltas.extend(words.map(|word| Delta::Text(word.to_owned())));
        for (key, call) in (0..).zip(&self.calls) {
            deltas.push(Delta::CallBegun {
                key,
                id: call.id.clone(),
                tool: call.tool.clone(),
                opaque: None,
            });
            let args = call
                .args
                .clone()
                .map(|args| Value::Object(args).to_string());
            let text = call.arguments.clone().or(args).unwrap_or_default();
            deltas.push(Delta::CallWhole { key, text });
            deltas.push(Delta::CallDone { key });
        }
        let read: u64 = request.messages.iter().map(Message::weight).sum();
        let usage = self.usage.unwrap_or(Usage {
            input: read,
            output: self.say.len() as u64 / 4 + 1,
            ..Usage::default()
        });
        let otherwise = if self.calls.is_empty() {
            Stop::Done
        } else {
            Stop::Calls
        };
        deltas.push(Delta::Usage(usage));
        deltas.push(Delta::Stop(self.stop.clone().unwrap_or(otherwise)));
        deltas
    }
}
