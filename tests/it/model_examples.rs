//! The examples that ask a model, as their reader would run them, with answers out of a file.

use crate::program::Program;
use crate::sources::files_below;

fn program(answers: &str) -> Program {
    let examples = files_below("examples", "lua").into_iter();
    let program = examples.fold(Program::new(), |program, (path, text)| {
        program.file(&path, text)
    });
    program
        .file("../model.jsonl", answers)
        .file("a.txt", "one\n")
}

const MENDS: &str = r#"{"expect":{"tools":["read","edit"]},"calls":[{"tool":"read","args":{"path":"a.txt"}},{"tool":"edit","args":{"path":"a.txt","old":"one","new":"two"}}]}
{"expect":{"results":[{"ok":true},{"ok":true}]},"say":"It says two now."}
"#;

#[test]
fn own_loop_has_calls_made_and_prints_the_answer() {
    let program = program(MENDS);
    let args = [
        "--mode",
        "auto_edit",
        "-m",
        "script:../model.jsonl",
        "script",
        "examples/own_loop.lua",
        "say two",
    ];
    program
        .run(&args)
        .prints("It says two now.\n")
        .says("step 1: 2 calls");
    assert_eq!(program.text("a.txt"), "two\n");
}

#[test]
fn fix_with_model_asks_until_the_test_passes() {
    let program = program(MENDS);
    let args = [
        "-m",
        "script:../model.jsonl",
        "script",
        "examples/fix_with_model.lua",
        "--test",
        "grep -q two a.txt",
    ];
    program
        .run(&args)
        .prints("green; the model was asked 1 times, for 0.0000 USD\n")
        .stderr();
    assert_eq!(program.text("a.txt"), "two\n");
}
