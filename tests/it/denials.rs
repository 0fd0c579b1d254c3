//! A denial tells nothing of what it protects: whatever stands at the path, or nothing, the answer is the same.

use std::os::unix::fs::symlink;
use std::process::Command;

use agent::data::Data;
use agent::error::{Kind, ToolError};
use agent::permission::{Action, Caller};

use crate::door::Door;
use crate::program::Program;

/// Every call of a file tool that names `PATH`, and whether it changes anything.
const CALLS: [(&str, &str, bool); 19] = [
    ("read", r#"{"path":"PATH"}"#, false),
    ("read", r#"{"path":"PATH","hashes":true,"offset":7}"#, false),
    ("list", r#"{"path":"PATH"}"#, false),
    ("glob", r#"{"path":"PATH","pattern":"*"}"#, false),
    ("glob", r#"{"pattern":"PATH/*"}"#, false),
    ("grep", r#"{"path":"PATH","pattern":"a"}"#, false),
    ("write", r#"{"path":"PATH","content":"x"}"#, true),
    ("edit", r#"{"path":"PATH","old":"a","new":"b"}"#, true),
    ("edit", r#"{"path":"PATH","old":"nowhere","new":"b"}"#, true),
    ("delete", r#"{"path":"PATH"}"#, true),
    ("move", r#"{"from":"PATH","to":"elsewhere"}"#, true),
    ("move", r#"{"from":"a.txt","to":"PATH"}"#, true),
    (
        "hashline_edit",
        r#"{"path":"PATH","edits":[{"op":"append","lines":["x"]}]}"#,
        true,
    ),
    (
        "hashline_edit",
        r#"{"path":"PATH","edits":[{"op":"delete","pos":"9#bbb"}],"rename":"elsewhere"}"#,
        true,
    ),
    ("hashline_edit", r#"{"path":"PATH","delete":true}"#, true),
    (
        "apply_patch",
        "*** Begin Patch\n*** Update File: PATH\n@@\n-a\n+b\n*** End Patch",
        true,
    ),
    (
        "apply_patch",
        "*** Begin Patch\n*** Add File: PATH\n+b\n*** End Patch",
        true,
    ),
    (
        "apply_patch",
        "*** Begin Patch\n*** Delete File: PATH\n*** End Patch",
        true,
    ),
    (
        "apply_patch",
        "*** Begin Patch\n*** Update File: a.txt\n@@\n-never\n+b\n*** Update File: PATH\n*** Move to: elsewhere\n*** End Patch",
        true,
    ),
];

/// What may stand at a path.
const STATES: [&str; 11] = [
    "nothing",
    "text",
    "bytes",
    "utf-16",
    "a folder",
    "a full folder",
    "a large file",
    "a fifo",
    "a loop",
    "a link that dangles",
    "a file in the way",
];

/// Makes what `state` says at `path` of the workspace.
fn put(door: &Door, state: &str, path: &str) {
    let at = door.at(path);
    match state {
        "nothing" => {}
        "text" => door.write(path, "a\nb\n"),
        "bytes" => door.write(path, b"a\0\xff"),
        "utf-16" => door.write(path, b"\xff\xfea\0\n\0"),
        "a folder" => std::fs::create_dir_all(&at).unwrap(),
        "a full folder" => door.write(&format!("{path}/inner"), "a\n"),
        "a large file" => {
            door.write(path, "a\n");
            let file = std::fs::OpenOptions::new().write(true).open(&at).unwrap();
            file.set_len((64 << 20) + 1).unwrap();
        }
        "a fifo" => {
            let made = Command::new("mkfifo").arg(&at).status().unwrap();
            assert!(made.success());
        }
        "a loop" => symlink(at.file_name().unwrap(), &at).unwrap(),
        "a link that dangles" => symlink("nowhere", &at).unwrap(),
        "a file in the way" => {
            let folder = at.parent().unwrap();
            std::fs::remove_dir(folder).unwrap();
            std::fs::write(folder, "a\n").unwrap();
        }
        other => panic!("{other}"),
    }
}

fn arguments(tool: &str, template: &str, path: &str) -> Data {
    let text = template.replace("PATH", path);
    match tool {
        "apply_patch" => Data::map([("patch", text.into())]),
        _ => agent::data::parse(&text).unwrap(),
    }
}

/// What the call comes to where `state` stands at `path`. The folder that all stands in is `ROOT`; what may be
/// offered where nobody is there to ask is left out: it names where a link leads, which is what would be allowed.
fn answer(
    (rule, path): (&[(&str, Action)], &str),
    state: &str,
    (tool, template): (&str, &str),
    caller: Caller,
) -> Result<String, (Kind, String)> {
    let door = Door::with(rule);
    door.write("a.txt", "a\n");
    std::fs::create_dir_all(door.at(path).parent().unwrap()).unwrap();
    put(&door, state, path);
    let args = arguments(tool, template, path);
    let outcome = match caller {
        Caller::User => door.call(tool, args),
        Caller::Model => {
            let read = Data::map([("path", "a.txt".into())]);
            door.model("read", read).unwrap();
            door.model(tool, args)
        }
    };
    let told = |error: ToolError| {
        let is_asked = error.hint().starts_with("nobody is there");
        let hint = if is_asked { "" } else { error.hint() };
        let all = format!("{}; {hint}; {:?}", error.message, error.detail);
        let root = door.at("..").canonicalize().unwrap();
        (error.kind, all.replace(&*root.to_string_lossy(), "ROOT"))
    };
    outcome.map(|output| output.text).map_err(told)
}

/// Whatever stands there, each call is denied in the same words.
fn same(rule: &[(&str, Action)], path: &str, callers: &[Caller], is_meant: impl Fn(bool) -> bool) {
    for (tool, template, _) in CALLS.into_iter().filter(|call| is_meant(call.2)) {
        for &caller in callers {
            let told = |state| answer((rule, path), state, (tool, template), caller);
            let nothing = told("nothing");
            let is_denied = matches!(nothing, Err((Kind::Denied, _)));
            assert!(is_denied, "{caller:?}: {tool} {template}: {nothing:?}");
            for state in STATES {
                let told = told(state);
                assert_eq!(told, nothing, "{caller:?}: {tool} {template}, {state}");
            }
        }
    }
}

const BOTH: [Caller; 2] = [Caller::User, Caller::Model];

#[test]
fn what_may_not_be_read_is_not_told_of_by_any_tool() {
    same(
        &[("read:secret/**", Action::Deny)],
        "secret/x",
        &BOTH,
        |_| true,
    );
}

#[test]
fn what_may_not_be_changed_is_not_told_of_by_a_tool_that_changes() {
    let rule = [("edit:secret/**", Action::Deny)];
    same(&rule, "secret/x", &BOTH, |changes| changes);
}

/// Nobody is there to say that a model may look outside the workspace.
#[test]
fn what_lies_outside_is_not_told_of_unasked() {
    same(&[], "../secret/x", &[Caller::Model], |_| true);
}

/// What may be read is told of as ever, whether it may be changed is asked or not.
#[test]
fn what_may_be_read_is_told_of() {
    for caller in BOTH {
        let edit = ("edit", r#"{"path":"PATH","old":"nowhere","new":"b"}"#);
        let missing = answer((&[], "secret/x"), "nothing", edit, caller).unwrap_err();
        assert_eq!(missing.0, Kind::NotFound);
        let folder = answer((&[], "secret/x"), "a folder", edit, caller).unwrap_err();
        assert_eq!(folder.0, Kind::Argument);
    }
}

/// An undo of what may not be read any more says so, whatever became of the file.
#[test]
fn an_undo_tells_nothing_of_what_may_not_be_read() {
    let mut answers = Vec::new();
    for state in ["as it was left", "changed", "gone"] {
        let program = Program::new();
        let write = r#"{"path":"secret/x","content":"a\n"}"#;
        program.run(&["call", "write", write]).stdout();
        match state {
            "changed" => program.write("secret/x", "b\n"),
            "gone" => std::fs::remove_file(program.at("secret/x")).unwrap(),
            _ => {}
        }
        let ran = program.run(&["--deny", "read:secret/**", "undo"]);
        answers.push((ran.code(), ran.stderr().to_owned()));
    }
    assert!(answers[0].1.contains("denied"), "{answers:?}");
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}
