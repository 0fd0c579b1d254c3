//! The calls of one step while they come, run and end: each begins as soon as its neighbours let it, and each has one
//! result in the end.

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;

use super::calling::{Called, call, not_made};
use super::conversation::{Conversation, Standing};
use super::hear::Happened;
use super::talk::Acting;
use crate::chat::{Call, Message, Part, Role};
use crate::error::{Kind, ToolError};
use crate::tool::{Arguments, Batch, Gate as _, Next, Weight};

/// The calls of a step, in the order in which they came.
pub(super) struct Calls<'a> {
    acting: &'a Acting,
    batch: Batch,
    calls: Vec<(Call, Weight)>,
    called: Vec<Option<Called>>,
    pub(super) running: FuturesUnordered<BoxFuture<'static, Called>>,
}

impl<'a> Calls<'a> {
    pub(super) fn new(acting: &'a Acting) -> Calls<'a> {
        Calls {
            acting,
            batch: Batch::default(),
            calls: Vec::new(),
            called: Vec::new(),
            running: FuturesUnordered::new(),
        }
    }

    pub(super) fn add(&mut self, call: Call) {
        let generation = self.acting.gate.generation();
        let arguments = Arguments::Json(call.arguments.as_str().to_owned());
        let files = &self.acting.gate.services().files;
        let weight = generation.weigh(&call.tool, &arguments, files);
        self.batch.add(weight);
        self.calls.push((call, weight));
        self.called.push(None);
    }

    /// A call that stands in the finished answer and was not handed out before: it broke off, and has its result already.
    pub(super) fn expect(&mut self, call: &Call) {
        if self.calls.iter().any(|(other, _)| other.id == call.id) {
            return;
        }
        let message = format!(
            "the answer broke off in the arguments of `{}`: nothing was run",
            call.tool
        );
        let error = ToolError::argument(message).with_hint("call it again, with less in one call");
        let at = self.batch.add(Weight::Read);
        self.calls.push((call.clone(), Weight::Read));
        self.called.push(Some(not_made(at, call, error)));
    }

    /// Leaves out of a broken answer what did not come to anything.
    pub(super) fn keep_begun(&self, message: &mut Message) {
        message.parts.retain(|part| match part {
            Part::Call(call) => self.calls.iter().any(|(other, _)| other.id == call.id),
            Part::Reasoning(_) => false,
            _ => true,
        });
        message.role = Role::Assistant;
    }

    /// Begins what may begin.
    pub(super) fn begin(&mut self, conversation: &mut Conversation) {
        while let Some(next) = self.batch.pick() {
            match next {
                Next::Start(at) => {
                    if let Some(called) = self.called[at].take() {
                        self.ended(called, conversation);
                        continue;
                    }
                    let (asked, weight) = &self.calls[at];
                    conversation.begins(asked, *weight == Weight::Change);
                    let made = call(self.acting.clone(), at, asked.clone());
                    self.running.push(Box::pin(made));
                }
                Next::TakeBack(at, by) => {
                    let (call, _) = &self.calls[at];
                    let by = &self.calls[by].0.tool;
                    let message = format!(
                        "the command before it in the same step failed (`{by}`), so it was not run"
                    );
                    let error = ToolError::new(Kind::Cancelled, message);
                    let called = not_made(at, call, error);
                    self.ended(called, conversation);
                }
            }
        }
    }

    pub(super) fn ended(&mut self, mut called: Called, conversation: &mut Conversation) {
        let at = called.at;
        let (call, _) = &self.calls[at];
        let generation = self.acting.gate.generation();
        let id = generation
            .tools
            .get(&call.tool)
            .map_or(call.tool.as_str(), |tool| tool.id());
        conversation.shown.settle(id, call, &mut called.result);
        if let Some(reminder) = conversation
            .failures
            .count(id, called.kind.is_some(), &generation)
        {
            called.result.text = format!("{}\n{reminder}", called.result.text);
        }
        if let Some(guidance) = called.guidance.take() {
            called.result.text = format!("{}\n{guidance}", called.result.text);
        }
        if let Some(reminder) = conversation.nears_its_end() {
            called.result.text = format!("{}\n{reminder}", called.result.text);
        }
        self.acting.hear.hear(&Happened::CallEnd {
            id: call.id.clone(),
            tool: call.tool.clone(),
            ok: called.kind.is_none(),
            kind: called.kind,
        });
        conversation.ends(&called);
        conversation.note(Standing::of(self.acting.gate.services()));
        self.batch.ended(at, called.breaks);
        self.called[at] = Some(called);
    }

    pub(super) fn are_done(&self) -> bool {
        self.batch.is_over()
    }

    /// The calls in the order of the answer; one that has no result has none to give any more.
    pub(super) fn settled(self, conversation: &mut Conversation) -> Vec<Called> {
        let asked: Vec<String> = match conversation.messages().last() {
            Some(message) => message.calls().map(|call| call.id.clone()).collect(),
            None => Vec::new(),
        };
        let mut called: Vec<Called> = self.called.into_iter().flatten().collect();
        called.sort_by_key(|called| asked.iter().position(|id| *id == called.result.id));
        called
    }
}
