//! Which calls made together may run now. Neighbouring reads run together; a change waits for all before it, and all after
//! wait for it. A command that failed and was not known to only read takes back what follows it.
//!
//! Pure: calls are numbers here, in the order the model made them.

use super::{Arguments, Generation, Outcome, Output, Spec};
use crate::data::Data;
use crate::files::Files;
use crate::permission::{Effect, Group, read_line};

/// How a call stands to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It changes nothing: it runs beside others of its kind.
    Read,
    /// It may change something: it runs alone.
    Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    Done,
}

/// Calls that were made together: in one step of a model, in one `batch`.
#[derive(Debug, Default)]
pub struct Batch {
    calls: Vec<(Weight, State)>,
    /// The call whose failure took back all after it.
    broken: Option<usize>,
}

/// What may be done with a call that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It may run: it counts as running from here on.
    Start(usize),
    /// It is taken back, because of the failure of the other: it counts as done.
    TakeBack(usize, usize),
}

impl Batch {
    /// Adds a call behind all others; its number.
    pub fn add(&mut self, weight: Weight) -> usize {
        self.calls.push((weight, State::Waiting));
        self.calls.len() - 1
    }

    /// The first call that waits and need not wait any longer.
    pub fn pick(&mut self) -> Option<Next> {
        let (mut is_busy, mut is_changing) = (false, false);
        for at in 0..self.calls.len() {
            let (weight, state) = self.calls[at];
            match state {
                State::Done => continue,
                State::Running => {}
                State::Waiting => {
                    if let Some(by) = self.broken.filter(|by| *by < at) {
                        self.calls[at].1 = State::Done;
                        return Some(Next::TakeBack(at, by));
                    }
                    let may_run = match weight {
                        Weight::Read => !is_changing,
                        Weight::Change => !is_busy,
                    };
                    if may_run {
                        self.calls[at].1 = State::Running;
                        return Some(Next::Start(at));
                    }
                }
            }
            is_busy = true;
            is_changing |= weight == Weight::Change;
        }
        None
    }

    /// Whether every call has its result.
    pub fn is_over(&self) -> bool {
        self.calls.iter().all(|(_, state)| *state == State::Done)
    }

    /// The call `at` has its result; `is_broken` when what follows was meant to come after its success.
    pub fn ended(&mut self, at: usize, is_broken: bool) {
        if let Some((weight, state)) = self.calls.get_mut(at) {
            *state = State::Done;
            if is_broken && *weight == Weight::Change {
                self.broken = Some(self.broken.map_or(at, |by| by.min(at)));
            }
        }
    }
}

impl Generation {
    /// How a call of the tool `name` stands to its neighbours, told from its arguments as they came. What cannot be
    /// told changes something; what fails before it does anything changes nothing; what makes other calls weighs what
    /// the heaviest of them does.
    pub fn weigh(&self, name: &str, arguments: &Arguments, files: &Files) -> Weight {
        let Some(tool) = self.tools.get(name) else {
            return Weight::Read;
        };
        let spec = tool.spec();
        if spec.stands_alone {
            return Weight::Change;
        }
        match spec.effect {
            Effect::Read => {
                let made = tool.makes(arguments);
                let is_read = |(name, arguments): &(String, Arguments)| {
                    self.weigh(name, arguments, files) == Weight::Read
                };
                match made.iter().all(is_read) {
                    true => Weight::Read,
                    false => Weight::Change,
                }
            }
            Effect::Run if runs_what_reads(spec, arguments, files) => Weight::Read,
            Effect::Write | Effect::Run | Effect::Network => Weight::Change,
        }
    }
}

impl Generation {
    /// Whether what follows a call of the tool `name` was meant to come after its success: it ran a command, which
    /// failed.
    pub fn breaks(&self, name: &str, outcome: &Outcome) -> bool {
        let tool = self.tools.get(name);
        let is_command = tool.is_some_and(|tool| tool.spec().effect == Effect::Run);
        let has_failed = |output: &Output| {
            let code = output.metadata.get("exit_code");
            code.is_some_and(|code| *code != Data::Int(0))
        };
        is_command && outcome.as_ref().map_or(true, has_failed)
    }
}

/// Whether the command line of a call is known to do nothing but read.
fn runs_what_reads(spec: &Spec, arguments: &Arguments, files: &Files) -> bool {
    let args = arguments.by_name().and_then(|args| spec.given(args).ok());
    let line = args.as_ref().and_then(|args| args.get("command")?.as_str());
    line.is_some_and(|line| {
        let start = files.cwd().to_string_lossy();
        let home = files.home().map(|home| home.to_string_lossy());
        only_reads(line, &start, &home.unwrap_or_default())
    })
}

/// Whether every command in it is known to do nothing but read.
fn only_reads(line: &str, start: &str, home: &str) -> bool {
    let line = read_line(line, start, home);
    let is_whole = line.opaque.is_none() && !line.commands.is_empty();
    is_whole
        && line.commands.iter().all(|command| command.reads)
        && line
            .operands
            .iter()
            .all(|operand| operand.group == Group::Read)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What happens, in order: `s0` a start, `e0` an end, `x2<1` taken back because of 1. `calls` names the weights,
    /// `!` behind one that its end is a failure; of those that run the first ends first.
    fn timeline(calls: &[&str]) -> String {
        let mut batch = Batch::default();
        let mut running = Vec::new();
        for call in calls {
            batch.add(match call.as_bytes()[0] {
                b'r' => Weight::Read,
                _ => Weight::Change,
            });
        }
        let mut said = Vec::new();
        loop {
            while let Some(next) = batch.pick() {
                match next {
                    Next::Start(at) => {
                        running.push(at);
                        said.push(format!("s{at}"));
                    }
                    Next::TakeBack(at, by) => said.push(format!("x{at}<{by}")),
                }
            }
            if running.is_empty() {
                return said.join(" ");
            }
            let at = running.remove(0);
            said.push(format!("e{at}"));
            batch.ended(at, calls[at].ends_with('!'));
        }
    }

    #[test]
    fn neighbouring_reads_run_together_and_a_change_runs_alone() {
        for (calls, expected) in [
            (&["r", "r", "r"][..], "s0 s1 s2 e0 e1 e2"),
            (&["r", "r", "w", "r", "r"], "s0 s1 e0 e1 s2 e2 s3 s4 e3 e4"),
            (&["w", "w"], "s0 e0 s1 e1"),
            (&[], ""),
        ] {
            assert_eq!(timeline(calls), expected);
        }
    }

    #[test]
    fn a_failed_change_takes_back_what_follows_it_and_a_failed_read_does_not() {
        for (calls, expected) in [
            (&["w!", "r", "w"][..], "s0 e0 x1<0 x2<0"),
            (&["r!", "r", "w"], "s0 s1 e0 e1 s2 e2"),
            (&["r", "w", "w!", "r"], "s0 e0 s1 e1 s2 e2 x3<2"),
        ] {
            assert_eq!(timeline(calls), expected);
        }
    }

    #[test]
    fn a_call_that_comes_late_starts_as_it_may() {
        let mut batch = Batch::default();
        let first = batch.add(Weight::Read);
        assert_eq!(batch.pick(), Some(Next::Start(first)));
        let second = batch.add(Weight::Read);
        assert_eq!(batch.pick(), Some(Next::Start(second)));
        let third = batch.add(Weight::Change);
        assert_eq!(batch.pick(), None);
        batch.ended(second, false);
        assert_eq!(batch.pick(), None);
        batch.ended(first, false);
        assert_eq!(batch.pick(), Some(Next::Start(third)));
        batch.ended(third, true);
        let fourth = batch.add(Weight::Read);
        assert_eq!(batch.pick(), Some(Next::TakeBack(fourth, third)));
        assert_eq!(batch.pick(), None);
    }

    #[test]
    fn only_a_line_whose_every_command_reads_is_a_read() {
        for (line, expected) in [
            ("ls -l src | head", true),
            ("ls > out", false),
            ("cargo test", false),
            ("cat 'a", false),
            ("", false),
        ] {
            assert_eq!(only_reads(line, "/w", "/h"), expected, "{line}");
        }
    }
}
