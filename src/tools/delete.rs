//! `delete`: a file, a link (never what it leads to), or a folder with all that is in it.
//!
//! Everything that would go is in the plan, so that it can be shown and judged before.

use schemars::JsonSchema;
use serde::Deserialize;

use super::changes;
use super::foreseen::{self, Touch};
use crate::data::Data;
use crate::error::ToolError;
use crate::files::ChangeSet;
use crate::permission::Effect;
use crate::tool::{Context, Example, Outcome, Output, Plan, Typed};

/// The tool `delete`.
pub(super) struct Delete;

/// What `delete` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// What is deleted
    path: String,
}

impl Typed for Delete {
    const ID: &'static str = "delete";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str = "Deletes a file, a link, or a folder with all that is in it.";
    const ALIASES: &'static [&'static str] = &["Delete", "delete_file", "remove", "rm"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("filePath", "path"),
        ("file_path", "path"),
        ("file", "path"),
    ];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "A file goes away",
        files: &[("old.txt", "text\n")],
        args: r#"{"path": "old.txt"}"#,
        shows: "deleted old.txt",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        let (path, inner) = (args.path.clone(), context.clone());
        let plan = move || {
            let files = &inner.services.files;
            let change = files.plan_delete(&files.resolve_entry(&path)?, inner.stop_flag())?;
            changes::plan(ChangeSet::new(vec![change])?, &inner)
        };
        context.blocking(plan).await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        foreseen::changing_named(args, &[("path", Touch::Removed)], context)
    }

    async fn execute(_: &Args, plan: Plan, context: &Context) -> Outcome {
        let done = changes::commit(plan, context).await?;
        let changes = &done.changes;
        let title = format!("deleted {}", changes.paths().join(", "));
        let paths = (
            "paths",
            changes.paths().into_iter().map(Data::from).collect(),
        );
        let diff = ("diff", Data::from(changes.diff().text.as_str()));
        let output = Output::new(title.clone(), title, [paths, diff]);
        Ok(done.told(output, context))
    }
}
