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

#[test]
fn a_script_that_leaves_answers_of_its_scripted_model_fails() {
    let program = program(3).file(
        "ask.lua",
        "print(agent.ask('well?').text) os.exit(tonumber(arg[1]))\n",
    );
    let ask = |words: &[&str]| program.run(&[&["-m", "script:../model.jsonl"], words].concat());
    let left = "../model.jsonl:2: 2 of 3 answers were not asked for";
    ask(&["eval", "agent.ask('well?').text"])
        .exits(5)
        .says(left);
    let ran = ask(&["script", "ask.lua", "0"]);
    ran.exits(5).says(left);
    assert_eq!(ran.stdout(), "Yes.\n");
    let document = ask(&["eval", "-o", "json", "agent.ask('well?').text"])
        .exits(5)
        .json();
    assert_eq!(document["error"]["kind"], "provider", "{document}");
    // What failed by itself fails as it did.
    ask(&["script", "ask.lua", "7"]).exits(7).prints("Yes.\n");
}

#[test]
fn no_script_has_a_model_act_without_a_file_that_may_hold_hooks() {
    let program = program(1).file(
        "../config/init.lua",
        "agent.on('tool.before', function() return 'deny' end) error('x')\n",
    );
    let ran = program.run(&[
        "-m",
        "script:../model.jsonl",
        "eval",
        "agent.ask('well?').text",
    ]);
    ran.exits(1)
        .says("a file that may hold hooks does not load, and a model would act without them");
    program
        .run(&["eval", "1 + 1"])
        .exits(0)
        .prints("2\n")
        .says("init.lua");
}

#[test]
fn what_a_prompt_prints_is_no_output_of_the_script_and_its_arguments_stay() {
    let prompt = "print('from the prompt', arg and #arg) return 'Be short.'";
    let program = program(1)
        .file("../config/lua/own.lua", prompt)
        .file("../config/tools/agents.lua", "return { own = { prompt = 'own' } }")
        .file("ask.lua", "agent.ask('well?', { profile = 'own' }) print(arg[0], ...) print(table.concat(arg, ' '))\n");
    let ran = program.run(&["-m", "script:../model.jsonl", "script", "ask.lua", "a", "b"]);
    ran.prints("ask.lua\ta\tb\na b\n")
        .says("from the prompt\t2");
}

#[test]
fn rules_that_a_script_lays_down_may_use_any_name_of_a_tool_and_no_name_of_none() {
    let calls = r#"{"calls":[{"tool":"shell","args":{"command":"echo x > made"}}]}"#;
    for rule in ["shell", "bash", "Bash", "shell:*", "command.run"] {
        let program =
            Program::new().file("../model.jsonl", format!("{calls}\n{{\"say\":\"No.\"}}\n"));
        let code =
            format!("local r = agent.ask('go', {{ deny = {{ '{rule}' }} }}) return r.status");
        let args = [
            "--mode",
            "bypass",
            "-m",
            "script:../model.jsonl",
            "eval",
            &code,
        ];
        program.run(&args).prints("blocked\n");
        assert!(!program.at("made").exists(), "{rule}");
    }
    let program = program(1);
    for (option, rule) in [("deny", "shel"), ("allow", "edti:src/**")] {
        let code = format!("agent.ask('go', {{ {option} = {{ '{rule}' }} }})");
        let ran = program.run(&["-m", "script:../model.jsonl", "eval", &code]);
        ran.exits(1)
            .says(&format!("{option} '{rule}': there is no tool or group"));
        assert!(ran.stderr().contains("did you mean"), "{ran}");
    }
}

#[test]
fn what_a_tool_is_given_for_its_own_calls_may_use_any_name_of_a_tool() {
    for (rule, ends, exit) in [
        ("bash:git status", "done", 0),
        ("bash:git log", "blocked", 3),
    ] {
        let tool = format!(
            "return {{ effect = 'read', authority = {{ '{rule}' }}, execute = function() return tools.shell('git status').output end }}"
        );
        let program = Program::new().file("../config/tools/maker.lua", tool).file(
            "../model.jsonl",
            "{\"calls\":[{\"tool\":\"maker\",\"args\":{}}]}\n{\"say\":\"Made.\"}\n",
        );
        let document = program
            .run(&["-m", "script:../model.jsonl", "run", "go", "-o", "json"])
            .exits(exit)
            .json();
        assert_eq!(document["status"], ends, "{document}");
    }
}
