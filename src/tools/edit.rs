//! `edit`: one text in a file becomes another. What is not certain is refused, and nothing changes.
//!
//! Finding the place is `crate::edit`; here the file is read, checked, encoded and committed.

mod refused;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;

use super::changes;
use super::foreseen::{self, Touch};
use crate::data::Data;
use crate::edit::{Edited, Found, Progress, Search, Span};
use crate::error::ToolError;
use crate::files::{ChangeSet, Place, Snapshot, not_text};
use crate::permission::{Caller, Effect};
use crate::redact::Known;
use crate::text::counted;
use crate::text::encoding::Encoding;
use crate::tool::{Context, Example, Outcome, Output, Payload, Plan, Typed, Work};

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
    /// What is there, with enough around it to be the only such place
    old: String,
    /// What is to be there, to the letter
    new: String,
    /// Every place where `old` stands
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
                    let error = refused::refused(why, search.content(), &file.place);
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
    let search = Search::new(text, &old, &meant, all, chain)
        .map_err(|why| refused::refused(why, "", &place))?;
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
    told.extend((!edited.is_exact).then(|| refused::inexact(edited)));
    told.extend((edited.overlapping > 0).then(|| refused::overlapping(edited.overlapping)));
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
