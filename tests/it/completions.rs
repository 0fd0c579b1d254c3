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

#[test]
fn bash_completes_commands() {
    let program = Program::new();
    program.write("agent.bash", program.run(&["completions", "bash"]).stdout());
    let line = "source agent.bash; COMP_WORDS=(agent scr); COMP_CWORD=1
        _agent agent scr agent; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", line])
        .current_dir(program.at("."))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "script\n",
        "{output:?}"
    );
}
