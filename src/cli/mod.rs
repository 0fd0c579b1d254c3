//! The roof: arguments, wiring, exit codes. It starts what a command needs and nothing else.
//!
//! `--version` is answered before anything is built. Every command ends in an [`Exit`]; the answer goes
//! to stdout, all else to stderr.

mod answer;
mod args;
mod asking;
mod audit;
mod below;
mod bounds;
mod call;
mod colour;
mod completions;
mod desk;
mod doctor;
mod ended;
mod ending;
mod eval;
mod handed;
mod held;
mod hiding;
mod hooks;
mod init;
mod listener;
mod loading;
mod marking;
mod mode;
mod outlet;
mod past;
mod permissions;
mod prompts;
mod run;
mod screen;
mod script;
mod session;
mod sheet;
mod slips;
mod speakers;
mod terminal;
mod test;
mod tools;
mod trust;
mod trusting;
mod understood;
mod undo;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use answer::Answer;
use args::{Command, CommandLine, Options, Stop};
use screen::{Piece, Screen};
use session::Session;

use crate::error::{Error, Exit};
use crate::process::is_below_model;

/// Runs the program with these words, the first of which is its own name.
pub fn main(words: Vec<OsString>) -> ExitCode {
    let exit = match words.get(1).and_then(|word| word.to_str()) {
        Some("--version" | "-V") if words.len() == 2 => version(),
        _ => parse_and_run(words),
    };
    ExitCode::from(exit.code())
}

/// Written at once, without the thread that writes all else.
fn version() -> Exit {
    let text = concat!("agent ", env!("CARGO_PKG_VERSION"), "\n");
    let mut screen = Screen::default();
    screen.write(Piece::Out, text.as_bytes());
    match screen.take_trouble() {
        None => Exit::Done,
        Some(_) => Exit::Failed,
    }
}

fn parse_and_run(words: Vec<OsString>) -> Exit {
    let env = |name: &str| std::env::var_os(name);
    let words = usage::without_help_word(words);
    let answer = Answer::new(usage::wanted(&words, &env));
    match args::parse(words, &env) {
        Ok(mut line) => {
            // Whatever the command line and the environment say: who runs below a model acts for it.
            if is_below_model() {
                line.options.caller = Some(args::As::Model);
            }
            run(line)
        }
        Err(Stop::Clap(error)) if error.exit_code() == 0 => {
            answer.text(&error.to_string());
            answer.finish(Exit::Done)
        }
        // The help that stands for a command that was not named.
        Err(Stop::Clap(error)) if !answer.is_machine() && error.kind() == NO_COMMAND => {
            answer.say(error.to_string().trim_end());
            answer.finish(Exit::Usage)
        }
        Err(Stop::Clap(error)) => fail(&answer, &usage::as_error(&error)),
        Err(Stop::Error(error)) => fail(&answer, &error),
    }
}

const NO_COMMAND: clap::error::ErrorKind =
    clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

fn run(line: CommandLine) -> Exit {
    let CommandLine { options, command } = line;
    let format = options.format();
    let done = match command {
        Command::Completions { shell } => completions::run(&options, shell),
        Command::Trust { dir, forget, dev } => {
            trust::run(options, dir, trust::Wish { forget, dev })
        }
        Command::Doctor => doctor::run(options),
        Command::Init { folder } => init::run(options, folder),
        Command::Test {
            paths,
            filter,
            junit,
        } => test::run(
            options,
            test::Wanted {
                paths,
                filter,
                junit,
            },
        ),
        Command::Undo {
            id,
            list,
            diff,
            only,
            except,
        } => {
            let wish = undo::Wish {
                id,
                list,
                diff,
                only,
                except,
            };
            undo::run(options, wish)
        }
        Command::Permissions { asked } => permissions::run(options, asked),
        Command::Session { asked } => past::run(options, asked),
        Command::Tools { name } => tools::run(options, name.as_deref()),
        Command::Call { tool, arguments } => call::run(options, tool, arguments),
        Command::Eval { code } => eval::run(options, code),
        Command::Run {
            prompt,
            schema,
            session,
        } => {
            let wish = run::Wish {
                prompt,
                schema,
                session,
            };
            run::run(options, wish)
        }
        Command::Script { words } => script::run(options, words),
    };
    done.unwrap_or_else(|error| fail(&Answer::new(format), &error))
}

/// Tells of a failure before a session could, and returns its exit code.
fn fail(answer: &Answer, error: &Error) -> Exit {
    answer.failure(error, None);
    answer.finish(error.exit())
}

/// Starts a session with the process's own environment. `named` are the words of the command line
/// that may be paths.
fn start(options: Options, named: Vec<String>) -> Result<Session, Error> {
    Session::start(options, named, std::env::vars_os().collect())
}
