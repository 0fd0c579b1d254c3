//! A room uses only the floors below its own: never its own floor, never a higher one.
//!
//! `src/lib.rs` is the floor plan, and this file is what holds it true. A new room is entered in
//! both.

use crate::sources::{Source, assert_none, rust_files};

/// The rooms by floor, the bottom floor first.
const FLOORS: [&[&str]; 11] = [
    &["data", "error", "text"],
    &["chat", "edit", "patch", "permission", "redact", "schema"],
    &["store"],
    &["layers", "net", "process"],
    &["code", "files", "mcp", "model", "trust"],
    &["tool"],
    &["gate", "tools"],
    &["agent"],
    &["lua"],
    &["repl", "serve"],
    &["cli"],
];

#[test]
fn no_room_reaches_up_or_sideways() {
    let found = climbs(&rust_files("src"));
    assert_none(&found);
}

#[test]
fn the_floor_plan_lists_the_bottom_floor_first() {
    let plan = include_str!("../../src/lib.rs");
    let found = misplaced(plan);
    assert_none(&found);
}

/// One line for each path that leads to the same floor, a higher one, or to no room at all.
fn climbs(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let Some(room) = source.room() else { continue };
        for reference in source.references() {
            let [root, target, ..] = reference.path.as_slice() else {
                continue;
            };
            if root != "crate" || target == room {
                continue;
            }
            if let Some(fault) = fault(room, target) {
                found.push(format!("{}:{}: {fault}", source.file, reference.line));
            }
        }
    }
    found
}

/// Why `room` may not use `target`, or nothing.
fn fault(room: &str, target: &str) -> Option<String> {
    let Some(own) = floor(room) else {
        return Some(format!(
            "the room `{room}` is on no floor; enter it in tests/it/floors.rs"
        ));
    };
    match floor(target) {
        None => Some(format!(
            "`{room}` uses `crate::{target}`, which is no room; name the room that owns it"
        )),
        Some(other) if other == own => Some(format!(
            "`{room}` uses `{target}`: rooms of one floor ({own}) do not know each other"
        )),
        Some(other) if other > own => Some(format!(
            "`{room}` (floor {own}) uses `{target}` (floor {other}): a room uses lower floors only"
        )),
        Some(_) => None,
    }
}

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// One line for each room of the floor plan that is unknown, out of order or not set apart.
fn misplaced(plan: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut below: Option<usize> = None;
    for group in plan.split("\n\n") {
        let rooms: Vec<&str> = group.lines().filter_map(declared).collect();
        let group_floor = rooms.first().and_then(|room| floor(room));
        for room in rooms {
            let fault = match floor(room) {
                None => "is on no floor; enter it in tests/it/floors.rs".to_owned(),
                own if own != group_floor => {
                    "stands with another floor; a blank line parts floors".to_owned()
                }
                Some(own) if below.is_some_and(|below| own < below) => {
                    format!("(floor {own}) stands above floor {}", below.unwrap_or(own))
                }
                own if own == below => "stands apart from the rest of its floor".to_owned(),
                Some(_) => continue,
            };
            found.push(format!("src/lib.rs: `{room}` {fault}"));
        }
        below = below.max(group_floor);
    }
    found
}

/// The module that a line of the plan declares.
fn declared(line: &str) -> Option<&str> {
    line.trim_start_matches("pub ")
        .strip_prefix("mod ")?
        .strip_suffix(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(file: &str, text: &str) -> Vec<String> {
        climbs(&[Source::parse(file, text)])
    }

    #[test]
    fn an_import_that_climbs_is_reported_with_its_line() {
        assert_eq!(
            faults("src/chat/mod.rs", "use crate::{error, tools::grep};"),
            [
                "src/chat/mod.rs:1: `chat` (floor 1) uses `tools` (floor 6): a room uses lower floors only"
            ]
        );
        let hidden = "fn f() { dbg!(super::super::cli::run()); }";
        assert_eq!(faults("src/lua/vm.rs", hidden).len(), 1);
        let in_tests = "mod tests { fn f() { crate::gate::open(); } }";
        assert_eq!(faults("src/tool/spec.rs", in_tests).len(), 1);
    }

    #[test]
    fn an_import_that_goes_sideways_or_nowhere_is_reported() {
        let sideways = faults("src/gate/mod.rs", "fn f() -> crate::tools::List { todo() }");
        assert!(sideways[0].ends_with("rooms of one floor (6) do not know each other"));
        let nowhere = faults("src/gate/mod.rs", "use crate::prelude::*;");
        assert!(nowhere[0].contains("which is no room"));
        let stranger = faults("src/attic/mod.rs", "use crate::error;");
        assert!(stranger[0].contains("`attic` is on no floor"));
    }

    #[test]
    fn what_stays_inside_or_goes_down_is_fine() {
        let text = "use crate::{edit, error::ToolError, text}; use super::chain; use std::fmt;";
        assert_eq!(faults("src/edit/simple.rs", text), [""; 0]);
    }

    #[test]
    fn a_plan_out_of_order_is_reported() {
        let good = "// 0\npub mod data;\npub mod text;\n\n// 2\npub mod store;\n";
        assert_eq!(misplaced(good), [""; 0]);
        for (plan, fault) in [
            (
                "pub mod store;\n\npub mod text;\n",
                "`text` (floor 0) stands above floor 2",
            ),
            (
                "pub mod text;\npub mod store;\n",
                "a blank line parts floors",
            ),
            (
                "pub mod data;\n\npub mod text;\n",
                "stands apart from the rest of its floor",
            ),
            ("mod attic;\n", "enter it in tests/it/floors.rs"),
        ] {
            assert!(misplaced(plan)[0].ends_with(fault), "{:?}", misplaced(plan));
        }
    }
}
