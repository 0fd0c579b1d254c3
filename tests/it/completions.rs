//! `agent completions SHELL`: a script that the shell can read.
//!
//! It names every command, and bash completes from it.

use std::process::{Command, Stdio};

use crate::program::Program;

#[test]
fn every_shell_gets_a_script() {
    let program = Program::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = program.run(&["completions", shell]);
        for word in ["script", "eval", "call", "tools", "doctor", "output"] {
            ran.prints_part(word);
        }
    }
}

/// What bash offers for the last of these words.
fn offered(program: &Program, words: &str) -> String {
    program.write("agent.bash", program.run(&["completions", "bash"]).stdout());
    let line = format!(
        "source agent.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _agent agent \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[@]}}\""
    );
    let output = Command::new("bash")
        .args(["--norc", "-c", &line])
        .current_dir(program.at("."))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn bash_completes_commands_tools_and_scripts() {
    let program = Program::new()
        .file("../config/tools/redo.lua", "error 'it ran'")
        .file("../config/tools/permissions.lua", "error 'it ran'")
        .file("../config/tools/re $(touch ran) x.lua", "")
        .file("../config/scripts/report.lua", "error 'it ran'");
    assert_eq!(offered(&program, "agent scr"), "script");
    assert_eq!(offered(&program, "agent call re"), "read redo");
    assert_eq!(offered(&program, "agent tools gl"), "glob");
    assert_eq!(offered(&program, "agent call pe"), "");
    assert_eq!(offered(&program, "agent script re"), "rename report");
    assert!(!program.at("ran").exists());
}

#[test]
fn without_a_configuration_the_shipped_names_are_there() {
    let program = Program::new();
    let ran = program
        .env("AGENT_CONFIG_DIR", "inside")
        .run(&["completions", "zsh"]);
    ran.prints_part("glob").prints_part("_files");
}
