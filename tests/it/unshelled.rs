//! Commands without a shell between: which are run so, and that nobody can tell but by the shell that is missing.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::program::Program;

/// A world in which a bash stands first in the `PATH` that says on standard error that it was there.
struct World {
    program: Program,
}

impl World {
    fn new() -> World {
        let program = Program::new()
            .file(
                "bin/bash",
                "#!/bin/sh\necho shelled >&2\nexec /bin/bash \"$@\"\n",
            )
            .file(
                "plain",
                "echo \"read as $0 $1 by ${BASH_VERSION:+bash}\"; exit 4\n",
            )
            .file("lost", "#!/no/such/interpreter\n")
            .file("closed", "#!/bin/sh\n");
        for (name, mode) in [
            ("bin/bash", 0o755),
            ("plain", 0o755),
            ("lost", 0o755),
            ("closed", 0o644),
        ] {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(program.at(name), permissions).unwrap();
        }
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", program.at("bin").display());
        World {
            program: program.env("PATH", path),
        }
    }

    fn ran(&self, arguments: &Value) -> Value {
        let call = ["call", "shell", &arguments.to_string(), "-o", "json"];
        self.program.run(&call).json()["metadata"].take()
    }

    /// What the line printed, its exit code, and whether a shell was there.
    fn line(&self, line: &str) -> (String, String, i64, bool) {
        let ran = self.ran(&json!({ "command": line }));
        let text = |stream: &str| ran[stream].as_str().unwrap().to_owned();
        let stderr = text("stderr");
        let said = stderr.replacen("shelled\n", "", 1);
        let was_there = said.len() < stderr.len();
        (
            text("stdout"),
            said,
            ran["exit_code"].as_i64().unwrap(),
            was_there,
        )
    }
}

#[test]
fn a_plain_command_is_run_by_nobody_else_and_all_else_by_bash() {
    let world = World::new();
    for line in [
        "ls bin",
        "cat 'plain' \"plain\"",
        "/bin/ls",
        "env",
        "sh -c 'echo a; exit 3'",
    ] {
        assert!(!world.line(line).3, "{line}");
    }
    for line in [
        "echo a",
        "true",
        "ls bin | cat",
        "ls *",
        "A=1 env",
        "ls > /dev/null",
        "type ls",
        "ls; ls",
        "test -f plain",
    ] {
        assert!(world.line(line).3, "{line}");
    }
}

#[test]
fn what_a_command_gets_and_gives_is_what_it_gets_and_gives_below_bash() {
    let world = World::new();
    // The same words, the second time with something that only a shell takes away.
    for line in [
        "sh -c 'echo out; echo err >&2; exit 3'",
        "sh -c 'kill -TERM $$'",
        "sh -c 'tr a-z A-Z <&0; echo \"$0|$*|$PWD|$SHLVL\"' name 'a b' ''",
        "/bin/pwd",
        "grep -c x plain",
        "ls no-such-file",
    ] {
        let alone = world.ran(&json!({ "command": line, "stdin": "in" }));
        let below = world.ran(&json!({ "command": format!("{line} $NOTHING"), "stdin": "in" }));
        for field in ["stdout", "exit_code", "signal", "timed_out"] {
            assert_eq!(alone[field], below[field], "{line}: {field}");
        }
        let said = below["stderr"]
            .as_str()
            .unwrap()
            .replacen("shelled\n", "", 1);
        assert_eq!(
            alone["stderr"]
                .as_str()
                .unwrap()
                .replacen("shelled\n", "", 1),
            said,
            "{line}"
        );
    }
    let variables = |line: &str| {
        let (printed, ..) = world.line(line);
        let mut variables: Vec<String> = printed.lines().map(str::to_owned).collect();
        // Every call has its own.
        variables.retain(|variable| !variable.starts_with("AGENT_CALL="));
        variables.sort();
        variables
    };
    assert_eq!(variables("env"), variables("env $NOTHING"));
    let given = world.ran(&json!({ "command": "printenv GIVEN", "env": { "GIVEN": "a b" } }));
    assert_eq!(
        (&given["stdout"], &given["stderr"]),
        (&json!("a b\n"), &json!(""))
    );
    let late = world.ran(&json!({ "command": "sleep 300", "timeout": 0.2 }));
    assert_eq!(
        (&late["timed_out"], &late["stderr"]),
        (&json!(true), &json!(""))
    );
}

#[test]
fn what_the_system_does_not_start_bash_tells_of_or_reads() {
    let world = World::new();
    for (line, code, said) in [
        (
            "no-such-program a",
            127,
            "no-such-program: command not found",
        ),
        (
            "./no-such-file",
            127,
            "./no-such-file: No such file or directory",
        ),
        ("./closed", 126, "./closed: Permission denied"),
        ("./bin", 126, "./bin: Is a directory"),
        ("./lost", 127, "./lost: "),
    ] {
        let (printed, told, exit, _) = world.line(line);
        assert!(told.contains(said), "{line}: {told}");
        let is_lost = line == "./lost" && exit == 126;
        assert!(exit == code || is_lost, "{line}: {exit}");
        assert_eq!(printed, "", "{line}");
    }
    let (printed, told, exit, was_there) = world.line("./plain 'a b'");
    assert_eq!(
        (printed.as_str(), told.as_str(), exit),
        ("read as ./plain a b by bash\n", "", 4)
    );
    assert!(
        was_there,
        "a file without a first line for the system is bash's to read"
    );
}

#[test]
fn what_bash_obeys_is_given_to_bash() {
    let world = World::new();
    world.program.write("start", "echo started\n");
    let started = world.ran(&json!({ "command": "ls start", "env": { "BASH_ENV": "start" } }));
    assert_eq!(started["stdout"], "started\nstart\n");
    let function =
        json!({ "command": "ls start", "env": { "BASH_FUNC_ls%%": "() { echo mine; }" } });
    assert_eq!(world.ran(&function)["stderr"], "shelled\n");
}
