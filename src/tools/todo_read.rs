//! `todo_read`: the session's list of what is to be done.
//!
//! How a list is told is said here, for `todo_write` too.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::data::Data;
use crate::error::ToolError;
use crate::permission::Effect;
use crate::tool::{Context, Example, Outcome, Output, Plan, Priority, Status, Todo, Typed};

/// The tool `todo_read`.
pub(super) struct TodoRead;

/// What `todo_read` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {}

impl Typed for TodoRead {
    const ID: &'static str = "todo_read";
    const SURFACE: &'static str = "memory";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Shows the list of what is to be done in this session.";
    const ALIASES: &'static [&'static str] = &["TodoRead", "todoread"];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "Nothing is on the list yet",
        files: &[],
        args: "{}",
        shows: "the list is empty",
    }];

    type Args = Args;

    async fn plan(_: &Args, _: &Context) -> Result<Plan, ToolError> {
        Ok(Plan::read(Vec::new()))
    }

    async fn execute(_: &Args, _: Plan, context: &Context) -> Outcome {
        Ok(told(&context.services.todos.list()))
    }
}

/// A list as a result.
pub(super) fn told(todos: &[Todo]) -> Output {
    let counts = |todo: &&Todo| todo.status != Status::Cancelled;
    let all = todos.iter().filter(counts).count();
    let open = todos.iter().filter(|todo| todo.status.is_open()).count();
    let title = match todos.is_empty() {
        true => "the list is empty".to_owned(),
        false => format!("{} of {all} done", all - open),
    };
    let lines: String = todos.iter().map(|todo| format!("{todo}\n")).collect();
    let text = format!("{title}\n{lines}");
    let todos = todos.iter().map(as_data).collect();
    Output::new(title, text, [("todos", todos)])
}

fn as_data(todo: &Todo) -> Data {
    Data::map([
        ("content", todo.content.as_str().into()),
        ("status", todo.status.as_str().into()),
        ("priority", todo.priority.map(Priority::as_str).into()),
        ("id", todo.id.clone().into()),
    ])
}
