//! The roof: arguments, wiring, exit codes. It starts what a command needs and nothing else.
//!
//! `--version` is answered before anything is built. Every command ends in an [`Exit`]; the answer goes
//! to stdout, all else to stderr.

mod answer;
mod args;
mod call;
mod completions;
mod doctor;
mod ended;
mod ending;
mod eval;
mod listener;
mod script;
mod session;
mod terminal;
mod tools;

use std::ffi::OsString;
use std::process::ExitCode;

use answer::Answer;
use args::{Command, CommandLine, Format, Options, Stop};
use session::Session;

use crate::error::{Error, Exit};

/// Runs the program with these words, the first of which is its own name.
pub fn main(words: Vec<OsString>) -> ExitCode {
    let exit = match words.get(1).and_then(|word| word.to_str()) {
        Some("--version" | "-V") if words.len() == 2 => version(),
        _ => parse_and_run(words),
    };
    ExitCode::from(exit.code())
}

fn version() -> Exit {
    Answer::new(Format::Text).text(concat!("agent ", env!("CARGO_PKG_VERSION")));
    Exit::Done
}

fn parse_and_run(words: Vec<OsString>) -> Exit {
    match args::parse(words, &|name| std::env::var_os(name)) {
        Ok(line) => run(line),
        Err(Stop::Clap(error)) if error.exit_code() == 0 => {
            Answer::new(Format::Text).text(&error.to_string());
            Exit::Done
        }
        Err(Stop::Clap(error)) => {
            answer::say(error.to_string().trim_end());
            Exit::Usage
        }
        Err(Stop::Error(error)) => fail(&Answer::new(Format::Text), &error),
    }
}

fn run(line: CommandLine) -> Exit {
    let CommandLine { options, command } = line;
    let format = options.format();
    let done = match command {
        Command::Completions { shell } => completions::run(shell),
        Command::Doctor => doctor::run(options),
        Command::Tools { name } => tools::run(options, name.as_deref()),
        Command::Call { tool, arguments } => call::run(options, tool, arguments),
        Command::Eval { code } => eval::run(options, &code),
        Command::Script { words } => script::run(options, words),
    };
    done.unwrap_or_else(|error| fail(&Answer::new(format), &error))
}

/// Tells of a failure before a session could, and returns its exit code.
fn fail(answer: &Answer, error: &Error) -> Exit {
    answer.failure(error, None);
    error.exit()
}

/// Starts a session with the process's own environment. `named` are the words of the command line
/// that may be paths.
fn start(options: Options, named: Vec<String>) -> Result<Session, Error> {
    Session::start(options, named, std::env::vars_os().collect())
}
