//! `shell`: one command line in a process group of its own: a plain command as it is, all else through `bash -c`.
//!
//! A command that fails, is killed or takes too long is a result. The call returns when the command has
//! exited, whatever it left running; what it left is ended.

mod direct;
mod expanded;
mod judged;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::overflow::Overflow;
use super::{shown, subjects};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::files::{Entry, Place};
use crate::permission::{Caller, Effect, Group, Subject};
use crate::process::{self, Captured, Command, Finished, Left};
use crate::text::shell_word;
use crate::tool::{
    Context, Ending, Example, Outcome, Output, Payload, Plan, Stream, Typed, Work, in_transaction,
};
use judged::Surroundings;

/// The tool `shell`.
pub(super) struct Shell;

/// What `shell` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// As bash reads it
    command: String,
    /// The folder; by default the session's
    cwd: Option<String>,
    /// Seconds until it is ended
    #[serde(default = "two_minutes")]
    timeout: f64,
    /// What it reads; by default nothing
    stdin: Option<Payload>,
    /// Environment variables to add
    #[serde(default)]
    env: BTreeMap<String, String>,
}

fn two_minutes() -> f64 {
    120.0
}

impl Typed for Shell {
    const ID: &'static str = "shell";
    const SURFACE: &'static str = "command";
    const EFFECT: Effect = Effect::Run;
    const DESCRIPTION: &'static str = "Runs a command line with bash, without a terminal and without \
        input. It returns when the command exits; processes left in the background are ended. A \
        command that fails or takes too long is a result: look at the exit code.";
    const ALIASES: &'static [&'static str] = &["bash", "Bash", "run_command", "execute_command"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] =
        &[("cmd", "command"), ("workdir", "cwd"), ("directory", "cwd")];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "A command that fails is a result",
        files: &[],
        args: r#"{"command": "echo out; echo err >&2; exit 3"}"#,
        shows: "exit code 3",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        limit(args)?;
        let (asked, inner) = (args.cwd.clone(), context.clone());
        let line = Judged {
            line: judged(args),
            is_given: !args.env.is_empty(),
        };
        let resolve = move || {
            let files = &inner.services.files;
            let cwd = files.resolve(asked.as_deref().unwrap_or("."))?;
            let subjects = subjects(&line, &cwd, &inner);
            Ok((cwd, subjects))
        };
        let (cwd, subjects) = context.blocking(resolve).await?;
        if cwd.entry != Entry::Folder {
            let message = format!("cwd: {} is {}, not a folder", cwd.display, cwd.entry);
            let kind = if cwd.exists() {
                Kind::Argument
            } else {
                Kind::NotFound
            };
            return Err(ToolError::new(kind, message).with_hint("name a folder that exists"));
        }
        let work = Work::Command {
            line: args.command.clone(),
            cwd,
        };
        Ok(Plan {
            effect: Effect::Run,
            subjects,
            work,
            note: Data::Null,
        })
    }

    async fn execute(args: &Args, plan: Plan, context: &Context) -> Outcome {
        let services = &context.services;
        let Work::Command { cwd, .. } = plan.work else {
            return Err(ToolError::internal("a command came without its folder"));
        };
        let folder = services.files.folder(&cwd)?;
        let bash = bash(context);
        let mut command = Command::new(bash, ["-c", "--", &args.command], cwd.real);
        command.folder = Some(folder);
        let given = args
            .env
            .iter()
            .map(|(name, value)| (name.into(), value.into()));
        let inherited = match context.caller() {
            Caller::Model => (services.inherited)(&context.scope),
            Caller::User => Vec::new(),
        };
        let given = given.chain(inherited);
        command.env = process::child_environment(services.environment.iter(), &[], given);
        direct::direct(&mut command, &args.command);
        command.stdin = args.stdin.clone().map(|payload| payload.0);
        command.timeout = Some(limit(args)?);
        command.filter = context
            .redactor()
            .map(|redactor| shown::filter(&redactor, &args.command));
        let mut adopted = None;
        let ending = Ending::default();
        let adopt = |group: process::Group| {
            ending.is(&group);
            adopted = Some(context.adopt(move || group.kill()));
        };
        let mut overflow = Overflow::new(context, command.capture.merged);
        let sink = |stream: Stream, chunk: &[u8]| {
            overflow.take(chunk);
            context.output(stream, chunk);
        };
        let run = process::run(command, adopt, sink);
        let finished =
            in_transaction(&context.scope, services, (&context.tool, &ending), run).await??;
        if let Some(adopted) = adopted {
            adopted.release();
        }
        let mut output = output(&args.command, finished);
        if let Some(spill) = overflow.finish().await {
            output.mark_truncated(Some(spill));
        }
        Ok(output)
    }
}

/// A command as rules see it.
struct Judged {
    line: String,
    /// The call sets variables for it.
    is_given: bool,
}

/// What rules are matched against: the commands, the paths that they name, the folder where it is outside.
fn subjects(judged: &Judged, cwd: &Place, context: &Context) -> Vec<Subject> {
    let services = &context.services;
    let around = Surroundings {
        files: &services.files,
        path: services
            .environment
            .get(OsStr::new("PATH"))
            .map(OsString::as_os_str),
        withheld: subjects::withheld(context),
        subject: &|group, place| subjects::of(group, place, context),
        protected: &|place| subjects::protected(place, None, context).unwrap_or_default(),
    };
    let mut subjects = judged::subjects(&judged.line, judged.is_given, cwd, &around);
    if !cwd.inside {
        let folder = subjects::of(Group::ExternalDirectory, cwd, context);
        if !subjects.contains(&folder) {
            subjects.push(folder);
        }
    }
    subjects
}

/// The command as rules see it: variables that it gets stand before it, as a shell would write them.
fn judged(args: &Args) -> String {
    let set = |(name, value): (&String, &String)| format!("{name}={} ", shell_word(value));
    args.env.iter().map(set).collect::<String>() + &args.command
}

/// The bash of our own `PATH`, never one that the call's variables lead to.
fn bash(context: &Context) -> OsString {
    let path = context.services.environment.get(OsStr::new("PATH"));
    let folder = context.services.files.workspace();
    let bash = process::find_program(OsStr::new("bash"), path.map(OsString::as_os_str), folder);
    bash.map_or_else(|_| "bash".into(), OsString::from)
}

fn limit(args: &Args) -> Result<Duration, ToolError> {
    let positive = args.timeout > 0.0;
    let limit = positive
        .then(|| Duration::try_from_secs_f64(args.timeout).ok())
        .flatten();
    limit.ok_or_else(|| {
        ToolError::argument(format!(
            "timeout: expected seconds, more than 0, got {}",
            args.timeout
        ))
    })
}

/// The facts first, then what the command printed, in the order it did.
fn output(command: &str, finished: Finished) -> Output {
    let seconds = finished.duration.as_secs_f64();
    let mut text = format!("exit code {}, {seconds:.1} s", finished.exit_code);
    if finished.timed_out {
        text.push_str("; its time ran out and it was ended");
    } else if let Some(signal) = &finished.signal {
        text.push_str(&format!("; ended by {signal}"));
    }
    text.push('\n');
    let lead = text.clone();
    text.push_str(&String::from_utf8_lossy(&finished.merged.bytes));
    left(&mut text, "ended what it left running", &finished.ended);
    left(
        &mut text,
        "could not be ended and still runs",
        &finished.left_running,
    );
    let title = format!(
        "{} → {}",
        command.lines().next().unwrap_or(""),
        finished.exit_code
    );
    let metadata = [
        ("exit_code", Data::from(finished.exit_code)),
        ("signal", Data::from(finished.signal)),
        ("stdout", as_data(finished.stdout)),
        ("stderr", as_data(finished.stderr)),
        ("duration", Data::from(seconds)),
        ("timed_out", Data::from(finished.timed_out)),
        ("ended", as_list(&finished.ended)),
        ("left_running", as_list(&finished.left_running)),
    ];
    Output::new(title, text, metadata).led_by(lead)
}

fn left(text: &mut String, what: &str, processes: &[Left]) {
    if processes.is_empty() {
        return;
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let list: Vec<String> = processes
        .iter()
        .map(|left| format!("{} ({})", left.pid, left.command))
        .collect();
    text.push_str(&format!("[{what}: {}]\n", list.join(", ")));
}

fn as_data(captured: Captured) -> Data {
    Data::from_bytes(captured.bytes)
}

fn as_list(processes: &[Left]) -> Data {
    let entry = |left: &Left| {
        Data::map([
            ("pid", left.pid.into()),
            ("command", left.command.as_str().into()),
        ])
    };
    processes.iter().map(entry).collect()
}
