//! The command line as data: commands, options, and what the environment says where an option does not.
//!
//! Nothing here opens a file or starts a thread.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use super::audit::Sessions;
use super::permissions::Permissions;
use crate::error::Error;
use crate::permission::{Caller, Mode};

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

/// Options of every command.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Options {
    /// Start in DIR: every relative path on the command line is taken from there
    #[arg(short = 'C', long, value_name = "DIR", global = true)]
    pub(super) cwd: Option<PathBuf>,
    /// How the answer is written
    #[arg(short, long, value_enum, value_name = "FORMAT", global = true)]
    pub(super) output: Option<Format>,
    /// Allow what RULE matches: `name` or `name:pattern`, such as `shell:cargo test *`
    #[arg(long, value_name = "RULE", global = true)]
    pub(super) allow: Vec<String>,
    /// Deny what RULE matches; a deny always holds
    #[arg(long, value_name = "RULE", global = true)]
    pub(super) deny: Vec<String>,
    /// What a model may do without asking
    #[arg(long, value_name = "MODE", value_parser = modes(), global = true)]
    pub(super) mode: Option<Mode>,
    /// Act under this profile: with the tools that it has, and its rules besides
    #[arg(long, value_name = "NAME", global = true)]
    pub(super) profile: Option<String>,
    /// Load the tool files in DIR
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) tools: Vec<PathBuf>,
    /// Act as a model would: its permissions, its view of results
    #[arg(long = "as", value_enum, value_name = "CALLER", global = true)]
    pub(super) caller: Option<As>,
    /// End everything after SECONDS
    #[arg(long, value_name = "SECONDS", value_parser = seconds, global = true)]
    pub(super) timeout: Option<Duration>,
    /// Trust the project's code for this run: at a terminal as it is, elsewhere only if its digest is
    /// DIGEST, as `agent trust` shows it
    #[arg(long, value_name = "DIGEST", num_args = 0..=1, require_equals = true, global = true)]
    #[arg(default_missing_value = "")]
    pub(super) trust: Option<String>,
    /// Go on without the project's policy where a model acts and the project is not trusted
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        require_equals = true,
        global = true
    )]
    pub(super) untrusted: Option<Untrusted>,
    /// Read nothing from the configuration folder
    #[arg(long, global = true)]
    pub(super) no_config: bool,
    /// Nothing is loaded but what the command itself loads. Set by commands, never typed.
    #[arg(skip)]
    pub(super) bare: bool,
    /// Say more on stderr
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(super) verbose: u8,
}

/// The variable that names a profile.
pub(super) const PROFILE: &str = "AGENT_PROFILE";

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
    /// Show what past sessions did
    Session {
        /// What is asked
        #[command(subcommand)]
        asked: Sessions,
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
    /// Check that everything this program needs is there
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

impl Options {
    /// On whose behalf the command acts.
    pub(super) fn caller(&self) -> Caller {
        self.caller.map_or(Caller::User, Caller::from)
    }

    /// How the answer is written.
    pub(super) fn format(&self) -> Format {
        self.output.unwrap_or_default()
    }

    fn fill_from(&mut self, env: &dyn Fn(&str) -> Option<OsString>) -> Result<(), Error> {
        if self.cwd.is_none() {
            self.cwd = env("AGENT_CWD")
                .filter(|value| !value.is_empty())
                .map(PathBuf::from);
        }
        if self.output.is_none() {
            self.output = word(env, "AGENT_OUTPUT", |text| Format::from_str(text, true))?;
        }
        match word(env, "AGENT_AS", |text| As::from_str(text, true))? {
            Some(As::Model) => self.caller = Some(As::Model), // the option can lower, never raise
            user => self.caller = self.caller.or(user),
        }
        if self.profile.is_none() {
            self.profile = word(env, PROFILE, |text| Ok::<_, String>(text.to_owned()))?;
        }
        if self.timeout.is_none() {
            self.timeout = word(env, "AGENT_TIMEOUT", seconds)?;
        }
        if self.untrusted.is_none() {
            let read = |text: &str| Untrusted::from_str(text, true);
            self.untrusted = word(env, "AGENT_UNTRUSTED", read)?;
        }
        if self.verbose == 0 {
            let level = word(env, "AGENT_VERBOSE", |text| {
                text.parse::<u8>()
                    .map_err(|_| format!("`{text}` is not a number from 0 to 255"))
            })?;
            self.verbose = level.unwrap_or(0);
        }
        if let Some(rules) = word(env, "AGENT_DENY", |text| Ok::<_, String>(text.to_owned()))? {
            self.deny.extend(
                rules
                    .lines()
                    .filter(|rule| !rule.is_empty())
                    .map(str::to_owned),
            );
        }
        Ok(())
    }
}

fn word<T>(
    env: &dyn Fn(&str) -> Option<OsString>,
    name: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, Error> {
    let Some(value) = env(name).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let text = value.to_string_lossy();
    read(&text).map(Some).map_err(|why| {
        Error::usage(
            format!("the variable {name} cannot be read: {why}"),
            "unset it, or mend it",
        )
    })
}

fn modes() -> impl clap::builder::TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(Mode::ALL.map(Mode::as_str)).try_map(|word| word.parse::<Mode>())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a number of seconds greater than zero");
    let number: f64 = text.parse().map_err(|_| wrong())?;
    let positive = number.is_finite() && number > 0.0;
    positive
        .then(|| Duration::try_from_secs_f64(number).ok())
        .flatten()
        .ok_or_else(wrong)
}

/// The parser itself, for completions.
pub(super) fn parser() -> clap::Command {
    CommandLine::command()
}

#[cfg(test)]
mod tests;
