//! `agent completions SHELL`: the completions of the command line, on stdout.
//!
//! They are made from the parser itself, so they cannot fall behind it.

use super::answer::Answer;
use super::args::{Format, parser};
use crate::error::{Error, Exit};

/// Prints the completions for `shell`.
///
/// # Errors
/// None; the signature is that of every command.
pub(super) fn run(shell: clap_complete::Shell) -> Result<Exit, Error> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut parser(), "agent", &mut script);
    let answer = Answer::new(Format::Text);
    answer.bytes(&script);
    Ok(answer.finish(Exit::Done))
}
