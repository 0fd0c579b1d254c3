//! The command line as data: commands, options, and what the environment says where an option does not.
//!
//! Nothing here opens a file or starts a thread.

mod options;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

pub(super) use options::{Options, PROFILE};

use super::past::Asked;
use super::permissions::Permissions;
use crate::error::Error;
use crate::permission::Caller;

/// `agent`, the agent shell you program in Lua.
#[derive(Debug, Parser)]
#[command(
    name = "agent",
    version,
    about,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_help = EXIT_CODES
)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(super) struct CommandLine {
    /// Options, before or after the command.
    #[command(flatten)]
    pub(super) options: Options,
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
}

/// What a script can branch on.
const EXIT_CODES: &str =
    "Exit codes: 0 done; 1 failed; 2 wrong usage; 3 denied, or nobody there to ask;
4 a limit; 5 a model provider; 124 --timeout passed; 130, 143 interrupted, terminated.";

const RUN_EXAMPLE: &str = "Example:
  git diff --staged | agent run 'write a commit message'
  agent run --mode auto_edit --allow 'shell:cargo test *' 'make the tests pass'
Nobody is asked anything: what needs a yes is refused. Exit codes: 0 done; 3 something was refused; 4 a limit;
5 the provider; `agent --help` lists all.";

const SCRIPT_EXAMPLE: &str = "Example:
  agent script rename old_name new_name --test 'cargo test'
A script that fails exits with 1, one that was denied something with 3; `agent --help` lists all codes.";

const EVAL_EXAMPLE: &str = "Example:
  agent eval 'tools.grep{ pattern = \"TODO\" }.count'
Code that fails exits with 1, with 3 where it was denied something; `agent --help` lists all codes.";

const CALL_EXAMPLE: &str = "Example:
  agent call read notes.txt
  agent call read '{\"path\":\"notes.txt\",\"limit\":10}'
A call that fails exits with 1, one that is denied with 3; `agent --help` lists all codes.";

const TRUST_EXAMPLE: &str = "Example:
  agent trust
  agent trust --trust=DIGEST
Exit codes: 0 all of it is trusted, or there is nothing; 3 it is not.";

const UNDO_EXAMPLE: &str = "Example:
  agent undo --list
  agent undo --diff
  agent undo
  agent undo b6a1c0de-1 --except notes.txt
An undo is a unit too: undone again, it restores. Files that somebody changed since are asked about; where
nobody can answer, nothing is undone; `--except` leaves them as they are.";

const TEST_EXAMPLE: &str = "Example:
  agent test examples
  agent test .agent --filter hello
A test that fails exits with 1; no test at all is wrong usage.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Ask a model to do something, once; what is piped in is added to the prompt
    #[command(after_help = RUN_EXAMPLE)]
    Run {
        /// What to do; `-` reads it from stdin
        #[arg(allow_hyphen_values = true)]
        prompt: Option<String>,
        /// Have the answer as JSON that keeps to the JSON Schema in FILE
        #[arg(long, value_name = "FILE")]
        schema: Option<PathBuf>,
        /// Go on with this session (the beginning of its id will do), or with `last`: the newest of this workspace
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
    /// Run a Lua file; everything after FILE is the script's
    #[command(override_usage = "agent script [OPTIONS] FILE [ARGS]...")]
    #[command(after_help = SCRIPT_EXAMPLE)]
    Script {
        /// FILE and its arguments; `-` reads the script from stdin, a bare NAME is looked up in
        /// the configuration folder's `scripts/`, then among the shipped scripts
        #[arg(value_name = "FILE", required = true, trailing_var_arg = true)]
        #[arg(allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Run a piece of Lua and print the values it returns
    #[command(after_help = EVAL_EXAMPLE)]
    Eval {
        /// A chunk, or an expression; `-` reads it from stdin
        code: OsString,
    },
    /// Call one tool
    #[command(after_help = CALL_EXAMPLE)]
    Call {
        /// The tool's name
        tool: String,
        /// A JSON object, or the text of the first parameter; `-` reads it from stdin
        #[arg(allow_hyphen_values = true)]
        arguments: Option<OsString>,
    },
    /// Run Lua tests, the examples of tool files and the cases of policies
    #[command(after_help = TEST_EXAMPLE)]
    Test {
        /// Test files (*_test.lua, *_spec.lua), permissions.lua, or folders that are searched for them
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Run only tests whose full name holds TEXT
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
        /// Write the results to FILE as JUnit XML too
        #[arg(long, value_name = "FILE")]
        junit: Option<PathBuf>,
    },
    /// List the tools, or show one in full
    Tools {
        /// The tool to show
        name: Option<String>,
    },
    /// Show which rules hold, and what a call would meet
    Permissions {
        /// What is asked
        #[command(subcommand)]
        asked: Permissions,
    },
    /// Show, search, export and copy past sessions
    Session {
        /// What is asked
        #[command(subcommand)]
        asked: Asked,
    },
    /// Take back what the tools changed: the newest unit in this workspace, or the one named
    #[command(after_help = UNDO_EXAMPLE)]
    #[command(override_usage = "agent undo [ID] [OPTIONS], or agent undo --list")]
    Undo {
        /// The unit: a call, a script, a transaction, as `--list` names it, or the beginning of its id
        id: Option<String>,
        /// Show what can be undone, the newest first
        #[arg(long, conflicts_with_all = ["id", "diff", "only", "except"])]
        list: bool,
        /// Show what would change, and change nothing
        #[arg(long)]
        diff: bool,
        /// Take back what was done to these paths alone, and to what they were called before
        #[arg(long, value_name = "PATH", num_args = 1..)]
        only: Vec<String>,
        /// Leave what was done to these paths as it is, and take back the rest
        #[arg(long, value_name = "PATH", num_args = 1..)]
        except: Vec<String>,
    },
    /// Show what a project would load, and say yes to it
    #[command(after_help = TRUST_EXAMPLE)]
    Trust {
        /// A folder of the project; by default the current one
        dir: Option<PathBuf>,
        /// Take the yes back
        #[arg(long, conflicts_with_all = ["dev", "trust"])]
        forget: bool,
        /// Say yes for this login session to changes that no model makes, too
        #[arg(long)]
        dev: bool,
    },
    /// Create a folder `.agent` to begin with, and type stubs for editors; what is there stays
    Init {
        /// The top of the project, made if it is not there; the working folder unless given
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Check that everything this program needs is there; the model that is meant is asked twice, which costs tokens
    Doctor,
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// How the answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Text,
    /// Exactly one JSON document.
    Json,
    /// One JSON event a line, the last of type `result`.
    Jsonl,
}

/// The values of `--untrusted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Untrusted {
    /// Nothing of the project loads, and the run goes on.
    Ignore,
}

/// The values of `--as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum As {
    /// The person.
    User,
    /// A model.
    Model,
}

impl From<As> for Caller {
    fn from(who: As) -> Caller {
        match who {
            As::User => Caller::User,
            As::Model => Caller::Model,
        }
    }
}

/// The command line, with the environment's word where an option is silent.
///
/// # Errors
/// What clap says, or exit 2 for an environment variable that cannot be read. `--help` and
/// `--version` come back as clap errors too, to be printed on stdout.
pub(super) fn parse(
    words: Vec<OsString>,
    env: &dyn Fn(&str) -> Option<OsString>,
) -> Result<CommandLine, Stop> {
    let mut line = CommandLine::try_parse_from(words).map_err(Stop::Clap)?;
    line.options.fill_from(env).map_err(Stop::Error)?;
    Ok(line)
}

/// Why there is no command line to act on.
#[derive(Debug)]
pub(super) enum Stop {
    /// Help, version, or wrong usage, as clap words it.
    Clap(clap::Error),
    /// Wrong usage in our own words.
    Error(Error),
}

/// The parser itself, for completions.
pub(super) fn parser() -> clap::Command {
    CommandLine::command()
}

#[cfg(test)]
mod tests;
