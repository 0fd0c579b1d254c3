//! Commands that would slip past what was said about them: the real program refuses them, and nothing has happened.

use crate::program::Program;

/// A model with these rules runs `line`: it is refused.
fn refused(program: &Program, rules: &[&str], line: &str) {
    let start = ["--as", "model"];
    let words = [&start, rules, &["call", "shell", line]].concat();
    let ran = program.run(&words);
    assert_ne!(ran.code(), 0, "{line}: {ran}");
    assert!(
        !ran.stderr().is_empty() && ran.stdout().is_empty(),
        "{line}: {ran}"
    );
}

#[test]
fn no_line_makes_a_reading_command_run_what_the_workspace_holds() {
    let program = Program::new();
    program.write("0/ls", "#!/bin/sh\ntouch \"$HOME/ran\"\n");
    let made = std::process::Command::new("chmod")
        .arg("755")
        .arg(program.at("0/ls"))
        .status();
    assert!(made.expect("chmod runs").success());
    for line in [
        "printf '%n' PATH; ls",
        "printf '%5n' PATH; ls",
        "for PATH in 0; do ls; done",
        "printf -v PATH 0; ls",
        "read PATH <<< 0; ls",
        ": $((PATH=0)); ls",
        ": ${PATH:=0}; ls",
    ] {
        refused(&program, &["--allow", "shell:printf *"], line);
    }
    assert!(!program.at("../home/ran").exists());
}

#[test]
fn folders_are_not_compared_through_links_that_leave_them() {
    let program = Program::new()
        .file("x1/a", "a\n")
        .file("../outside", "canary\n");
    program.write("x2/b", "");
    std::os::unix::fs::symlink(program.at("../outside"), program.at("x2/a")).expect("a link");
    for line in ["diff x1 x2", "diff -q x1 x2", "diff x2 x1/a"] {
        let ran = program.run(&["--as", "model", "call", "shell", line]);
        assert_ne!(ran.code(), 0, "{line}: {ran}");
        let said = format!("{}{}", ran.stdout(), ran.stderr());
        assert!(!said.contains("canary"), "{line}: {ran}");
    }
}

#[test]
fn nothing_is_removed_from_a_folder_that_nobody_knows_or_by_a_name_that_nobody_does() {
    let program = Program::new().file("a", "a\n").file("sub/b", "b\n");
    for line in [
        "set -e; rm -rf ../workspace",
        "shopt -s nullglob; rm -rf ../workspace",
        "command true; rm -rf ../workspace",
        "cd -; rm -rf a",
        "cd \"$X\"; rm -rf a",
        "cd sub*; cd ..; rm -rf a",
        "rm -rf \"$PWD\"",
        "rm -rf `pwd`",
        "rm -rf ~+",
        "rm -rf $HOME",
        "eval 'rm -rf ../workspace'",
        "bash -c 'set -e; rm -rf ../workspace'",
        "exec rm -rf ../workspace",
    ] {
        refused(&program, &["--mode", "bypass"], line);
    }
    assert_eq!(
        (program.text("a"), program.text("sub/b")),
        ("a\n".into(), "b\n".into())
    );
    assert!(program.at("../home").exists());
}
