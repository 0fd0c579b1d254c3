//! Slips in policy files and broken files of hooks: a guard that would guard nothing is told of, or nothing runs.
//!
//! What policies do when they are right is tested beside the layers.

use crate::program::Program;

const WARNS: [(&str, &str, &[&str]); 7] = [
    (
        "surfaces",
        "return { comand = { enabled = false } }",
        &[
            "the surface `comand` (",
            "tools/surfaces.lua) has no tools",
            "did you mean command?",
        ],
    ),
    (
        "surfaces",
        "return { fiel = { description = 'Files.', params = { folders = { 'src' } } } }",
        &["the surface `fiel` (", "has no tools", "did you mean file?"],
    ),
    (
        "surfaces",
        "return { mine = { tools = { 'shel' }, enabled = false } }",
        &[
            "the surface `mine` (",
            "lists `shel`, and there is no such tool; did you mean shell?",
        ],
    ),
    (
        "surfaces",
        "return { mine = { tools = { 'bash' }, enabled = false } }",
        &["lists `bash`, which is another name of `shell`"],
    ),
    (
        "surfaces",
        "return { a = { tools = { 'shell' } }, b = { tools = { 'shell' }, enabled = false } }",
        &[
            "the surfaces `a` (",
            "and `b` (",
            "both list `shell`; it belongs to `a`",
        ],
    ),
    (
        "truncation",
        "return { gerp = { lines = 3 } }",
        &[
            "the truncation (",
            "tools/truncation.lua) names `gerp`, and there is no such tool; did you mean grep?",
        ],
    ),
    (
        "truncation",
        "return { bash = function() end }",
        &["names `bash`, which is another name of `shell`"],
    ),
];

#[test]
fn what_a_policy_says_of_what_is_not_there_is_told_with_its_file_and_the_name_that_was_meant() {
    for (policy, text, told) in WARNS {
        let program = Program::new().file(&format!("../config/tools/{policy}.lua"), text);
        let ran = program.run(&["eval", "1"]);
        ran.prints("1\n");
        for part in told {
            ran.says(part);
        }
        let lines = ran.stderr();
        assert_eq!(lines.lines().count(), 1, "{text}: {lines}");
    }
}

#[test]
fn a_slip_is_told_of_at_a_reload_too() {
    let program = Program::new().file("../config/tools/surfaces.lua", "return {}");
    let code = "local f = io.open(arg[1], 'w') f:write('return { comand = { enabled = false } }') f:close() agent.reload()";
    let path = program.at("../config/tools/surfaces.lua");
    let program = program.file("s.lua", code);
    program
        .run(&["script", "s.lua", &path.to_string_lossy()])
        .says("the surface `comand` (")
        .says("did you mean command?");
}

#[test]
fn what_is_right_is_not_told_of() {
    let program = Program::new()
        .file(
            "../config/tools/surfaces.lua",
            "return { later = { description = 'For tools of another day.' }, mine = { tools = { 'shell' }, params = { write = true } } }",
        )
        .file("../config/tools/truncation.lua", "return { grep = { lines = 3 }, default = { lines = 9 } }");
    program.run(&["eval", "1"]).prints("1\n");
}

#[test]
fn a_policy_that_returns_nothing_is_broken() {
    for (name, text) in [
        ("permissions", "local rules = { { 'read', 'deny' } }"),
        ("surfaces", ""),
        ("redaction", "-- later\nreturn"),
    ] {
        let program = Program::new().file(&format!("../config/tools/{name}.lua"), text);
        program
            .run(&["call", "read", "x"])
            .exits(2)
            .says("a policy does not load")
            .says(&format!("tools/{name}.lua"))
            .says("returns nothing")
            .says("put `return` before its table");
    }
}

#[test]
fn a_policy_that_lost_its_return_goes_on_to_hold_at_a_reload() {
    let program = Program::new()
        .file("../config/tools/permissions.lua", "return { rules = { { 'read', 'deny' } } }")
        .file(
            "s.lua",
            "local f = io.open(arg[1], 'w') f:write('local x = { rules = {} }') f:close() agent.reload() print(select(2, agent.try(tools.read, 's.lua')).kind)",
        );
    let path = program.at("../config/tools/permissions.lua");
    program
        .run(&["script", "s.lua", &path.to_string_lossy()])
        .prints("denied\n")
        .says("returns nothing")
        .says("what it gave before is still there");
}

#[test]
fn the_start_says_which_field_was_meant() {
    let program = Program::new().file("../config/tools/permissions.lua", "return { ruls = {} }");
    program
        .run(&["eval", "1"])
        .exits(2)
        .says("there is no field `ruls`")
        .says("did you mean `rules`?")
        .says("less would be guarded");
}

#[test]
fn a_model_does_not_act_without_a_file_that_may_hold_its_hooks() {
    let broken = "agent.on('tool.before', function() return 'deny', 'no' end)\nnonsense(";
    for (place, text) in [
        ("../config/init.lua", broken),
        ("../config/tools/guard.lua", broken),
        (
            "t/guard.lua",
            "agent.on('tool.before', function() end) error 'late'",
        ),
    ] {
        let program = Program::new().file("x.txt", "x\n").file(place, text);
        let with = |words: &[&str]| {
            let named: &[&str] = match place.starts_with("t/") {
                true => &["--tools", "t"],
                false => &[],
            };
            program.run(&[named, words].concat())
        };
        let as_model = ["--as", "model", "call", "read", "x.txt"];
        let ran = with(&as_model);
        ran.exits(2)
            .says("a model would act without them")
            .says(place.trim_start_matches("../config/"));
        assert_eq!(ran.stdout(), "", "{place}");
        // For a person it is a warning.
        with(&["call", "read", "x.txt"])
            .prints_part("x\n")
            .says("not loaded");
    }
}

#[test]
fn a_model_acts_where_a_file_without_hooks_is_broken() {
    let program = Program::new()
        .file("x.txt", "x\n")
        .file("../config/tools/other.lua", "return {");
    program
        .run(&["--as", "model", "call", "read", "x.txt"])
        .prints_part("x\n")
        .says("not loaded");
}

#[test]
fn a_rule_and_a_limit_say_in_which_file_they_stand() {
    let program = Program::new()
        .file("x.txt", "x\n")
        .file(
            "t/permissions.lua",
            "return { rules = { { 'read', 'x.txt', 'deny' } } }",
        )
        .file(
            "u/surfaces.lua",
            "return { file = { params = { folders = { 'src' } } } }",
        )
        .file("AGENTS.md", "```permissions\nask edit:x.txt\n```\n");
    program
        .run(&["--tools", "t", "call", "read", "x.txt"])
        .exits(3)
        .says("the rule `read:x.txt` (user, t/permissions.lua)");
    program
        .run(&["--tools", "u", "call", "read", "x.txt"])
        .exits(3)
        .says("limited to, folders: src (u/surfaces.lua)");
    program
        .run(&["call", "delete", "x.txt"])
        .exits(3)
        .says("(project instructions, AGENTS.md)");
}
