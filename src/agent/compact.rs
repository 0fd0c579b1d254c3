//! Making room in a conversation that nears the window of its model: large results that are old are left out first; where
//! that is not enough, a summary takes the place of the older part.
//!
//! What to keep and how to sum up is said in Lua. No call is parted from its result, and the session on disk keeps all of it.

use crate::chat::{Message, Role, pairs};
use crate::data::Data;
use crate::error::ToolError;
use crate::tool::Level;

use super::conversation::Conversation;
use super::talk::Talk;

/// When to make room, and what stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compaction {
    /// The share of the window from which on room is made.
    pub at: f64,
    /// How many turns stay as they are, the last one included.
    pub turns: usize,
    /// Results with more bytes are left out first, where they are older than that.
    pub shrink: usize,
}

/// What of the window the part that stays may take, where whole turns would take more.
const STAYS: f64 = 0.4;

/// Makes room where it is needed: `forced` where the provider says so. Whether anything was done.
///
/// # Errors
/// What the summary fails with.
pub(super) async fn make_room(
    talk: &Talk,
    conversation: &mut Conversation,
    forced: bool,
) -> Result<bool, ToolError> {
    let Some(compacting) = &talk.compacting else {
        return Ok(false);
    };
    let window = talk.speaker.about().window;
    let tokens = conversation.tokens();
    let Some(window) = window.or(forced.then_some(tokens)) else {
        return Ok(false);
    };
    // Half a window is room for whatever somebody may say of it.
    if !forced && tokens.saturating_mul(2) < window {
        return Ok(false);
    }
    let scope = talk.scope.block()?;
    let said = compacting
        .prompts
        .compaction(&scope, &compacting.module)
        .await?;
    let most = (window as f64 * said.at) as u64;
    if !forced && tokens < most {
        return Ok(false);
    }
    let messages = conversation.messages();
    let stays = cut(messages, said.turns, (window as f64 * STAYS) as u64);
    let large = large(&messages[..stays], said.shrink);
    if !large.is_empty() {
        conversation.shrink(large);
        if conversation.tokens() < most && !forced {
            return Ok(true);
        }
    }
    if stays == 0 {
        return Ok(false);
    }
    let older = describe(conversation, stays, talk)?;
    let summary = compacting
        .prompts
        .summary(&scope, &compacting.module, older)
        .await?;
    conversation.compact(&summary, stays);
    let line = format!(
        "the conversation was summed up: {stays} messages by {} bytes",
        summary.len()
    );
    talk.gate.services().sink.log(Level::Info, line);
    Ok(true)
}

/// The first message that stays.
fn cut(messages: &[Message], turns: usize, most: u64) -> usize {
    let all = pairs::turns(messages);
    let wanted = all
        .len()
        .checked_sub(turns.max(1))
        .and_then(|at| all.get(at));
    let wanted = wanted.map_or(0, |turn| turn.start);
    let after = |at: usize| messages[at..].iter().map(Message::weight).sum::<u64>();
    if wanted > 0 && after(wanted) <= most {
        return wanted;
    }
    let mut cuts = pairs::cut_points(messages);
    cuts.retain(|at| *at < messages.len());
    let fits = cuts.iter().copied().find(|at| after(*at) <= most);
    fits.or(cuts.last().copied()).unwrap_or(0)
}

/// The ids of the results with more than `shrink` bytes.
fn large(messages: &[Message], shrink: usize) -> Vec<String> {
    let results = messages.iter().flat_map(Message::answers);
    let large = results.filter(|result| result.text.len() > shrink && !is_left_out(&result.text));
    large.map(|result| result.id.clone()).collect()
}

/// How a result begins that was left out.
const LEFT_OUT: &str = "[left out: ";

fn is_left_out(text: &str) -> bool {
    text.starts_with(LEFT_OUT)
}

/// What stands in the place of a result that is left out.
pub(super) fn left_out(tool: &str, bytes: usize) -> String {
    format!("{LEFT_OUT}{bytes} bytes of `{tool}`; call it again if they are needed]")
}

/// What a summary is made of: the messages that go, as Lua has them, and what must not be lost.
fn describe(conversation: &Conversation, stays: usize, talk: &Talk) -> Result<Data, ToolError> {
    let message = |message: &Message| {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        let calls = message.calls().map(|call| {
            Data::map([
                ("tool", call.tool.as_str().into()),
                ("arguments", call.arguments.as_str().into()),
            ])
        });
        let results = message.answers().map(|result| {
            Data::map([
                ("tool", result.tool.as_str().into()),
                ("text", result.text.as_str().into()),
                ("ok", Data::Bool(!result.is_error)),
            ])
        });
        Data::map([
            ("role", role.into()),
            ("text", message.said().into()),
            ("calls", calls.collect()),
            ("results", results.collect()),
        ])
    };
    let todos = serde_json::to_value(talk.gate.services().todos.list());
    let todos = todos.and_then(serde_json::from_value::<Data>);
    let todos = todos.map_err(|error| ToolError::internal(error.to_string()))?;
    Ok(Data::map([
        ("model", talk.speaker.name().into()),
        (
            "messages",
            conversation.messages()[..stays]
                .iter()
                .map(message)
                .collect(),
        ),
        ("todos", todos),
    ]))
}

/// The message that stands in the place of what was summed up.
pub(super) fn summed_up(summary: &str) -> Message {
    let text = format!(
        "What was said before, summed up:\n\n<summary>\n{}\n</summary>",
        summary.trim()
    );
    Message::text(Role::User, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{Arguments, Call, CallResult, Part};

    fn user(text: &str) -> Message {
        Message::text(Role::User, text)
    }

    fn step(id: usize, bytes: usize) -> [Message; 2] {
        let call = Call {
            id: format!("c{id}"),
            tool: "read".to_owned(),
            arguments: Arguments::new("{}"),
            incomplete: false,
            opaque: None,
        };
        let result = CallResult {
            id: call.id.clone(),
            tool: call.tool.clone(),
            text: "x".repeat(bytes),
            is_error: false,
            images: Vec::new(),
        };
        let asks = Message {
            role: Role::Assistant,
            parts: vec![Part::Call(call)],
        };
        [asks, Message::results(vec![result])]
    }

    #[test]
    fn whole_turns_stay_where_they_fit_and_else_what_fits_of_the_last() {
        let mut messages = vec![user("a")];
        messages.extend(step(1, 400));
        messages.push(user("b"));
        messages.extend(step(2, 400));
        messages.push(user("c"));
        messages.extend(step(3, 400));
        messages.extend(step(4, 400));
        assert_eq!(cut(&messages, 2, 10_000), 3);
        assert_eq!(cut(&messages, 1, 10_000), 6);
        assert_eq!(cut(&messages, 2, 200), 9);
        assert_eq!(cut(&messages, 9, 10_000), 0);
        assert_eq!(cut(&messages, 1, 1), 9);
        assert_eq!(cut(&[], 2, 10), 0);
    }

    #[test]
    fn no_cut_parts_a_call_from_its_result() {
        let mut messages = vec![user("a")];
        for id in 0..30 {
            messages.extend(step(id, id * 37 % 500));
            if id % 7 == 3 {
                messages.push(user("more"));
            }
        }
        for turns in 1..6 {
            for most in [1, 50, 200, 1000, 5000] {
                let stays = cut(&messages, turns, most);
                assert!(
                    pairs::is_paired(&messages[..stays]) && pairs::is_paired(&messages[stays..]),
                    "{turns} {most}"
                );
                assert!(stays < messages.len());
            }
        }
    }

    #[test]
    fn only_large_results_are_left_out_and_only_once() {
        let mut messages = step(1, 3000).to_vec();
        messages.extend(step(2, 10));
        assert_eq!(large(&messages, 2000), ["c1"]);
        let note = left_out("read", 3000);
        assert!(is_left_out(&note) && !is_left_out("3000"));
    }
}
