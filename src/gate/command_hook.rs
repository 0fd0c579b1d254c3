//! A hook that is a command: the event goes to it as JSON, its exit code and what it prints are its reply.
//!
//! Exit 0 is a reply, exit 2 a refusal with stderr as its reason. Everything else, a signal or a timeout among
//! it, says that the hook is broken, which is nobody's no. The command is the person's own code and no tool call;
//! what it runs through this program acts for whom the event is about.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::data::{self, Data, Map};
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Caller};
use crate::process::{self, Captured, Command, Finished, HOOKS_DEEP};
use crate::text::{counted, head_bytes, suggestion, visible};
use crate::tool::{Ending, Head, Hook, HookReply, Level, Scope, Services, in_transaction};

/// What a reply may be at most, in bytes.
const MOST: usize = 16 << 20;

/// How much of what a command says on stderr is repeated, in bytes.
const SAID: usize = 2000;

/// How many command hooks may stand inside each other: a command that runs this program meets its hooks again.
const DEEPEST: usize = 4;

/// What is run.
#[derive(Clone, Debug, PartialEq)]
pub enum Program {
    /// A command line, as bash reads it.
    Line(String),
    /// A program and its arguments, as they are.
    Words(Vec<OsString>),
}

/// A command that is called at a point.
pub struct CommandHook {
    /// What it is known by.
    pub head: Head,
    /// What is run.
    pub program: Program,
    /// How long it may take.
    pub limit: Duration,
    /// Whether commands are denied here, as they are in tests.
    pub is_denied: bool,
    /// Environment, workspace, session, log.
    pub services: Arc<Services>,
}

impl Hook for CommandHook {
    fn head(&self) -> &Head {
        &self.head
    }

    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>> {
        Box::pin(async move {
            let command = self.command(scope, &event)?;
            let mut adopted = None;
            let node = scope.node();
            let ending = Ending::default();
            let adopt = |group: process::Group| {
                ending.is(&group);
                adopted = Some(node.adopt(move || group.kill()));
            };
            let run = process::run(command, adopt, |_, _| {});
            let finished = in_transaction(scope, &self.services, ("hook", &ending), run).await;
            if let Some(adopted) = adopted {
                adopted.release();
            }
            self.reply(&finished?.map_err(unstarted)?)
        })
    }
}

impl CommandHook {
    fn command(&self, scope: &Scope, event: &Data) -> Result<Command, ToolError> {
        if self.is_denied {
            let message = "commands are denied in tests, so its command was not started";
            return Err(ToolError::new(Kind::Failed, message)
                .with_hint("register it where no test loads it, or test a function in its place"));
        }
        let services = &self.services;
        let env = self.environment(scope)?;
        let (program, args) = match &self.program {
            Program::Line(line) => {
                let path = services.environment.get(OsStr::new("PATH"));
                let path = path.map(OsString::as_os_str);
                let folder = services.files.workspace();
                let bash = process::find_program(OsStr::new("bash"), path, folder);
                let bash = bash.map_or_else(|_| "bash".into(), OsString::from);
                (bash, ["-c", "--", line].map(OsString::from).to_vec())
            }
            Program::Words(words) => {
                let mut words = words.iter().cloned();
                (words.next().unwrap_or_default(), words.collect())
            }
        };
        let mut command = Command::new(program, args, services.files.workspace());
        command.env = env;
        command.stdin = Some(self.input(scope, event)?);
        command.timeout = Some(self.limit);
        command.capture.stream = MOST;
        command.capture.merged = 0;
        Ok(command)
    }

    fn environment(&self, scope: &Scope) -> Result<BTreeMap<OsString, OsString>, ToolError> {
        let services = &self.services;
        let deep = services.environment.get(OsStr::new(HOOKS_DEEP));
        let deep = deep.and_then(|deep| deep.to_str()?.parse().ok());
        let deep: usize = deep.unwrap_or_default();
        if deep >= DEEPEST {
            let message = format!("command hooks stand {DEEPEST} deep inside each other");
            return Err(ToolError::new(Kind::Resource, message).with_hint(
                "its command runs this program, which calls it again; `--no-config` leaves your hooks out",
            ));
        }
        let inherited = match scope.caller() {
            Caller::Model => (services.inherited)(scope),
            Caller::User => Vec::new(),
        };
        let given = [
            ("AGENT_HOOK", self.head.point.as_str().to_owned()),
            ("AGENT_SESSION", services.session.as_str().to_owned()),
            (HOOKS_DEEP, (deep + 1).to_string()),
        ];
        let given = given.map(|(name, value)| (name.into(), value.into()));
        let given = given.into_iter().chain(inherited);
        Ok(process::child_environment(
            services.environment.iter(),
            &[],
            given,
        ))
    }

    /// The event as the command reads it: one line of JSON.
    fn input(&self, scope: &Scope, event: &Data) -> Result<Vec<u8>, ToolError> {
        let workspace = self.services.files.workspace().to_string_lossy();
        let mut event = event.as_map().cloned().unwrap_or_default();
        for (name, value) in [
            ("point", self.head.point.as_str()),
            ("session", self.services.session.as_str()),
            ("workspace", &*workspace),
            ("caller", scope.caller().as_str()),
        ] {
            event.insert(name.to_owned(), value.into());
        }
        event.insert("version".to_owned(), 1i64.into());
        let mut line = serde_json::to_vec(&event)
            .map_err(|error| ToolError::internal(format!("the event is no JSON: {error}")))?;
        line.push(b'\n');
        Ok(line)
    }

    fn reply(&self, finished: &Finished) -> Result<HookReply, ToolError> {
        let said = said(&finished.stderr);
        let after = |text: String| match said.is_empty() {
            true => text,
            false => format!("{text}: {said}"),
        };
        let broken = |text: String| ToolError::new(Kind::Failed, after(text));
        if finished.timed_out {
            let limit = self.limit.as_secs_f64();
            let message = format!("its command was not done after {limit} s");
            return Err(broken(message).with_hint("do less, or give it a longer `timeout`"));
        }
        if let Some(signal) = &finished.signal {
            return Err(broken(format!("its command was ended by {signal}")));
        }
        match finished.exit_code {
            0 => {
                if !said.is_empty() {
                    let line = format!("{}: {said}", self.head.name);
                    self.services.sink.log(Level::Debug, line);
                }
                self.printed(&finished.stdout)
            }
            2 if self.head.point.powers().may_refuse() => {
                let said = if said.is_empty() {
                    REFUSED.into()
                } else {
                    said
                };
                Ok(HookReply {
                    verdict: Some((Action::Deny, said)),
                    ..HookReply::default()
                })
            }
            code => Err(broken(format!("its command ended with exit code {code}"))),
        }
    }

    /// What a command that did its work printed: nothing, or one JSON object.
    fn printed(&self, stdout: &Captured) -> Result<HookReply, ToolError> {
        let broken = |text: String| ToolError::new(Kind::Failed, text);
        if stdout.dropped > 0 {
            let most = counted(MOST, "byte");
            return Err(broken(format!("its command printed more than {most}")));
        }
        let text = std::str::from_utf8(&stdout.bytes)
            .map_err(|_| broken("its command printed bytes that are not UTF-8".to_owned()))?;
        if text.trim().is_empty() {
            return Ok(HookReply::default());
        }
        let hint = "print nothing, or one JSON object; say everything else on stderr";
        let Data::Map(mut changed) = data::parse(text).map_err(|error| {
            broken(format!("its command printed no JSON: {error}")).with_hint(hint)
        })?
        else {
            return Err(
                broken("its command printed JSON that is no object".to_owned()).with_hint(hint),
            );
        };
        let verdict = self.verdict(changed.remove("verdict"), changed.remove("reason"))?;
        self.refuse_unknown(&changed)?;
        changed.values_mut().for_each(data::restore_bytes);
        Ok(HookReply { changed, verdict })
    }

    fn verdict(
        &self,
        verdict: Option<Data>,
        reason: Option<Data>,
    ) -> Result<Option<(Action, String)>, ToolError> {
        let wrong = |got: &Data| {
            let returns = self.head.point.powers().returns(self.head.point);
            let message = format!("verdict: {returns}, and its command printed {}", got.got());
            ToolError::new(Kind::Failed, message)
        };
        let action = match verdict {
            None | Some(Data::Null) => return Ok(None),
            Some(said) => match said.as_str().map(str::parse) {
                Some(Ok(action)) => action,
                _ => return Err(wrong(&said)),
            },
        };
        let reason = match reason {
            Some(Data::Text(reason)) => reason,
            None | Some(Data::Null) => REFUSED.to_owned(),
            Some(other) => {
                let message = format!("reason: expected text, got {}", other.got());
                return Err(ToolError::new(Kind::Failed, message));
            }
        };
        Ok(Some((action, reason)))
    }

    fn refuse_unknown(&self, changed: &Map) -> Result<(), ToolError> {
        let powers = self.head.point.powers();
        let mut names: Vec<&str> = powers.rewrites.iter().map(|(name, _)| *name).collect();
        names.extend(["verdict", "reason"]);
        let Some(name) = changed.keys().find(|name| !names.contains(&name.as_str())) else {
            return Ok(());
        };
        let message = format!("its command printed the field `{name}`");
        let near = suggestion(name, names.iter().copied());
        let hint = format!("{near} the fields are: {}", names.join(", "));
        Err(ToolError::new(Kind::Failed, message).with_hint(hint.trim_start()))
    }
}

/// That a command cannot be run, whatever kind the reason is of: it says nothing about the call.
fn unstarted(error: ToolError) -> ToolError {
    let kind = match error.kind {
        Kind::Cancelled => Kind::Cancelled,
        _ => Kind::Failed,
    };
    ToolError { kind, ..error }
}

/// The reason of a hook that gives none.
const REFUSED: &str = "a hook says so";

/// What a command said on stderr, fit to be shown anywhere.
fn said(stderr: &Captured) -> String {
    let text = String::from_utf8_lossy(&stderr.bytes);
    let text = visible(text.trim());
    match head_bytes(&text, SAID) {
        head if head.len() < text.len() => format!("{head}…"),
        head => head.to_owned(),
    }
}
