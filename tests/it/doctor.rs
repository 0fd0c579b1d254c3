//! `agent doctor`: a list of checks, each with what it found and what to do.
//!
//! Each check is tried on a machine, or an environment, that fails it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use crate::program::Program;

#[test]
fn a_sound_machine_passes() {
    let program = Program::new();
    let ran = program.run(&["doctor"]);
    for check in ["config", "state", "bash"] {
        ran.prints_part(check);
    }
    let document = program.run(&["doctor", "-o", "json"]).json();
    let checks = document["checks"].as_array().unwrap();
    assert!(checks.len() >= 3);
    assert!(
        checks
            .iter()
            .all(|check| check["name"].is_string() && check["ok"] == true)
    );
}

#[test]
fn a_state_folder_that_others_can_read_is_named() {
    let program = Program::new();
    let state = program.at("../state");
    std::fs::set_permissions(&state, Permissions::from_mode(0o777)).unwrap();
    let ran = program.run(&["doctor"]);
    assert!(ran.stdout().contains("state"), "{ran}");
    ran.exits(1).stderr();
}

#[test]
fn what_does_not_load_is_named() {
    let program = Program::new().file("../config/tools/permissions.lua", "return {");
    program
        .run(&["doctor"])
        .exits(1)
        .prints_part("FAIL loading    a policy does not load")
        .prints_part("permissions.lua:1:");
    let program = Program::new().file("../config/tools/x.lua", "return {");
    program
        .run(&["doctor"])
        .exits(1)
        .prints_part("FAIL loading    1 fault in what is loaded")
        .says("x.lua:1:");
}

#[test]
fn a_missing_shell_is_named() {
    let program = Program::new().env("PATH", "/nowhere");
    let ran = program.run(&["doctor"]);
    ran.exits(1).prints_part("bash").stderr();
}
