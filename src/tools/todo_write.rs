//! `todo_write`: the session's list of what is to be done, replaced.
//!
//! It changes what this session remembers and nothing outside of it: no file, no program, no machine. So its effect is
//! `read`, and no mode but `dont_ask` and `deny_all` stands in its way.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::todo_read;
use crate::error::ToolError;
use crate::permission::Effect;
use crate::tool::{Context, Example, Outcome, Plan, Priority, Status, Todo, Typed};

/// The tool `todo_write`.
pub(super) struct TodoWrite;

/// What `todo_write` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// All of it, in order
    todos: Vec<Given>,
}

/// One thing to be done.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Given {
    /// What is to be done
    content: String,
    /// One at most is in progress
    #[serde(default)]
    status: Status,
    /// How much it matters
    priority: Option<Priority>,
    /// By which it is known again
    id: Option<String>,
    /// What other systems show in the place of `content` while it is done.
    #[serde(default, rename = "activeForm", alias = "active_form")]
    #[schemars(skip)]
    _active_form: Option<String>,
}

impl Typed for TodoWrite {
    const ID: &'static str = "todo_write";
    const SURFACE: &'static str = "memory";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Replaces the list of what is to be done in this session. For work of \
        three steps or more: write the list first, set one thing to `in_progress` before it is begun and to \
        `completed` as soon as it is done.";
    const ALIASES: &'static [&'static str] = &["TodoWrite", "todowrite", "update_plan"];
    const STANDS_ALONE: bool = true;
    const EXAMPLES: &'static [Example] = &[Example {
        about: "One thing is done, the next is begun",
        files: &[],
        args: r#"{"todos": [
            {"content": "read the parser", "status": "completed"},
            {"content": "mend the loop", "status": "in_progress", "priority": "high"}]}"#,
        shows: "[>] mend the loop (high)",
    }];

    type Args = Args;

    async fn plan(args: &Args, _: &Context) -> Result<Plan, ToolError> {
        check(&args.todos)?;
        Ok(Plan::read(Vec::new()))
    }

    async fn execute(args: &Args, _: Plan, context: &Context) -> Outcome {
        let todos = args.todos.iter().map(|given| Todo {
            content: given.content.trim().to_owned(),
            status: given.status,
            priority: given.priority,
            id: given.id.clone(),
        });
        let todos: Vec<Todo> = todos.collect();
        context.services.todos.replace(todos.clone());
        Ok(todo_read::told(&todos))
    }
}

/// Whether it is a list: every thing says what is to be done, has a name of its own, and one at most is in progress.
///
/// # Errors
/// `argument`, with the place of the thing that is wrong.
fn check(todos: &[Given]) -> Result<(), ToolError> {
    let (mut begun, mut names) = (None, BTreeSet::new());
    for (at, given) in todos.iter().enumerate() {
        let place = format!("todos[{}]", at + 1);
        if given.content.trim().is_empty() {
            let message = format!("{place}.content: expected what is to be done, got no text");
            return Err(ToolError::argument(message));
        }
        if let Some(id) = given.id.as_ref().filter(|id| !names.insert(id.as_str())) {
            let message = format!("{place}.id: `{id}` is the name of another one already");
            return Err(ToolError::argument(message).with_hint("leave the id out, or change it"));
        }
        if given.status == Status::InProgress
            && let Some(before) = begun.replace(at)
        {
            let message = format!(
                "{place}.status: todos[{}] is `in_progress` already, and one at most can be",
                before + 1
            );
            return Err(ToolError::argument(message)
                .with_hint("set the one that is not being worked at to `pending` or `completed`"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(json: &str) -> Option<String> {
        let args: Args = serde_json::from_str(json).unwrap();
        check(&args.todos).err().map(|error| error.message)
    }

    #[test]
    fn one_at_most_is_in_progress_and_names_are_of_one() {
        let two = r#"{"todos":[{"content":"a","status":"in_progress"},{"content":"b"},{"content":"c","status":"in_progress"}]}"#;
        let said = wrong(two).unwrap();
        assert!(
            said.starts_with("todos[3].status: todos[1] is `in_progress`"),
            "{said}"
        );
        let same = r#"{"todos":[{"content":"a","id":"1"},{"content":"b","id":"1"}]}"#;
        assert!(wrong(same).unwrap().starts_with("todos[2].id"));
        assert!(wrong(r#"{"todos":[{"content":" "}]}"#).is_some());
        let fine = r#"{"todos":[{"content":"a","status":"in_progress","activeForm":"doing a"},{"content":"b","id":"1"},{"content":"c"}]}"#;
        assert_eq!(wrong(fine), None);
        assert_eq!(wrong(r#"{"todos":[]}"#), None);
    }
}
