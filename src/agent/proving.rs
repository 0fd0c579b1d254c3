//! Whether a model does what the loop needs of it: it answers piece by piece, calls a tool that it is offered with the
//! arguments it was told, and reads the result.
//!
//! Two short requests, charged like any other. The tool is none of ours: nothing is run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::StreamExt as _;
use serde_json::json;

use super::agency::{Agency, Ask};
use super::talk::Talk;
use crate::chat::{Call, CallResult, Delta, Gather, Message, Offered, Request, Role, Usage, pairs};
use crate::data::Data;
use crate::error::{Error, ToolError};
use crate::tool::{Guard, Scope, Spent, TermWords};

/// The tool that is offered.
const TOOL: &str = "echo";

/// The word it is to be called with.
const WORD: &str = "ready";

/// What it returns: nothing that a model would say by itself.
const RESULT: &str = "kestrel-27";

const PROMPT: &str = "This is a check of the connection. Call the tool `echo` once, with the word `ready`. \
                      When its result is there, say in one short sentence what it returned.";

/// What a model was seen to do.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The model, as `provider/model`.
    pub model: String,
    /// In how many pieces its answers came; one for each answer is no stream.
    pub pieces: usize,
    /// How many requests it took.
    pub steps: u64,
    /// Whether it called the tool as it was told.
    pub called: bool,
    /// Whether it said what the call had returned.
    pub has_read: bool,
    /// What was used.
    pub usage: Usage,
    /// What that cost, if it is known.
    pub cost: Option<f64>,
    /// How long all of it took.
    pub duration: Duration,
}

impl Proof {
    /// Whether its answers come piece by piece.
    pub fn streams(&self) -> bool {
        self.pieces as u64 > self.steps
    }
}

impl Agency {
    /// Tries the model that is meant in `scope`.
    ///
    /// # Errors
    /// Usage: there is no such model; `provider` where it does not answer; `limit`; `cancelled`.
    pub async fn prove(&self, scope: &Scope) -> Result<Proof, Error> {
        let begun = Instant::now();
        let ask = Ask {
            terms: TermWords {
                tools: Some(Vec::new()),
                ..TermWords::default()
            },
            ..Ask::default()
        };
        let talk = self.talk(scope, &ask).await?;
        let _until_done = Guard::new(Arc::clone(talk.acting.scope.node()));
        let mut proof = Proof {
            model: talk.speaker.name().to_owned(),
            cost: Some(0.0),
            ..Proof::default()
        };
        let mut messages = vec![Message::text(Role::User, PROMPT)];
        let answer = proof.step(&talk, &messages).await?;
        let calls: Vec<&Call> = answer.calls().collect();
        proof.called = matches!(calls[..], [call] if is_meant(call));
        if proof.called {
            let results = answer.calls().map(|call| CallResult {
                id: call.id.clone(),
                tool: call.tool.clone(),
                text: RESULT.to_owned(),
                is_error: false,
                images: Vec::new(),
            });
            let results = Message::results(results.collect());
            messages.extend([answer, results]);
            let answer = proof.step(&talk, &messages).await?;
            proof.has_read = answer.said().contains(RESULT);
        }
        proof.duration = begun.elapsed();
        Ok(proof)
    }
}

impl Proof {
    /// One request more, and what it says of the model.
    async fn step(&mut self, talk: &Talk, messages: &[Message]) -> Result<Message, Error> {
        let scope = &talk.acting.scope;
        scope.admits(Spent {
            steps: 1,
            tokens: 0,
            cost: talk.cost(Usage::default()),
        })?;
        let mut gather = Gather::new(self.steps, pairs::ids(messages));
        let mut stream = talk.speaker.speak(Request {
            tools: vec![tool()],
            max_output: talk.speaker.about().max_output,
            ..Request::new(talk.speaker.id(), messages.to_vec())
        });
        loop {
            let delta = tokio::select! {
                delta = stream.next() => delta,
                () = scope.node().closed() => return Err(ToolError::cancelled().into()),
            };
            let Some(delta) = delta.transpose()? else {
                break;
            };
            self.pieces += usize::from(matches!(
                delta,
                Delta::Text(_) | Delta::Reasoning(_) | Delta::CallPiece { .. }
            ));
            gather.take(delta);
        }
        let gathered = gather.finish();
        let usage = gathered.usage.unwrap_or_default();
        self.steps += 1;
        self.usage += usage;
        let cost = talk.charge(usage);
        self.cost = self.cost.zip(cost).map(|(before, more)| before + more);
        Ok(gathered.message)
    }
}

/// Whether it is the call that was asked for.
fn is_meant(call: &Call) -> bool {
    let given = call.arguments.parse().unwrap_or_default();
    call.tool == TOOL && given.get("word").and_then(Data::as_str) == Some(WORD)
}

fn tool() -> Offered {
    Offered {
        name: TOOL.to_owned(),
        description: "Returns a word that belongs to the one it is given.".to_owned(),
        found: false,
        schema: json!({
            "type": "object",
            "properties": { "word": { "type": "string" } },
            "required": ["word"],
            "additionalProperties": false,
        }),
    }
}
