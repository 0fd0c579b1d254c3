//! `glob`: the files whose paths match a pattern, the last changed first.
//!
//! Nothing found is explained: what was ignored or hidden is counted then, and only then.

use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::globs::Globs;
use super::subjects;
use crate::data::Data;
use crate::error::ToolError;
use crate::files::{Filter, Globbed, PassedOver};
use crate::permission::{Effect, Group};
use crate::tool::{Context, Destination, Example, Outcome, Output, Plan, Typed};

/// The tool `glob`.
pub(super) struct Glob;

/// What `glob` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// A glob such as `src/**/*.rs` or `{a,b}.txt`
    pattern: String,
    /// The folder it starts from
    #[serde(default = "here")]
    path: String,
    /// Globs of what to leave out
    exclude: Option<Globs>,
    /// How many paths at most; by default 100 for a model and all for a program
    limit: Option<NonZeroUsize>,
}

fn here() -> String {
    ".".to_owned()
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
        let files = &context.services.files;
        let place = files.resolve(&args.path)?;
        let mut all = vec![subjects::of(Group::Read, &place, context)];
        let fixed = fixed_part(&args.pattern);
        if !fixed.is_empty() {
            let base = files.in_folder(place.path.clone()).resolve(fixed)?;
            all.push(subjects::of(Group::Read, &base, context));
        }
        Ok(Plan::read(all))
    }

    async fn execute(args: &Args, _: Plan, context: &Context) -> Outcome {
        let exclude = args.exclude.clone().unwrap_or_default().0;
        let filter = Filter {
            exclude,
            max_depth: None,
            withheld: subjects::withheld(context, Self::SURFACE),
        };
        let withheld = filter.withheld.clone();
        let (path, pattern, inner) = (args.path.clone(), args.pattern.clone(), context.clone());
        let work = move || {
            let files = &inner.services.files;
            files.glob(&pattern, &files.resolve(&path)?, &filter, inner.stop_flag())
        };
        let globbed = context.blocking(work).await?;
        let limit = args.limit.map(NonZeroUsize::get);
        let mut output = output(&args.pattern, limit, globbed, context);
        output.text.push_str(&subjects::notice(withheld.as_ref()));
        Ok(output)
    }
}

/// The leading folders of a pattern that hold no wildcard: where it really starts.
fn fixed_part(pattern: &str) -> &str {
    let wild = pattern
        .find(['*', '?', '[', '{', '\\'])
        .unwrap_or(pattern.len());
    match pattern[..wild].rfind('/') {
        Some(0) => "/",
        Some(slash) => &pattern[..slash],
        None => "",
    }
}

fn output(pattern: &str, limit: Option<usize>, globbed: Globbed, context: &Context) -> Output {
    let shown_at_most = context.services.limits.found;
    let default = match context.destination {
        Destination::Program => usize::MAX,
        Destination::Model | Destination::Person => shown_at_most,
    };
    let mut paths: Vec<String> = globbed.hits.into_iter().map(|hit| hit.path).collect();
    let count = paths.len();
    paths.truncate(limit.unwrap_or(default));
    let title = format!("{count} files match {pattern}");
    let mut text = format!("{title}\n");
    let shown = paths.len().min(limit.unwrap_or(shown_at_most));
    for path in &paths[..shown] {
        text.push_str(path);
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
    Output::new(title, text, [paths, ("count", count.into())])
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
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if list.is_empty() {
        return String::new();
    }
    format!(
        "[passed over: {} files; name a folder in `path` to look there]\n",
        list.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_where_a_pattern_really_starts() {
        for (pattern, fixed) in [
            ("**/*.rs", ""),
            ("src/*.rs", "src"),
            ("/etc/ssh/*", "/etc/ssh"),
            ("/*", "/"),
            ("../other/{a,b}", "../other"),
            ("~/x/y.txt", "~/x"),
            ("plain.txt", ""),
        ] {
            assert_eq!(fixed_part(pattern), fixed, "{pattern}");
        }
    }
}
