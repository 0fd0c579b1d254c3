//! One step: a request, the answer as it comes, and the calls in it, each of which begins as soon as it is whole and its
//! neighbours let it.
//!
//! Whatever happens on the way, every call of the answer has one result in the end.

use futures_util::stream::StreamExt as _;

use super::calling::Called;
use super::calls::Calls;
use super::conversation::Conversation;
use super::hear::Happened;
use super::talk::Talk;
use crate::chat::{Delta, Gather, Prices, Request, Stop, Usage, pairs};
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
/// `limit` where a budget does not admit the request; nothing was asked then.
pub(super) async fn step(
    talk: &Talk,
    conversation: &mut Conversation,
) -> Result<Stepped, ToolError> {
    let request = talk.request(conversation);
    let prices = talk.speaker.about().prices;
    talk.scope
        .admits(at_least(&request, conversation, prices))?;
    conversation.steps += 1;
    let taken = pairs::ids(conversation.messages());
    let mut stream = talk.speaker.speak(request);
    let mut answer = Answer {
        gather: Some(Gather::new(conversation.steps, taken)),
        calls: Calls::new(talk),
        error: None,
    };
    while answer.gather.is_some() || !answer.calls.are_done() {
        answer.calls.begin(conversation);
        tokio::select! {
            biased;
            Some(called) = answer.calls.running.next(), if !answer.calls.running.is_empty() => {
                answer.calls.ended(called, conversation);
            }
            delta = stream.next(), if answer.gather.is_some() => match delta {
                Some(Ok(delta)) => answer.takes(delta, talk),
                Some(Err(error)) => answer.over(Some(error), conversation),
                None => answer.over(None, conversation),
            },
            () = talk.scope.node().closed(), if answer.gather.is_some() => {
                answer.over(Some(ToolError::cancelled()), conversation);
            }
            else => break,
        }
    }
    Ok(answer.settled(talk, conversation, prices))
}

/// What a request spends at the least: what was read and written before comes again, as far as that is known.
fn at_least(request: &Request, conversation: &Conversation, prices: Prices) -> Spent {
    let known = conversation.context;
    let (tokens, usage) = match known {
        0 => {
            let input = weight(request);
            let usage = Usage {
                input,
                ..Usage::default()
            };
            (input, usage)
        }
        known => {
            let usage = Usage {
                cache_read: known,
                ..Usage::default()
            };
            (known, usage)
        }
    };
    Spent {
        steps: 1,
        tokens,
        cost: prices.cost(usage).filter(|_| prices.are_known()),
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

/// The answer, while it comes and its calls run.
struct Answer<'a> {
    /// `None` once it is whole.
    gather: Option<Gather>,
    calls: Calls<'a>,
    error: Option<(Stop, String, Usage, Option<ToolError>)>,
}

impl Answer<'_> {
    fn takes(&mut self, delta: Delta, talk: &Talk) {
        match &delta {
            Delta::Text(text) => talk.hear.hear(&Happened::Text { text: text.clone() }),
            Delta::Reasoning(text) => talk.hear.hear(&Happened::Reasoning { text: text.clone() }),
            _ => {}
        }
        if let Some(gather) = &mut self.gather {
            for call in gather.take(delta) {
                self.calls.add(call);
            }
        }
    }

    /// The answer is over, as far as it came: it stands in the conversation from here on.
    fn over(&mut self, error: Option<ToolError>, conversation: &mut Conversation) {
        let Some(gather) = self.gather.take() else {
            return;
        };
        let gathered = gather.finish();
        let mut message = gathered.message;
        if error.is_some() {
            // What broke off is no answer; what ran of it stays, with its calls.
            self.calls.keep_begun(&mut message);
        }
        for call in message.calls() {
            self.calls.expect(call);
        }
        let (text, usage) = (message.said(), gathered.usage.unwrap_or_default());
        let stop = gathered.stop.unwrap_or(Stop::Other("cut".to_owned()));
        if !message.parts.is_empty() {
            conversation.say(message);
        }
        self.error = Some((stop, text, usage, error));
    }

    fn settled(self, talk: &Talk, conversation: &mut Conversation, prices: Prices) -> Stepped {
        let (stop, text, usage, error) =
            self.error
                .unwrap_or((Stop::Done, String::new(), Usage::default(), None));
        let cost = prices.cost(usage).filter(|_| prices.are_known());
        conversation.used(talk.speaker.name(), usage, cost);
        talk.scope.charge(Spent {
            steps: 1,
            tokens: usage.total(),
            cost,
        });
        let calls = self.calls.settled(conversation);
        if !calls.is_empty() {
            conversation.answer(calls.iter().map(|called| called.result.clone()).collect());
        }
        Stepped {
            stop,
            text,
            calls,
            usage,
            cost,
            error,
        }
    }
}
