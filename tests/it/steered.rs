//! What is said to a model while it works: by a hook, by a tool that runs for it, and where no model works.

use serde_json::Value;

use crate::program::Program;

const HOOK: &str = "agent.on('tool.after', function(call)
  if call.tool == 'read' then agent.steer('Mind ' .. call.args.path) end
end)\n";

/// A workspace with a model that reads both files in one step, then says it is done.
fn program(more: &str) -> Program {
    let calls =
        r#"{"calls":[{"tool":"read","args":{"path":"a"}},{"tool":"read","args":{"path":"b"}}]}"#;
    Program::new()
        .file("a", "one\n")
        .file("b", "two\n")
        .file("../model.jsonl", format!("{calls}\n{more}\n"))
}

fn messages(program: &Program) -> Vec<(String, String)> {
    let document = program
        .run(&["session", "show", "last", "-o", "json"])
        .json();
    let messages = document["messages"].as_array().unwrap().iter();
    let text = |part: &Value| part["text"].as_str().unwrap_or("call").to_owned();
    let said = |message: &Value| {
        let parts = message["parts"].as_array().unwrap().iter().map(text);
        (
            message["role"].as_str().unwrap().to_owned(),
            parts.collect::<Vec<_>>().join(" | "),
        )
    };
    messages.map(said).collect()
}

#[test]
fn what_a_hook_says_stands_in_the_next_request_behind_the_results() {
    let expects =
        r#"{"expect":{"user":"Mind b","results":[{"ok":true},{"ok":true}]},"say":"Done."}"#;
    let program = program(expects).file("../config/init.lua", HOOK);
    program
        .run(&["-m", "script:../model.jsonl", "run", "Go."])
        .prints("Done.\n");
    let said = messages(&program);
    let roles: Vec<&str> = said.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(
        roles,
        ["user", "assistant", "tool", "user", "assistant"],
        "{said:?}"
    );
    let mut minded: Vec<&str> = said[3].1.split(" | ").collect();
    minded.sort_unstable();
    assert_eq!(minded, ["Mind a", "Mind b"]);
}

#[test]
fn what_is_hidden_from_a_model_is_hidden_here_too() {
    let program = program(r#"{"say":"Done."}"#)
        .env("OUR_TOKEN", "hidden-word-of-ours")
        .file(
            "../config/init.lua",
            HOOK.replace("call.args.path", "'hidden-word-of-ours'"),
        );
    program
        .run(&["-m", "script:../model.jsonl", "run", "Go."])
        .prints("Done.\n");
    let said = messages(&program);
    assert!(said[3].1.starts_with("Mind ["), "{said:?}");
    assert!(
        said.iter().all(|(_, text)| !text.contains("hidden-word")),
        "{said:?}"
    );
}

#[test]
fn where_no_model_works_nobody_is_steered() {
    let program = program(r#"{"say":"Done."}"#).file("../config/init.lua", HOOK);
    program
        .run(&["eval", "agent.steer('well?')"])
        .exits(1)
        .says("agent.steer: no model works here");
    // A call of a person's is no model's, whatever its hook says: the call stands.
    program
        .run(&["call", "read", "a"])
        .prints_part("one")
        .says("no model works here");
    program
        .run(&["eval", "agent.steer(' ')"])
        .exits(1)
        .says("the text says nothing");
    program
        .run(&[
            "eval",
            "print(agent.ask('Go.', { model = 'script:../model.jsonl' }).text)",
        ])
        .prints("Done.\n");
}
