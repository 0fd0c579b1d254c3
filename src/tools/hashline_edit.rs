//! `hashline_edit`: lines of a file change by their anchors, as `read{hashes=true}` shows them. All edits or none.
//!
//! What the edits amount to is `crate::edit::hashline`; here the file is read, checked and committed. An anchor names a
//! line and proves it; that the file was read, and is as it was then, is asked besides, as for `edit`.

mod hidden;
mod lines;
mod refused;
mod shown;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use self::lines::Lines;
use super::changes;
use super::foreseen::{self, Touch};
use crate::data::Data;
use crate::edit::hashline::{self, Applied, Edit};
use crate::error::{Kind, ToolError};
use crate::files::{Action, Change, ChangeSet, Entry, Place, not_text};
use crate::permission::Effect;
use crate::store::Hash;
use crate::text::counted;
use crate::text::encoding::Encoding;
use crate::tool::{Context, Example, Outcome, Output, Payload, Plan, Typed};

/// Under this name the note of a plan has the lines that the result shows before the diff.
const TOLD: &str = "told";

/// Under this name it has the number of edits and the like, as metadata.
const COUNTS: &str = "counts";

/// The tool `hashline_edit`.
pub(super) struct HashlineEdit;

/// What `hashline_edit` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The file
    path: String,
    /// The edits; anchors are those of the file as it was read, whatever other edits do
    #[serde(default)]
    edits: Vec<One>,
    /// Whether the file is to go; then there are no edits
    #[serde(default)]
    delete: bool,
    /// The file's new name
    rename: Option<String>,
}

/// One edit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct One {
    /// `replace` or `delete` lines, `append` behind or `prepend` before a line
    op: Op,
    /// The anchor of the line, or of the first one, such as `12#kfd`; without it `append` is at the end, `prepend` at the start
    pos: Option<String>,
    /// The anchor of the last line
    end: Option<String>,
    /// The new lines without anchors, one text each; [] deletes
    #[serde(default, deserialize_with = "lines::given")]
    #[schemars(with = "Option<Vec<String>>")]
    lines: Option<Lines>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Op {
    Replace,
    Append,
    Prepend,
    Delete,
}

impl Typed for HashlineEdit {
    const ID: &'static str = "hashline_edit";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str = "Changes lines of a file by their anchors, all edits or none. \
        `read` with `hashes` shows lines as `12#kfd|text`; `12#kfd` is the anchor. An anchor that is not \
        current is refused, and the current ones are shown. The result shows the anchors of what changed.";
    const ALIASES: &'static [&'static str] = &["HashlineEdit", "hashlineEdit"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("filePath", "path"),
        ("file_path", "path"),
        ("file", "path"),
        ("move", "rename"),
        ("newPath", "rename"),
        ("new_path", "rename"),
    ];
    const FIELDS: &'static [&'static str] = &["moved_to"];
    const EXAMPLES: &'static [Example] = &[
        Example {
            about: "A line changes, another comes behind it",
            files: &[("main.rs", "fn main() {\n    foo();\n}\n")],
            args: r#"{"path": "main.rs", "edits": [
                {"op": "replace", "pos": "2#mfb", "lines": ["    bar();"]},
                {"op": "append", "pos": "2#mfb", "lines": ["    baz();"]}]}"#,
            shows: "+    baz();",
        },
        Example {
            about: "Lines for a file that is not there yet",
            files: &[],
            args: r#"{"path": "notes.txt", "edits": [{"op": "append", "lines": ["done"]}]}"#,
            shows: "created notes.txt",
        },
    ];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        let (args, inner) = (args.clone(), context.clone());
        context.blocking(move || plan(&args, &inner)).await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        let goes = args.get("rename").and_then(Data::as_str).is_some()
            || args.get("delete") == Some(&Data::Bool(true));
        let touch = match goes {
            true => Touch::Removed,
            false => Touch::Written,
        };
        let names = [("path", touch), ("rename", Touch::Arrived)];
        let plan = foreseen::changing_named(args, &names, context)?;
        let work = lines::told(args);
        Ok(plan.map(|plan| Plan { work, ..plan }))
    }

    async fn execute(_: &Args, plan: Plan, context: &Context) -> Outcome {
        let note = plan.note.clone();
        let done = changes::commit(plan, context).await?;
        let output = output(&done.changes, &note)?;
        Ok(done.told(output, context))
    }
}

fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
    let files = &context.services.files;
    if args.delete {
        return goes(args, context);
    }
    let to = args.rename.as_deref();
    let to = to.map(|to| files.resolve_entry(to)).transpose()?;
    let from = files.resolve_entry(&args.path)?;
    let to = to.filter(|to| to.real != from.real);
    let Some(to) = to else {
        let place = files.resolve(&args.path)?;
        return updated(args, &place, context);
    };
    if args.edits.is_empty() {
        let change = files.plan_move(of_file(&from)?, &to, None)?;
        changes::known(&change, context.caller(), context)?;
        return whole(change, Data::Null, context);
    }
    if from.entry == Entry::Link {
        let message = format!("{} is a link, not a file", from.display);
        return Err(ToolError::argument(message).with_hint("change the file it leads to"));
    }
    let edited = edited(args, &from, context)?;
    let change = files.plan_move(&from, &to, Some(edited.bytes))?;
    if change.before.as_ref().map(|image| image.hash) != edited.before {
        let message = format!("{} was changed meanwhile by somebody else", from.display);
        return Err(ToolError::conflict(message));
    }
    whole(change, edited.note, context)
}

/// A file that goes away.
fn goes(args: &Args, context: &Context) -> Result<Plan, ToolError> {
    if !args.edits.is_empty() || args.rename.is_some() {
        return Err(ToolError::argument("`delete` stands alone")
            .with_hint("leave out `edits` and `rename`, or `delete`"));
    }
    let files = &context.services.files;
    let place = files.resolve_entry(&args.path)?;
    let change = files.plan_delete(of_file(&place)?, context.stop_flag())?;
    changes::known(&change, context.caller(), context)?;
    whole(change, Data::Null, context)
}

fn of_file(place: &Place) -> Result<&Place, ToolError> {
    if place.entry != Entry::Folder {
        return Ok(place);
    }
    Err(
        ToolError::argument(format!("{} is a folder", place.display))
            .with_hint("use `delete` or `move` for a folder"),
    )
}

fn updated(args: &Args, place: &Place, context: &Context) -> Result<Plan, ToolError> {
    if args.edits.is_empty() {
        return Err(
            ToolError::argument("there are no edits, so nothing would change")
                .with_hint("give `edits`, `rename` or `delete`"),
        );
    }
    let files = &context.services.files;
    let is_new = place.entry == Entry::Missing;
    let is_anchored = |one: &One| {
        one.pos.is_some() || one.end.is_some() || matches!(one.op, Op::Replace | Op::Delete)
    };
    if is_new && args.edits.iter().any(is_anchored) {
        return Err(files.missing(place));
    }
    let edited = edited(args, place, context)?;
    let change = files.plan_write(place, edited.bytes, None)?;
    if change.before.as_ref().map(|image| image.hash) != edited.before {
        let message = format!("{} was changed meanwhile by somebody else", place.display);
        return Err(ToolError::conflict(message));
    }
    whole(change, edited.note, context)
}

fn whole(change: Change, note: Data, context: &Context) -> Result<Plan, ToolError> {
    let plan = changes::plan(ChangeSet::new(vec![change])?, context)?;
    Ok(Plan { note, ..plan })
}

/// A file after the edits.
struct Edited {
    bytes: Arc<[u8]>,
    /// The hash that it had; `None` where there was none.
    before: Option<Hash>,
    /// What is to be told.
    note: Data,
}

fn edited(args: &Args, place: &Place, context: &Context) -> Result<Edited, ToolError> {
    let mut edits: Vec<Edit> = args.edits.iter().map(One::asked).collect();
    let current = changes::current(place, context)
        .map_err(|error| refused::changed(error, place, &edits, context))?;
    let (old, encoding, hash) = match current {
        Some(current) => {
            let (text, encoding) = current.text.ok_or_else(|| not_text(place))?;
            (text, encoding, Some(current.snapshot.hash))
        }
        None => (String::new(), Encoding::UTF_8, None),
    };
    let lines = edits.iter().flat_map(|edit| edit.lines.iter().flatten());
    let new: Vec<&str> = lines.map(String::as_str).collect();
    changes::refuse_notice(&Payload(new.join("\n").into_bytes()), Some(&old), context)?;
    hidden::restore(&mut edits, &old, place, context)?;
    let applied =
        hashline::apply(&old, &edits).map_err(|why| refused::refused(why, &old, place, context))?;
    let bytes = changes::encoded(&applied.text, encoding, place)?;
    let note = note(&applied, args.edits.len(), encoding, context);
    Ok(Edited {
        bytes: bytes.into(),
        before: hash,
        note,
    })
}

impl One {
    fn asked(&self) -> Edit {
        Edit {
            op: match self.op {
                Op::Replace => hashline::Op::Replace,
                Op::Append => hashline::Op::Append,
                Op::Prepend => hashline::Op::Prepend,
                Op::Delete => hashline::Op::Delete,
            },
            pos: self.pos.clone(),
            end: self.end.clone(),
            lines: self.lines.clone().map(|lines| lines.0),
        }
    }
}

fn note(applied: &Applied, given: usize, encoding: Encoding, context: &Context) -> Data {
    let mut told = String::new();
    for (edit, what) in &applied.mended {
        told.push_str(&format!("[edit {edit}: {what}]\n"));
    }
    for (count, what) in [
        (applied.repeated, "given twice, done once"),
        (applied.unchanged, "changed nothing: the lines stand there"),
    ] {
        if count > 0 {
            told.push_str(&format!("[{}: {what}]\n", counted(count, "edit")));
        }
    }
    let hidden = hidden::secrets(&applied.text, context);
    told.push_str(&shown::changed(
        &applied.text,
        &applied.regions,
        hidden.as_ref(),
    ));
    let count = given - applied.repeated - applied.unchanged;
    let counts = Data::map([
        ("count", count.into()),
        ("repeated", applied.repeated.into()),
        ("unchanged", applied.unchanged.into()),
        ("first_line", applied.first_line.into()),
    ]);
    Data::map([
        (TOLD, told.into()),
        (COUNTS, counts),
        (changes::ENCODING, encoding.to_string().into()),
    ])
}

fn output(changes: &ChangeSet, note: &Data) -> Outcome {
    let change = changes.changes().first();
    let change =
        change.ok_or_else(|| ToolError::new(Kind::Internal, "an edit without a change"))?;
    let name = change.place.display.as_str();
    let counts = note.get(COUNTS).and_then(Data::as_map).cloned();
    let edits = counts
        .as_ref()
        .and_then(|counts| counts.get("count")?.as_int());
    let with = edits.map_or(String::new(), |edits| {
        format!(": {}", counted(edits as usize, "edit"))
    });
    let title = match &change.action {
        Action::Create => format!("created {name}{with}"),
        Action::Update => format!("edited {name}{with}"),
        Action::Delete => format!("deleted {name}"),
        Action::Move { to } => format!("moved {name} to {}{with}", to.display),
    };
    let told = note.get(TOLD).and_then(Data::as_str).unwrap_or_default();
    let [diff, additions, deletions] = changes::as_metadata(changes);
    let shows = match change.action {
        Action::Delete => "",
        _ => diff.1.as_str().unwrap_or_default(),
    };
    let text = format!("{title}\n{told}{shows}");
    let zero = |name| (name, Data::from(0));
    let mut output = Output::new(
        title,
        text,
        [
            ("path", Data::from(name)),
            ("action", change.action.as_str().into()),
            zero("count"),
            zero("repeated"),
            zero("unchanged"),
            ("first_line", Data::from(1)),
            diff,
            additions,
            deletions,
        ],
    );
    output.metadata.extend(counts.unwrap_or_default());
    if let Action::Move { to } = &change.action {
        let to = Data::from(to.display.as_str());
        output.metadata.insert("moved_to".to_owned(), to);
    }
    Ok(output)
}
