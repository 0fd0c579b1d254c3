//! Undo as a call: a unit of the journal is taken back, judged like any other change of these files.
//!
//! It is not offered among the tools; `agent undo` and `agent.undo` make this call. What somebody has changed since
//! is replaced only where the person says so.

mod list;
mod overwriting;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

pub use list::{as_data, as_text};

use super::subjects;
use crate::data::Data;
use crate::error::ToolError;
use crate::files::{Action, ChangeSet, Files, Part, Purpose, Undoing};
use crate::permission::{Effect, Group};
use crate::text::{counted, named};
use crate::tool::{Context, Outcome, Output, Plan, Shipped, Tool, Transaction, Typed, Work};

/// How many paths the first line names.
const NAMED: usize = 8;

/// The call that undoes.
struct Undo;

/// The tool behind `agent undo` and `agent.undo`.
pub fn undo() -> Arc<dyn Tool> {
    Shipped::<Undo>::tool()
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// The unit; by default the newest
    id: Option<String>,
    /// Show what would change, and change nothing
    #[serde(default)]
    diff: bool,
    /// List the units, and change nothing
    #[serde(default)]
    list: bool,
    /// Take back what was done to these paths alone
    #[serde(default)]
    only: Vec<String>,
    /// Leave what was done to these paths as it is
    #[serde(default)]
    except: Vec<String>,
}

impl Args {
    fn part(&self) -> Part {
        Part {
            only: self.only.clone(),
            except: self.except.clone(),
        }
    }
}

impl Typed for Undo {
    const ID: &'static str = "undo";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Write;
    const DESCRIPTION: &'static str =
        "Takes back what a call, a script or a transaction has changed.";
    const FIELDS: &'static [&'static str] = &["conflict", "units"];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        let part = args.part();
        if args.list {
            return match args.id.is_some() || args.diff || !part.is_whole() {
                true => Err(ToolError::argument(
                    "a list is of all units: neither id nor diff, only or except goes with it",
                )),
                false => Ok(Plan::read(Vec::new())),
            };
        }
        let (id, is_shown, inner) = (args.id.clone(), args.diff, context.clone());
        let plan = move || {
            let undoing = inner.services.files.undoing(id.as_deref(), &part)?;
            if !is_shown && !undoing.changed.is_empty() && !inner.services.human.is_there() {
                return Err(overwriting::refused(&undoing));
            }
            let note = Data::from(undoing.unit.id.as_str());
            Ok(Plan {
                note,
                ..planned(undoing, is_shown, &inner)
            })
        };
        context.blocking(plan).await
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        if args.get("list") == Some(&Data::Bool(true)) {
            return Ok(None);
        }
        let id = args.get("id").and_then(Data::as_str);
        let is_shown = args.get("diff") == Some(&Data::Bool(true));
        let paths = |name: &str| {
            let list = args.get(name).and_then(Data::as_list).unwrap_or_default();
            let paths = list.iter().filter_map(Data::as_str);
            paths.map(str::to_owned).collect()
        };
        let part = Part {
            only: paths("only"),
            except: paths("except"),
        };
        let undoing = context.services.files.undoing(id, &part);
        Ok(undoing.ok().map(|undoing| Plan {
            work: Work::None,
            ..planned(undoing, is_shown, context)
        }))
    }

    async fn execute(args: &Args, plan: Plan, context: &Context) -> Outcome {
        if args.list {
            let files = Arc::clone(&context.services.files);
            return context.blocking(move || Ok(listed(&files))).await;
        }
        let id = plan.note.as_str().unwrap_or_default().to_owned();
        let (part, inner) = (args.part(), context.clone());
        let undoing = move || inner.services.files.undoing(Some(&id), &part);
        let undoing = context.blocking(undoing).await?;
        if args.diff {
            return Ok(told(&undoing, "would undo"));
        }
        let Work::Files(_) = plan.work else {
            return Err(ToolError::internal("an undo came without its changes"));
        };
        let force = overwriting::confirmed(&undoing, context).await?;
        let inner = context.clone();
        let done = move || {
            undo_now(&undoing, force, &inner)?;
            Ok(told(&undoing, "undid"))
        };
        context.blocking(done).await
    }
}

fn planned(undoing: Undoing, is_shown: bool, context: &Context) -> Plan {
    let mut subjects = Vec::new();
    for place in undoing.places() {
        let group = if is_shown { Group::Read } else { Group::Edit };
        let subject = subjects::of(group, place, context);
        let goes = |change: &crate::files::Change| {
            let leaves = matches!(change.action, Action::Create | Action::Move { .. });
            leaves && change.target().real == place.real
        };
        let mut all = undoing.commits.iter().flat_map(|(changes, _)| changes);
        subjects.push(match !is_shown && all.any(goes) {
            true => subject.removed(),
            false => subject,
        });
    }
    if is_shown {
        return Plan::read(subjects);
    }
    undoing.shown.diff();
    Plan::files(subjects, undoing.shown)
}

/// Takes the commits back, the newest first, all or none.
fn undo_now(undoing: &Undoing, force: bool, context: &Context) -> Result<(), ToolError> {
    let services = &context.services;
    let whole = Transaction::begin(context.scope.transaction())?;
    let done = undo_within(&whole, undoing, force, context);
    if let Err(error) = done {
        whole.put_back(&services.files, &services.ledger);
        return Err(whole.told(overwriting::late(error, undoing)));
    }
    whole.end()?;
    drop(whole.changes(&services.files));
    Ok(())
}

fn undo_within(
    whole: &Arc<Transaction>,
    undoing: &Undoing,
    force: bool,
    context: &Context,
) -> Result<(), ToolError> {
    let (files, ledger) = (&context.services.files, &context.services.ledger);
    for (changes, folders) in undoing.commits.iter().rev() {
        for change in changes.iter().rev() {
            let Some(back) = files.undo_change(change, force)? else {
                continue;
            };
            let set = ChangeSet::new(vec![back])?;
            let entered = whole.enter(&set, files)?;
            let purpose = Purpose {
                tool: "undo".to_owned(),
                whole: entered.known(),
                undoes: Some(undoing.unit.id.clone()),
            };
            let (mut number, seen) = (0, crate::tool::known(&set, ledger));
            let committed = files.commit_for(&set, &purpose, |_| {
                number = entered.number(&set, files);
                for place in set.places() {
                    ledger.forget(&place.real);
                }
            })?;
            entered.keep(number, &set, committed.folders, seen, files);
        }
        for folder in folders.iter().rev() {
            files.take_back_folder(folder);
        }
    }
    Ok(())
}

/// The units, the newest first; what of the journal cannot be read is told in words.
fn listed(files: &Files) -> Output {
    let (units, damaged) = files.units();
    let mut text = as_text(&units);
    if damaged > 0 {
        let records = counted(damaged, "record");
        text.push_str(&format!(
            "{records} of the journal cannot be read and were passed over\n"
        ));
    }
    let title = counted(units.len(), "unit");
    Output::new(title, text, [("units", as_data(&units))])
}

fn told(undoing: &Undoing, what: &str) -> Output {
    let (unit, diff) = (&undoing.unit, undoing.shown.diff());
    let paths = undoing.shown.paths();
    let title = format!("{what} {}: {}", unit.id, named(&paths, NAMED));
    let made = match &unit.undoes {
        Some(undone) => format!("undo of {undone}"),
        None => unit.tools.join(", "),
    };
    let mut text = format!("{title} ({made})\n");
    if !undoing.changed.is_empty() {
        text.push_str(&format!("{}\n", overwriting::since(undoing)));
    }
    text.push_str(&diff.text);
    let list = |paths: &[&str]| Data::List(paths.iter().map(|path| (*path).into()).collect());
    let mut output = Output::new(
        title,
        text,
        [
            ("id", Data::from(unit.id.as_str())),
            ("paths", list(&paths)),
            ("diff", diff.text.as_str().into()),
            ("additions", diff.additions.into()),
            ("deletions", diff.deletions.into()),
        ],
    );
    if !undoing.changed.is_empty() {
        let changed: Vec<&str> = undoing.changed.iter().map(String::as_str).collect();
        output
            .metadata
            .insert("conflict".to_owned(), list(&changed));
    }
    output
}
