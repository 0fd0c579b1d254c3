//! The loop in pieces, for who writes a loop of their own: one request, and the calls of one answer.
//!
//! What was said is the caller's to keep. Calls go through the door as a model's, by the same rules as in a turn.

use std::sync::Arc;

use futures_util::stream::StreamExt as _;
use serde_json::Value;

use super::agency::{Agency, Ask};
use super::calls::Calls;
use super::talk::Talk;
use crate::chat::{Call, CallResult, Effort, Gather, Message, Stop, Structure, Usage, pairs};
use crate::error::{Error, Kind, ToolError};
use crate::permission::Caller;
use crate::tool::{Guard, Scope, Spent, TermWords};

/// One request.
#[derive(Clone, Debug, Default)]
pub struct Complete {
    /// What was said so far.
    pub messages: Vec<Message>,
    /// What the model is told before anything else.
    pub system: Vec<String>,
    /// The tools that it may ask for, by name; none unless they are named.
    pub tools: Vec<String>,
    /// The model, as people name it.
    pub model: Option<String>,
    /// The JSON Schema that the answer keeps to.
    pub schema: Option<Value>,
    /// How hard the model should think.
    pub effort: Option<Effort>,
    /// The most tokens of the answer.
    pub max_output: Option<u32>,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Completed {
    /// The message.
    pub message: Message,
    /// Why the model stopped.
    pub stop: Stop,
    /// What was used.
    pub usage: Usage,
    /// What that cost, if it is known.
    pub cost: Option<f64>,
    /// The model, as `provider/model`.
    pub model: String,
}

/// What became of a call.
#[derive(Clone, Debug)]
pub struct Dispatched {
    /// What a model reads.
    pub result: CallResult,
    /// The kind of its error, where it failed.
    pub kind: Option<Kind>,
}

impl Agency {
    /// Makes one request, in `scope`.
    ///
    /// # Errors
    /// Usage: no such model; `argument` for messages in which calls and results do not pair; `limit`; `provider`.
    pub async fn complete(&self, scope: &Scope, asked: Complete) -> Result<Completed, Error> {
        if !pairs::is_paired(&asked.messages) {
            let message = "messages: every call needs its result in the message after it, and every result its call";
            let hint = "append the reply, then what agent.dispatch(reply) returns";
            return Err(ToolError::argument(message).with_hint(hint).into());
        }
        let ask = Ask {
            terms: TermWords {
                tools: Some(asked.tools),
                ..TermWords::default()
            },
            model: asked.model,
            ..Ask::default()
        };
        let mut talk = Talk {
            structure: asked.schema.map(structure),
            system: asked.system,
            effort: asked.effort,
            ..self.talk(scope, &ask).await?
        };
        talk.show_all();
        let scope = &talk.acting.scope;
        let _until_done = Guard::new(Arc::clone(scope.node()));
        let mut request = talk.request(&self.unkept(asked.messages));
        request.max_output = asked.max_output.or(request.max_output);
        scope.admits(Spent {
            steps: 1,
            tokens: 0,
            cost: talk.cost(Usage::default()),
        })?;
        let taken = pairs::ids(&request.messages);
        let mut gather = Gather::new(request.messages.len() as u64, taken);
        let mut stream = talk.speaker.speak(request);
        while let Some(delta) = stream.next().await {
            gather.take(delta?);
        }
        let gathered = gather.finish();
        let usage = gathered.usage.unwrap_or_default();
        let cost = talk.charge(usage);
        Ok(Completed {
            message: gathered.message,
            stop: gathered.stop.unwrap_or(Stop::Other("cut".to_owned())),
            model: talk.speaker.name().to_owned(),
            usage,
            cost,
        })
    }

    /// Makes the calls of one answer, as a model's, in `scope`: their results, in order. None of them fails this.
    ///
    /// # Errors
    /// `cancelled`.
    pub async fn dispatch(
        &self,
        scope: &Scope,
        calls: Vec<Call>,
    ) -> Result<Vec<Dispatched>, ToolError> {
        let acting = self.acting(scope.block()?.lowered(Caller::Model)?);
        let _until_done = Guard::new(Arc::clone(acting.scope.node()));
        let mut conversation = self.unkept(Vec::new());
        let mut running = Calls::new(&acting);
        for call in calls {
            match call.incomplete {
                true => running.expect(&call),
                false => running.add(call),
            }
        }
        running.begin(&mut conversation);
        while let Some(called) = running.running.next().await {
            running.ended(called, &mut conversation);
            running.begin(&mut conversation);
        }
        if acting.scope.node().is_closed() {
            return Err(ToolError::cancelled());
        }
        let called = running.settled(&mut conversation).into_iter();
        let dispatched = called.map(|called| Dispatched {
            result: called.result,
            kind: called.kind,
        });
        Ok(dispatched.collect())
    }
}

/// The shape of an answer.
pub(super) fn structure(schema: Value) -> Structure {
    Structure {
        name: "answer".to_owned(),
        schema,
    }
}
