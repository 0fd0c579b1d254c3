//! The mark of what runs for a model: a limit of the process that no assignment to a variable takes away.
//!
//! The system hands limits on to every descendant, whatever becomes of its environment, its session or its
//! parent. The limit used counts only for real-time programs and lies far above what any of them needs. A
//! child begins with the mark, since between its start and a mark set from here it may have children of its
//! own. A limit can be lowered by anybody, so one that is not the mark counts as a mark that was changed. The lower
//! part of the mark seals what is handed down in a variable: a command that changes it is found out.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::{PoisonError, RwLock};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};

use crate::store::Hash;

/// The upper part of the mark, in microseconds of processor time: more than a hundred thousand years, and a number
/// nobody else sets.
const MARK: u64 = 0x4147 << 48;

/// The variable that holds what a command's programs of ours have to keep to.
pub const HANDED: &str = "AGENT_BELOW";

/// Our own limit is the mark for as long as a child for a model is being started: no other child may be
/// started then. The limit belongs to the whole process, and so does this.
static LIMIT: RwLock<()> = RwLock::new(());

/// Whether this process descends from a command that was run for a model.
pub fn is_below_model() -> bool {
    seal_here().is_some()
}

/// Whether `handed` is what was handed down to this process. `None` where it carries no mark.
pub fn is_sealed(handed: Option<&OsStr>) -> Option<bool> {
    seal_here().map(|seal| seal == mark_of(handed))
}

/// Whether this process has a limit that is nobody's mark, as a command has that lowered it.
pub fn is_limited_otherwise() -> bool {
    seal_here().is_some_and(|limit| limit & !SEAL != MARK)
}

/// The mark that this process carries: whatever limit it has, the lowest.
fn seal_here() -> Option<u64> {
    let limit = getrlimit(Resource::Rttime);
    [limit.maximum, limit.current].into_iter().flatten().min()
}

/// The part of the mark that seals.
const SEAL: u64 = (1 << 48) - 1;

/// The mark of what runs for a model under `handed`.
pub(super) fn mark_of(handed: Option<&OsStr>) -> u64 {
    let Some(handed) = handed.filter(|handed| !handed.is_empty()) else {
        return MARK;
    };
    let hash = Hash::of(handed.as_bytes()).to_string();
    let seal = hash
        .get(..12)
        .and_then(|start| u64::from_str_radix(start, 16).ok());
    MARK | seal.unwrap_or(SEAL)
}

/// Starts a child by `launch`; with a `mark` it begins marked. Where a lower limit holds already there is
/// no mark, and the environment alone says for whom it runs.
pub(super) fn started(
    mark: Option<u64>,
    launch: impl FnOnce() -> io::Result<Pid>,
) -> io::Result<Pid> {
    let Some(mark) = mark else {
        let _unmarked = LIMIT.read().unwrap_or_else(PoisonError::into_inner);
        return launch();
    };
    let marked = LIMIT.write().unwrap_or_else(PoisonError::into_inner);
    let before = getrlimit(Resource::Rttime);
    let limited = Rlimit {
        current: Some(mark),
        maximum: before.maximum,
    };
    let _unmarked = setrlimit(Resource::Rttime, limited);
    let launched = launch();
    let _same = setrlimit(Resource::Rttime, before);
    drop(marked);
    let pid = launched?;
    // What it may lift until now it cannot lift any more.
    let fixed = Rlimit {
        current: Some(mark),
        maximum: Some(mark),
    };
    let _as_it_is = prlimit(Some(pid), Resource::Rttime, fixed);
    Ok(pid)
}
