//! How a run ended, as data.
//! The exit code is always an integer, also where a signal or the clock ended it.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use super::Captured;

/// The exit code of a command that its time limit ended.
const TIMED_OUT: i32 = 124;

/// A command that ended: by itself, by a signal, or by its time limit.
#[derive(Clone, Debug)]
pub struct Finished {
    /// 0 to 255; 128 + n when signal n ended it; 124 when its time ran out.
    pub exit_code: i32,
    /// The name of the signal that ended it, such as `SIGSEGV`.
    pub signal: Option<String>,
    /// What came on standard output.
    pub stdout: Captured,
    /// What came on standard error.
    pub stderr: Captured,
    /// Both, in the order of arrival.
    pub merged: Captured,
    /// From start to end.
    pub duration: Duration,
    /// The time limit ended it.
    pub timed_out: bool,
    /// Processes it had started that still lived and were ended.
    pub ended: Vec<Left>,
    /// Processes it had started that live on: ours to name, not ours to end.
    pub left_running: Vec<Left>,
}

/// A process that was there after the command had ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Its process id.
    pub pid: u32,
    /// Its command line, shortened.
    pub command: String,
}

/// Exit code and signal name. No status: the process could not be ended even by SIGKILL.
pub(super) fn outcome(status: Option<ExitStatus>, timed_out: bool) -> (i32, Option<String>) {
    let signal = match status {
        Some(status) => status.signal(),
        None => Some(9),
    };
    let code = match (status.and_then(|status| status.code()), signal) {
        _ if timed_out => TIMED_OUT,
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => 1,
    };
    (code, signal.map(signal_name))
}

/// The name of a signal on Linux (signal(7), the numbers of all its common machines).
fn signal_name(number: i32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    let index = usize::try_from(number - 1).ok();
    match index.and_then(|index| NAMES.get(index)) {
        Some(name) => format!("SIG{name}"),
        None => format!("SIG{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn always_has_an_exit_code() {
        let raw = |raw| Some(ExitStatus::from_raw(raw));
        assert_eq!(outcome(raw(0), false), (0, None));
        assert_eq!(outcome(raw(3 << 8), false), (3, None));
        assert_eq!(outcome(raw(11), false), (139, Some("SIGSEGV".into())));
        assert_eq!(outcome(raw(15), true), (124, Some("SIGTERM".into())));
        assert_eq!(outcome(raw(0), true), (124, None));
        assert_eq!(outcome(None, false), (137, Some("SIGKILL".into())));
        assert_eq!(signal_name(31), "SIGSYS");
        assert_eq!(signal_name(40), "SIG40");
    }
}
