//! What is in a folder, as `list` and `read` show it: one entry a line, folders with a slash.
//!
//! Ignored and hidden entries are left out unless the folder itself is one.

use std::time::{SystemTime, UNIX_EPOCH};

use super::subjects;
use crate::data::Data;
use crate::files::{Entry, Filter, Listed, Place};
use crate::text::{counted, one_line};
use crate::tool::{Context, Destination, Outcome, Output};

/// Which part of a folder is wanted.
pub(super) struct Wanted {
    pub(super) filter: Filter,
    /// How many entries; by default all for a program, and what a model's context takes.
    pub(super) limit: Option<usize>,
}

/// The folder at `place`, one level deep.
///
/// # Errors
/// What walking it says.
pub(super) fn of_folder(place: &Place, context: &Context) -> Outcome {
    let filter = Filter {
        max_depth: Some(1),
        withheld: subjects::withheld(context),
        ..Filter::default()
    };
    of(
        place,
        &Wanted {
            filter,
            limit: None,
        },
        context,
    )
}

/// What is in the folder at `place`.
///
/// # Errors
/// What walking it says.
pub(super) fn of(place: &Place, wanted: &Wanted, context: &Context) -> Outcome {
    let services = &context.services;
    let mut entries = services
        .files
        .list(place, &wanted.filter, context.stop_flag())?;
    let total = entries.len();
    let default = match context.destination {
        Destination::Program => usize::MAX,
        Destination::Model | Destination::Person => context.limits().lines / 2,
    };
    entries.truncate(wanted.limit.unwrap_or(default));
    let title = format!("{}: {}", place.display, counted(total, "entry"));
    let mut text = format!("{title}\n");
    for entry in &entries {
        text.push_str(&line(entry));
    }
    if entries.len() < total {
        text.push_str(&format!(
            "[{} of {}; more: a higher `limit`]\n",
            entries.len(),
            counted(total, "entry")
        ));
    }
    text.push_str(&subjects::notice(wanted.filter.withheld.as_ref()));
    let list: Data = entries.iter().map(as_data).collect();
    let path = Data::from(place.display.as_str());
    Ok(Output::new(
        title,
        text,
        [("path", path), ("entries", list), ("count", total.into())],
    ))
}

/// A name may hold line ends: it stays on its line.
fn line(entry: &Listed) -> String {
    let path = one_line(&entry.path);
    match entry.entry {
        Entry::Folder => format!("{path}/\n"),
        Entry::File => format!("{path}  ({})\n", counted(entry.size as usize, "byte")),
        other => format!("{path}  ({other})\n"),
    }
}

fn as_data(entry: &Listed) -> Data {
    let kind = match entry.entry {
        Entry::File => "file",
        Entry::Folder => "folder",
        Entry::Link => "link",
        Entry::Missing | Entry::Other(_) | Entry::Unreachable => "other",
    };
    Data::map([
        ("path", entry.path.as_str().into()),
        ("kind", kind.into()),
        ("size", entry.size.into()),
        ("modified", seconds(entry.modified).into()),
    ])
}

/// Seconds since 1970, as scripts compare times.
pub(super) fn seconds(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64())
}
