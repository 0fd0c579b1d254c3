//! `edit`: one text in a file becomes another. What is not certain is refused, and nothing changes.
//!
//! Finding the place is `crate::edit`; here the file is read, checked, encoded and committed.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;

use super::changes;
use super::foreseen::{self, Touch};
use crate::data::Data;
use crate::edit::{Edited, Found, NotApplied, Progress, Search, Size, Span};
use crate::error::{Kind, ToolError};
use crate::files::{ChangeSet, Place, Snapshot, not_text};
use crate::permission::{Caller, Effect};
use crate::redact::Known;
use crate::text::counted;
use crate::text::encoding::Encoding;
use crate::text::lines::LineIndex;
use crate::tool::{Context, Example, Outcome, Output, Payload, Plan, Typed, Work};

/// How many places of an ambiguous text are named.
const NAMED: usize = 20;

/// Under this name the note of a plan says what the result tells beside the diff.
const TOLD: &str = "told";

/// Beyond this many bytes no function is asked about a text.
const ASKED: usize = 2 << 20;

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
        or `replace_all` must be true. Line ends are the file's own. Differences in space and typography are \
        tolerated where there is only one such place, and told of. Read the file first.";
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
        let opened = context.blocking(move || open(&path, &old, &new, all, &inner));
        let (file, mut search) = opened.await?;
        let mut passed_over = Vec::new();
        let mut progress;
        loop {
            (search, progress) = context
                .blocking(move || {
                    let progress = search.run();
                    Ok((search, progress))
                })
                .await?;
            let done = loop {
                let step = match progress {
                    Progress::Done(done) => break Some(*done),
                    Progress::Ask(step) => step,
                };
                let found = asked(step, &search, context, &mut passed_over).await?;
                if found.is_empty() {
                    break None;
                }
                (search, progress) = context
                    .blocking(move || {
                        let progress = search.answer(found);
                        Ok((search, progress))
                    })
                    .await?;
            };
            if let Some(done) = done {
                let edited = done.map_err(|why| {
                    let error = refused(why, search.content(), &file.place);
                    with_notes(error, &passed_over)
                })?;
                let inner = context.clone();
                return context
                    .blocking(move || planned(file, &edited, &passed_over, &inner))
                    .await;
            }
        }
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        let plan = foreseen::changing_named(args, &[("path", Touch::Written)], context)?;
        let text = |name: &str| args.get(name).and_then(Data::as_str);
        let work = match (text("old"), text("new")) {
            (Some(old), Some(new)) => foreseen::replaced(old, new),
            _ => Work::None,
        };
        Ok(plan.map(|plan| Plan { work, ..plan }))
    }

    async fn execute(_: &Args, plan: Plan, context: &Context) -> Outcome {
        let found = plan.note.clone();
        let done = changes::commit(plan, context).await?;
        let output = output(&done.changes, &found);
        Ok(done.told(output, context))
    }
}

/// The file that is edited, as it was read.
struct File {
    place: Place,
    snapshot: Snapshot,
    encoding: Encoding,
    /// What the tags in `new` stand for, `new` as it was given, and the text: where there are any.
    hidden: Option<(Known, String, String)>,
}

fn open(
    path: &str,
    old: &str,
    new: &str,
    all: bool,
    context: &Context,
) -> Result<(File, Search), ToolError> {
    let files = &context.services.files;
    let place = files.resolve(path)?;
    let current = changes::current(&place, context)?.ok_or_else(|| files.missing(&place))?;
    let (text, encoding) = current.text.ok_or_else(|| not_text(&place))?;
    let payload = Payload(new.as_bytes().to_vec());
    changes::refuse_notice(&payload, Some(&text), context)?;
    let old = changes::restored(old, Some(&text), &place, context)?;
    let meant = changes::restored(new, Some(&text), &place, context)?;
    let hidden = (context.caller() == Caller::Model && matches!(meant, Cow::Owned(_))).then(|| {
        (
            changes::stands_for(&text, context),
            new.to_owned(),
            text.clone(),
        )
    });
    let chain = context.generation.replacers.chain.clone();
    let search =
        Search::new(text, &old, &meant, all, chain).map_err(|why| refused(why, "", &place))?;
    let file = File {
        place,
        snapshot: current.snapshot,
        encoding,
        hidden,
    };
    Ok((file, search))
}

/// What a replacer finds that is a function; nothing where the text is too long for it.
async fn asked(
    step: usize,
    search: &Search,
    context: &Context,
    passed_over: &mut Vec<String>,
) -> Result<Vec<Found>, ToolError> {
    let replacers = &context.generation.replacers;
    let name = replacers.chain.steps[step].name();
    let function = replacers
        .functions
        .get(name)
        .ok_or_else(|| ToolError::internal(format!("the replacer `{name}` has no function")))?;
    let (text, old) = search.texts();
    if text.len() > ASKED || old.len() > ASKED {
        passed_over.push(format!(
            "the replacer `{name}` ({}) was passed over: it is asked about texts up to 2 MB",
            function.name()
        ));
        return Ok(Vec::new());
    }
    function.find(&context.scope, text, old).await
}

fn with_notes(mut error: ToolError, notes: &[String]) -> ToolError {
    for note in notes {
        error.message.push_str("; ");
        error.message.push_str(note);
    }
    error
}

fn planned(
    file: File,
    edited: &Edited,
    passed_over: &[String],
    context: &Context,
) -> Result<Plan, ToolError> {
    if let Some((known, new, text)) = &file.hidden {
        let places = edited.spans.iter().map(|span| &text[span.start..span.end]);
        let held = known.held_in(new, places);
        held.map_err(|tag| changes::lost(&tag, &file.place))?;
    }
    let bytes = changes::encoded(&edited.text, file.encoding, &file.place)?;
    let files = &context.services.files;
    let change = files.plan_write(&file.place, bytes, Some(&file.snapshot))?;
    let plan = changes::plan(ChangeSet::new(vec![change])?, context)?;
    Ok(Plan {
        note: found(edited, passed_over, &file.encoding.to_string()),
        ..plan
    })
}

/// What was found, as metadata: replacer, score, spans (1-based, inclusive, of the text before), count; and
/// what the result says of it.
fn found(edited: &Edited, passed_over: &[String], encoding: &str) -> Data {
    let span = |span: &Span| {
        Data::map([
            ("first_byte", (span.start + 1).into()),
            ("last_byte", span.end.into()),
        ])
    };
    let mut told = passed_over.to_vec();
    told.extend((!edited.is_exact).then(|| inexact(edited)));
    Data::map([
        ("replacer", edited.replacer.as_str().into()),
        ("score", edited.score.into()),
        ("spans", edited.spans.iter().map(span).collect()),
        ("count", edited.spans.len().into()),
        (
            TOLD,
            told.iter().map(|line| Data::from(line.as_str())).collect(),
        ),
        (changes::ENCODING, encoding.into()),
    ])
}

/// What the result says of a match that was not to the letter.
fn inexact(edited: &Edited) -> String {
    let spans = edited.spans.iter().take(NAMED);
    let spans = spans.map(|span| format!("{}–{}", span.start + 1, span.end));
    let more = if edited.spans.len() > NAMED {
        ", …"
    } else {
        ""
    };
    format!(
        "`old` did not stand there to the letter: found by {}, {:.0} % alike, bytes {}{more}",
        edited.replacer,
        (edited.score * 100.0).floor(),
        Vec::from_iter(spans).join(", ")
    )
}

fn refused(why: NotApplied, text: &str, place: &Place) -> ToolError {
    let name = &place.display;
    match why {
        NotApplied::Empty => ToolError::argument("`old` is empty")
            .with_hint("give the text that is to be replaced; a new file is made with `write`"),
        NotApplied::NoChange => {
            ToolError::argument("`old` and `new` are the same, so nothing would change")
        }
        NotApplied::Already(spans) => {
            let line = spans
                .first()
                .map_or(1, |span| LineIndex::new(text).line_at(span.start));
            ToolError::argument(format!(
                "nothing would change: line {line} of {name} already says what `new` says"
            ))
            .with_hint("read the file: it may have been edited before")
        }
        NotApplied::NotFound => ToolError::not_found(format!("`old` does not stand in {name}"))
            .with_hint("read the file and copy the text from it, to the letter"),
        NotApplied::Ambiguous(replacer, spans) => several(&replacer, &spans, text, name),
        NotApplied::Larger {
            replacer,
            span,
            found,
            quoted,
        } => {
            let line = LineIndex::new(text).line_at(span.start);
            let size = |size: Size| {
                format!(
                    "{}, {}",
                    counted(size.lines, "line"),
                    counted(size.bytes, "byte")
                )
            };
            let message = format!(
                "what {replacer} found in {name} at line {line} is much larger than `old`: {}, and `old` has {}",
                size(found),
                size(quoted)
            );
            ToolError::conflict(message).with_hint("quote the whole text that is to be replaced")
        }
        NotApplied::TooLong(bytes) => {
            let message = format!(
                "`new` would come to {} in all the places that were found in {name}",
                counted(bytes, "byte")
            );
            ToolError::new(Kind::Resource, message)
                .with_hint("quote more in `old`, so that it stands in fewer places")
        }
        NotApplied::TooMuch(replacer) => {
            let message = format!(
                "`old` does not stand in {name} to the letter, and {replacer} finds too many places to compare"
            );
            ToolError::new(Kind::Resource, message)
                .with_hint("copy the text from the file, to the letter")
        }
    }
}

fn several(replacer: &str, spans: &[Span], text: &str, name: &str) -> ToolError {
    let index = LineIndex::new(text);
    let numbers: Vec<usize> = spans.iter().map(|span| index.line_at(span.start)).collect();
    let named: Vec<String> = numbers.iter().take(NAMED).map(usize::to_string).collect();
    let more = if numbers.len() > NAMED { ", …" } else { "" };
    let by = match replacer {
        "simple" => String::new(),
        other => format!(" (found by {other})"),
    };
    let message = format!(
        "`old` stands in {name} {} times{by}: lines {}{more}",
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
    let told = found.get(TOLD).and_then(Data::as_list).unwrap_or_default();
    let told = told.iter().filter_map(Data::as_str);
    let told: String = told.map(|line| format!("{line}\n")).collect();
    let text = format!("{title}\n{told}{}", diff.1.as_str().unwrap_or_default());
    let mut output = Output::new(
        title,
        text,
        [("path", Data::from(name)), diff, additions, deletions],
    );
    output
        .metadata
        .extend(found.as_map().cloned().unwrap_or_default());
    output.metadata.remove(changes::ENCODING);
    output.metadata.remove(TOLD);
    output
}
