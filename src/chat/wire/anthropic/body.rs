//! A request as Anthropic takes it: everything but the messages, which stand last so that more of them only
//! make the body longer.

use serde_json::{Map, Value, json};

use super::message::{is_thinking, messages};
use crate::chat::wire::Wire;
use crate::chat::wire::answer::{Asked, asked};
use crate::chat::{Choice, Effort, Quirks, Request, Thinking};

/// Most tokens of an answer where nobody says.
const MAX_OUTPUT: u32 = 8_192;
/// The same where the model thinks before it answers, which counts as output.
const MAX_OUTPUT_THINKING: u32 = 32_000;
/// The fewest tokens to think with.
const MIN_BUDGET: u32 = 1_024;
/// Lets a model think between calls, where thinking has a budget.
const INTERLEAVED: &str = "interleaved-thinking-2025-05-14";

/// The feature to ask for, if any.
pub(in super::super) fn beta(request: &Request, quirks: &Quirks) -> Option<&'static str> {
    let effort = request.effort.filter(|effort| *effort != Effort::None);
    let has_budget = quirks.thinking == Some(Thinking::Budget);
    (has_budget && effort.is_some()).then_some(INTERLEAVED)
}

/// The body.
pub(in super::super) fn body(request: &Request, quirks: &Quirks) -> Map<String, Value> {
    let Asked { tools, choice } = asked(Wire::Anthropic, request, quirks);
    let messages = messages(request, quirks);
    let is_free = matches!(choice, Choice::Auto | Choice::Never);
    let asks_to_think = request.effort.filter(|_| is_free);
    let thinking = asks_to_think.and_then(|effort| Budget::of(effort, request, quirks, &messages));

    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    let most = thinking
        .as_ref()
        .map_or(MAX_OUTPUT, |thinking| thinking.max_output);
    body.insert(
        "max_tokens".to_owned(),
        json!(request.max_output.unwrap_or(most)),
    );
    body.insert("stream".to_owned(), json!(true));
    if let Some(thinking) = thinking {
        body.insert("thinking".to_owned(), thinking.field);
    }
    if let Some(word) = request.effort.and_then(|effort| word(effort, quirks)) {
        body.insert("output_config".to_owned(), json!({ "effort": word }));
    }
    if !tools.is_empty() {
        let lasting = tools.iter().filter(|tool| !tool.found).count();
        let tools = tools.iter().map(|tool| {
            json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema })
        });
        let tools = marked(tools.collect(), lasting, request.cache);
        body.insert("tools".to_owned(), tools);
        if let Some(choice) = chosen(&choice, quirks) {
            body.insert("tool_choice".to_owned(), choice);
        }
    }
    let system = request.system.iter().filter(|text| !text.trim().is_empty());
    let system: Vec<Value> = system
        .map(|text| json!({ "type": "text", "text": text }))
        .collect();
    if !system.is_empty() {
        let all = system.len();
        body.insert("system".to_owned(), marked(system, all, request.cache));
    }
    body.insert("messages".to_owned(), Value::Array(messages));
    body
}

/// The list with a cache mark at the end of its first `lasting` entries, to which nothing is added.
fn marked(mut list: Vec<Value>, lasting: usize, cache: bool) -> Value {
    let last = lasting.checked_sub(1).and_then(|last| list.get_mut(last));
    if let Some(last) = last.filter(|_| cache) {
        mark(last);
    }
    Value::Array(list)
}

/// Puts a cache mark on one block.
pub(super) fn mark(block: &mut Value) {
    if let Some(block) = block.as_object_mut() {
        block.insert("cache_control".to_owned(), json!({ "type": "ephemeral" }));
    }
}

fn chosen(choice: &Choice, quirks: &Quirks) -> Option<Value> {
    let mut chosen = match choice {
        Choice::Auto if quirks.no_parallel_calls => json!({ "type": "auto" }),
        Choice::Auto => return None,
        Choice::Never => return Some(json!({ "type": "none" })),
        Choice::Any => json!({ "type": "any" }),
        Choice::Tool(name) => json!({ "type": "tool", "name": name }),
    };
    if let Some(map) = chosen.as_object_mut().filter(|_| quirks.no_parallel_calls) {
        map.insert("disable_parallel_tool_use".to_owned(), json!(true));
    }
    Some(chosen)
}

/// The word for an effort, where it is asked for by word.
fn word(effort: Effort, quirks: &Quirks) -> Option<&'static str> {
    match (quirks.thinking.unwrap_or(Thinking::Effort), effort) {
        (Thinking::Off | Thinking::Budget, _) | (_, Effort::None) => None,
        (Thinking::Effort, Effort::Minimal) => Some("low"),
        (Thinking::Effort, effort) => Some(effort.as_str()),
    }
}

/// How thinking is asked for, and how long the answer may then be.
struct Budget {
    field: Value,
    max_output: u32,
}

impl Budget {
    fn of(
        effort: Effort,
        request: &Request,
        quirks: &Quirks,
        messages: &[Value],
    ) -> Option<Budget> {
        match quirks.thinking.unwrap_or(Thinking::Effort) {
            _ if effort == Effort::None => None,
            Thinking::Off => None,
            Thinking::Effort => Some(Budget {
                field: json!({ "type": "adaptive", "display": "summarized" }),
                max_output: MAX_OUTPUT_THINKING,
            }),
            Thinking::Budget if !may_begin(messages) => None,
            Thinking::Budget => {
                let wanted = tokens(effort);
                let most = request.max_output.unwrap_or(wanted + MAX_OUTPUT);
                let budget = wanted.min(most.saturating_sub(1));
                (budget >= MIN_BUDGET).then(|| Budget {
                    field: json!({ "type": "enabled", "budget_tokens": budget }),
                    max_output: most,
                })
            }
        }
    }
}

/// With a budget, a step that goes on from calls must go on from thinking too: it cannot begin in the midst.
fn may_begin(messages: &[Value]) -> bool {
    let last = messages
        .iter()
        .rfind(|message| message["role"] == "assistant");
    let Some(blocks) = last.and_then(|message| message["content"].as_array()) else {
        return true;
    };
    let calls = blocks.iter().any(|block| block["type"] == "tool_use");
    !calls || blocks.first().is_some_and(is_thinking)
}

fn tokens(effort: Effort) -> u32 {
    match effort {
        Effort::None => 0,
        Effort::Minimal => MIN_BUDGET,
        Effort::Low => 4_096,
        Effort::Medium => 10_000,
        Effort::High => 20_000,
        Effort::Xhigh => 28_000,
        Effort::Max => 31_999,
    }
}
