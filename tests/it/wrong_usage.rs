//! Wrong usage: exit 2, a way out that fits, and one document where a document was asked for.
//!
//! What the codes are is in `exit_codes.rs`; here stands what is said.

use crate::program::Program;
use crate::running::Ran;

/// Asserts one document of the kind `argument` whose message and hint hold these words.
fn is_document(ran: &Ran, message: &str, hint: &str) {
    let document = ran.exits(2).json();
    assert_eq!(document["ok"], false, "{ran}");
    let error = &document["error"];
    assert_eq!(error["kind"], "argument", "{ran}");
    let said = |field: &str| error[field].as_str().unwrap().to_owned();
    assert!(said("message").contains(message), "{ran}");
    assert!(!said("message").contains("try"), "{ran}");
    assert!(said("hint").contains(hint), "{ran}");
    assert!(error["detail"].is_object(), "{ran}");
}

#[test]
fn a_document_is_one_for_wrong_usage_too() {
    let program = Program::new().file("s.lua", "--- Takes NAME.\nagent.args { 'name' }\n");
    for (args, message, hint) in [
        (&["scirpt"][..], "scirpt", "script"),
        (&["--outptu", "x", "tools"], "--outptu", "--output"),
        (&["eval"], "CODE", "--help"),
        (&["call"], "TOOL", "agent call"),
        (&[], "subcommand", "--help"),
        (&["-C", "nowhere", "tools"], "nowhere", "-C"),
        (&["--timeout", "soon", "tools"], "soon", "--help"),
        (&["--deny", "", "tools"], "--deny", ""),
        (&["eval", "--as", "model", "1"], "person", "agent call"),
        (&["call", "read", "a", "b"], "'b'", "one JSON object"),
        (&["script", "nope.lua"], "nope.lua", "Lua file"),
        (&["script", "s.lua"], "NAME", "s.lua NAME"),
    ] {
        let json = [&["-o", "json"], args].concat();
        is_document(&program.run(&json), message, hint);
        let lines = [&["--output=jsonl"], args].concat();
        let ran = program.run(&lines);
        is_document(&ran, message, hint);
        assert_eq!(ran.json()["type"], "result");
    }
    let program = Program::new().env("AGENT_OUTPUT", "json");
    is_document(&program.run(&["nope"]), "nope", "--help");
    is_document(&program.run(&["eval"]), "CODE", "--help");
    program
        .run(&["nope", "-o", "text"])
        .exits(2)
        .prints("")
        .says("nope");
    let program = program.env("AGENT_TIMEOUT", "never");
    is_document(&program.run(&["tools"]), "AGENT_TIMEOUT", "unset");
}

#[test]
fn arguments_that_are_no_object_show_how_it_is_done() {
    let program = Program::new().file("a", "x");
    for args in [
        &["call", "read", "a", "b"][..],
        &["call", "read", "--limit", "1", "a"],
    ] {
        let ran = program.run(args);
        ran.exits(2)
            .prints("")
            .says("arguments are one JSON object")
            .says("'{\"path\"");
    }
}

#[test]
fn a_script_that_is_not_there_offers_what_is() {
    let program = Program::new()
        .file("sizes.lua", "--- Sizes.\n")
        .file("../config/scripts/hello.lua", "--- Hello.\n");
    for (args, said) in [
        (&["script", "sizes"][..], "did you mean `sizes.lua`?"),
        (&["script", "size.lua"], "did you mean `sizes.lua`?"),
        (&["script", "./size.lua"], "did you mean `./sizes.lua`?"),
        (&["script", "quite-other.lua"], "try: name a Lua file\n"),
        (&["script", "helo"], "did you mean `hello`?"),
        (&["script", "quite-other"], "one of rename, hello"),
        (&["--no-config", "script", "quite-other"], "one of rename\n"),
    ] {
        program.run(args).exits(2).prints("").says(said);
    }
}

#[test]
fn a_script_called_wrongly_says_so_as_every_command_does() {
    let program = Program::new().file("s.lua", "--- Takes NAME.\nagent.args { 'name' }\n");
    let ran = program.run(&["script", "s.lua"]);
    ran.exits(2)
        .prints("")
        .says("error: s.lua: missing NAME\n  try: ");
    assert!(!ran.stderr().contains("\n\n"), "{ran}");
}

#[test]
fn the_words_of_a_script_need_no_advice() {
    let ran = Program::new().run(&["eval", "error('no luck')"]);
    ran.exits(1).prints("");
    assert_eq!(ran.stderr(), "error (failed): eval:1: no luck\n");
    let ran = Program::new().run(&[
        "eval",
        "error{ kind = 'failed', message = 'm', hint = 'h' }",
    ]);
    ran.exits(1).says("  try: h");
}

#[test]
fn the_clock_says_how_long_it_was() {
    let program = Program::new();
    let ran = program.run(&["--timeout", "0.3", "eval", "agent.sleep(60)"]);
    ran.exits(124)
        .says("error: --timeout of 0.3 s passed; give it longer\n");
    let document = program
        .run(&[
            "-o",
            "json",
            "--timeout",
            "0.3",
            "call",
            "shell",
            "sleep 60",
        ])
        .exits(124)
        .json();
    assert_eq!(document["tool"], "shell");
    let error = &document["error"];
    assert_eq!(
        [&error["kind"], &error["message"], &error["hint"]],
        ["timeout", "--timeout of 0.3 s passed", "give it longer"]
    );
}

#[test]
fn help_ends_with_an_example_and_the_codes() {
    let program = Program::new();
    for command in ["call", "script", "eval"] {
        let ran = program.run(&[command, "--help"]);
        ran.prints_part(&format!("Example:\n  agent {command} "))
            .prints_part("exits with 1");
        program.run(&["help", command]).prints(ran.stdout());
    }
    let ran = program.run(&["--help"]);
    ran.prints_part("Exit codes: 0 done");
    program.run(&["help"]).prints(ran.stdout());
}

#[test]
fn a_dash_is_stdin_for_code_too_and_a_line_end_no_argument() {
    let program = Program::new()
        .file("a.txt", "hello\n")
        .stdin("return 1 + 1\n");
    program.run(&["eval", "-"]).prints("2\n");
    let program = program.stdin("a.txt\n");
    program.run(&["call", "read", "-"]).prints_part("hello");
}

#[test]
fn what_was_meant_as_an_object_is_no_text() {
    let program = crate::program::Program::new();
    for given in [
        r#"{path:"x.txt",content:"y"}"#,
        "{path = 'x.txt'}",
        "{'path': 'x'}",
    ] {
        for words in [
            &["call", "write", given][..],
            &["permissions", "explain", "write", given],
        ] {
            let ran = program.run(words);
            ran.exits(2)
                .says("the arguments are no JSON")
                .says("double quotes");
            assert!(ran.stderr().contains("column"), "{ran}");
        }
    }
    // A pattern or a command may begin so.
    program
        .run(&["call", "glob", "{a,b}.txt"])
        .exits(0)
        .stdout();
    program
        .run(&["call", "shell", "{ echo hi; }"])
        .prints_part("hi");
    let patch = program.run(&["call", "apply_patch", "{patch: 1}"]);
    patch
        .exits(1)
        .says("it was taken as text, since it is no JSON");
}

#[test]
fn a_text_that_is_no_patch_is_told_what_form_is_wanted() {
    let program = crate::program::Program::new().file("my patch.diff", "x");
    let call = |text: &str| program.run(&["call", "apply_patch", text]);
    call("my patch.diff")
        .exits(1)
        .says("agent call apply_patch - < 'my patch.diff'");
    call("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
        .exits(1)
        .says("a unified diff is another form")
        .says("*** Begin Patch");
    call("*** Begin Patch\nnonsense\n*** End Patch")
        .exits(1)
        .says("mend that line");
    program
        .run(&["tools", "apply_patch"])
        .prints_part("- < FILE");
}

#[test]
fn a_model_that_has_not_read_is_told_how_both_are_tried() {
    let program = crate::program::Program::new().file("a.txt", "one\n");
    let edit = r#"{"path":"a.txt","old":"one","new":"two"}"#;
    program
        .run(&["--as", "model", "--allow", "edit", "call", "edit", edit])
        .exits(1)
        .says("read it first, in the same process")
        .says("agent.replay { { tool = \"read\"");
}
