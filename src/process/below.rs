//! The mark of what runs for a model: a limit of the process that no assignment to a variable takes away.
//!
//! The system hands limits on to every descendant, whatever becomes of its environment, its session or its
//! parent. The limit used counts only for real-time programs and lies far above what any of them needs. A
//! child begins with the mark, since between its start and a mark set from here it may have children of its
//! own. Who lifts the limit on purpose, at the very start, takes the mark away.

use std::io;
use std::sync::{PoisonError, RwLock};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};

/// In microseconds of processor time: more than a hundred thousand years, and a number nobody else sets.
const MARK: u64 = 0x4147_454E_545F_4153;

/// Our own limit is the mark for as long as a child for a model is being started: no other child may be
/// started then. The limit belongs to the whole process, and so does this.
static LIMIT: RwLock<()> = RwLock::new(());

/// Whether this process descends from a command that was run for a model.
pub fn is_below_model() -> bool {
    let limit = getrlimit(Resource::Rttime);
    limit.current == Some(MARK) || limit.maximum == Some(MARK)
}

/// Starts a child by `launch`; with `for_model` it begins marked. Where a lower limit holds already there is
/// no mark, and the environment alone says for whom it runs.
pub(super) fn started(
    for_model: bool,
    launch: impl FnOnce() -> io::Result<Pid>,
) -> io::Result<Pid> {
    if !for_model {
        let _unmarked = LIMIT.read().unwrap_or_else(PoisonError::into_inner);
        return launch();
    }
    let marked = LIMIT.write().unwrap_or_else(PoisonError::into_inner);
    let before = getrlimit(Resource::Rttime);
    let limited = Rlimit {
        current: Some(MARK),
        maximum: before.maximum,
    };
    let _unmarked = setrlimit(Resource::Rttime, limited);
    let launched = launch();
    let _same = setrlimit(Resource::Rttime, before);
    drop(marked);
    let pid = launched?;
    // What it may lift until now it cannot lift any more.
    let fixed = Rlimit {
        current: Some(MARK),
        maximum: Some(MARK),
    };
    let _as_it_is = prlimit(Some(pid), Resource::Rttime, fixed);
    Ok(pid)
}
