//! A turn: what the person says, and steps until the model has said what it has to say.
//! It ends with an answer, or with what stood in the way of one; either way all that was done is told.

use super::calling::{Called, Refused};
use super::compact::make_room;
use super::conversation::Conversation;
use super::hear::Happened;
use super::status::Status;
use super::step::{Stepped, step};
use super::talk::Talk;
use crate::chat::{Message, Part, Role, Stop, Usage};
use crate::error::{Kind, ToolError};

/// How often in a row an answer may be too long for its provider, or be taken up again, before the turn is over.
const MOST_BROKEN: usize = 3;

/// A call of a turn, as its document has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The tool's name as the model wrote it.
    pub tool: String,
    /// The kind of its error, where it failed.
    pub kind: Option<Kind>,
}

/// What came of a turn.
#[derive(Clone, Debug, Default)]
pub struct Turned {
    /// How it ended.
    pub status: Status,
    /// The last words of the model.
    pub text: String,
    /// What was used, all requests together.
    pub usage: Usage,
    /// What that cost; `None` where a price is not known.
    pub cost: Option<f64>,
    /// How many requests were made.
    pub steps: u64,
    /// The calls, in order.
    pub calls: Vec<Made>,
    /// What was refused.
    pub refused: Vec<Refused>,
    /// What ended it, where that was no answer.
    pub error: Option<ToolError>,
}

/// Takes one.
pub(super) async fn turn(talk: &Talk, conversation: &mut Conversation, said: Message) -> Turned {
    talk.acting.hear.hear(&Happened::TurnStart);
    conversation.mend();
    conversation.window = talk.speaker.about().window;
    conversation.say(said);
    let mut turned = Turned::default();
    let error = steps(talk, conversation, &mut turned).await.err();
    turned.status = match &error {
        Some(error) => Status::of(error),
        None if turned.refused.is_empty() => Status::Done,
        None => Status::Blocked,
    };
    turned.error = error;
    conversation.over(turned.status.as_str());
    talk.acting.hear.hear(&Happened::TurnEnd {
        status: turned.status.as_str(),
        steps: turned.steps,
    });
    turned
}

async fn steps(
    talk: &Talk,
    conversation: &mut Conversation,
    turned: &mut Turned,
) -> Result<(), ToolError> {
    let mut broken = 0;
    loop {
        steer(talk, conversation);
        make_room(talk, conversation, false).await?;
        talk.space.is_left(conversation.left());
        let mut stepped = step(talk, conversation).await?;
        let is_full = stepped.error.as_ref().is_some_and(is_full);
        if is_full && make_room(talk, conversation, true).await? {
            turned.steps += 1;
            stepped = step(talk, conversation).await?;
        }
        turned.steps += 1;
        turned.add(&stepped);
        if let Some(error) = stepped.error {
            return Err(error);
        }
        if stepped.calls.iter().any(|called| called.ends_turn) {
            return Err(ToolError::new(Kind::Rejected, "the person said no"));
        }
        let goes_on = !stepped.calls.is_empty();
        match stepped.stop {
            Stop::Length => {
                broken += 1;
                if !goes_on || broken == MOST_BROKEN {
                    return Err(too_long());
                }
            }
            Stop::Paused => {
                broken += 1;
                if broken == MOST_BROKEN {
                    return Err(ToolError::new(
                        Kind::Provider,
                        "the model paused again and again",
                    ));
                }
            }
            Stop::Refused | Stop::Filtered => return Err(unwilling(&stepped.stop)),
            Stop::Done | Stop::Calls | Stop::Other(_) => {
                broken = 0;
                if !goes_on && talk.steering.is_empty() {
                    return Ok(());
                }
            }
        }
    }
}

/// What was said meanwhile becomes a message of the person.
fn steer(talk: &Talk, conversation: &mut Conversation) {
    let said: Vec<Part> = talk.steering.take().into_iter().map(Part::text).collect();
    if !said.is_empty() {
        conversation.say(Message {
            role: Role::User,
            parts: talk.acting.hide_in(said),
        });
    }
}

impl Turned {
    /// It came to nothing, because of `error`.
    pub(super) fn fails(&mut self, error: ToolError) {
        self.status = Status::of(&error);
        self.error = Some(error);
    }

    /// This turn and the `next` one as one: the last words count.
    pub(super) fn and(mut self, next: Turned) -> Turned {
        self.usage += next.usage;
        self.cost = self.cost.zip(next.cost).map(|(before, cost)| before + cost);
        self.steps += next.steps;
        self.calls.extend(next.calls);
        self.refused.extend(next.refused);
        let is_blocked = next.status == Status::Done && !self.refused.is_empty();
        Turned {
            status: if is_blocked {
                Status::Blocked
            } else {
                next.status
            },
            text: next.text,
            error: next.error,
            ..self
        }
    }

    fn add(&mut self, stepped: &Stepped) {
        self.usage += stepped.usage;
        self.cost = match (self.cost, stepped.cost, self.steps) {
            (_, cost, 1) => cost,
            (Some(before), Some(cost), _) => Some(before + cost),
            _ => None,
        };
        if !stepped.text.is_empty() {
            self.text.clone_from(&stepped.text);
        }
        for called in &stepped.calls {
            self.made(called);
        }
    }

    fn made(&mut self, called: &Called) {
        self.calls.push(Made {
            tool: called.result.tool.clone(),
            kind: called.kind,
        });
        self.refused.extend(called.refused.clone());
    }
}

/// Whether the provider says that the conversation is longer than the model takes.
fn is_full(error: &ToolError) -> bool {
    let detail = error.detail.as_deref();
    detail.is_some_and(|detail| {
        detail
            .get("reason")
            .is_some_and(|reason| reason == "too_long")
    })
}

fn too_long() -> ToolError {
    ToolError::new(
        Kind::Limit,
        "the answer is longer than the model may answer with",
    )
    .with_hint("ask for less at once, or give the model a larger `max_output` in models.lua")
}

fn unwilling(stop: &Stop) -> ToolError {
    let message = match stop {
        Stop::Filtered => "the provider held the answer back",
        _ => "the model would not answer",
    };
    ToolError::new(Kind::Failed, message).with_hint("ask in other words, or ask another model")
}
