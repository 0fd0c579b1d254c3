//! What rules are matched against, for tools that take paths.
//!
//! A path outside the workspace counts as named by the person when it stands on the command line.

use crate::files::{Files, Place};
use crate::permission::{Group, Subject};
use crate::tool::Context;

/// The subject that `place` is, in `group`.
pub(super) fn of(group: Group, place: &Place, context: &Context) -> Subject {
    let real = place.real.to_string_lossy();
    let subject = Subject::path(group, place.display.as_str(), real, place.inside);
    let services = &context.services;
    if !place.inside && is_named(place, &services.named, &services.files) {
        return subject.named();
    }
    subject
}

/// Whether the person named this path on the command line, or a folder that it lies in. Naming `/` or
/// the home folder names nothing in it.
fn is_named(place: &Place, words: &[String], files: &Files) -> bool {
    words
        .iter()
        .filter_map(|word| files.resolve(word).ok())
        .any(|named| {
            let covers =
                !files.workspace().starts_with(&named.real) && files.home() != Some(&*named.real);
            named.real == place.real || (covers && place.real.starts_with(&named.real))
        })
}
