//! `list`: what is in a folder, and in its folders as deep as is asked.
//!
//! Ignored and hidden entries are left out unless the folder itself is named.

use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::foreseen;
use super::globs::Globs;
use super::listing::{self, Wanted};
use super::subjects;
use crate::data::Data;
use crate::error::ToolError;
use crate::files::Filter;
use crate::permission::Effect;
use crate::tool::{Context, Example, Outcome, Plan, Typed};

/// The tool `list`.
pub(super) struct List;

/// What `list` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The folder
    #[serde(default = "super::here")]
    path: String,
    /// How many folders deep; 1 is the folder itself
    #[serde(default = "one")]
    depth: NonZeroUsize,
    /// Globs of what to leave out
    exclude: Option<Globs>,
    /// How many entries at most
    limit: Option<NonZeroUsize>,
}

fn one() -> NonZeroUsize {
    NonZeroUsize::MIN
}

impl Typed for List {
    const ID: &'static str = "list";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Lists a folder. What is ignored by git or hidden is left out \
        unless it is named.";
    const ALIASES: &'static [&'static str] = &["List", "LS", "ls", "list_dir", "list_directory"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("dir", "path"),
        ("directory", "path"),
        ("ignore", "exclude"),
        ("max_depth", "depth"),
    ];
    const TIMEOUT: Option<Duration> = Some(Duration::from_secs(60));
    const EXAMPLES: &'static [Example] = &[Example {
        about: "A folder and the folders in it",
        files: &[("src/main.rs", "fn main() {}\n"), ("README.md", "# Hi\n")],
        args: r#"{"depth": 2}"#,
        shows: "src/main.rs  (13 bytes)",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        subjects::reading(&args.path, context).await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        foreseen::reading(args, "path", context)
    }

    async fn execute(args: &Args, plan: Plan, context: &Context) -> Outcome {
        let exclude = args.exclude.clone().unwrap_or_default().0;
        let filter = Filter {
            exclude,
            max_depth: Some(args.depth.get()),
            withheld: subjects::withheld(context),
        };
        let wanted = Wanted {
            filter,
            limit: args.limit.map(NonZeroUsize::get),
        };
        let (place, inner) = (plan.into_place()?, context.clone());
        context
            .blocking(move || listing::of(&place, &wanted, &inner))
            .await
    }
}
