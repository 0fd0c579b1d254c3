//! `tool_search` and the tools that a conversation opens first; and `invalid`, which no list names.

use agent::data::Data;
use agent::error::{Kind, ToolError};
use agent::permission::{Action, Caller};
use agent::tool::Output;

use crate::door::{Door, args};
use crate::program::Program;

const DEFERRED: [&str; 5] = ["move", "delete", "glob", "todo_read", "todo_write"];

fn deferring() -> Door {
    let mut door = Door::with(&[("edit", Action::Allow)]);
    door.defer(&DEFERRED);
    door
}

fn search(door: &Door, query: &str) -> Result<Output, ToolError> {
    door.model("ToolSearch", args([("query", query.into())]))
}

fn opened(output: &Output) -> Vec<&str> {
    let opened = output.metadata["opened"].as_list().unwrap();
    opened.iter().filter_map(Data::as_str).collect()
}

fn glob(door: &Door) -> Result<Output, ToolError> {
    door.model("Glob", args([("pattern", "*".into())]))
}

#[test]
fn what_is_deferred_is_called_once_it_is_found() {
    let door = deferring();
    let error = glob(&door).unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (Kind::Unavailable, "the tool `glob` is not open yet")
    );
    assert!(
        error
            .hint()
            .contains("`tool_search` with the query `select:glob`"),
        "{error}"
    );
    // A batch is no way around it.
    let call = Data::map([
        ("tool", "glob".into()),
        ("arguments", args([("pattern", "*".into())])),
    ]);
    let batch = door
        .model("batch", args([("calls", vec![call].into())]))
        .unwrap();
    assert!(
        batch
            .text
            .contains("error (unavailable): the tool `glob` is not open yet"),
        "{}",
        batch.text
    );

    let query = [
        ("query", "files whose names match a glob".into()),
        ("limit", 1.into()),
    ];
    let found = door.model("tool_search", args(query)).unwrap();
    assert_eq!(opened(&found), ["glob"], "{}", found.text);
    let signature = "glob(pattern: string, path?: path = \".\"";
    assert!(
        found.text.contains(signature)
            || found
                .text
                .contains("glob(pattern: string, path?: string = \".\""),
        "{}",
        found.text
    );
    glob(&door).unwrap();
    // What is found is judged as ever, and what was not found stays closed.
    assert_eq!(
        door.model("delete", args([("path", "a".into())]))
            .unwrap_err()
            .kind,
        Kind::Unavailable
    );
    door.model("read", args([("path", ".".into())])).unwrap();
}

#[test]
fn a_name_or_a_group_opens_without_a_guess() {
    let door = deferring();
    let group = search(&door, "Memory").unwrap();
    assert_eq!(opened(&group), ["todo_read", "todo_write"]);
    assert!(
        group
            .text
            .starts_with("2 tools, open from here on\ntodo_read()\n    Shows the list"),
        "{}",
        group.text
    );
    let selected = search(&door, "select: mv, delete,delete").unwrap();
    assert_eq!(opened(&selected), ["move", "delete"]);
    door.write("a.txt", "x");
    door.model("read", args([("path", "a.txt".into())]))
        .unwrap();
    door.model(
        "move",
        args([("from", "a.txt".into()), ("to", "b.txt".into())]),
    )
    .unwrap();

    let unknown = search(&door, "select:globb").unwrap_err();
    assert_eq!(unknown.kind, Kind::NotFound);
    assert!(unknown.hint().contains("did you mean `glob`?"), "{unknown}");
    let open = search(&door, "select:read").unwrap_err();
    assert!(open.hint().contains("call it"), "{open}");
    let none = search(&door, "zzz").unwrap();
    assert!(opened(&none).is_empty());
    assert!(
        none.text.contains("in the groups: file, memory"),
        "{}",
        none.text
    );
    assert!(
        glob(&door).is_err(),
        "a search that finds nothing opens nothing"
    );
}

#[test]
fn it_goes_before_the_calls_that_need_it() {
    let door = deferring();
    let call = |tool: &str, arguments| Data::map([("tool", tool.into()), ("arguments", arguments)]);
    let calls = vec![
        call("tool_search", args([("query", "select:glob".into())])),
        call("glob", args([("pattern", "*".into())])),
    ];
    let batch = door
        .model("batch", args([("calls", calls.into())]))
        .unwrap();
    assert!(batch.text.starts_with("2 calls\n"), "{}", batch.text);
}

#[test]
fn where_nothing_is_deferred_there_is_nothing_to_search() {
    let program = Program::new();
    let ran = program.run(&["--as", "model", "call", "tool_search", "glob"]);
    ran.exits(1)
        .says("is not available: every tool that there is is shown already");
    let door = Door::new();
    let missing = |door: &Door| {
        let scope = door.scope.lowered(Caller::Model).unwrap();
        let defined = door
            .runtime()
            .block_on(door.gate.defined(&scope, Some("tool_search")));
        defined.unwrap()[0].missing.is_some()
    };
    assert!(missing(&door) && !missing(&deferring()));
}

#[test]
fn no_list_names_invalid_and_whoever_calls_it_is_told_what_was_wrong() {
    let program = Program::new();
    for words in [
        &["tools"][..],
        &["-o", "json", "tools"],
        &["completions", "bash"],
    ] {
        let ran = program.run(words);
        let all = ran.exits(0).stdout();
        assert!(
            all.contains("todo_write") && !all.contains("invalid"),
            "{ran}"
        );
    }
    program
        .run(&["call", "raed"])
        .exits(1)
        .says("question, todo_read, todo_write\n");
    let code = "for id in pairs(tools) do assert(id ~= 'invalid') end return agent.help():find('tools.invalid', 1, true)";
    program.run(&["eval", code]).exits(0).prints("nil\n");
    let wrong = |tool: &str| format!(r#"{{"tool":"{tool}","error":"no path was given"}}"#);
    program
        .run(&["--as", "model", "call", "invalid", &wrong("Read")])
        .exits(1)
        .says("error (argument): the call of `Read` was not made: no path was given")
        .says("try: call it again as read(path: ");
    program
        .run(&["call", "invalid", &wrong("raed")])
        .exits(1)
        .says("did you mean `read`? the tools are: read, write");
}
