//! `glob`: the files whose paths match a pattern, the last changed first.
//!
//! Nothing found is explained: what was ignored or hidden is counted then, and only then.

use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::foreseen;
use super::globs::Globs;
use super::subjects;
use crate::data::Data;
use crate::error::ToolError;
use crate::files::{Filter, Globbed, PassedOver};
use crate::permission::{Effect, Group};
use crate::text::{counted, one_line};
use crate::tool::{Context, Destination, Example, Outcome, Output, Plan, Typed};

/// The tool `glob`.
pub(super) struct Glob;

/// What `glob` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Such as `src/**/*.rs` or `{a,b}.txt`
    pattern: String,
    /// The folder it starts from
    #[serde(default = "super::here")]
    path: String,
    /// Globs of what to leave out
    exclude: Option<Globs>,
    /// How many at most; a model gets 100 by default, a program all
    limit: Option<NonZeroUsize>,
}

impl Typed for Glob {
    const ID: &'static str = "glob";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Finds files by a pattern of their paths, the last changed \
        first. `*` stays within a folder, `**` does not. What is ignored by git or hidden is found \
        only where it is named.";
    const ALIASES: &'static [&'static str] = &["Glob", "find_files", "file_search"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("directory", "path"),
        ("dir", "path"),
        ("ignore", "exclude"),
    ];
    const TIMEOUT: Option<Duration> = Some(Duration::from_secs(60));
    const EXAMPLES: &'static [Example] = &[Example {
        about: "All files of one kind",
        files: &[("src/a.rs", ""), ("src/deep/b.rs", ""), ("c.txt", "")],
        args: r#"{"pattern": "**/*.rs"}"#,
        shows: "src/deep/b.rs",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        let (path, pattern, inner) = (args.path.clone(), args.pattern.clone(), context.clone());
        let plan = move || {
            let files = &inner.services.files;
            let places = files.glob_places(&pattern, &files.resolve(&path)?)?;
            let subject = |place| subjects::of(Group::Read, place, &inner);
            Ok(Plan::paths(places.iter().map(subject).collect(), places))
        };
        context.blocking(plan).await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        let Some(pattern) = args.get("pattern").and_then(Data::as_str) else {
            return foreseen::reading(args, "path", context);
        };
        let files = &context.services.files;
        let path = args.get("path").and_then(Data::as_str).unwrap_or(".");
        let place = foreseen::place(path, context)?;
        let folder = files.glob_folder(pattern, &place)?;
        let subject = |place| subjects::of(Group::Read, place, context);
        let places = vec![place, folder];
        Ok(Some(Plan::paths(
            places.iter().map(subject).collect(),
            places,
        )))
    }

    async fn execute(args: &Args, plan: Plan, context: &Context) -> Outcome {
        let exclude = args.exclude.clone().unwrap_or_default().0;
        let filter = Filter {
            exclude,
            max_depth: None,
            withheld: subjects::withheld(context),
        };
        let withheld = filter.withheld.clone();
        let (pattern, inner) = (args.pattern.clone(), context.clone());
        let work = move || {
            let files = &inner.services.files;
            let places = plan.into_places();
            files.glob(&pattern, &places, &filter, inner.stop_flag())
        };
        let globbed = context.blocking(work).await?;
        let limit = args.limit.map(NonZeroUsize::get);
        let mut output = output(&args.pattern, limit, globbed, context);
        output.text.push_str(&subjects::notice(withheld.as_ref()));
        Ok(output)
    }
}

fn output(pattern: &str, limit: Option<usize>, globbed: Globbed, context: &Context) -> Output {
    let shown_at_most = context.limits().found;
    let default = match context.destination {
        Destination::Program => usize::MAX,
        Destination::Model | Destination::Person => shown_at_most,
    };
    let mut paths: Vec<String> = globbed.hits.into_iter().map(|hit| hit.path).collect();
    let count = paths.len();
    paths.truncate(limit.unwrap_or(default));
    let verb = if count == 1 { "matches" } else { "match" };
    let title = format!("{} {verb} {pattern}", counted(count, "file"));
    let mut text = format!("{title}\n");
    let shown = paths.len().min(limit.unwrap_or(shown_at_most));
    for path in &paths[..shown] {
        text.push_str(&one_line(path));
        text.push('\n');
    }
    if shown < count {
        text.push_str(&format!(
            "[the {shown} last changed of {count}; more: a higher `limit`]\n"
        ));
    }
    if count == 0 {
        text.push_str(&explained(globbed.passed_over, None));
    }
    let paths = ("paths", paths.into_iter().map(Data::from).collect());
    Output::new(
        title,
        text,
        [
            paths,
            ("count", count.into()),
            ("truncated", (shown < count).into()),
        ],
    )
}

/// Why nothing may have been found, if something was passed over.
pub(super) fn explained(passed_over: Option<PassedOver>, binary: Option<usize>) -> String {
    let passed_over = passed_over.unwrap_or_default();
    let counts = [
        (passed_over.ignored, "ignored"),
        (passed_over.hidden, "hidden"),
        (binary.unwrap_or(0), "binary"),
    ];
    let list: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| counted(count, &format!("{what} file")))
        .collect();
    if list.is_empty() {
        return String::new();
    }
    format!(
        "[passed over: {}; name a folder in `path` to look there]\n",
        list.join(", ")
    )
}
