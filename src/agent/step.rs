//! One step: a request, the answer as it comes, and the calls in it, each of which begins as soon as it is whole and its
//! neighbours let it.
//!
//! Whatever happens on the way, every call of the answer has one result in the end.

use futures_util::stream::StreamExt as _;

use super::calling::Called;
use super::calls::Calls;
use super::conversation::Conversation;
use super::hear::Happened;
use super::offer::load;
use super::talk::Talk;
use crate::chat::{Delta, Gather, Request, Stop, Usage, pairs};
use crate::error::ToolError;
use crate::tool::Spent;

/// What came of a step.
pub(super) struct Stepped {
    /// Why the model stopped.
    pub(super) stop: Stop,
    /// The words it said.
    pub(super) text: String,
    /// Its calls, in order.
    pub(super) calls: Vec<Called>,
    /// What was used.
    pub(super) usage: Usage,
    /// What that cost, if it is known.
    pub(super) cost: Option<f64>,
    /// What ended the answer before it was whole.
    pub(super) error: Option<ToolError>,
}

/// Makes one.
///
/// # Errors
/// `limit` where a budget does not admit the request, `cancelled`; nothing was asked then.
pub(super) async fn step(
    talk: &Talk,
    conversation: &mut Conversation,
) -> Result<Stepped, ToolError> {
    load(talk, conversation).await?;
    let request = talk.request(conversation);
    talk.acting
        .scope
        .admits(at_least(&request, conversation, talk))?;
    conversation.steps += 1;
    let taken = pairs::ids(conversation.messages());
    let mut stream = talk.speaker.speak(request);
    let mut gather = Some(Gather::new(conversation.steps, taken));
    let mut calls = Calls::new(&talk.acting);
    let mut came = Came::default();
    while gather.is_some() || !calls.are_done() {
        calls.begin(conversation);
        let ended = tokio::select! {
            biased;
            Some(called) = calls.running.next(), if !calls.running.is_empty() => {
                calls.ended(called, conversation);
                continue;
            }
            delta = stream.next(), if gather.is_some() => match delta {
                Some(Ok(delta)) => {
                    tell(&delta, talk);
                    let whole = gather.as_mut().map(|gather| gather.take(delta));
                    whole.into_iter().flatten().for_each(|call| calls.add(call));
                    continue;
                }
                Some(Err(error)) => Some(error),
                None => None,
            },
            () = talk.acting.scope.node().closed(), if gather.is_some() => Some(ToolError::cancelled()),
            else => break,
        };
        if let Some(gather) = gather.take() {
            came = Came::of(gather, ended, &mut calls, conversation);
        }
    }
    let cost = talk.charge(came.usage);
    conversation.used(talk.speaker.name(), came.usage, cost);
    let calls = calls.settled(conversation);
    if !calls.is_empty() {
        conversation.answer(calls.iter().map(|called| called.result.clone()).collect());
    }
    Ok(Stepped {
        stop: came.stop,
        text: came.text,
        calls,
        usage: came.usage,
        cost,
        error: came.error,
    })
}

/// What a request spends at the least: what was read and written before comes again, as far as that is known.
fn at_least(request: &Request, conversation: &Conversation, talk: &Talk) -> Spent {
    let usage = match conversation.context {
        0 => Usage {
            input: weight(request),
            ..Usage::default()
        },
        known => Usage {
            cache_read: known,
            ..Usage::default()
        },
    };
    Spent {
        steps: 1,
        tokens: usage.total(),
        cost: talk.cost(usage),
    }
}

/// How many tokens a request has at the least: six bytes to each.
fn weight(request: &Request) -> u64 {
    let system = request.system.iter().map(String::len);
    let tools = request.tools.iter().map(|tool| tool.description.len());
    let messages = request.messages.iter().map(|message| message.said().len());
    let bytes: usize = system.chain(tools).chain(messages).sum();
    bytes as u64 / 6
}

fn tell(delta: &Delta, talk: &Talk) {
    let happened = match delta {
        Delta::Text(text) => Happened::Text { text: text.clone() },
        Delta::Reasoning(text) => Happened::Reasoning { text: text.clone() },
        _ => return,
    };
    talk.acting.hear.hear(&happened);
}

/// The answer, as far as it came.
struct Came {
    stop: Stop,
    text: String,
    usage: Usage,
    error: Option<ToolError>,
}

impl Default for Came {
    fn default() -> Came {
        Came {
            stop: Stop::Done,
            text: String::new(),
            usage: Usage::default(),
            error: None,
        }
    }
}

impl Came {
    /// The answer is over, by `error` if it broke off: it stands in the conversation from here on.
    fn of(
        gather: Gather,
        error: Option<ToolError>,
        calls: &mut Calls<'_>,
        conversation: &mut Conversation,
    ) -> Came {
        let gathered = gather.finish();
        let mut message = gathered.message;
        if error.is_some() {
            // What broke off is no answer; what ran of it stays, with its calls.
            calls.keep_begun(&mut message);
        }
        for call in message.calls() {
            calls.expect(call);
        }
        let came = Came {
            stop: gathered.stop.unwrap_or(Stop::Other("cut".to_owned())),
            text: message.said(),
            usage: gathered.usage.unwrap_or_default(),
            error,
        };
        if !message.parts.is_empty() {
            conversation.say(message);
        }
        came
    }
}
