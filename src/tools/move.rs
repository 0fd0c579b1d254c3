//! `move`: a file, a link or a folder gets another name. Nothing is ever moved over something else.
//!
//! Both ends are in the plan: the source as removed, the target as written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::changes;
use super::foreseen::{self, Touch};
use crate::data::Data;
use crate::error::ToolError;
use crate::files::ChangeSet;
use crate::permission::Effect;
use crate::tool::{Context, Example, Outcome, Output, Plan, Typed};

/// The tool `move`.
pub(super) struct Move;

/// What `move` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// What is moved
    from: String,
    /// Its new name; folders on the way are made
    to: String,
}

impl Typed for Move {
    const ID: &'static str = "move";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str = "Moves or renames a file or a folder. Nothing may stand at the \
        new name.";
    const ALIASES: &'static [&'static str] = &["Move", "move_file", "rename", "mv"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("source", "from"),
        ("src", "from"),
        ("destination", "to"),
        ("dest", "to"),
    ];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "A file goes into a new folder",
        files: &[("draft.txt", "text\n")],
        args: r#"{"from": "draft.txt", "to": "done/final.txt"}"#,
        shows: "moved draft.txt to done/final.txt",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        let (from, to, inner) = (args.from.clone(), args.to.clone(), context.clone());
        let plan = move || {
            let files = &inner.services.files;
            let (from, to) = (files.resolve_entry(&from)?, files.resolve_entry(&to)?);
            let change = files.plan_move(&from, &to, None)?;
            changes::plan(ChangeSet::new(vec![change])?, &inner)
        };
        context.blocking(plan).await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        let names = [("from", Touch::Removed), ("to", Touch::Arrived)];
        foreseen::changing_named(args, &names, context)
    }

    async fn execute(_: &Args, plan: Plan, context: &Context) -> Outcome {
        let done = changes::commit(plan, context).await?;
        let paths = done.changes.paths();
        let title = format!("moved {}", paths.join(" to "));
        let paths = ("paths", paths.into_iter().map(Data::from).collect());
        let diff = ("diff", Data::from(done.changes.diff().text.as_str()));
        let output = Output::new(title.clone(), title, [paths, diff]);
        Ok(done.told(output, context))
    }
}
