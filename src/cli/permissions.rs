//! `agent permissions …`: which rules are in force, and what a call would meet under them.
//!
//! Nothing is decided here: rules and verdicts come from where calls meet them.

mod approvals;
mod explain;
mod mode;
mod replay;

use clap::Subcommand;
use serde_json::{Value, json};

use super::args::Options;
use super::session::Session;
use super::tools::columns;
use super::{slips, start};
use crate::error::{Error, Exit};
use crate::permission::{Limit, Rule};
use crate::tool::{Gate as _, Generation, Level};

/// What is asked.
#[derive(Debug, Subcommand)]
pub(super) enum Permissions {
    /// Show the rules in force, the weakest source first
    List,
    /// Show what a call would meet, and why: no hook runs, nobody is asked, nothing is done
    #[command(after_help = EXPLAIN_EXAMPLE)]
    Explain {
        /// The tool's name
        tool: String,
        /// The command of `shell`, the path of a file tool, or a JSON object of arguments
        #[arg(allow_hyphen_values = true)]
        subject: String,
    },
    /// Show what the calls of an old session would meet today: the verdict then, and the verdict now
    Replay {
        /// The session, or `last`: the newest in this workspace
        session: String,
    },
    /// Take a saved approval back
    Revoke {
        /// Its id, as `agent permissions list` shows it
        id: String,
    },
}

const EXPLAIN_EXAMPLE: &str = "Example:
  agent permissions explain shell 'git push' --as model
  agent permissions explain write src/main.rs --deny 'edit:src/**'
It exits with 0 whatever the verdict.";

/// Answers.
///
/// # Errors
/// Usage and configuration; an unknown tool or parameter.
pub(super) fn run(options: Options, asked: Permissions) -> Result<Exit, Error> {
    match asked {
        Permissions::List => list(options),
        Permissions::Explain { tool, subject } => explain::run(options, &tool, subject),
        Permissions::Replay { session } => replay::run(options, &session),
        Permissions::Revoke { id } => approvals::revoke(options, &id),
    }
}

fn list(options: Options) -> Result<Exit, Error> {
    let session = start(options, Vec::new())?;
    session.run(None, None, async |session| {
        let generation = &*session.dispatch.generation();
        let mut rules: Vec<&Rule> = generation.policy.rules().iter().collect();
        let profile = session.root.profile();
        let own = profile.and_then(|name| generation.profiles.0.get(name));
        rules.extend(own.into_iter().flat_map(|own| &own.rules));
        // Within a source the order counts, and stays.
        rules.sort_by_key(|rule| rule.source);
        tell_of_slips(&rules, session);
        let saved = approvals::here(session)?;
        match session.answer.is_machine() {
            true => {
                let mut document = document(&rules, generation);
                document["profile"] = json!(profile);
                document["approvals"] = approvals::document(&saved);
                session.answer.document(document);
            }
            false => {
                let mut page = page(&rules, generation) + &approvals::page(&saved);
                if let Some(name) = profile {
                    page.insert_str(0, &format!("profile {name}\n"));
                }
                session.answer.text(&page);
            }
        }
        Ok(Exit::Done)
    })
}

/// Tells of rules that hardly say what was meant, unless that was done while they were loaded.
fn tell_of_slips(rules: &[&Rule], session: &Session) {
    if session.options.verbose == 0 {
        let written = rules.iter().copied().filter(|rule| !slips::is_typed(rule));
        let services = &session.services;
        slips::tell(written, &services.files, &*services.sink, Level::Warn);
    }
}

fn document(rules: &[&Rule], generation: &Generation) -> Value {
    let rule = |rule: &&Rule| {
        json!({
            "source": rule.source.as_str(),
            "rule": rule.to_string(),
            "action": rule.says(),
            "reason": rule.reason,
            "place": rule.place,
        })
    };
    let limit = |(surface, limit): (String, Limit)| {
        json!({
            "surface": surface,
            "source": limit.source.as_str(),
            "limit": limit.kind.as_str(),
            "patterns": limit.patterns,
            "place": limit.place,
        })
    };
    json!({
        "mode": generation.policy.modes().to_string(),
        "modes": mode::document(generation),
        "rules": rules.iter().map(rule).collect::<Vec<_>>(),
        "limits": limits(generation).map(limit).collect::<Vec<_>>(),
    })
}

fn page(rules: &[&Rule], generation: &Generation) -> String {
    let mut rows = vec![["source", "action", "rule", "where and why"].map(str::to_owned)];
    rows.extend(rules.iter().map(|rule| {
        let place = rule.place.iter().chain(&rule.reason);
        let place: Vec<&str> = place.map(String::as_str).collect();
        [
            rule.source.to_string(),
            rule.says().to_owned(),
            rule.to_string(),
            place.join(": "),
        ]
    }));
    rows.extend(limits(generation).map(|(surface, limit)| {
        [
            limit.source.to_string(),
            "deny".to_owned(),
            format!("all of the surface {surface} but {limit}"),
            limit.place.unwrap_or_default(),
        ]
    }));
    let rows = match rows.as_slice() {
        [_] => "no rule is in force\n".to_owned(),
        rows => columns(rows),
    };
    format!("{}\n{rows}\n{WORDS}", mode::page(generation))
}

/// What the surfaces keep their tools to.
fn limits(generation: &Generation) -> impl Iterator<Item = (String, Limit)> {
    let limits = generation.surfaces.limits().into_iter();
    limits.flat_map(|(surface, limits)| {
        let limits = limits.into_iter();
        limits.map(move |limit| (surface.clone(), limit))
    })
}

/// How the list is read.
const WORDS: &str = "\
The weakest source stands first. The last rule of a source that matches speaks for it; a deny from any source
holds, else the strongest source decides. Where no rule speaks, the mode does; some modes outrank the rules.
`agent permissions explain TOOL SUBJECT` shows what one call would meet.
";
