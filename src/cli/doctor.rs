//! `agent doctor`: is everything here that this program needs? One check a line, the basic ones first.
//!
//! A check looks and says what to do; it mends nothing.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use super::args::Options;
use super::colour::paint;
use super::session::Session;
use super::{start, terminal};
use crate::agent::Proof;
use crate::error::{Error, Exit, Kind, ToolError};
use crate::model::{Key, Provider};
use crate::process::find_program;
use crate::store::Room;
use crate::text::counted;

/// How a check came out: as it should be, could be better, will fail. The last two say what to do.
enum Finding {
    Well(String),
    Warning(String, Cow<'static, str>),
    Failure(String, Cow<'static, str>),
}

use Finding::{Failure, Warning, Well};

/// A check: what it is about, and what it finds.
type Check = (&'static str, fn(&Session) -> Finding);

/// The checks, the most basic first.
const CHECKS: [Check; 6] = [
    ("version", version),
    ("workspace", workspace),
    ("config", config),
    ("state", state),
    ("bash", bash),
    ("person", person),
];

/// Runs the checks and prints what they found.
///
/// # Errors
/// Usage and configuration.
pub(super) fn run(mut options: Options) -> Result<Exit, Error> {
    // What does not load is a finding here and not the end.
    options.bare = true;
    let session = start(options, Vec::new())?;
    session.run(None, None, async |session| {
        let checks = CHECKS.iter();
        let mut found: Vec<(&str, Finding)> = checks
            .map(|(name, check)| (*name, check(session)))
            .collect();
        found.push(("loading", loading(session).await?));
        found.push(("models", models(session)));
        if let Some(proof) = proof(session).await? {
            found.push(("model", proof));
        }
        Ok(tell(session, &found))
    })
}

/// Prints what was found; the exit code.
fn tell(session: &Session, found: &[(&str, Finding)]) -> Exit {
    let is_well = !found
        .iter()
        .any(|(_, finding)| matches!(finding, Failure(..)));
    let colours = session.answer.colours.out;
    let line = |check: &_| as_line(check, colours);
    if session.answer.is_machine() {
        let checks: Vec<Value> = found.iter().map(as_value).collect();
        session
            .answer
            .document(json!({ "ok": is_well, "checks": checks }));
    } else {
        session
            .answer
            .bytes(found.iter().map(line).collect::<String>().as_bytes());
    }
    if is_well { Exit::Done } else { Exit::Failed }
}

fn as_line((name, finding): &(&str, Finding), colours: bool) -> String {
    let (mark, found, fix) = match finding {
        Well(found) => ("ok  ", found, None),
        Warning(found, fix) => ("warn", found, Some(fix)),
        Failure(found, fix) => ("FAIL", found, Some(fix)),
    };
    let fix = fix
        .map(|fix| format!("\n       try: {fix}"))
        .unwrap_or_default();
    let mark = paint(mark, colours);
    format!("{mark} {name:<10} {found}{fix}\n")
}

fn as_value((name, finding): &(&str, Finding)) -> Value {
    let (status, found, fix) = match finding {
        Well(found) => ("ok", found, None),
        Warning(found, fix) => ("warning", found, Some(fix)),
        Failure(found, fix) => ("failure", found, Some(fix)),
    };
    json!({ "name": name, "ok": status != "failure", "status": status, "found": found, "fix": fix })
}

fn version(_: &Session) -> Finding {
    Well(concat!("agent ", env!("CARGO_PKG_VERSION"), ", Lua 5.4").to_owned())
}

fn workspace(session: &Session) -> Finding {
    let root = session.workspace.root.display().to_string();
    let root = session.services.files.without_home(&root);
    match session.workspace.restricted {
        false => Well(root),
        true => Warning(
            root,
            "work in a project folder of your own: here every write asks first".into(),
        ),
    }
}

fn config(session: &Session) -> Finding {
    let folder = &session.paths.config;
    let is_there = if folder.is_dir() {
        ""
    } else {
        " (not there, which is fine)"
    };
    Well(format!("{}{is_there}", session.services.files.show(folder)))
}

fn state(session: &Session) -> Finding {
    let shown = session.services.files.show(&session.paths.state);
    if let Err(error) = session.paths.make(Room::Store) {
        let fix = "set AGENT_STATE_DIR to a folder that you can write";
        return Failure(error.to_string(), fix.into());
    }
    let mode = session
        .paths
        .state
        .metadata()
        .map(|meta| meta.permissions().mode() & 0o077);
    match mode {
        Ok(0) => Well(shown),
        Ok(mode) if mode & 0o022 == 0 => Warning(
            format!("{shown} can be read by others; its files cannot"),
            "make it yours alone: chmod 700".into(),
        ),
        _ => Failure(
            format!("{shown} can be written by others"),
            "make it yours alone: chmod 700".into(),
        ),
    }
}

fn bash(session: &Session) -> Finding {
    let path = session.services.environment.get(OsStr::new("PATH"));
    let (path, here) = (
        path.map(OsString::as_os_str),
        session.services.files.workspace(),
    );
    match find_program(OsStr::new("bash"), path, here) {
        Ok(file) => Well(file.display().to_string()),
        Err(_) => Failure(
            "bash is not on PATH".to_owned(),
            "install bash, or put it on PATH: the tool `shell` runs it".into(),
        ),
    }
}

/// Whether the person's and the trusted project's files load. What does not is told on stderr, file by file.
async fn loading(session: &Session) -> Result<Finding, Error> {
    Ok(match session.load().await {
        Ok(report) if report.problems.is_empty() => Well("everything loads".to_owned()),
        Ok(report) => Failure(
            format!(
                "{} in what is loaded",
                counted(report.problems.len(), "fault")
            ),
            "mend the files that are named above, or take them away".into(),
        ),
        Err(Error::Tool(error)) if error.kind == Kind::Cancelled => return Err(error.into()),
        Err(Error::Usage { message, .. } | Error::Tool(ToolError { message, .. })) => Failure(
            message,
            "mend it or take it away: until then no command runs here".into(),
        ),
        Err(error) => return Err(error),
    })
}

/// Whether a variable is there and says something.
fn is_set(session: &Session, name: &str) -> bool {
    let value = session.services.environment.get(OsStr::new(name));
    value.is_some_and(|value| !value.is_empty())
}

/// Whether every variable is set that a request to the provider needs.
fn has_its_key(session: &Session, provider: &Provider) -> bool {
    let mut names = provider.secret_variables();
    names.all(|name| is_set(session, name))
}

/// Which model is meant where none is named, and whose keys are there.
fn models(session: &Session) -> Finding {
    let models = session.gate().generation().models.clone();
    let key = |provider: &Provider| {
        let variables = provider.secret_variables();
        let mut said: Vec<String> = variables
            .map(|name| match is_set(session, name) {
                true => format!("{name} is set"),
                false => format!("{name} is not set"),
            })
            .collect();
        match &provider.key {
            Key::Command(command) => {
                let program = command.first().map_or("", String::as_str);
                said.push(format!("`{program}` says the key"));
            }
            Key::None if said.is_empty() => said.push("needs no key".to_owned()),
            Key::None | Key::Env(_) => {}
        }
        said.join(", ")
    };
    let all = models.providers.iter();
    let all: Vec<String> = all
        .map(|(name, provider)| format!("{name} ({})", key(provider)))
        .collect();
    let all = all.join(", ");
    let named = named(session);
    match named.as_deref().map(|word| models.find(word)) {
        Some(Ok((name, provider, _))) => {
            let found = format!("{name} at {}; {}", provider.base_url, key(provider));
            match has_its_key(session, provider) {
                true => Well(found),
                false => Warning(
                    found,
                    "put the key of the provider into that variable".into(),
                ),
            }
        }
        Some(Err(_)) => Well(format!("providers: {all}")),
        None => Well(format!("none is chosen; providers: {all}")),
    }
}

/// The word for the model that is meant: of the command line or the environment, else of models.lua.
fn named(session: &Session) -> Option<String> {
    let of_files = || session.gate().generation().models.default.clone();
    session.options.model.clone().or_else(of_files)
}

/// Whether the model that is meant streams, calls a tool and reads what it returns: it is asked, twice at most.
/// `None` where none is meant, or its key is missing, which another check tells.
async fn proof(session: &Session) -> Result<Option<Finding>, Error> {
    let Some(word) = named(session) else {
        return Ok(None);
    };
    let generation = session.gate().generation();
    if let Ok((_, provider, _)) = generation.models.find(&word)
        && !has_its_key(session, provider)
    {
        return Ok(None);
    }
    let agency = session.asking.agency(session.vm())?;
    Ok(Some(match agency.prove(&session.scope()?).await {
        Ok(proof) => proven(&proof),
        Err(Error::Tool(error)) if error.kind == Kind::Cancelled => return Err(error.into()),
        Err(error) => {
            let error = error.into_tool_error();
            let fix = error
                .hint
                .unwrap_or_else(|| "look at the provider in models.lua".into());
            Failure(error.message, fix.into())
        }
    }))
}

fn proven(proof: &Proof) -> Finding {
    let (model, seconds) = (&proof.model, proof.duration.as_secs_f64());
    let cost = proof.cost.map(|cost| format!(", ${cost:.4}"));
    let took = format!(
        "({seconds:.1} s, {}{})",
        counted(
            usize::try_from(proof.usage.total()).unwrap_or(usize::MAX),
            "token"
        ),
        cost.unwrap_or_default()
    );
    if !proof.called {
        return Failure(
            format!("{model} did not call the tool that it was told to call {took}"),
            "choose a model that calls tools; a server of your own may need an option for it"
                .into(),
        );
    }
    if !proof.streams() {
        return Warning(
            format!("{model} calls a tool, and answers in one piece {took}"),
            "look whether the server, or a proxy before it, holds its answers back".into(),
        );
    }
    if !proof.has_read {
        return Warning(
            format!(
                "{model} streams and calls a tool, and did not say what the tool returned {took}"
            ),
            "small models do that; look at what it answers before you rely on it".into(),
        );
    }
    Well(format!(
        "{model} streams, calls a tool and reads its result {took}"
    ))
}

fn person(_: &Session) -> Finding {
    match terminal::is_attended() {
        true => Well("attended: questions are asked here".to_owned()),
        false => Well("unattended: what would ask is denied".to_owned()),
    }
}
