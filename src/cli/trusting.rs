//! What of the project a session loads: all of it when a yes covers it, else nothing.
//!
//! It asks nobody: a question about trust belongs to `agent trust` and to dialogues. Whatever does not load
//! is named in one line.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::args::{Options, Untrusted};
use super::terminal;
use crate::error::{Error, Kind, ToolError};
use crate::layers::{Instructions, SourceFile, Survey, instructions, survey};
use crate::permission::Caller;
use crate::store::{Paths, Workspace};
use crate::text::counted;
use crate::trust::{Lost, Standing, Trust};

/// How many files a line names.
const NAMED: usize = 3;

/// What of the project a session has loaded, and may load anew.
pub(super) struct Project {
    options: Options,
    workspace: Workspace,
    paths: Paths,
    held: Mutex<Held>,
}

/// What was accepted last.
#[derive(Default)]
struct Held {
    digest: String,
    files: Vec<SourceFile>,
    /// By the command line, for this run alone: there may be no record of it.
    for_this_run: bool,
}

impl Project {
    /// The project in `workspace`, of which nothing is read yet.
    pub(super) fn new(options: &Options, workspace: &Workspace, paths: &Paths) -> Project {
        Project {
            options: options.clone(),
            workspace: workspace.clone(),
            paths: paths.clone(),
            held: Mutex::default(),
        }
    }

    /// Decides at the start of a session; the line that says what does not load.
    ///
    /// # Errors
    /// Usage: a `--trust` that does not hold here; a model that would act without the project's policy.
    pub(super) fn decide(&self) -> Result<Option<String>, Error> {
        let found = survey(&self.workspace);
        let as_model = self.options.a_model_acts();
        let attended = terminal::is_attended();
        let (files, line) = judged(&self.options, &found, &self.paths, attended, as_model)?;
        if !files.is_empty() {
            *self.lock() = Held {
                digest: found.digest(),
                files,
                for_this_run: self.options.trust.is_some(),
            };
        }
        Ok(line)
    }

    /// Decides anew. What changed loads only if a yes covers it, whatever the command line said about what
    /// was there at the start; else what was accepted stays, and a line says so.
    pub(super) fn decide_again(&self) -> Option<String> {
        let found = survey(&self.workspace);
        let digest = found.digest();
        if digest == self.lock().digest {
            return None;
        }
        let trust = Trust::new(&self.paths);
        let mut held = self.lock();
        match trust.standing(&found) {
            Standing::Trusted => {
                let (files, line) = loaded(&found);
                *held = Held {
                    digest,
                    files,
                    for_this_run: false,
                };
                return line;
            }
            // All of it is gone, and so is the yes: a person took both away.
            Standing::Nothing if !held.for_this_run => {
                *held = Held::default();
                return None;
            }
            Standing::Nothing | Standing::Untrusted { .. } => {}
        }
        (!held.files.is_empty()).then(|| {
            format!(
                "the project changed since it was accepted, so it stays as it was ({}); see `agent trust`",
                changed(&found, &trust.lost(&found))
            )
        })
    }

    /// What the instruction files of the workspace say now.
    pub(super) fn instructions(&self) -> Instructions {
        instructions(&self.workspace)
    }

    /// What was accepted last.
    pub(super) fn files(&self) -> Vec<SourceFile> {
        self.lock().files.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files of the project that this session loads, and a line for stderr about what it does not. `attended`: somebody sits there. `acts_as_model`: what is done is done for a model.
///
/// # Errors
/// Usage: a `--trust` that does not hold here; a model that would act without the project's policy. `denied`:
/// a model that says what is trusted.
fn judged(
    options: &Options,
    found: &Survey,
    paths: &Paths,
    attended: bool,
    acts_as_model: bool,
) -> Result<(Vec<SourceFile>, Option<String>), Error> {
    if options.trust.is_some() {
        refuse_model(options)?;
    }
    match options.trust.as_deref() {
        Some("") if !attended && !found.is_empty() => return Err(needs_terminal(found)),
        Some("") => return Ok(loaded(found)),
        Some(digest) => {
            matches(digest, found)?;
            return Ok(loaded(found));
        }
        None => {}
    }
    let trust = Trust::new(paths);
    let is_changed = match trust.standing(found) {
        Standing::Trusted => return Ok(loaded(found)),
        Standing::Nothing => return Ok((Vec::new(), None)),
        Standing::Untrusted { changed } => changed,
    };
    let lost = trust.lost(found);
    if found.is_empty() && lost.files.is_empty() {
        return Ok((Vec::new(), None));
    }
    let has_policy = found.has_policy() || !lost.policies.is_empty();
    if acts_as_model && has_policy && options.untrusted != Some(Untrusted::Ignore) {
        return Err(Error::usage(
            format!(
                "the project's policy is not trusted, and a model would act without it: {}",
                both(found.policies(), &lost.policies)
            ),
            "look at it with `agent trust`, or go on without it: --untrusted=ignore",
        ));
    }
    let mut line = match is_changed {
        false => "the project is not trusted, so nothing of it was loaded".to_owned(),
        true => "the project changed since it was trusted, so nothing of it was loaded".to_owned(),
    };
    let shown = changed(found, &lost);
    line.push_str(&format!(" ({shown}); see `agent trust`"));
    if is_changed {
        line.push_str(", or `agent trust --dev` while you work on it");
    }
    if let Some(trouble) = trust.trouble(&found.root) {
        line.push_str(&format!("; {trouble}"));
    }
    Ok((Vec::new(), Some(line)))
}

/// Whether all that was found counts as trusted in this run: by a yes, or by the command line.
///
/// # Errors
/// Usage: a `--trust` that does not hold here.
pub(super) fn is_trusted(options: &Options, found: &Survey, paths: &Paths) -> Result<bool, Error> {
    if options.trust.is_some() {
        refuse_model(options)?;
    }
    match options.trust.as_deref() {
        Some("") if !terminal::is_attended() => Err(needs_terminal(found)),
        Some("") => Ok(true),
        Some(digest) => matches(digest, found).map(|()| true),
        None => Ok(Trust::new(paths).standing(found) == Standing::Trusted),
    }
}

/// What acts for a model decides nothing about trust.
///
/// # Errors
/// `denied` for a model.
pub(super) fn refuse_model(options: &Options) -> Result<(), Error> {
    if options.caller() == Caller::User {
        return Ok(());
    }
    let error = ToolError::new(Kind::Denied, "a model cannot say what is trusted");
    Err(error
        .with_hint("ask the person to run `agent trust`")
        .into())
}

/// Whether `digest` is that of what was found.
///
/// # Errors
/// Usage, with both.
pub(super) fn matches(digest: &str, found: &Survey) -> Result<(), Error> {
    let own = found.digest();
    if digest.eq_ignore_ascii_case(&own) {
        return Ok(());
    }
    Err(Error::usage(
        format!(
            "--trust={digest} is not the digest of what the project would load, which is {own}"
        ),
        "look at what changed with `agent trust`, and give its digest if it is right",
    ))
}

fn needs_terminal(found: &Survey) -> Error {
    Error::usage(
        "--trust alone needs a terminal: nobody is there who could have looked",
        format!(
            "--trust={} trusts exactly what is there now",
            found.digest()
        ),
    )
}

/// The files, and a line about what is refused among them.
fn loaded(found: &Survey) -> (Vec<SourceFile>, Option<String>) {
    // A refused file is among the sources, with the reason: whoever loads it tells of it.
    let untold = found.refused.iter();
    let untold = untold.filter(|refused| refused.what.is_none() && refused.would_load());
    let untold: Vec<String> = untold
        .map(|one| format!("{} {}", one.shown, one.why))
        .collect();
    let line = (!untold.is_empty()).then(|| format!("not loaded: {}", untold.join("; ")));
    (found.sources(), line)
}

/// What would load at a start, by path.
fn loading(found: &Survey) -> Vec<&str> {
    let entries = found
        .entries
        .iter()
        .filter(|entry| entry.what.role().is_some());
    let refused = found.refused.iter().filter(|refused| refused.would_load());
    entries
        .map(|entry| entry.path.as_str())
        .chain(refused.map(|refused| refused.shown.as_str()))
        .collect()
}

/// What would load, and what is gone, by path.
fn changed(found: &Survey, lost: &Lost) -> String {
    both(loading(found), &lost.files)
}

/// `here`, and then each of `lost` as gone.
fn both(here: Vec<&str>, lost: &[String]) -> String {
    let lost: Vec<String> = lost.iter().map(|path| format!("{path} is gone")).collect();
    let lost = lost.iter().map(String::as_str);
    list(&here.into_iter().chain(lost).collect::<Vec<&str>>())
}

fn list(paths: &[&str]) -> String {
    let named = paths[..paths.len().min(NAMED)].join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {}", counted(more, "more file")),
    }
}
