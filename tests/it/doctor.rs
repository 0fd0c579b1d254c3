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
fn the_model_that_is_meant_is_named_and_no_key_is_shown() {
    let doctor = |program: &Program| program.run(&["doctor"]).exits(0).stdout().to_owned();
    let program = Program::new().env("GEMINI_API_KEY", "secret-of-ours");
    let found = doctor(&program);
    assert!(
        found.contains("none is chosen; providers: anthropic (ANTHROPIC_API_KEY is not set), gemini (GEMINI_API_KEY is set)"),
        "{found}"
    );
    assert!(!found.contains("secret-of-ours"), "{found}");

    let near = "return { default = 'near/m', providers = { near = { kind = 'openai_chat', \
                base_url = 'http://127.0.0.1:1/v1' } } }";
    let program = Program::new().file("../config/tools/models.lua", near);
    let found = doctor(&program);
    let line = "ok   models     near/m at http://127.0.0.1:1/v1; needs no key";
    assert!(found.contains(line), "{found}");

    let keyed = "return { default = 'gemini/g' }";
    let program = Program::new().file("../config/tools/models.lua", keyed);
    let found = doctor(&program);
    assert!(
        found.contains("warn models") && found.contains("GEMINI_API_KEY is not set"),
        "{found}"
    );
}

#[test]
fn a_missing_shell_is_named() {
    let program = Program::new().env("PATH", "/nowhere");
    let ran = program.run(&["doctor"]);
    ran.exits(1).prints_part("bash").stderr();
}
