//! A script that asks a model: what the command line limits, what the project's trust allows, and many questions in a row.

use crate::program::Program;

/// A workspace with a model that answers `many` times.
fn program(many: usize) -> Program {
    Program::new().file("../model.jsonl", "{\"say\":\"Yes.\"}\n".repeat(many))
}

#[test]
fn what_the_command_line_limits_holds_for_all_questions_together() {
    let program = program(3);
    let code = "for n = 1, 3 do print(agent.ask('well?').text) end";
    let args = ["-m", "script:../model.jsonl", "eval", code];
    program.run(&args).prints("Yes.\nYes.\nYes.\n");
    for (option, value) in [("--max-steps", "2"), ("--max-tokens", "8")] {
        let ran = program.run(&[&[option, value], &args[..]].concat());
        ran.exits(4).says(&format!(
            "{} is reached",
            option.trim_start_matches("--").replace('-', "_")
        ));
        assert!(ran.stdout().len() < 15, "{ran}");
    }
}

#[test]
fn no_script_has_a_model_act_without_the_policy_of_a_project_that_is_not_trusted() {
    let program = program(1).file(".agent/tools/permissions.lua", "return {}\n");
    let ask = [
        "-m",
        "script:../model.jsonl",
        "eval",
        "agent.ask('well?').text",
    ];
    let ran = program.run(&ask);
    ran.exits(1)
        .says("the project's policy is not trusted, and a model would act without it");
    let ran = program.run(&[&["--untrusted=ignore"], &ask[..]].concat());
    ran.prints("Yes.\n").stderr();
    // What asks no model is as it was.
    let ran = program.run(&["eval", "1 + 1"]);
    ran.prints("2\n").stderr();
}

#[test]
fn many_questions_hold_no_more_files_open_than_a_few() {
    let program = program(100);
    let code = "for n = 1, 100 do agent.ask('well?') end print('done')";
    let args = ["-m", "script:../model.jsonl", "eval", code];
    program.run_after("ulimit -n 64", &args).prints("done\n");
}
