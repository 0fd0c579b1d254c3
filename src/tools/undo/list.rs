//! The units of the journal as they are listed: as data and as lines.
//!
//! What is undone, and whether it may be, is decided elsewhere.

use std::time::SystemTime;

use crate::data::Data;
use crate::files::Unit;
use crate::store::stamp;
use crate::text::{counted, named};

/// How many paths of a unit its line names.
const NAMED: usize = 4;

/// The units as data, each `{ id, time, session, tools, paths, commits, undoes? }`, times as `2026-11-30T19:15:00Z`.
pub fn as_data(units: &[Unit]) -> Data {
    units.iter().map(one).collect()
}

/// The units as text, one a line.
pub fn as_text(units: &[Unit]) -> String {
    units.iter().map(line).collect()
}

fn one(unit: &Unit) -> Data {
    let list = |texts: &[String]| texts.iter().map(|text| Data::from(text.as_str())).collect();
    Data::map([
        ("id", Data::from(unit.id.as_str())),
        ("time", when(unit.time).into()),
        ("session", unit.session.as_str().into()),
        ("tools", list(&unit.tools)),
        ("paths", list(&unit.paths)),
        ("commits", unit.commits.into()),
        ("undoes", unit.undoes.as_deref().into()),
    ])
}

fn line(unit: &Unit) -> String {
    let paths = named(&unit.paths, NAMED);
    let what = match &unit.undoes {
        Some(undone) => format!("undo of {undone}"),
        None => unit.tools.join(", "),
    };
    let commits = counted(unit.commits, "change");
    format!(
        "{}  {}  {what}  {commits}  {paths}\n",
        unit.id,
        when(unit.time)
    )
}

/// `2026-11-30T19:15:00Z`.
fn when(time: SystemTime) -> String {
    let digits = stamp(time);
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(9, 11),
        part(11, 13),
        part(13, 15)
    )
}
