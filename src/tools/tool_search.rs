//! `tool_search`: finds the tools that a conversation does not begin with, and opens them.
//!
//! It looks at declarations alone. What is opened can be called, and is judged as ever.

mod surfaces;

use std::num::NonZeroUsize;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::Effect;
use crate::text::{counted, first_sentence, named, offer};
use crate::tool::{
    Context, Deferred, Example, Generation, Outcome, Output, Plan, Scope, Services, Spec, Tool,
    Typed,
};

/// How many names a result that found nothing offers.
const NAMED: usize = 60;

/// What opens tools by their names.
const SELECT: &str = "select:";

/// The tool `tool_search`.
pub(super) struct ToolSearch;

/// What `tool_search` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Words, a group, or `select:NAME,NAME`
    #[serde(default)]
    query: String,
    /// What is looked for; a surface is a group of tools
    #[serde(default)]
    by: By,
    /// How many tools at most; groups are opened whole
    #[serde(default = "five")]
    limit: NonZeroUsize,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum By {
    #[default]
    Tool,
    Surface,
}

fn five() -> NonZeroUsize {
    NonZeroUsize::MIN.saturating_add(4)
}

impl Typed for ToolSearch {
    const ID: &'static str = "tool_search";
    const SURFACE: &'static str = "agent";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Finds tools that are not shown yet, and opens them: they can be called \
        from then on. `by = \"surface\"` shows groups, and opens the one that is named.";
    const ALIASES: &'static [&'static str] = &["ToolSearch", "toolSearch", "search_tools"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[("max_results", "limit")];
    const STANDS_ALONE: bool = true;
    const EXAMPLES: &'static [Example] = &[
        Example {
            about: "By what is to be done",
            files: &[],
            args: r#"{"query": "rename a file"}"#,
            shows: "move(from: string, to: string)",
        },
        Example {
            about: "By name",
            files: &[],
            args: r#"{"query": "select:delete"}"#,
            shows: "delete(path: string)",
        },
        Example {
            about: "The groups there are",
            files: &[],
            args: r#"{"by": "surface"}"#,
            shows: "file:\n    move, delete",
        },
    ];

    type Args = Args;

    fn offered(scope: &Scope, _: &Services) -> Result<(), ToolError> {
        deferred(scope).map(drop)
    }

    async fn plan(_: &Args, _: &Context) -> Result<Plan, ToolError> {
        Ok(Plan::read(Vec::new()))
    }

    async fn execute(args: &Args, _: Plan, context: &Context) -> Outcome {
        let deferred = deferred(&context.scope)?;
        let generation = context.gate.generation();
        let there = there(deferred, &generation, &context.scope);
        let query = args.query.trim();
        if args.by == By::Surface && !query.starts_with(SELECT) {
            let groups = surfaces::groups(&there, &generation);
            let met = surfaces::met(query, groups);
            let opened = surfaces::opened(query, &met);
            deferred.open(opened.iter().map(|tool| tool.id().to_owned()));
            return Ok(surfaces::told(query, &met, &opened, &generation));
        }
        let found = match query.strip_prefix(SELECT) {
            Some(names) => selected(names, &there, &generation)?,
            None => {
                let group = of_group(query, &there, &generation);
                match group.is_empty() {
                    true => ranked(query, &there, args.limit.get()),
                    false => group,
                }
            }
        };
        deferred.open(found.iter().map(|tool| tool.id().to_owned()));
        Ok(told(query, &found, &there, &generation))
    }
}

/// What is deferred here.
///
/// # Errors
/// `unavailable` where nothing is.
fn deferred(scope: &Scope) -> Result<&Arc<Deferred>, ToolError> {
    let deferred = scope.deferred().filter(|deferred| !deferred.is_empty());
    deferred.ok_or_else(|| {
        ToolError::new(
            Kind::Unavailable,
            "every tool that there is is shown already",
        )
        .with_hint("call it by its name")
    })
}

/// The deferred tools that can be called here once they are open.
fn there<'a>(deferred: &Deferred, generation: &'a Generation, scope: &Scope) -> Vec<&'a dyn Tool> {
    let tools = generation.tools.listed().map(|tool| &**tool);
    let is_there = |tool: &&dyn Tool| {
        let is_had = || generation.usable_in(scope, *tool).is_ok();
        deferred.has(tool.id()) && !generation.surfaces.is_disabled(tool.spec()) && is_had()
    };
    tools.filter(is_there).collect()
}

/// Those with these names, parted by commas.
///
/// # Errors
/// `not_found` for a name that none of them has, with the nearest.
fn selected<'a>(
    names: &str,
    there: &[&'a dyn Tool],
    generation: &Generation,
) -> Result<Vec<&'a dyn Tool>, ToolError> {
    let mut found: Vec<&dyn Tool> = Vec::new();
    let names = names.split(',').map(str::trim);
    for name in names.filter(|name| !name.is_empty()) {
        let id = generation.tools.get(name).map_or(name, |tool| tool.id());
        let Some(tool) = there.iter().find(|tool| tool.id() == id) else {
            let ids = there.iter().map(|tool| tool.id());
            let message = format!("no tool `{name}` is deferred");
            return Err(match generation.tools.get(name) {
                Some(_) => ToolError::not_found(message).with_hint("call it, if it is offered"),
                None => ToolError::not_found(message).with_hint(offer(name, "deferred tools", ids)),
            });
        };
        if !found.iter().any(|other| other.id() == id) {
            found.push(*tool);
        }
    }
    Ok(found)
}

/// Those of the group `name`.
fn of_group<'a>(name: &str, there: &[&'a dyn Tool], generation: &Generation) -> Vec<&'a dyn Tool> {
    let is_in = |tool: &&&dyn Tool| generation.surface_of(**tool).eq_ignore_ascii_case(name);
    there.iter().filter(is_in).copied().collect()
}

/// Those that the words of `query` speak of, the likeliest first: by their names, then by what their descriptions say,
/// then by their hints.
fn ranked<'a>(query: &str, there: &[&'a dyn Tool], limit: usize) -> Vec<&'a dyn Tool> {
    let words = words(query);
    let mut ranked: Vec<([usize; 3], &dyn Tool)> = there
        .iter()
        .map(|tool| (rank(&words, *tool), *tool))
        .filter(|(rank, _)| rank.iter().any(|part| *part > 0))
        .collect();
    // Of equal ones those stay first that people meet first.
    ranked.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    let best = ranked.into_iter().take(limit);
    best.map(|(_, tool)| tool).collect()
}

fn rank(query: &[String], tool: &dyn Tool) -> [usize; 3] {
    let spec = tool.spec();
    let mut names = words(&spec.id);
    names.extend(tool.aliases().into_iter().flat_map(words));
    let whole = usize::from(words(&spec.id) == query);
    let hint = spec.hint.as_deref().unwrap_or_default();
    [
        met(query, &names) + whole,
        met(query, &words(&spec.description)),
        met(query, &words(hint)),
    ]
}

/// How many of the words `query` are met in `text`: to the letter, or as a beginning of at least three letters.
fn met(query: &[String], text: &[String]) -> usize {
    let is_met = |word: &&String| {
        let begins = |other: &String| word.len() >= 3 && other.starts_with(word.as_str());
        text.iter().any(|other| other == *word || begins(other))
    };
    query.iter().filter(is_met).count()
}

/// The words of a text or a name, in small letters: `lsp_rename` and `LspRename` have the same two.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_small) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            let last = words.last_mut();
            last.into_iter()
                .for_each(|word| word.extend(c.to_lowercase()));
        }
        was_small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

fn told(query: &str, found: &[&dyn Tool], there: &[&dyn Tool], generation: &Generation) -> Output {
    let opened: Data = found.iter().map(|tool| tool.id().into()).collect();
    let (title, text) = match found.is_empty() {
        true => {
            let ids: Vec<&str> = there.iter().map(|tool| tool.id()).collect();
            let mut groups: Vec<&str> = there
                .iter()
                .map(|tool| generation.surface_of(*tool))
                .collect();
            groups.sort_unstable();
            groups.dedup();
            let title = format!("no deferred tool is about `{query}`");
            let text = format!(
                "{title}\nthere are: {}\nin the groups: {}\n",
                named(&ids, NAMED),
                groups.join(", ")
            );
            (title, text)
        }
        false => {
            let title = format!("{}, open from here on", counted(found.len(), "tool"));
            let lines: String = found.iter().map(|tool| signature(tool.spec())).collect();
            (title.clone(), format!("{title}\n{lines}"))
        }
    };
    Output::new(title, text, [("opened", opened)])
}

/// What a tool takes, and what it is for.
fn signature(spec: &Spec) -> String {
    let takes = spec.parameters.compact();
    let about = first_sentence(spec.description.trim());
    format!("{}{takes}\n    {about}\n", spec.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str) -> Vec<String> {
        let tools = super::super::shipped();
        let there: Vec<&dyn Tool> = tools.listed().map(|tool| &**tool).collect();
        let found = ranked(query, &there, 3);
        found.iter().map(|tool| tool.id().to_owned()).collect()
    }

    #[test]
    fn names_come_before_descriptions() {
        assert_eq!(found("todo write")[0], "todo_write");
        assert_eq!(found("ToolSearch")[0], "tool_search");
        assert_eq!(found("run a command")[0], "shell");
        assert_eq!(found("regular expression")[0], "grep");
        assert_eq!(found("patch")[0], "apply_patch");
        assert!(found("zzz").is_empty() && found("").is_empty());
    }

    #[test]
    fn words_are_those_of_names_too() {
        for text in ["lsp_rename", "LspRename", "lspRename", "lsp rename!"] {
            assert_eq!(words(text), ["lsp", "rename"], "{text}");
        }
        assert_eq!(words("HTTPServer 2"), ["httpserver", "2"]);
    }
}
