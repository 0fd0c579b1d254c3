//! `agent permissions explain TOOL SUBJECT`: the verdict on a call that is not made, and the way to it.
//!
//! The words stand for those of `agent call`: a path that is named here counts as named on the command line.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::{Value, json};

use super::{mode, tell_of_slips};
use crate::cli::args::Options;
use crate::cli::session::Session;
use crate::cli::tools::columns;
use crate::cli::{call, start};
use crate::data::{self, Data};
use crate::error::{Error, Exit};
use crate::gate::{Foreseen, Given};
use crate::permission::{Action, Group, Rule, Step, Subject, Verdict};
use crate::text::{counted, shell_word};
use crate::tool::{Gate as _, Generation, Point};

/// Shows what the call would meet. Whatever that is, the answer is given and the exit code 0.
///
/// # Errors
/// Usage and configuration; `not_found` for an unknown tool, `argument` for an unknown parameter.
pub(super) fn run(options: Options, tool: &str, subject: String) -> Result<Exit, Error> {
    let session = start(options, call::named(Some(OsStr::new(&subject))))?;
    session.run(None, Some(tool), async |session| {
        let called = session.dispatch.generation().tools.get(tool).cloned();
        let given = match data::parse(&subject) {
            Ok(Data::Map(map)) => Given::Arguments(map),
            Err(error) if call::is_meant_as_json(&subject, called.as_deref()) => {
                return Err(call::no_json(error));
            }
            _ => Given::Subject(subject),
        };
        let scope = session.scope()?;
        let foreseen = session.dispatch.foresee(&scope, tool, given).await?;
        let generation = session.dispatch.generation();
        let rules: Vec<&Rule> = generation.policy.rules().iter().collect();
        tell_of_slips(&rules, session);
        match session.answer.is_machine() {
            true => session.answer.document(document(&foreseen, &generation)),
            false => session.answer.text(&page(&foreseen, session, &generation)),
        }
        Ok(Exit::Done)
    })
}

fn document(foreseen: &Foreseen, generation: &Generation) -> Value {
    let verdict = &foreseen.verdict;
    let command = |(subject, alone): &(Subject, Verdict)| json!({ "command": subject.text, "verdict": alone.action.as_str() });
    let path = |(subject, alone): &(Subject, Verdict)| {
        json!({
            "group": subject.group.as_str(),
            "asked": subject.text,
            "real": subject.real,
            "inside": subject.inside,
            "verdict": alone.action.as_str(),
        })
    };
    let hook = |(point, name): &(Point, String)| json!({ "at": point.as_str(), "place": name });
    json!({
        "verdict": verdict.action.as_str(),
        "reason": verdict.reason,
        "trace": verdict.trace.iter().map(step).collect::<Vec<_>>(),
        "commands": commands(foreseen).map(command).collect::<Vec<_>>(),
        "paths": paths(foreseen).map(path).collect::<Vec<_>>(),
        "mode": generation.policy.modes().to_string(),
        "lifting": foreseen.lifting,
        "hooks": foreseen.hooks.iter().map(hook).collect::<Vec<_>>(),
        "may_call": foreseen.may_call,
    })
}

fn step(step: &Step) -> Value {
    json!({
        "source": step.source.as_str(),
        "rule": step.rule,
        "action": step.action.as_str(),
    })
}

fn commands(foreseen: &Foreseen) -> impl Iterator<Item = &(Subject, Verdict)> {
    let all = foreseen.subjects.iter();
    all.filter(|(subject, _)| subject.group == Group::Shell)
}

fn paths(foreseen: &Foreseen) -> impl Iterator<Item = &(Subject, Verdict)> {
    let all = foreseen.subjects.iter();
    all.filter(|(subject, _)| subject.real.is_some())
}

fn page(foreseen: &Foreseen, session: &Session, generation: &Generation) -> String {
    let verdict = &foreseen.verdict;
    let mut page = format!("{}: {}\n", verdict.action, verdict.reason);
    let others = foreseen
        .subjects
        .iter()
        .filter(|(subject, _)| subject.group != Group::Shell && subject.real.is_none());
    let line = |(subject, alone): &(Subject, Verdict)| {
        [
            format!("  {}", alone.action),
            subject.group.to_string(),
            subject.text.clone(),
        ]
    };
    let path = |(subject, alone): &(Subject, Verdict)| {
        let [action, group, text] = line(&(subject.clone(), alone.clone()));
        [action, group, text + &leads(subject, session)]
    };
    let sections = [
        ("commands", commands(foreseen).map(line).collect::<Vec<_>>()),
        ("paths", paths(foreseen).map(path).collect()),
        ("names", others.map(line).collect()),
    ];
    for (title, rows) in sections.iter().filter(|(_, rows)| !rows.is_empty()) {
        page.push_str(&format!("\n{title}:\n{}", columns(rows)));
    }
    let steps = verdict.trace.iter().map(|step| {
        [
            format!("  {}", step.action),
            step.source.to_string(),
            step.rule.to_string(),
        ]
    });
    let steps = columns(&steps.collect::<Vec<_>>());
    page.push_str(&format!("\nwhat has a say, the weakest first:\n{steps}"));
    page.push_str(&format!("\n{}", mode::page(generation)));
    if let Some(way) = way(foreseen) {
        page.push_str(&format!("\nwhat would change it: {way}\n"));
    }
    let unknown = unknown(foreseen);
    if !unknown.is_empty() {
        page.push_str(&format!("\nwhat cannot be told before:\n{unknown}"));
    }
    page
}

/// What may still stand in the way of the call, and is not asked here.
fn unknown(foreseen: &Foreseen) -> String {
    let mut lines = String::new();
    if foreseen.may_call && foreseen.verdict.action != Action::Deny {
        lines += "  calls that it makes itself, and what it asks for with ctx.permit, are judged one by one\n";
    }
    let places = foreseen.hooks.iter();
    let places: Vec<String> = places
        .map(|(point, name)| format!("{name} ({})", point.as_str()))
        .collect();
    if !places.is_empty() {
        let hooks = counted(places.len(), "hook");
        lines += &format!("  {hooks} may still refuse: {}\n", places.join(", "));
    }
    lines
}

/// Where a path really leads, if its name does not say so.
fn leads(subject: &Subject, session: &Session) -> String {
    let real = subject.real.as_deref().unwrap_or_default();
    let files = &session.services.files;
    let shown = files.name(Path::new(real));
    let outside = match subject.inside {
        true => "",
        false => ", outside the workspace",
    };
    match shown == subject.text {
        true => outside.to_owned(),
        false => format!(" → {shown}{outside}"),
    }
}

/// What would change a verdict that stands in the way.
fn way(foreseen: &Foreseen) -> Option<String> {
    let verdict = &foreseen.verdict;
    let options = foreseen.lifting.iter();
    let options: Vec<String> = options
        .map(|rule| format!("--allow {}", shell_word(rule)))
        .collect();
    let way = match verdict.action {
        Action::Allow => return None,
        Action::Ask | Action::Deny if !options.is_empty() => options.join(" "),
        Action::Deny => "no --allow: a deny holds until what says it is changed".to_owned(),
        Action::Ask if verdict.warning.is_some() => {
            "no rule: what is critical is asked about every time".to_owned()
        }
        Action::Ask => {
            "no narrow rule would allow it: answer the question at a terminal".to_owned()
        }
    };
    Some(way)
}
