//! What to run, as plain data: nothing is looked up and nothing is started here.
//! A value that is wrong (a zero byte, a missing folder) is refused when it is started.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::Stream;
use crate::error::ToolError;

/// A program and all it is given.
#[derive(Clone)]
pub struct Command {
    /// A path, or a name that is looked up in the `PATH` of `env`.
    pub program: OsString,
    /// The arguments after the program's own name.
    pub args: Vec<OsString>,
    /// What is run in its place where the system would not start the program.
    pub instead: Option<Instead>,
    /// The folder it starts in.
    pub cwd: PathBuf,
    /// That folder, where it is open already: then it starts there, wherever the path leads by now.
    pub folder: Option<Arc<OwnedFd>>,
    /// Its whole environment; nothing of ours is added but the marker of its descendants.
    pub env: BTreeMap<OsString, OsString>,
    /// What it reads; `None` is `/dev/null`.
    pub stdin: Option<Vec<u8>>,
    /// How long it may take; `None` is as long as it likes.
    pub timeout: Option<Duration>,
    /// How much of its output is kept.
    pub capture: Limits,
    /// What its output passes through before anything is kept or passed on.
    pub filter: Option<Arc<dyn Filter>>,
}

/// What is run in the place of a program that cannot be started, in the same folder with the same input.
#[derive(Clone, Debug)]
pub struct Instead {
    /// As in [`Command`].
    pub program: OsString,
    /// As in [`Command`].
    pub args: Vec<OsString>,
    /// The variables of the [`Command`] that it does not get.
    pub without: Vec<OsString>,
}

/// Changes output on its way. One stream does not wait for the other.
pub trait Filter: Send + Sync {
    /// What is passed on of the next `bytes` of `stream`, and of what was held back.
    fn pass(&self, stream: Stream, bytes: &[u8]) -> Vec<u8>;

    /// What was held back to the end.
    fn finish(&self, stream: Stream) -> Vec<u8>;
}

/// How many bytes of output are kept; of more, the start and the end.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of each of stdout and stderr.
    pub stream: usize,
    /// Of both as they arrived.
    pub merged: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            stream: 16 << 20,
            merged: 16 << 20,
        }
    }
}

impl Command {
    /// `program` with `args` in `cwd`: no environment, no input, no time limit, the usual capture.
    pub fn new<A: Into<OsString>>(
        program: impl Into<OsString>,
        args: impl IntoIterator<Item = A>,
        cwd: impl Into<PathBuf>,
    ) -> Command {
        Command {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
            instead: None,
            cwd: cwd.into(),
            folder: None,
            env: BTreeMap::new(),
            stdin: None,
            timeout: None,
            capture: Limits::default(),
            filter: None,
        }
    }

    /// Refuses what no system call can carry: zero bytes, names of variables that are none.
    pub(super) fn check(&self) -> Result<(), ToolError> {
        let has_nul = |text: &OsStr| text.as_bytes().contains(&0);
        let refuse = |what: String| {
            Err(ToolError::argument(what)
                .with_hint("pass such bytes through `stdin` or a file instead"))
        };
        if has_nul(&self.program) || self.args.iter().any(|argument| has_nul(argument)) {
            return refuse("the command contains a zero byte".to_owned());
        }
        if has_nul(self.cwd.as_os_str()) {
            return refuse("the folder's name contains a zero byte".to_owned());
        }
        for (name, value) in &self.env {
            let shown = name.to_string_lossy();
            if name.is_empty() || name.as_bytes().contains(&b'=') || has_nul(name) {
                return Err(ToolError::argument(format!(
                    "`{shown}` cannot be the name of an environment variable"
                )));
            }
            if has_nul(value) {
                return refuse(format!("the variable `{shown}` contains a zero byte"));
            }
        }
        Ok(())
    }
}
