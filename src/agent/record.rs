//! A session as lines: what is written as it happens, and the conversation that is read back.
//!
//! A call is noted before it is made and its result when it is there, so that whoever goes on after a crash knows which
//! calls may have taken effect. Every call has exactly one result in what is read back.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::compact::{left_out, summed_up};
use crate::chat::{Call, CallResult, Message, Part, Role, Usage};
use crate::tool::Todo;

/// How a session begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Head {
    /// The form of the lines: 1.
    pub version: u32,
    /// The session.
    pub id: String,
    /// When it began, as `2026-11-30T19:15:00.123Z`.
    pub time: String,
    /// The workspace's real path.
    pub workspace: String,
    /// The model it began with, as `provider/model`.
    pub model: String,
    /// The profile it began under.
    pub profile: Option<String>,
    /// The mode it began in.
    pub mode: String,
    /// What commands were confined by.
    pub sandbox: String,
    /// The session that this one is a copy of, up to here.
    pub forked_from: Option<String>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Line {
    /// The first one.
    Session(Head),
    /// Somebody said something. What tools say stands in lines of its own.
    Message {
        /// When.
        time: String,
        /// What.
        message: Message,
    },
    /// A call is about to be made.
    Call {
        /// When.
        time: String,
        /// The call.
        call: Call,
        /// Whether it may change something.
        may_change: bool,
    },
    /// A call has its result.
    Result {
        /// When.
        time: String,
        /// The result.
        result: CallResult,
        /// The kind of its error.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
    },
    /// A request was answered.
    Usage {
        /// The model, as `provider/model`.
        model: String,
        /// The tokens.
        usage: Usage,
        /// What they cost, in US dollars, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<f64>,
    },
    /// A summary took the place of all but the last `kept` messages.
    Compaction {
        /// When.
        time: String,
        /// The summary.
        summary: String,
        /// How many messages stayed.
        kept: usize,
    },
    /// The results of these calls were left out.
    Shrunk {
        /// The ids of the calls.
        ids: Vec<String>,
    },
    /// Tools were found, and are offered from here on.
    Opened {
        /// Their ids, in order.
        tools: Vec<String>,
    },
    /// The list of what is to be done has changed.
    Todos {
        /// When.
        time: String,
        /// All of it.
        todos: Vec<Todo>,
    },
    /// Planning begins, or is over.
    Planning {
        /// When.
        time: String,
        /// Whether it goes on from here.
        on: bool,
    },
    /// A turn is over.
    Turn {
        /// When.
        time: String,
        /// How it ended.
        status: String,
    },
    /// A line of a later form.
    #[serde(other)]
    Unknown,
}

/// What lines say.
#[derive(Debug, Default, PartialEq)]
pub struct Past {
    /// How the session began.
    pub head: Head,
    /// What was said, each call with its result.
    pub messages: Vec<Message>,
    /// What is to be done, as it was said last.
    pub todos: Vec<Todo>,
    /// Whether something is being planned.
    pub is_planning: bool,
    /// All that was used.
    pub usage: Usage,
    /// What it cost, as far as that is known.
    pub cost: Option<f64>,
    /// The tools that were found, by id, in order.
    pub opened: Vec<String>,
    /// How many of the lines could not be read.
    pub unread: usize,
}

impl Past {
    /// Reads lines, the oldest first: what a model goes on with, with summaries in the place of what they sum up.
    pub fn read<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Past {
        Reading::default().all(lines)
    }

    /// Reads lines, the oldest first: all that was ever said, and summaries as notes among it.
    pub fn read_whole<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Past {
        let is_whole = true;
        Reading {
            is_whole,
            ..Reading::default()
        }
        .all(lines)
    }
}

/// A step that is read back: its calls, whether they were begun, and the results that are there.
#[derive(Default)]
struct Reading {
    past: Past,
    asked: Option<Message>,
    /// Calls that were begun, with whether they may have changed something.
    begun: Vec<(Call, bool)>,
    results: HashMap<String, CallResult>,
    /// Whether what was summed up or left out later stays.
    is_whole: bool,
}

impl Reading {
    fn all<'a>(mut self, lines: impl IntoIterator<Item = &'a [u8]>) -> Past {
        for line in lines {
            match serde_json::from_slice(line) {
                Ok(line) => self.take(line),
                Err(_) => self.past.unread += 1,
            }
        }
        self.flush();
        self.past
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Session(head) => self.past.head = head,
            Line::Message { message, .. } if message.role == Role::Assistant => {
                if self.asked.is_some() {
                    self.flush();
                }
                self.asked = Some(message);
            }
            Line::Message { message, .. } => {
                self.flush();
                self.past.messages.push(message);
            }
            Line::Call {
                call, may_change, ..
            } => {
                let is_of = |asked: &Message| asked.calls().any(|other| other.id == call.id);
                if self.asked.as_ref().is_some_and(|asked| !is_of(asked)) {
                    self.flush();
                }
                self.begun.push((call, may_change));
            }
            Line::Result { result, .. } => {
                self.results.insert(result.id.clone(), result);
            }
            Line::Usage { usage, cost, .. } => {
                self.past.usage += usage;
                if let Some(cost) = cost {
                    *self.past.cost.get_or_insert(0.0) += cost;
                }
            }
            Line::Compaction { summary, kept, .. } => {
                self.flush();
                match self.is_whole {
                    true => self.past.messages.push(Message {
                        role: Role::System,
                        ..summed_up(&summary)
                    }),
                    false => compact(&mut self.past.messages, &summary, kept),
                }
            }
            Line::Shrunk { .. } if self.is_whole => {}
            Line::Shrunk { ids } => {
                self.flush();
                shrink(&mut self.past.messages, &ids);
            }
            Line::Opened { tools } => self.past.opened.extend(tools),
            Line::Todos { todos, .. } => self.past.todos = todos,
            Line::Planning { on, .. } => self.past.is_planning = on,
            Line::Turn { .. } => self.flush(),
            Line::Unknown => {}
        }
    }

    /// The step is over: its message, and a result for every call in it.
    fn flush(&mut self) {
        let begun = std::mem::take(&mut self.begun);
        let mut results = std::mem::take(&mut self.results);
        let asked = self.asked.take().or_else(|| {
            // The answer was not whole yet when the program ended; its calls were on their way.
            let calls = begun.iter().map(|(call, _)| Part::Call(call.clone()));
            let role = Role::Assistant;
            let parts: Vec<Part> = calls.collect();
            (!parts.is_empty()).then_some(Message { role, parts })
        });
        let Some(asked) = asked else {
            return;
        };
        let closed = |call: &Call| {
            let mut begun = begun.iter();
            let begun = begun.find(|(other, _)| other.id == call.id);
            close(call, begun.map(|(_, may_change)| *may_change))
        };
        let results = asked
            .calls()
            .map(|call| results.remove(&call.id).unwrap_or_else(|| closed(call)));
        let results: Vec<CallResult> = results.collect();
        self.past.messages.push(asked);
        if !results.is_empty() {
            self.past.messages.push(Message::results(results));
        }
    }
}

/// Puts a summary in the place of all but the last `kept` messages.
pub(super) fn compact(messages: &mut Vec<Message>, summary: &str, kept: usize) {
    let gone = messages.len().saturating_sub(kept);
    messages.splice(..gone, [summed_up(summary)]);
}

/// Leaves out the results of these calls.
pub(super) fn shrink(messages: &mut [Message], ids: &[String]) {
    for part in messages.iter_mut().flat_map(|message| &mut message.parts) {
        if let Part::Result(result) = part
            && ids.contains(&result.id)
        {
            result.text = left_out(&result.tool, result.text.len());
            result.images.clear();
        }
    }
}

/// The result of a call that has none: `may_change` of one that was begun, `None` of one that was not.
pub(super) fn close(call: &Call, may_change: Option<bool>) -> CallResult {
    let text = match may_change {
        None => "error (cancelled): the run ended before this call was made; nothing was done",
        Some(false) => {
            "error (cancelled): the run ended while this call was made; it changes nothing"
        }
        Some(true) => {
            "error (cancelled): the run ended while this call was made: its outcome is unknown. Look at what is there \
             before you repeat it"
        }
    };
    CallResult {
        id: call.id.clone(),
        tool: call.tool.clone(),
        text: text.to_owned(),
        is_error: true,
        images: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
