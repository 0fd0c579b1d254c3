//! `agent session …`: sessions that are over, or that others are in, as they lie on disk. Shown, searched, written for
//! others, copied; never changed.
//!
//! Nothing is kept beside the sessions themselves: each says in its first line where it belongs. No file of a project
//! is loaded for it, no rule is judged.

mod export;
mod find;
mod fork;
mod list;
mod search;
mod show;

use std::path::Path;
use std::time::SystemTime;

use clap::{Args, Subcommand, ValueEnum};

pub(super) use find::head;

use super::args::Options;
use super::audit;
use super::session::Session;
use super::start;
use crate::error::{Error, Exit, Kind, ToolError};
use crate::permission::Caller;
use crate::store::{SessionId, Sessions};

/// What is asked of past sessions.
#[derive(Debug, Subcommand)]
pub(super) enum Asked {
    /// Show the sessions of this workspace, the newest first
    #[command(after_help = LIST_EXAMPLE)]
    List {
        /// Show this many at most
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Those of other workspaces too
        #[arg(long)]
        all: bool,
    },
    /// Show what was said in a session: calls in short, results cut
    #[command(after_help = SHOW_EXAMPLE)]
    Show {
        /// Which one
        #[command(flatten)]
        which: Which,
        /// Show the last N turns only
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        last: Option<u32>,
    },
    /// Show which sessions hold TEXT: in what was said, in calls, in results
    #[command(after_help = SEARCH_EXAMPLE)]
    Search {
        /// What to look for, as it stands; in any case unless it has a capital
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// In those of other workspaces too
        #[arg(long)]
        all: bool,
        /// Show this many sessions at most
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Write a session for others to stdout
    #[command(after_help = EXPORT_EXAMPLE)]
    Export {
        /// Which one
        #[command(flatten)]
        which: Which,
        /// As what
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Form,
        /// Write the last N turns only
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        last: Option<u32>,
    },
    /// Copy a session, to go on with the copy, and print its id
    #[command(after_help = FORK_EXAMPLE)]
    Fork {
        /// The session or the beginning of its id, or `last`: the newest in this workspace
        #[arg(value_name = "SESSION", default_value = "last")]
        session: String,
    },
    /// Show the calls of a session: who made them, on what, the verdict, the result
    #[command(after_help = audit::AUDIT_EXAMPLE)]
    Audit {
        /// The session, or `last`: the newest in this workspace
        #[arg(default_value = "last")]
        session: String,
        /// Show calls of this tool only
        #[arg(long, value_name = "TOOL")]
        tool: Option<String>,
        /// Show one call in full, with all that had a say in its verdict
        #[arg(long, value_name = "ID")]
        call: Option<String>,
        /// Show only what was refused, by a rule, a hook or a person
        #[arg(long)]
        refused: bool,
    },
}

/// Which session is meant.
#[derive(Debug, Args)]
pub(super) struct Which {
    /// The session or the beginning of its id, or `last`: the newest in this workspace
    #[arg(value_name = "SESSION", default_value = "last")]
    session: String,
    /// Look among those of other workspaces too
    #[arg(long)]
    all: bool,
}

/// What a session is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// Markdown, for people
    #[default]
    Md,
    /// The messages, for programs
    Json,
    /// One page that needs nothing else, for browsers
    Html,
    /// The calls that succeeded, as a script that makes them again
    Lua,
}

const LIST_EXAMPLE: &str = "Example:
  agent session list --limit 5
  agent session list --all -o json
Those that made calls, and those that a model had a part in. What `agent.ask` began stands below the session
that asked, and counts as its calls. Calls are known for 90 days.";

const SHOW_EXAMPLE: &str = "Example:
  agent session show
  agent session show 20261130T1915 --last 1
  agent session show last -o json
`agent session export` writes all of it; `agent session audit` shows what rules said to the calls.";

const SEARCH_EXAMPLE: &str = "Example:
  agent session search 'permission denied'
  agent session search TODO --all --limit 3";

const EXPORT_EXAMPLE: &str = "Example:
  agent session export last --format html > session.html
  agent session export --format lua > again.lua && agent script again.lua
An export is data: nothing that was said in the session can be code in it. The calls of `lua` are made as a
model's, under the rules of the day on which it is run.";

const FORK_EXAMPLE: &str = "Example:
  agent run --session \"$(agent session fork last)\" 'now in another way'
The copy holds what was said up to now, also while somebody goes on with the original, which stays as it is. What
the original cost stays with it.";

/// Answers.
///
/// # Errors
/// Usage: there is no such session, or several; `denied` for what a model may not; `resource`.
pub(super) fn run(mut options: Options, asked: Asked) -> Result<Exit, Error> {
    options.bare = true;
    let session = start(options, Vec::new())?;
    if let Asked::Audit {
        session: wanted,
        tool,
        call,
        refused,
    } = asked
    {
        let wanted = audit::Wanted {
            session: wanted,
            tool,
            call,
            refused,
        };
        return audit::run(session, wanted);
    }
    session.run(None, None, async |session| {
        refuse(session, &asked)?;
        match asked {
            Asked::List { limit, all } => list::run(session, limit, all)?,
            Asked::Show { which, last } => show::run(session, &which, last)?,
            Asked::Search { text, all, limit } => search::run(session, &text, all, limit)?,
            Asked::Export {
                which,
                format,
                last,
            } => export::run(session, &which, format, last)?,
            Asked::Fork { session: wanted } => fork::run(session, &wanted)?,
            Asked::Audit { .. } => {}
        }
        Ok(Exit::Done)
    })
}

/// A model sees the sessions of its workspace, and makes none.
fn refuse(session: &Session, asked: &Asked) -> Result<(), ToolError> {
    let what = match asked {
        Asked::List { all, .. } | Asked::Search { all, .. } if *all => "look into other workspaces",
        Asked::Show { which, .. } | Asked::Export { which, .. } if which.all => {
            "look into other workspaces"
        }
        Asked::Fork { .. } => "copy a session",
        _ => return Ok(()),
    };
    match session.root.caller() {
        Caller::User => Ok(()),
        Caller::Model => {
            let error = ToolError::new(Kind::Denied, format!("a model cannot {what}"));
            Err(error.with_hint("ask the person to do it"))
        }
    }
}

/// The session that this process is: a new one, or the one that is gone on with.
///
/// # Errors
/// Usage: there is none, or it belongs to another workspace.
pub(super) fn session(
    options: &Options,
    sessions: &Sessions,
    root: &Path,
) -> Result<SessionId, Error> {
    let Some(asked) = &options.goes_on else {
        return Ok(SessionId::new(SystemTime::now())?);
    };
    let hint = "leave --session out to begin one; `agent session list` shows those there are";
    let id = find::find(sessions, Some(root), asked, hint)?;
    match head(sessions, &id) {
        Some(_) => Ok(id),
        None => {
            let message = format!("how the session {id} began cannot be read");
            let hint = format!("go on with a copy of what can be read: agent session fork {id}");
            Err(Error::usage(message, hint))
        }
    }
}
