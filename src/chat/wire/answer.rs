//! An answer of a given shape from a model whose format has no word for it: it calls a tool `answer`, and what
//! it calls it with is the answer.
//!
//! Nobody beyond this file sees that call: it goes out as a tool and comes back as text.

use std::borrow::Cow;
use std::collections::HashMap;

use super::naming;
use super::{Decode, Wire};
use crate::chat::{Choice, Delta, Event, Offered, Quirks, Request, Stop, StreamError};

/// What the tool is called.
const NAME: &str = "answer";
/// What the model reads of it.
const DESCRIPTION: &str =
    "Gives the final answer. Call it once, when the work is done, and call nothing with it.";

/// What is offered and how it may be chosen.
pub(super) struct Asked<'a> {
    pub(super) tools: Cow<'a, [Offered]>,
    pub(super) choice: Choice,
}

/// Whether the shape of the answer is asked for as a call.
pub(super) fn is_by_call(wire: Wire, request: &Request, quirks: &Quirks) -> bool {
    let lacks_word = match wire {
        Wire::Anthropic => true,
        Wire::Gemini => !request.tools.is_empty(),
        Wire::OpenAi | Wire::OpenAiChat => false,
    };
    request.structure.is_some() && (lacks_word || quirks.structure_by_call)
}

/// The tools of a request under their names on the wire, the answer among them where it is asked for as a call.
pub(super) fn asked<'a>(wire: Wire, request: &'a Request, quirks: &Quirks) -> Asked<'a> {
    let asked = unnamed(wire, request, quirks);
    let is_kept = |tool: &Offered| matches!(naming::name(&tool.name), Cow::Borrowed(_));
    if asked.tools.iter().all(is_kept) {
        return asked;
    }
    let mut tools = asked.tools.into_owned();
    for tool in &mut tools {
        tool.name = naming::name(&tool.name).into_owned();
    }
    let choice = match asked.choice {
        Choice::Tool(id) => Choice::Tool(naming::name(&id).into_owned()),
        choice => choice,
    };
    Asked {
        tools: Cow::Owned(tools),
        choice,
    }
}

fn unnamed<'a>(wire: Wire, request: &'a Request, quirks: &Quirks) -> Asked<'a> {
    let plain = Asked {
        tools: Cow::Borrowed(&request.tools),
        choice: request.choice.clone(),
    };
    let Some(structure) = request.structure.as_ref() else {
        return plain;
    };
    if !is_by_call(wire, request, quirks) {
        return plain;
    }
    let name = name(request);
    let choice = match &request.choice {
        Choice::Auto | Choice::Any if !request.tools.is_empty() => Choice::Any,
        Choice::Tool(tool) => Choice::Tool(tool.clone()),
        Choice::Auto | Choice::Any | Choice::Never => Choice::Tool(name.clone()),
    };
    let mut tools = request.tools.clone();
    let answer = Offered {
        name,
        description: DESCRIPTION.to_owned(),
        schema: structure.schema.clone(),
        found: false,
    };
    let at = tools.iter().position(|tool| tool.found);
    tools.insert(at.unwrap_or(tools.len()), answer);
    Asked {
        tools: Cow::Owned(tools),
        choice,
    }
}

/// `answer`, or the next name that no tool has.
fn name(request: &Request) -> String {
    let is_free = |name: &String| request.tools.iter().all(|tool| tool.name != *name);
    let more = (2..).map(|n| format!("{NAME}_{n}"));
    let mut names = std::iter::once(NAME.to_owned()).chain(more);
    names.find(is_free).unwrap_or_else(|| NAME.to_owned())
}

/// `inner`, or what turns the call of the answer into text.
pub(super) fn decoder(
    wire: Wire,
    request: &Request,
    quirks: &Quirks,
    inner: Box<dyn Decode>,
) -> Box<dyn Decode> {
    if !is_by_call(wire, request, quirks) {
        return inner;
    }
    let name = name(request);
    let said = HashMap::new();
    Box::new(AsText { inner, name, said })
}

struct AsText {
    inner: Box<dyn Decode>,
    name: String,
    /// The places at which the answer is called, and how much of each was given as text.
    said: HashMap<u64, usize>,
}

impl Decode for AsText {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, StreamError> {
        let deltas = self.inner.event(event)?;
        Ok(deltas
            .into_iter()
            .filter_map(|delta| self.turned(delta))
            .collect())
    }

    fn end(&mut self) -> Result<Vec<Delta>, StreamError> {
        let deltas = self.inner.end()?;
        Ok(deltas
            .into_iter()
            .filter_map(|delta| self.turned(delta))
            .collect())
    }
}

impl AsText {
    fn turned(&mut self, delta: Delta) -> Option<Delta> {
        match delta {
            Delta::CallBegun { key, tool, .. } if tool == self.name => {
                self.said.entry(key).or_default();
                None
            }
            Delta::CallBegun { key, ref tool, .. } if !tool.is_empty() => {
                self.said.remove(&key);
                Some(delta)
            }
            Delta::CallBegun { key, .. } => (!self.said.contains_key(&key)).then_some(delta),
            Delta::CallPiece { key, text } => match self.said.get_mut(&key) {
                Some(said) => {
                    *said += text.len();
                    Some(Delta::Text(text))
                }
                None => Some(Delta::CallPiece { key, text }),
            },
            Delta::CallWhole { key, text } => match self.said.get_mut(&key) {
                Some(said) => {
                    let rest = text.get(*said..).unwrap_or_default().to_owned();
                    *said = text.len().max(*said);
                    Some(Delta::Text(rest))
                }
                None => Some(Delta::CallWhole { key, text }),
            },
            Delta::CallDone { key } => (!self.said.contains_key(&key)).then_some(delta),
            Delta::Stop(Stop::Calls) => Some(Delta::Stop(Stop::Done)),
            delta => Some(delta),
        }
    }
}
