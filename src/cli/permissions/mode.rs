//! The mode that holds, and who named it: for the list of rules, and beside what one call would meet.
//!
//! It decides nothing: which of the modes that were named hold was settled where they were laid together.

use serde_json::{Value, json};

use crate::permission::Mode;
use crate::tool::Generation;

/// `mode plan`, and a line for each file, option or variable that names one.
pub(super) fn page(generation: &Generation) -> String {
    let mut page = format!("mode {}\n", generation.policy.modes());
    for (mode, by, holds) in said(generation) {
        let aside = match holds {
            true => "",
            false => ", which gives way",
        };
        page.push_str(&format!("  {by} names {mode}{aside}\n"));
    }
    page
}

/// The same as data.
pub(super) fn document(generation: &Generation) -> Value {
    let said = said(generation);
    said.map(|(mode, by, holds)| json!({ "mode": mode.as_str(), "by": by, "holds": holds }))
        .collect()
}

/// Who names which mode, and whether that holds.
fn said(generation: &Generation) -> impl Iterator<Item = (Mode, &str, bool)> {
    let modes = generation.policy.modes();
    let said = generation.policy.modes_said().iter();
    said.map(move |(mode, by)| {
        let holds = modes.iter().any(|one| one == *mode);
        (*mode, by.as_str(), holds)
    })
}
