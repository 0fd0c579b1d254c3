//! The keys of providers: out of a variable, or from a command that says it, run when it is first needed.
//!
//! A key goes into the header of a request and nowhere else. What a command said is held, so that it can be
//! hidden from whoever is not to see it, also after the provider refused it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as Turn;

use super::{Chosen, HeaderValue, Key};
use crate::error::{Error, Kind, ToolError};
use crate::process::{self, Command};

/// How long a command may take: a person may have to unlock something.
const LIMIT: Duration = Duration::from_secs(60);

/// How much of what it complains of is passed on.
const COMPLAINT: usize = 200;

type Environment = BTreeMap<OsString, OsString>;

/// What a command said, held by whoever asks it.
type Said = Arc<Turn<Option<String>>>;

/// What holds the keys of this process.
#[derive(Default)]
pub struct Keys {
    env: Arc<Environment>,
    /// What each command said. Who needs it waits until it was said to another.
    said: Mutex<BTreeMap<Vec<String>, Said>>,
    held: Mutex<Vec<String>>,
}

impl Keys {
    /// Those that stand in `env`, and what commands say that run in it.
    pub fn new(env: Arc<Environment>) -> Keys {
        Keys {
            env,
            ..Keys::default()
        }
    }

    /// Whether every variable is set that a request to the model needs. No command runs.
    ///
    /// # Errors
    /// Usage: the variable that is not.
    pub fn check(&self, chosen: &Chosen) -> Result<(), Error> {
        let name = &chosen.name;
        if let Key::Env(variable) = &chosen.provider.key
            && self.variable(variable).is_none()
        {
            return Err(Error::usage(
                format!("{name} needs a key, and the variable {variable} is not set"),
                format!("set {variable}, or name another model with -m or AGENT_MODEL"),
            ));
        }
        for (header, value) in &chosen.provider.headers {
            if let HeaderValue::Env(variable) = value
                && self.variable(variable).is_none()
            {
                return Err(Error::usage(
                    format!(
                        "{name} needs the header {header}, and the variable {variable} is not set"
                    ),
                    format!("set {variable}, or take the header out of models.lua"),
                ));
            }
        }
        Ok(())
    }

    /// Every key that a command said in this process.
    pub fn held(&self) -> Vec<String> {
        lock(&self.held).clone()
    }

    /// How many there are of them.
    pub fn count(&self) -> usize {
        lock(&self.held).len()
    }

    /// The headers that are the provider's own: what is said of them, and the key.
    ///
    /// # Errors
    /// `provider`: a command that says no key, or a value that no header can carry.
    pub(super) async fn headers(
        &self,
        chosen: &Chosen,
    ) -> Result<Vec<(String, String)>, ToolError> {
        let provider = &chosen.provider;
        let mut headers = Vec::new();
        let key = match &provider.key {
            Key::None => None,
            Key::Env(variable) => self.variable(variable).map(str::to_owned),
            Key::Command(command) => Some(self.said(command, &chosen.name).await?),
        };
        if let Some(key) = key {
            let header = provider.kind.key_header();
            headers.push((header.name.to_owned(), format!("{}{key}", header.prefix)));
        }
        for (name, value) in &provider.headers {
            let value = match value {
                HeaderValue::Text(text) => Some(text.as_str()),
                HeaderValue::Env(variable) => self.variable(variable),
            };
            if let Some(value) = value {
                headers.retain(|(known, _)| known != name);
                headers.push((name.clone(), value.to_owned()));
            }
        }
        match headers.iter().find(|(_, value)| !is_sendable(value)) {
            None => Ok(headers),
            Some((name, _)) => {
                let message = format!(
                    "{}: what is to be sent as the header {name} holds a character that no header carries",
                    chosen.name
                );
                Err(ToolError::new(Kind::Provider, message)
                    .with_hint("look at the variable or the command that it comes from"))
            }
        }
    }

    /// The provider refused the key: the command is asked again before the next request.
    pub(super) async fn refused(&self, chosen: &Chosen) {
        if let Key::Command(command) = &chosen.provider.key {
            *self.turn(command).lock().await = None;
        }
    }

    /// What the variable holds, unless that is nothing.
    fn variable(&self, name: &str) -> Option<&str> {
        let value = self.env.get(OsStr::new(name))?.to_str()?.trim();
        Some(value).filter(|value| !value.is_empty())
    }

    fn turn(&self, command: &[String]) -> Said {
        Arc::clone(lock(&self.said).entry(command.to_vec()).or_default())
    }

    /// What the command says; it runs once.
    async fn said(&self, command: &[String], model: &str) -> Result<String, ToolError> {
        let turn = self.turn(command);
        let mut said = turn.lock().await;
        if let Some(key) = &*said {
            return Ok(key.clone());
        }
        let key = self.run(command, model).await?;
        let mut held = lock(&self.held);
        if !held.contains(&key) {
            held.push(key.clone());
        }
        *said = Some(key.clone());
        Ok(key)
    }

    /// Runs the command in the home of the person, as the person would: it finds nothing that a workspace holds.
    async fn run(&self, command: &[String], model: &str) -> Result<String, ToolError> {
        let (program, args) = match command.split_first() {
            Some((program, args)) => (program.as_str(), args),
            None => ("", command),
        };
        let fails = |why: String| {
            let message = format!("`{program}`, which says the key of {model}, {why}");
            ToolError::new(Kind::Provider, message)
                .with_hint("run `key_command` of its provider in models.lua by hand: the key is the first line that it prints")
                .with_detail("reason", "key_command")
        };
        let home = self.env.get(OsStr::new("HOME")).map(PathBuf::from);
        let home = home.filter(|home| home.is_absolute() && home.is_dir());
        let mut run = Command::new(
            program,
            args.iter(),
            home.unwrap_or_else(|| PathBuf::from("/")),
        );
        run.env = Environment::clone(&self.env);
        run.timeout = Some(LIMIT);
        let done = process::run(run, |_| {}, |_, _| {}).await;
        let done = done.map_err(|error| fails(format!("does not run: {}", error.message)))?;
        if done.timed_out {
            return Err(fails(format!("took longer than {} s", LIMIT.as_secs())));
        }
        if done.exit_code != 0 {
            let complaint = String::from_utf8_lossy(&done.stderr.bytes).into_owned();
            let complaint = complaint.lines().rfind(|line| !line.trim().is_empty());
            let complaint: String = complaint
                .unwrap_or("it says nothing")
                .chars()
                .take(COMPLAINT)
                .collect();
            return Err(fails(format!(
                "ended with exit code {}: {complaint}",
                done.exit_code
            )));
        }
        let printed = String::from_utf8_lossy(&done.stdout.bytes);
        match printed.lines().next().map(str::trim) {
            Some(key) if !key.is_empty() => Ok(key.to_owned()),
            _ => Err(fails("prints nothing in its first line".to_owned())),
        }
    }
}

/// Whether a header can carry it: visible characters, spaces and tabs.
fn is_sendable(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
