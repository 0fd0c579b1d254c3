//! The files without which a model would be less guarded than was asked for: those that may register hooks.
//!
//! Which they are is read off their text, since one that does not load says nothing of itself.

use std::sync::Arc;

use crate::error::Error;
use crate::layers::{Role, SourceFile};
use crate::lua::{Problem, Report};

/// Why the program ends where a guard does not load.
const WITHOUT_IT: &str =
    "mend the file or take it away: without it less would be guarded than was asked for";

/// What to do about a guard that does not load: it is a file, so what is said of calls does not fit.
pub(super) fn without_it(broken: &Problem) -> String {
    match &broken.error.hint {
        Some(hint) => format!("{hint}; {WITHOUT_IT}"),
        None => WITHOUT_IT.to_owned(),
    }
}

/// The files that may register hooks, by what messages call them: every `init.lua`, and what else names the
/// function that does.
pub(super) fn guards(files: &[SourceFile]) -> Vec<String> {
    let names_it = |text: &Arc<[u8]>| text.windows(ON.len()).any(|part| part == ON);
    let guards = files.iter().filter(|file| match file.role {
        Role::Init => true,
        Role::Tool => file.text.as_ref().is_ok_and(names_it),
        Role::Policy(_) | Role::Module => false,
    });
    guards.map(|file| file.shown.clone()).collect()
}

/// How a file registers a hook.
const ON: &[u8] = b"agent.on";

/// Why no model may act, where one of `guards` did not load.
pub(super) fn lost(report: &Report, guards: &[String]) -> Option<Error> {
    let is_lost = |problem: &&Problem| problem.is_lost && guards.contains(&problem.file);
    let lost = report.problems.iter().find(is_lost)?;
    let (place, error) = (lost.place(), &lost.error);
    Some(Error::usage(
        format!(
            "a file that may hold hooks does not load, and a model would act without them: {place}: {error}"
        ),
        without_it(lost),
    ))
}
