//! `apply_patch`: one patch over several files. All of it happens, or nothing.
//!
//! What a patch means is `crate::patch`; its sections meet the files in `sections`, and what they amount to
//! for each file is `outcome`. Here it is planned as one change-set, committed and told.

mod hidden;
mod outcome;
mod refused;
mod sections;

use schemars::JsonSchema;
use serde::Deserialize;

use super::changes;
use super::foreseen::{self, Touch};
use crate::data::Data;
use crate::error::ToolError;
use crate::files::{Action, Change, ChangeSet};
use crate::patch;
use crate::permission::Effect;
use crate::text::counted;
use crate::tool::{Context, Example, Outcome, Output, Plan, Typed, Work};

/// Under this name the note of a plan says which hunks fit only roughly.
const TOLERATED: &str = "tolerated";

/// The tool `apply_patch`.
pub(super) struct ApplyPatch;

/// What `apply_patch` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The whole patch, from `*** Begin Patch` to `*** End Patch`; at a command line `- < FILE` gives it
    patch: String,
}

impl Typed for ApplyPatch {
    const ID: &'static str = "apply_patch";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str = "Changes files by a patch, all or none. Sections: `*** Add File: P`, \
        `*** Delete File: P`, `*** Update File: P` (then `*** Move to: P`), between `*** Begin Patch` and \
        `*** End Patch`. Hunks: `@@ line above`, then lines that begin with a space, `-` or `+`. Each must \
        fit in one place. Read the files first.";
    const ALIASES: &'static [&'static str] = &["applyPatch", "ApplyPatch", "patch"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("patchText", "patch"),
        ("patch_text", "patch"),
        ("input", "patch"),
    ];
    const EXAMPLES: &'static [Example] = &[
        Example {
            about: "A line changes, another file comes",
            files: &[("main.rs", "fn main() {\n    foo();\n}\n")],
            args: r#"{"patch": "*** Begin Patch\n*** Update File: main.rs\n@@ fn main() {\n-    foo();\n+    bar();\n*** Add File: notes.txt\n+done\n*** End Patch"}"#,
            shows: "+    bar();",
        },
        Example {
            about: "A file gets another name and another line",
            files: &[("draft.txt", "one\ntwo\n")],
            args: r#"{"patch": "*** Begin Patch\n*** Update File: draft.txt\n*** Move to: final.txt\n@@\n-two\n+three\n*** End Patch"}"#,
            shows: "moved draft.txt to final.txt (+1 -1)",
        },
    ];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        let (text, inner) = (args.patch.clone(), context.clone());
        context.blocking(move || plan(&text, &inner)).await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        foreseen(args, context)
    }

    async fn execute(_: &Args, plan: Plan, context: &Context) -> Outcome {
        let tolerated = plan.note.get(TOLERATED).cloned().unwrap_or_default();
        let done = changes::commit(plan, context).await?;
        let output = output(&done.changes, &tolerated);
        Ok(done.told(output, context))
    }
}

fn plan(text: &str, context: &Context) -> Result<Plan, ToolError> {
    let sections = patch::parse(text).map_err(|why| refused::malformed(why, text))?;
    let told = sections::told(&sections, context)?;
    let tolerated = told.tolerated;
    let (changes, encodings) = outcome::changes(told.files, context)?;
    if changes.is_empty() {
        return Err(ToolError::argument("the patch leaves every file as it is")
            .with_hint("give the lines that are to be there with `+`, those that go with `-`"));
    }
    let plan = changes::plan(ChangeSet::new(changes)?, context)?;
    let tolerated = tolerated.into_iter().map(Data::from).collect();
    Ok(Plan {
        note: Data::map([(changes::ENCODING, encodings), (TOLERATED, tolerated)]),
        ..plan
    })
}

/// The files that the sections of a patch name; of a text that is no patch and stands on one line, the file
/// of that name.
fn foreseen(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
    let Some(text) = args.get("patch").and_then(Data::as_str) else {
        return Ok(None);
    };
    let Ok(sections) = patch::parse(text) else {
        return match text.contains('\n') {
            true => Ok(None),
            false => foreseen::changing(&[(text, Touch::Written)], context),
        };
    };
    let touched = |section: &patch::Section| {
        let (path, to) = match &section.work {
            patch::Work::Add(_) => ((section.path.clone(), Touch::Written), None),
            patch::Work::Delete => ((section.path.clone(), Touch::Removed), None),
            patch::Work::Update { to: None, .. } => ((section.path.clone(), Touch::Written), None),
            patch::Work::Update { to: Some(to), .. } => (
                (section.path.clone(), Touch::Removed),
                Some((to.clone(), Touch::Arrived)),
            ),
        };
        [Some(path), to].into_iter().flatten()
    };
    let all: Vec<(String, Touch)> = sections.iter().flat_map(touched).collect();
    let all: Vec<(&str, Touch)> = all
        .iter()
        .map(|(path, how)| (path.as_str(), *how))
        .collect();
    let plan = foreseen::changing(&all, context)?;
    let work = lines(&sections);
    Ok(plan.map(|plan| Plan { work, ..plan }))
}

/// How many lines come and go, as the patch tells it; what a file that goes away held, it does not.
fn lines(sections: &[patch::Section]) -> Work {
    let (mut additions, mut deletions) = (0, 0);
    for section in sections {
        match &section.work {
            patch::Work::Add(text) => additions += text.lines().count(),
            patch::Work::Delete => {}
            patch::Work::Update { hunks, .. } => {
                let lines = || hunks.iter().flat_map(|hunk| &hunk.lines);
                let is_put = |line: &&patch::Line| matches!(line, patch::Line::Put(_));
                let is_drop = |line: &&patch::Line| matches!(line, patch::Line::Drop(_));
                additions += lines().filter(is_put).count();
                deletions += lines().filter(is_drop).count();
            }
        }
    }
    Work::Lines {
        additions,
        deletions,
    }
}

fn output(changes: &ChangeSet, tolerated: &Data) -> Output {
    let (mut lines, mut files) = (String::new(), Vec::new());
    for change in changes.changes() {
        let (line, file) = told(change);
        lines.push_str(&line);
        files.push(file);
    }
    for line in tolerated.as_list().into_iter().flatten() {
        lines.push_str(&format!("[{}]\n", line.as_str().unwrap_or_default()));
    }
    let title = format!("patched {}", counted(files.len(), "file"));
    let diff = changes.diff().text.as_str();
    Output::new(
        title.clone(),
        format!("{title}\n{lines}{diff}"),
        [("files", Data::List(files)), ("diff", Data::from(diff))],
    )
}

/// One change, as a line and as metadata: path, action, moved_to, additions, deletions.
fn told(change: &Change) -> (String, Data) {
    let diff = change.diff();
    let name = change.place.display.as_str();
    let mut file = vec![
        ("path", Data::from(name)),
        ("action", change.action.as_str().into()),
        ("additions", diff.additions.into()),
        ("deletions", diff.deletions.into()),
    ];
    let did = match &change.action {
        Action::Create => format!("created {name}"),
        Action::Update => format!("updated {name}"),
        Action::Delete => format!("deleted {name}"),
        Action::Move { to } => {
            file.push(("moved_to", to.display.as_str().into()));
            format!("moved {name} to {}", to.display)
        }
    };
    let file = file.into_iter().map(|(key, value)| (key.to_owned(), value));
    let line = format!("{did} (+{} -{})\n", diff.additions, diff.deletions);
    (line, Data::Map(file.collect()))
}
