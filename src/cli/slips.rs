//! Tells a person of rules that hardly say what was meant. Nothing hangs on it: they hold as they are written.
//!
//! Those that were typed are told of at once, those of files where rules are looked at, or more is to be said.

use crate::files::Files;
use crate::permission::{Ground, Rule, Source, slip};
use crate::tool::{Level, Sink};

/// Whether the rule was typed where the program was started.
pub(super) fn is_typed(rule: &Rule) -> bool {
    matches!(rule.source, Source::CommandLine | Source::Environment)
}

/// A line for each rule that is a slip.
pub(super) fn tell<'a>(
    rules: impl Iterator<Item = &'a Rule>,
    files: &Files,
    sink: &dyn Sink,
    level: Level,
) {
    let [workspace, home] = [Some(files.workspace()), files.home()]
        .map(|folder| folder.map_or_else(String::new, |folder| folder.to_string_lossy().into()));
    let ground = Ground {
        workspace: &workspace,
        home: &home,
        stands: &|path| std::fs::metadata(path).ok().map(|found| found.is_dir()),
    };
    for rule in rules {
        if let Some(told) = slip(rule, &ground) {
            let origin = rule.origin();
            let line = format!("the rule `{} {rule}` ({origin}): {told}", rule.action);
            sink.log(level, line);
        }
    }
}
