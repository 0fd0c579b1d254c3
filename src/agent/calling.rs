//! One call of a model: through the door, and what the model reads of it.
//!
//! Whatever becomes of a call, it has exactly one result.

use std::sync::Arc;

use super::hear::{Happened, Hear};
use super::talk::Acting;
use crate::chat::{Call, CallResult, Image};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::tool::{self, Arguments, Destination, Event, Gate as _, Outcome, Output, Sink};

/// What a refusal, and the result of a `batch` that holds one, say where the turn is over with it.
const ENDS_TURN: &str = "ends_turn";

/// A call that has its result.
pub(super) struct Called {
    /// Its place among the calls of its step.
    pub(super) at: usize,
    /// What the model reads.
    pub(super) result: CallResult,
    /// What the model reads behind that, of the folder it came to.
    pub(super) guidance: Option<String>,
    /// The kind of its error.
    pub(super) kind: Option<Kind>,
    /// What was refused, if it was.
    pub(super) refused: Option<Refused>,
    /// Whether what follows it in its step was meant to come after its success.
    pub(super) breaks: bool,
    /// Whether the person wants no more of this turn.
    pub(super) ends_turn: bool,
}

/// A call that was refused by a rule, or for want of a yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The tool's name as the model wrote it.
    pub tool: String,
    /// What it was about.
    pub subject: String,
    /// Why.
    pub reason: String,
}

/// Makes the call.
pub(super) async fn call(acting: Acting, at: usize, call: Call) -> Called {
    let Acting {
        gate, scope, hear, ..
    } = &acting;
    hear.hear(&Happened::CallStart {
        id: call.id.clone(),
        tool: call.tool.clone(),
        arguments: call.arguments.as_str().to_owned(),
    });
    let listener = Arc::new(Listener {
        id: call.id.clone(),
        hear: Arc::clone(hear),
    });
    let generation = gate.generation();
    let outcome = match scope.heard(listener) {
        Ok(scope) => {
            let call = tool::Call {
                tool: call.tool.clone(),
                arguments: Arguments::Json(call.arguments.as_str().to_owned()),
                destination: Destination::Model,
            };
            Arc::clone(gate).call(&scope, call).await
        }
        Err(error) => Err(error),
    };
    let breaks = generation.breaks(&call.tool, &outcome);
    let mut called = called(at, &call, breaks, outcome);
    if let Some(guiding) = acting.guiding.clone().filter(|_| called.kind.is_none()) {
        called.guidance = guiding.show(&call, &acting).await;
    }
    if let Some(refused) = called
        .refused
        .as_ref()
        .filter(|_| called.kind == Some(Kind::Denied))
    {
        hear.hear(&Happened::Ask {
            id: call.id.clone(),
            tool: refused.tool.clone(),
            subject: refused.subject.clone(),
            reason: refused.reason.clone(),
        });
    }
    called
}

/// What became of a call that was not made: the answer broke off in it, or another one failed before it.
pub(super) fn not_made(at: usize, call: &Call, error: ToolError) -> Called {
    called(at, call, false, Err(error))
}

fn called(at: usize, call: &Call, breaks: bool, outcome: Outcome) -> Called {
    let ends_turn = ends_turn(&outcome);
    let error = outcome.as_ref().err();
    let (kind, refused) = (
        error.map(|error| error.kind),
        error.and_then(|e| refused(call, e)),
    );
    Called {
        at,
        result: result(call, outcome),
        guidance: None,
        kind,
        refused,
        breaks,
        ends_turn,
    }
}

/// Whether the person said no without words, to this call or to one inside of it.
fn ends_turn(outcome: &Outcome) -> bool {
    match outcome {
        Ok(output) => output.metadata.get(ENDS_TURN) == Some(&Data::Bool(true)),
        Err(error) => {
            let detail = error.detail.as_deref();
            detail.is_some_and(|detail| detail.contains_key(ENDS_TURN))
        }
    }
}

fn refused(call: &Call, error: &ToolError) -> Option<Refused> {
    if !matches!(error.kind, Kind::Denied | Kind::Rejected) {
        return None;
    }
    let detail = error.detail.as_deref();
    let subject = detail.and_then(|detail| detail.get("subject")?.as_str());
    Some(Refused {
        tool: call.tool.clone(),
        subject: subject
            .unwrap_or_else(|| call.arguments.as_str())
            .to_owned(),
        reason: error.message.clone(),
    })
}

/// What the model reads of an outcome.
pub(super) fn result(call: &Call, outcome: Outcome) -> CallResult {
    let (text, is_error, images) = match outcome {
        Ok(output) => read(output),
        Err(error) => {
            let text = format!(
                "error ({}): {}\ntry: {}",
                error.kind,
                error.message,
                error.hint()
            );
            (text, true, Vec::new())
        }
    };
    CallResult {
        id: call.id.clone(),
        tool: call.tool.clone(),
        text,
        is_error,
        images,
    }
}

fn read(output: Output) -> (String, bool, Vec<Image>) {
    let mut text = output.text;
    let mut images = Vec::new();
    for file in &output.attachments {
        if file.mime.starts_with("image/") {
            images.push(Image::new(file.mime.as_str(), &file.bytes));
        } else {
            let line = format!(
                "\n[a file of {} bytes, {}, is not shown]",
                file.bytes.len(),
                file.mime
            );
            text.push_str(&line);
        }
    }
    if text.is_empty() && images.is_empty() {
        text.push_str("done; there is nothing to show");
    }
    (text, false, images)
}

/// Hands on what a call says of itself.
struct Listener {
    id: String,
    hear: Arc<dyn Hear>,
}

impl Sink for Listener {
    fn emit(&self, event: Event) {
        let text = match event {
            Event::Updated { title, .. } => title,
            Event::Output { text, .. } => text,
            Event::Progress {
                done, total, text, ..
            } => match total {
                Some(total) => format!("{done}/{total} {text}"),
                None => format!("{done} {text}"),
            },
            _ => return,
        };
        let id = self.id.clone();
        self.hear.hear(&Happened::CallProgress { id, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_no_without_words_ends_the_turn_inside_of_a_batch_too() {
        let no = ToolError::new(Kind::Rejected, "the person said no");
        assert!(!ends_turn(&Err(no.clone())));
        assert!(ends_turn(&Err(no.with_detail(ENDS_TURN, true))));
        let inside = |is_so: bool| Ok(Output::new("", "", [(ENDS_TURN, Data::Bool(is_so))]));
        assert!(ends_turn(&inside(true)) && !ends_turn(&inside(false)));
        assert!(!ends_turn(&Ok(Output::default())));
    }
}
