//! `grep`: the lines, files or counts that a regular expression finds.
//!
//! Searching is done by the hands below, on all cores; here is what it takes and how it is shown.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::foreseen;
use super::glob::explained;
use super::globs::Globs;
use super::{shown, subjects};
use crate::data::Data;
use crate::error::ToolError;
use crate::files::{Filter, Match, Query, Searched, Show};
use crate::permission::Effect;
use crate::text::{counted, one_line};
use crate::tool::{Context, Destination, Example, Limits, Outcome, Output, Plan, Typed};

/// The tool `grep`.
pub(super) struct Grep;

/// What `grep` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// A regular expression, in Rust's syntax
    pattern: Option<String>,
    /// A file or a folder
    #[serde(default = "super::here")]
    path: String,
    /// Globs of files, such as `*.rs`
    include: Option<Globs>,
    /// Globs of what to leave out
    exclude: Option<Globs>,
    /// The lines, the files alone, or how many lines match in each
    #[serde(default)]
    show: Shown,
    /// Lines around each match
    #[serde(default)]
    context: usize,
    /// Upper and lower case are the same
    #[serde(default)]
    ignore_case: bool,
    /// A match may span lines
    #[serde(default)]
    multiline: bool,
    /// How many at most; a model gets 100 by default, a program all
    limit: Option<NonZeroUsize>,
    /// The same in one table; all must hold
    conditions: Option<Conditions>,
}

/// Conditions on name, content and depth.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Conditions {
    /// A glob of the files' names
    name: Option<String>,
    /// In place of `pattern`
    content: Option<String>,
    /// Globs of what to leave out
    exclude: Option<Globs>,
    /// How many folders deep
    max_depth: Option<NonZeroUsize>,
}

/// The values of `show`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Shown {
    #[default]
    Content,
    Files,
    Count,
}

impl Typed for Grep {
    const ID: &'static str = "grep";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Searches files for a regular expression; the files last changed \
        come first. What is ignored by git, hidden or binary is searched only where it is named.";
    const ALIASES: &'static [&'static str] = &["Grep", "search", "rg", "search_files"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("regex", "pattern"),
        ("query", "pattern"),
        ("glob", "include"),
        ("output_mode", "show"),
        ("head_limit", "limit"),
        ("case_insensitive", "ignore_case"),
        ("-i", "ignore_case"),
        ("-C", "context"),
    ];
    const TIMEOUT: Option<Duration> = Some(Duration::from_secs(120));
    const EXAMPLES: &'static [Example] = &[
        Example {
            about: "A word in all files of one kind",
            files: &[
                ("src/a.rs", "fn a() {}\n// TODO: b\n"),
                ("notes.txt", "TODO\n"),
            ],
            args: r#"{"pattern": "TODO", "include": "*.rs"}"#,
            shows: "src/a.rs\n     2: // TODO: b\n",
        },
        Example {
            about: "All conditions in one table",
            files: &[
                ("a/x.rs", "needle\n"),
                ("a/b/c/x.rs", "needle\n"),
                ("vendor/x.rs", "needle\n"),
            ],
            args: r#"{"conditions": {"name": "*.rs", "content": "needle", "exclude": ["vendor"], "max_depth": 2}}"#,
            shows: "1 match in 1 file",
        },
    ];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        query(args, context)?;
        subjects::reading(&args.path, context).await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        foreseen::reading(args, "path", context)
    }

    async fn execute(args: &Args, plan: Plan, context: &Context) -> Outcome {
        let query = query(args, context)?;
        let place = plan.into_place()?;
        let shown = format!("/{}/ in {}", query.pattern, place.display);
        let withheld = query.filter.withheld.clone();
        let inner = context.clone();
        let work = move || {
            let files = &inner.services.files;
            let mut searched = files.search(&query, &place, inner.stop_flag())?;
            shown::matches(&mut searched.matches, &inner);
            Ok(searched)
        };
        let searched = context.blocking(work).await?;
        let mut output = output(&shown, args, searched, context);
        output.text.push_str(&subjects::notice(withheld.as_ref()));
        Ok(output)
    }
}

fn query(args: &Args, context: &Context) -> Result<Query, ToolError> {
    let conditions = args.conditions.clone().unwrap_or_default();
    let pattern = match (&args.pattern, conditions.content) {
        (Some(pattern), None) => pattern.clone(),
        (None, Some(content)) => content,
        (Some(_), Some(_)) => {
            return Err(
                ToolError::argument("`pattern` and `conditions.content` are both given")
                    .with_hint("they say the same thing: give one of them"),
            );
        }
        (None, None) => {
            return Err(
                ToolError::argument("`pattern` is missing: what to search for")
                    .with_hint("give a regular expression; files are found by name with `glob`"),
            );
        }
    };
    let mut include = args.include.clone().unwrap_or_default().0;
    include.extend(conditions.name);
    let mut exclude = args.exclude.clone().unwrap_or_default().0;
    exclude.extend(conditions.exclude.unwrap_or_default().0);
    let default = match context.destination {
        Destination::Program => None,
        Destination::Model | Destination::Person => NonZeroUsize::new(context.limits().found),
    };
    Ok(Query {
        pattern,
        include,
        filter: Filter {
            exclude,
            max_depth: conditions.max_depth.map(NonZeroUsize::get),
            withheld: subjects::withheld(context),
        },
        ignore_case: args.ignore_case,
        multiline: args.multiline,
        context: args.context,
        show: match args.show {
            Shown::Content => Show::Content,
            Shown::Files => Show::Files,
            Shown::Count => Show::Count,
        },
        limit: args.limit.or(default),
    })
}

fn output(shown: &str, args: &Args, searched: Searched, context: &Context) -> Output {
    let count = match args.show {
        Shown::Content => searched.matches.len(),
        Shown::Files => searched.files.len(),
        Shown::Count => searched.files.iter().map(|file| file.count).sum(),
    };
    let text = text(args, &searched, count, &context.limits());
    let title = format!("{shown}: {}", text.lines().next().unwrap_or_default());
    let skipped = Data::map([
        ("binary", searched.binary.into()),
        ("unreadable", searched.unreadable.into()),
        (
            "ignored",
            searched.passed_over.map(|over| over.ignored).into(),
        ),
        (
            "hidden",
            searched.passed_over.map(|over| over.hidden).into(),
        ),
    ]);
    let files = searched.files.iter();
    let metadata = [
        ("matches", searched.matches.iter().map(as_data).collect()),
        (
            "paths",
            files
                .clone()
                .map(|file| Data::from(file.path.as_str()))
                .collect(),
        ),
        ("counts", files.map(|file| Data::from(file.count)).collect()),
        ("count", count.into()),
        ("searched", searched.searched.into()),
        ("skipped", skipped),
        ("more", searched.more.into()),
        ("truncated", searched.more.into()),
    ];
    Output::new(title, text, metadata)
}

/// The count first, then what was found, grouped by file.
fn text(args: &Args, searched: &Searched, count: usize, limits: &Limits) -> String {
    let files = counted(searched.files.len(), "file");
    let mut text = match args.show {
        Shown::Files => format!("{files} of {} searched\n", searched.searched),
        _ => format!("{} in {files}\n", counted(count, "match")),
    };
    let most = args.limit.map_or(limits.found, NonZeroUsize::get);
    let shown = match args.show {
        Shown::Content => lines(&mut text, &searched.matches, most, limits),
        Shown::Files | Shown::Count => {
            for file in searched.files.iter().take(most) {
                let path = one_line(&file.path);
                match args.show {
                    Shown::Count => writeln!(text, "{path}: {}", file.count),
                    _ => writeln!(text, "{path}"),
                }
                .unwrap_or_default();
            }
            searched.files.len().min(most)
        }
    };
    let all = if args.show == Shown::Content {
        count
    } else {
        searched.files.len()
    };
    if searched.more || shown < all {
        let _ = writeln!(
            text,
            "[the first {shown}; there are more: a higher `limit` or a narrower search]"
        );
    }
    if all == 0 {
        text.push_str(&explained(searched.passed_over, Some(searched.binary)));
    }
    text
}

fn lines(text: &mut String, matches: &[Match], most: usize, limits: &Limits) -> usize {
    let mut path = "";
    for found in matches.iter().take(most) {
        if path != found.path {
            path = &found.path;
            let _ = writeln!(text, "{}", one_line(path));
        }
        for (number, line) in &found.before {
            let _ = writeln!(text, "{number:>6}- {}", clipped(line, 1, limits.line_bytes));
        }
        for (number, line) in (found.line..).zip(found.text.lines()) {
            let column = if number == found.line {
                found.column
            } else {
                1
            };
            let _ = writeln!(
                text,
                "{number:>6}: {}",
                clipped(line, column, limits.line_bytes)
            );
        }
        for (number, line) in &found.after {
            let _ = writeln!(text, "{number:>6}- {}", clipped(line, 1, limits.line_bytes));
        }
    }
    matches.len().min(most)
}

/// The part of a long line around `column`, marked where it is cut.
fn clipped(line: &str, column: usize, bytes: usize) -> String {
    if line.len() <= bytes {
        return line.to_owned();
    }
    let start = line.floor_char_boundary(column.saturating_sub(1).saturating_sub(bytes / 4));
    let end = line.floor_char_boundary(start.saturating_add(bytes));
    let before = if start > 0 { "… " } else { "" };
    format!(
        "{before}{}… [{} in all]",
        &line[start..end],
        counted(line.len(), "byte")
    )
}

fn as_data(found: &Match) -> Data {
    let around = |lines: &[(u64, String)]| -> Data {
        let entry = |(line, text): &(u64, String)| {
            Data::map([("line", (*line).into()), ("text", text.as_str().into())])
        };
        lines.iter().map(entry).collect()
    };
    let mut data = vec![
        ("path", Data::from(found.path.as_str())),
        ("line", found.line.into()),
        ("column", found.column.into()),
        ("text", found.text.as_str().into()),
    ];
    if !found.before.is_empty() || !found.after.is_empty() {
        data.push(("before", around(&found.before)));
        data.push(("after", around(&found.after)));
    }
    Data::Map(
        data.into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}
