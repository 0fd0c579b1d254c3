//! What a failed test says besides where it called a tool whose file stands beside it and was not loaded.
//!
//! It looks at names alone, once a test has failed.

use std::path::{Path, PathBuf};

use crate::lua::{Status, Tested};

/// How an error names a tool that is not there.
const MISSING: &str = "there is no tool `";

/// Adds to the failures among `tests`, which stand in `file`, which other file gives the tool that is missing, and how
/// that is loaded. `shown` is what messages call their file.
pub(super) fn tell(file: &Path, shown: &str, tests: &mut [Tested]) {
    let folder = Path::new(shown).parent().unwrap_or(Path::new(""));
    let failed = tests
        .iter_mut()
        .filter(|test| test.status == Status::Failed);
    for message in failed.filter_map(|test| test.message.as_mut()) {
        let Some(stray) = missing(message).and_then(|tool| beside(file, tool)) else {
            continue;
        };
        let option = match folder == Path::new("") {
            true => Path::new("."),
            false => folder,
        };
        message.push_str(&format!(
            "\n  {} is not loaded: a test has the tools of folders `tools` beside it or around it, and of --tools; \
             give `--tools {}`, or rename the folder",
            folder.join(stray).display(),
            option.display()
        ));
    }
}

fn missing(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once(MISSING)?;
    rest.split_once('`').map(|(name, _)| name)
}

/// The file that is named for the tool, in the folder of the test; of `name_key` also the one of its table.
fn beside(test: &Path, tool: &str) -> Option<PathBuf> {
    let folder = test.parent()?;
    let table = tool.split_once('_').map(|(file, _)| file);
    let names = [Some(tool), table].into_iter().flatten();
    let named = names.filter(|name| !name.contains('/'));
    let mut files = named.map(|name| PathBuf::from(format!("{name}.lua")));
    files.find(|file| folder.join(file).is_file())
}
