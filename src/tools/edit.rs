//! `edit`: one text in a file becomes another. What is not certain is refused, and nothing changes.
//!
//! Finding the place is `crate::edit`; here the file is read, checked, encoded and committed.

use schemars::JsonSchema;
use serde::Deserialize;

use super::changes;
use crate::data::Data;
use crate::edit::{Edited, NotApplied, Span, replace};
use crate::error::{Kind, ToolError};
use crate::files::{ChangeSet, Place, not_text};
use crate::permission::Effect;
use crate::text::counted;
use crate::text::lines::LineIndex;
use crate::tool::{Context, Example, Outcome, Output, Payload, Plan, Typed};

/// How many places of an ambiguous text are named.
const NAMED: usize = 20;

/// The tool `edit`.
pub(super) struct Edit;

/// What `edit` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The file
    path: String,
    /// The text that is there, with enough around it to be the only such place
    old: String,
    /// The text that is to be there, to the letter
    new: String,
    /// Whether to replace every place where `old` stands
    #[serde(default)]
    replace_all: bool,
}

impl Typed for Edit {
    const ID: &'static str = "edit";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str = "Replaces a text in a file. `old` must stand there exactly once, \
        or `replace_all` must be true. Line ends are the file's own. Read the file first.";
    const ALIASES: &'static [&'static str] = &["Edit", "str_replace", "replace", "edit_file"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("filePath", "path"),
        ("file_path", "path"),
        ("file", "path"),
        ("old_string", "old"),
        ("oldString", "old"),
        ("old_str", "old"),
        ("new_string", "new"),
        ("newString", "new"),
        ("new_str", "new"),
        ("replaceAll", "replace_all"),
    ];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "One line becomes another",
        files: &[("main.rs", "fn main() {\n    foo();\n}\n")],
        args: r#"{"path": "main.rs", "old": "foo()", "new": "bar()"}"#,
        shows: "+    bar();",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        let (path, old, new) = (args.path.clone(), args.old.clone(), args.new.clone());
        let (all, inner) = (args.replace_all, context.clone());
        context
            .blocking(move || plan(&path, &old, &new, all, &inner))
            .await
    }

    async fn execute(_: &Args, plan: Plan, context: &Context) -> Outcome {
        let found = plan.note.clone();
        let done = changes::commit(plan, context).await?;
        let output = output(&done.changes, &found);
        Ok(done.told(output))
    }
}

fn plan(path: &str, old: &str, new: &str, all: bool, context: &Context) -> Result<Plan, ToolError> {
    let files = &context.services.files;
    let place = files.resolve(path)?;
    let current = changes::current(&place, context)?.ok_or_else(|| files.missing(&place))?;
    let (text, encoding) = current.text.ok_or_else(|| not_text(&place))?;
    let payload = Payload(new.as_bytes().to_vec());
    changes::refuse_notice(&payload, Some(&text), context)?;
    let edited = replace(&text, old, new, all).map_err(|why| refused(why, &text, &place))?;
    let bytes = changes::encoded(&edited.text, encoding, &place)?;
    let change = files.plan_write(&place, bytes, Some(&current.snapshot))?;
    let plan = changes::plan(ChangeSet::new(vec![change])?, context)?;
    Ok(Plan {
        note: found(&edited, &encoding.to_string()),
        ..plan
    })
}

/// What was found, as metadata: replacer, score, spans (1-based, inclusive, of the text before), count.
fn found(edited: &Edited, encoding: &str) -> Data {
    let span = |span: &Span| {
        Data::map([
            ("first_byte", (span.start + 1).into()),
            ("last_byte", span.end.into()),
        ])
    };
    Data::map([
        ("replacer", edited.replacer.into()),
        ("score", edited.score.into()),
        ("spans", edited.spans.iter().map(span).collect()),
        ("count", edited.spans.len().into()),
        (changes::ENCODING, encoding.into()),
    ])
}

fn refused(why: NotApplied, text: &str, place: &Place) -> ToolError {
    let name = &place.display;
    match why {
        NotApplied::Empty => ToolError::argument("`old` is empty")
            .with_hint("give the text that is to be replaced; a new file is made with `write`"),
        NotApplied::NoChange => {
            ToolError::argument("`old` and `new` are the same, so nothing would change")
        }
        NotApplied::NotFound => ToolError::not_found(format!("`old` does not stand in {name}"))
            .with_hint("read the file and copy the text from it, to the letter"),
        NotApplied::Ambiguous(spans) => several(&spans, text, name),
    }
}

fn several(spans: &[Span], text: &str, name: &str) -> ToolError {
    let index = LineIndex::new(text);
    let numbers: Vec<usize> = spans.iter().map(|span| index.line_at(span.start)).collect();
    let named: Vec<String> = numbers.iter().take(NAMED).map(usize::to_string).collect();
    let more = if numbers.len() > NAMED { ", …" } else { "" };
    let message = format!(
        "`old` stands in {name} {} times: lines {}{more}",
        numbers.len(),
        named.join(", ")
    );
    ToolError::new(Kind::Conflict, message)
        .with_hint("quote more of what stands around the one you mean, or set `replace_all`")
        .with_detail("lines", numbers)
}

fn output(changes: &ChangeSet, found: &Data) -> Output {
    let name = changes
        .paths()
        .first()
        .copied()
        .unwrap_or_default()
        .to_owned();
    let [diff, additions, deletions] = changes::as_metadata(changes);
    let count = found.get("count").and_then(Data::as_int).unwrap_or(1);
    let title = format!("edited {name}: {}", counted(count as usize, "place"));
    let text = format!("{title}\n{}", diff.1.as_str().unwrap_or_default());
    let mut output = Output::new(
        title,
        text,
        [("path", Data::from(name)), diff, additions, deletions],
    );
    output
        .metadata
        .extend(found.as_map().cloned().unwrap_or_default());
    output.metadata.remove(changes::ENCODING);
    output
}
