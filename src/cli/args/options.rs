//! The options of every command, and what the environment says where one is silent.
//!
//! A variable tightens or chooses; what grants something is an option, where it is seen.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum as _};

use super::{As, Format, Untrusted};
use crate::error::Error;
use crate::permission::{Caller, Mode};
use crate::tool::Most;

/// The variable that names a profile.
pub(in crate::cli) const PROFILE: &str = "AGENT_PROFILE";

/// Options of every command.
#[derive(Clone, Debug, Default, Args)]
pub(in crate::cli) struct Options {
    /// Start in DIR: every relative path on the command line is taken from there
    #[arg(short = 'C', long, value_name = "DIR", global = true)]
    pub(in crate::cli) cwd: Option<PathBuf>,
    /// How the answer is written
    #[arg(short, long, value_enum, value_name = "FORMAT", global = true)]
    pub(in crate::cli) output: Option<Format>,
    /// Allow what RULE matches: `name` or `name:pattern`, such as `shell:cargo test *`
    #[arg(long, value_name = "RULE", global = true)]
    pub(in crate::cli) allow: Vec<String>,
    /// Deny what RULE matches; a deny always holds
    #[arg(long, value_name = "RULE", global = true)]
    pub(in crate::cli) deny: Vec<String>,
    /// What a model may do without asking
    #[arg(long, value_name = "MODE", value_parser = modes(), global = true)]
    pub(in crate::cli) mode: Option<Mode>,
    /// Act under this profile: with the tools that it has, and its rules besides
    #[arg(long, value_name = "NAME", global = true)]
    pub(in crate::cli) profile: Option<String>,
    /// Load the tool files in DIR
    #[arg(long, value_name = "DIR", global = true)]
    pub(in crate::cli) tools: Vec<PathBuf>,
    /// Act as a model would: its permissions, its view of results
    #[arg(long = "as", value_enum, value_name = "CALLER", global = true)]
    pub(in crate::cli) caller: Option<As>,
    /// End everything after SECONDS
    #[arg(long, value_name = "SECONDS", value_parser = seconds, global = true)]
    pub(in crate::cli) timeout: Option<Duration>,
    /// Trust the project's code for this run: at a terminal as it is, elsewhere only if its digest is
    /// DIGEST, as `agent trust` shows it
    #[arg(long, value_name = "DIGEST", num_args = 0..=1, require_equals = true, global = true)]
    #[arg(default_missing_value = "")]
    pub(in crate::cli) trust: Option<String>,
    /// Go on without the project's policy where a model acts and the project is not trusted
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        require_equals = true,
        global = true
    )]
    pub(in crate::cli) untrusted: Option<Untrusted>,
    /// Read nothing from the configuration folder
    #[arg(long, global = true)]
    pub(in crate::cli) no_config: bool,
    /// The model: `provider/model`, an alias, or `script:FILE` for answers out of a file
    #[arg(short, long, value_name = "MODEL", global = true)]
    pub(in crate::cli) model: Option<String>,
    /// Make at most N requests to a model
    #[arg(long, value_name = "N", value_parser = count, global = true)]
    pub(in crate::cli) max_steps: Option<u64>,
    /// Spend at most USD on models
    #[arg(long, value_name = "USD", value_parser = money, global = true)]
    pub(in crate::cli) max_cost: Option<f64>,
    /// Use at most N tokens of models
    #[arg(long, value_name = "N", value_parser = count, global = true)]
    pub(in crate::cli) max_tokens: Option<u64>,
    /// A model acts in this command, whoever started it. Set by commands, never typed.
    #[arg(skip)]
    pub(in crate::cli) asks_a_model: bool,
    /// The session that this process is, where it goes on with one, as it was typed. Set by commands, never typed.
    #[arg(skip)]
    pub(in crate::cli) goes_on: Option<String>,
    /// Nothing is loaded but what the command itself loads. Set by commands, never typed.
    #[arg(skip)]
    pub(in crate::cli) bare: bool,
    /// Say more on stderr
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(in crate::cli) verbose: u8,
}

impl Options {
    /// On whose behalf the command acts.
    pub(in crate::cli) fn caller(&self) -> Caller {
        self.caller.map_or(Caller::User, Caller::from)
    }

    /// Whether a model acts in it.
    pub(in crate::cli) fn a_model_acts(&self) -> bool {
        self.asks_a_model || self.caller() == Caller::Model
    }

    /// What may be spent on models.
    pub(in crate::cli) fn most(&self) -> Most {
        Most {
            steps: self.max_steps,
            tokens: self.max_tokens,
            cost: self.max_cost,
        }
    }

    /// How the answer is written.
    pub(in crate::cli) fn format(&self) -> Format {
        self.output.unwrap_or_default()
    }

    /// Takes the environment's word where an option is silent.
    ///
    /// # Errors
    /// Usage: a variable that cannot be read.
    pub(super) fn fill_from(
        &mut self,
        env: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<(), Error> {
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
        if self.model.is_none() {
            self.model = word(env, "AGENT_MODEL", |text| Ok::<_, String>(text.to_owned()))?;
        }
        self.max_steps = self
            .max_steps
            .map_or_else(|| word(env, "AGENT_MAX_STEPS", count), |n| Ok(Some(n)))?;
        self.max_cost = self
            .max_cost
            .map_or_else(|| word(env, "AGENT_MAX_COST", money), |n| Ok(Some(n)))?;
        self.max_tokens = self
            .max_tokens
            .map_or_else(|| word(env, "AGENT_MAX_TOKENS", count), |n| Ok(Some(n)))?;
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

fn count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{text}` is not a whole number greater than zero")),
    }
}

fn money(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err(format!(
            "`{text}` is not an amount of US dollars greater than zero"
        )),
    }
}
