//! `write`: the whole content of a file, in the encoding the file already has.
//!
//! What `read` gave, written back, changes no byte. Content that changes nothing is not written.

use schemars::JsonSchema;
use serde::Deserialize;

use super::changes::{self, Done};
use super::foreseen::{self, Touch};
use crate::data::Data;
use crate::error::ToolError;
use crate::files::ChangeSet;
use crate::permission::Effect;
use crate::text::counted;
use crate::tool::{Context, Example, Outcome, Output, Payload, Plan, Typed, Work};

/// The tool `write`.
pub(super) struct Write;

/// What `write` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Folders on the way are made
    path: String,
    /// All of its content
    content: Payload,
}

impl Typed for Write {
    const ID: &'static str = "write";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str = "Writes a file, new or in place of what it holds. A file that \
        exists keeps its encoding and mode; read it first. To change a part, use `edit`.";
    const ALIASES: &'static [&'static str] = &["Write", "write_file", "create_file"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("filePath", "path"),
        ("file_path", "path"),
        ("file", "path"),
        ("text", "content"),
        ("contents", "content"),
    ];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "A new file in a new folder",
        files: &[],
        args: r#"{"path": "notes/today.txt", "content": "buy milk\n"}"#,
        shows: "created notes/today.txt",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        let (path, content, inner) = (args.path.clone(), args.content.clone(), context.clone());
        context
            .blocking(move || plan(&path, &content, &inner))
            .await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        let plan = foreseen::changing_named(args, &[("path", Touch::Written)], context)?;
        let work = match args.get("content").and_then(Data::as_str) {
            Some(content) => foreseen::replaced("", content),
            None => Work::None,
        };
        Ok(plan.map(|plan| Plan { work, ..plan }))
    }

    async fn execute(_: &Args, plan: Plan, context: &Context) -> Outcome {
        let is_same = matches!(&plan.work, Work::Files(changes) if is_same(changes));
        let done = match plan.work {
            Work::Files(changes) if is_same => Done::nothing(changes),
            _ => changes::commit(plan, context).await?,
        };
        let output = output(&done.changes, is_same)?;
        Ok(done.told(output, context))
    }
}

fn plan(path: &str, content: &Payload, context: &Context) -> Result<Plan, ToolError> {
    if path.ends_with('/') {
        let message = format!("{path} names a folder; a file is written");
        return Err(ToolError::argument(message).with_hint("leave the last `/` out"));
    }
    let files = &context.services.files;
    let place = files.resolve(path)?;
    let current = changes::current(&place, context)?;
    let text = current.as_ref().and_then(|current| current.text.as_ref());
    changes::refuse_notice(content, text.map(|(text, _)| text.as_str()), context)?;
    let restored = content
        .as_str()
        .map(|new| changes::restored(new, text.map(|(text, _)| text.as_str()), &place, context));
    let restored = restored.transpose()?;
    let bytes = match (restored.as_deref(), text) {
        (Some(new), Some((_, encoding))) => changes::encoded(new, *encoding, &place)?,
        (Some(new), None) => new.as_bytes().to_vec(),
        (None, _) => content.0.clone(),
    };
    let encoding = text.map(|(_, encoding)| encoding.to_string());
    let read = current.as_ref().map(|current| &current.snapshot);
    let change = files.plan_write(&place, bytes, read)?;
    let plan = changes::plan(ChangeSet::new(vec![change])?, context)?;
    let note = encoding.map(|encoding| Data::map([(changes::ENCODING, encoding.into())]));
    Ok(Plan {
        note: note.unwrap_or_default(),
        ..plan
    })
}

fn is_same(changes: &ChangeSet) -> bool {
    changes.changes().iter().all(|change| {
        let (before, after) = (change.before.as_ref(), change.after.as_ref());
        before.is_some() && before.map(|image| image.hash) == after.map(|image| image.hash)
    })
}

fn output(changes: &ChangeSet, is_same: bool) -> Outcome {
    let change = changes.changes().first();
    let change = change.ok_or_else(|| ToolError::internal("a write without a change"))?;
    let name = &change.place.display;
    let created = change.before.is_none();
    let [diff, additions, deletions] = changes::as_metadata(changes);
    let title = match (is_same, created) {
        (true, _) => format!("{name} holds this already; nothing was written"),
        (_, true) => {
            let bytes = change.after.as_ref().map_or(0, |image| image.size);
            format!("created {name} ({})", counted(bytes as usize, "byte"))
        }
        _ => format!(
            "wrote {name} (+{} -{})",
            additions.1.as_int().unwrap_or(0),
            deletions.1.as_int().unwrap_or(0)
        ),
    };
    let path = ("path", Data::from(name.as_str()));
    let created = ("created", Data::Bool(created));
    Ok(Output::new(
        title.clone(),
        title,
        [path, created, diff, additions, deletions],
    ))
}
