//! `agent script`: arguments, where a script is looked for, and the scripts that are shipped.
//!
//! What a script can do is proved elsewhere; here it is the command around it.

use std::os::unix::fs::PermissionsExt as _;

use crate::program::Program;

const ECHO: &str = "#!/usr/bin/env -S agent script\n--- Says what it was given.\nprint(select('#', ...), ..., arg[1], arg[0])\n";

#[test]
fn everything_after_the_file_is_the_scripts() {
    let program = Program::new().file("echo.lua", ECHO);
    program
        .run(&["script", "echo.lua", "-o", "json"])
        .prints("2\t-o\t-o\techo.lua\n");
    program
        .run(&["script", "echo.lua"])
        .prints("0\tnil\tnil\techo.lua\n");
    program
        .run(&["script", "echo.lua", "--", "--help"])
        .prints("2\t--\t--\techo.lua\n");
}

#[test]
fn the_first_line_may_name_the_program_and_lines_still_count() {
    let program = Program::new().file(
        "bad.lua",
        "#!/usr/bin/env -S agent script\n--- Bad.\nerror('here')\n",
    );
    program
        .run(&["script", "bad.lua"])
        .exits(1)
        .says("bad.lua:3:");
}

#[test]
fn a_script_can_be_run_by_its_name() {
    let agent = env!("CARGO_BIN_EXE_agent");
    let text = ECHO.replace("/usr/bin/env -S agent", agent);
    let program = Program::new().file("echo", text);
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(program.at("echo"), runs).unwrap();
    let line = "./echo a; cd /; \"$OLDPWD\"/echo b";
    let ran = program.run_after(line, &["eval", ""]);
    ran.prints_part("1\ta\ta\t").prints_part("1\tb\tb\t");
}

#[test]
fn a_dash_reads_the_script_from_stdin() {
    let program = Program::new().stdin("#!x\nprint('from stdin', ...)\n");
    program.run(&["script", "-", "a"]).prints("from stdin\ta\n");
}

#[test]
fn a_name_is_looked_up_in_the_configuration_and_never_here() {
    let here = "--- Here.\nprint('here')\n";
    let program = Program::new()
        .file("hello.lua", here)
        .file("hello", here)
        .file("rename.lua", here);
    program
        .run(&["script", "hello"])
        .exits(2)
        .prints("")
        .says("hello");
    program.write(
        "../config/scripts/hello.lua",
        "--- There.\nprint('there')\n",
    );
    program.run(&["script", "hello"]).prints("there\n");
    program.run(&["script", "./hello"]).prints("here\n");
    program
        .run(&["script", "helo"])
        .exits(2)
        .prints("")
        .says("hello");
    // A person's own outranks what is shipped; what lies here is only reached by its path.
    program
        .run(&["script", "rename", "--help"])
        .prints_part("--dry-run");
    program.write("../config/scripts/rename.lua", "--- Own.\nprint('own')\n");
    program.run(&["script", "rename"]).prints("own\n");
}

#[test]
fn its_options_are_declared_in_one_table() {
    let script = "--- greet: says hello.\nlocal opt = agent.args {
        'name', times = { 'integer', default = 1, minimum = 1 }, loud = { 'boolean', default = false } }
        print(opt.name, opt.times, opt.loud)\n";
    let program = Program::new().file("greet.lua", script);
    program
        .run(&["script", "greet.lua", "you"])
        .prints("you\t1\tfalse\n");
    program
        .run(&["script", "greet.lua", "--times", "3", "--loud", "you"])
        .prints("you\t3\ttrue\n");
    program
        .run(&["script", "greet.lua", "--times=2", "you"])
        .prints("you\t2\tfalse\n");
    program
        .run(&["script", "greet.lua", "--help"])
        .prints_part("--times");
    for (args, wrong) in [
        (&["script", "greet.lua"][..], "NAME"),
        (&["script", "greet.lua", "you", "--tiems", "2"], "--times"),
        (&["script", "greet.lua", "you", "--times", "0"], "times"),
        (&["script", "greet.lua", "you", "--times", "many"], "times"),
        (&["script", "greet.lua", "you", "me"], "me"),
    ] {
        program.run(args).exits(2).prints("").says(wrong);
    }
}

fn to_rename() -> Program {
    Program::new()
        .file(
            "a.rs",
            b"fn old_name() {\r\n    old_name2();\r\n}\r\n".as_slice(),
        )
        .file(
            "sub/b.txt",
            b"\xef\xbb\xbfold_name, not_old_name, old_name".as_slice(),
        )
        .file(
            "latin.txt",
            b"caf\xe9 old_name et cr\xe8me br\xfbl\xe9e\n".as_slice(),
        )
        .file("none.txt", "nothing\n")
        .file(".gitignore", "ignored.txt\n")
        .file("ignored.txt", "old_name\n")
}

const RENAMED: [(&str, &[u8]); 5] = [
    ("a.rs", b"fn new_name() {\r\n    old_name2();\r\n}\r\n"),
    ("sub/b.txt", b"\xef\xbb\xbfnew_name, not_old_name, new_name"),
    ("latin.txt", b"caf\xe9 new_name et cr\xe8me br\xfbl\xe9e\n"),
    ("none.txt", b"nothing\n"),
    ("ignored.txt", b"old_name\n"),
];

#[test]
fn rename_changes_every_use_when_the_tests_pass() {
    let program = to_rename();
    let test = "grep -q new_name a.rs";
    let ran = program.run(&["script", "rename", "old_name", "new_name", "--test", test]);
    ran.prints_part("-fn old_name() {")
        .prints_part("+fn new_name() {");
    assert_eq!(ran.stderr(), "4 uses in 3 files, tests green\n");
    for (path, bytes) in RENAMED {
        assert_eq!(program.bytes(path), bytes, "{path}");
    }
}

#[test]
fn rename_puts_every_byte_back_when_a_test_is_red() {
    let (program, untouched) = (to_rename(), to_rename());
    let test = "echo it is red; false";
    let ran = program.run(&["script", "rename", "old_name", "new_name", "--test", test]);
    ran.exits(1).prints("").says("\nit is red\n");
    ran.says("`echo it is red; false` failed; all 3 files are as before\n");
    assert!(!ran.stderr().contains("try:"), "{ran}");
    for (path, _) in RENAMED {
        assert_eq!(program.bytes(path), untouched.bytes(path), "{path}");
    }
}

#[test]
fn rename_can_be_tried_and_says_when_there_is_nothing_to_do() {
    let (program, untouched) = (to_rename(), to_rename());
    let ran = program.run(&["script", "rename", "old_name", "new_name", "--dry-run"]);
    ran.prints_part("+fn new_name() {").says("nothing changed");
    for (path, _) in RENAMED {
        assert_eq!(program.bytes(path), untouched.bytes(path), "{path}");
    }
    let ran = program.run(&["script", "rename", "no_such_name", "x"]);
    ran.exits(1).prints("").says("used nowhere");
}

#[test]
fn rename_takes_the_new_name_to_the_letter() {
    let program = Program::new().file("a.js", "old_name + 1\n");
    let rename = |new| program.run(&["script", "rename", "old_name", new, "--test", "true"]);
    for wrong in ["two words", "", "new\n"] {
        rename(wrong).exits(1).prints("").says("error (argument)");
        assert_eq!(program.text("a.js"), "old_name + 1\n");
    }
    rename("$0x$1").prints_part("+$0x$1 + 1\n").stderr();
    assert_eq!(program.text("a.js"), "$0x$1 + 1\n");
}

#[test]
fn rename_reaches_the_whole_workspace_from_a_folder_in_it() {
    let program = to_rename().file(".agent/.keep", "");
    let rename = ["-C", "sub", "script", "rename", "old_name", "new_name"];
    let test = ["--test", "grep -q new_name ../a.rs b.txt"];
    let ran = program.run(&[&rename[..], &test].concat());
    ran.prints_part("+++ ../a.rs\n")
        .prints_part("+++ b.txt\n")
        .stderr();
    for (path, bytes) in RENAMED {
        assert_eq!(program.bytes(path), bytes, "{path}");
    }
}
