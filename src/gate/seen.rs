//! What the classifier of the mode `auto` sees of a call: the tool, the caller, the words of commands, where they run,
//! real paths, how many lines change. Never arguments as they came, contents, results, or comments.

use std::sync::Arc;

use super::functions::{self, counted};
use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::permission::{Action, Command, Group, Request, Subject, Verdict};
use crate::tool::{Classified, Classifier, Facts, Scope, Work};

/// Has a verdict that is open settled by `classifier`; where that has none, or failed, it asks.
pub(super) async fn classify(
    classifier: &dyn Classifier,
    scope: &Scope,
    request: &Request<'_>,
    facts: &Facts<'_>,
    verdict: &mut Verdict,
) {
    if let Some(why) = facts.unclassified {
        return verdict.classify(Action::Ask, why);
    }
    let call = match seen(request, facts).await {
        Ok(call) => call,
        Err(error) => return verdict.classify(Action::Ask, &failed(&error)),
    };
    let saw = saw(&call);
    match classifier.classify(scope, Arc::new(call)).await {
        Ok(Some(said)) => verdict.classify(said.action, &told(&said, &saw)),
        Ok(None) => {
            let why = format!("the classifier has no verdict; it saw {saw}");
            verdict.classify(Action::Ask, &why);
        }
        Err(error) => verdict.classify(Action::Ask, &failed(&error)),
    }
}

fn failed(error: &ToolError) -> String {
    format!("the classifier has no verdict: {}", error.message)
}

/// `the classifier denies it, high risk: it runs what it downloads; it saw tool, caller, commands`.
fn told(said: &Classified, saw: &str) -> String {
    let does = match said.action {
        Action::Allow => "allows it",
        Action::Ask => "wants it asked about",
        Action::Deny => "denies it",
    };
    let reason = match said.reason.trim() {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    let risk = said.risk.as_str();
    format!("the classifier {does}, {risk} risk{reason}; it saw {saw}")
}

/// The names of what it saw.
fn saw(call: &Data) -> String {
    let is_empty = |value: &Data| match value {
        Data::Null => true,
        Data::List(list) => list.is_empty(),
        _ => false,
    };
    let fields = call.as_map().into_iter().flatten();
    let there = fields.filter(|(_, value)| !is_empty(value));
    let names: Vec<&str> = there.map(|(name, _)| name.as_str()).collect();
    names.join(", ")
}

async fn seen(request: &Request<'_>, facts: &Facts<'_>) -> Result<Data, ToolError> {
    let cwd = match &facts.plan.work {
        Work::Command { cwd, .. } => Some(cwd.display.to_string()),
        _ => None,
    };
    let commands = request.subjects.iter().filter(|one| is_command(one));
    let commands = commands.map(|one| words_of(&one.text, one.read_only));
    let mut call = Map::from([
        ("tool".to_owned(), request.tool.into()),
        ("surface".to_owned(), request.surface.into()),
        ("effect".to_owned(), request.effect.as_str().into()),
        ("caller".to_owned(), request.caller.as_str().into()),
        (
            "workspace".to_owned(),
            request.bounds.workspace.as_str().into(),
        ),
        ("cwd".to_owned(), cwd.into()),
        ("commands".to_owned(), commands.collect()),
        ("paths".to_owned(), functions::paths(request)),
        ("names".to_owned(), functions::names(request)),
    ]);
    call.extend(counted(facts.plan).await?);
    let call = Data::Map(call);
    functions::fits(&call)?;
    Ok(call)
}

fn is_command(subject: &Subject) -> bool {
    subject.group == Group::Shell
}

/// The words where they are certain; else what could be the programs in it.
fn words_of(text: &str, reads: bool) -> Data {
    let mut fields = Map::from([("reads".to_owned(), reads.into())]);
    match Command::written(text) {
        Some((words, expands)) => {
            let words = words.into_iter().map(Data::from);
            fields.insert("argv".to_owned(), words.collect());
            fields.insert("expands".to_owned(), expands.into());
        }
        None => {
            let programs = programs(text).map(Data::from);
            fields.insert("programs".to_owned(), programs.collect());
        }
    }
    Data::Map(fields)
}

/// Programs that run the program behind them.
const OPENERS: [&str; 14] = [
    "sudo", "doas", "env", "nice", "ionice", "nohup", "timeout", "time", "command", "builtin",
    "exec", "setsid", "stdbuf", "xargs",
];

/// The words that stand where a program could, roughly. What could be a comment is left out.
fn programs(text: &str) -> impl Iterator<Item = &str> {
    let text = text.split_once(" #").map_or(text, |(before, _)| before);
    let is_name = |word: &&str| {
        word.chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-./+".contains(c))
    };
    let pieces = text.split(['|', '&', ';', '(', ')', '`', '\n', '"', '\'']);
    pieces.flat_map(move |piece| {
        let words = piece.split_ascii_whitespace();
        let mut is_opened = true;
        words
            .filter(|word| !word.contains('='))
            // Behind one that opens another, every word could be that.
            .take_while(move |word| {
                let before = is_opened;
                is_opened = OPENERS.contains(word) || (is_opened && word.starts_with('-'));
                before
            })
            .filter(is_name)
    })
}
