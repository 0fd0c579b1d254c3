//! `agent completions SHELL`: the completions of the command line, on stdout.
//!
//! They are made from the parser itself, so they cannot fall behind it. The names of tools and scripts are those that are
//! there when it is asked: files are looked at by name, and none of them runs.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use super::answer::Answer;
use super::args::{Format, Options, parser};
use super::script;
use crate::error::{Error, Exit};
use crate::layers::{Role, of_user};
use crate::store::{Paths, Workspace};

/// Prints the completions for `shell`.
///
/// # Errors
/// None; the signature is that of every command.
pub(super) fn run(options: &Options, shell: clap_complete::Shell) -> Result<Exit, Error> {
    let (tools, scripts) = names(options);
    let offer = |command: clap::Command, argument: &'static str, names: Vec<String>| {
        // A parser holds words that live as long as the process, which ends with this.
        let names = names.into_iter().map(|name| &*name.leak());
        let names = PossibleValuesParser::new(names.collect::<Vec<&'static str>>());
        command.mut_arg(argument, |argument| argument.index(1).value_parser(names))
    };
    let mut parser = parser()
        .mut_subcommand("call", |call| {
            offer(call, "tool", tools.clone()).mut_arg("arguments", |argument| argument.index(2))
        })
        .mut_subcommand("permissions", |all| {
            all.mut_subcommand("explain", |explain| {
                offer(explain, "tool", tools.clone()).mut_arg("subject", |subject| subject.index(2))
            })
        })
        .mut_subcommand("tools", |all| offer(all, "name", tools))
        .mut_subcommand("script", |script| match shell {
            // Only bash goes on to offer files where no name fits.
            clap_complete::Shell::Bash => offer(script, "words", scripts),
            _ => script,
        });
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut parser, "agent", &mut script);
    let answer = Answer::new(Format::Text);
    answer.bytes(&script);
    Ok(answer.finish(Exit::Done))
}

/// The tools and the scripts that are there: the shipped ones, and the person's own where they can be found.
fn names(options: &Options) -> (Vec<String>, Vec<String>) {
    let config = config(options);
    let config = config.as_deref();
    let shipped = crate::tools::shipped();
    let mut tools: Vec<String> = shipped.listed().map(|tool| tool.id().to_owned()).collect();
    let own = config.map(|config| of_user(config, "")).unwrap_or_default();
    let own = own.into_iter().filter(|file| file.role == Role::Tool);
    tools.extend(own.map(|file| file.name));
    (plain(tools), plain(script::names(config)))
}

/// The person's own folder, if there is one that may be read.
fn config(options: &Options) -> Option<PathBuf> {
    let cwd = super::session::enter(options).ok()?;
    let workspace = Workspace::find(&cwd, std::env::home_dir().as_deref()).ok()?;
    let paths = Paths::of_process(&cwd, &workspace).ok()?;
    (!options.no_config).then_some(paths.config)
}

/// The names in order, without those in which a shell would read more than a name.
fn plain(mut names: Vec<String>) -> Vec<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    names.retain(|name| name.chars().all(is_plain));
    names.sort();
    names.dedup();
    names
}
