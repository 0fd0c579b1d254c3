//! `agent session list`: the sessions that made calls, and that their ids are what other commands take.

use serde_json::json;

use crate::program::Program;

fn workspace() -> Program {
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("a.txt", "one\n")
}

#[test]
fn the_sessions_are_listed_the_newest_first_and_their_ids_are_taken() {
    let program = workspace();
    let none = program.run(&["session", "list"]);
    none.prints("no session of this workspace is known; --all shows those of others\n");
    program.run(&["call", "list"]).exits(0).stdout();
    let code = "tools.read('a.txt') agent.try(tools.read, 'a.txt')";
    program
        .run(&["eval", code, "--deny", "file.write"])
        .exits(0);
    program
        .run(&[
            "call",
            "write",
            "{\"path\":\"b\",\"content\":\"x\"}",
            "--deny",
            "edit",
        ])
        .exits(3)
        .stderr();
    let told = program.run(&["session", "list", "-o", "json"]).json();
    let sessions = told["sessions"].as_array().unwrap().clone();
    let rows: Vec<_> = sessions
        .iter()
        .map(|one| json!([one["calls"], one["refused"]]))
        .collect();
    assert_eq!(
        rows,
        [json!([1, 1]), json!([2, 0]), json!([1, 0])],
        "{told}"
    );
    let root = program.at(".").canonicalize().unwrap();
    assert_eq!(sessions[0]["workspace"], root.to_str().unwrap());
    assert!(
        sessions
            .iter()
            .all(|one| one["start"].as_str() <= one["end"].as_str())
    );
    let limited = program
        .run(&["session", "list", "--limit", "1", "-o", "json"])
        .json();
    assert_eq!(limited["sessions"], json!([sessions[0]]));
    let id = sessions[1]["id"].as_str().unwrap();
    program.run(&["session", "list"]).prints_part(id);
    let audit = program.run(&["session", "audit", id, "-o", "json"]).json();
    assert_eq!(audit["calls"].as_array().unwrap().len(), 2);
    program
        .run(&["permissions", "replay", id])
        .prints_part("0 of 2");
    let unknown = program.run(&["session", "audit", id, "--call", "c99", "-o", "json"]);
    let error = unknown.exits(1).json()["error"].clone();
    assert_eq!(error["kind"], "not_found", "{error}");
    let known = program.run(&["session", "audit", id, "--call", "c1"]);
    known.prints_part("c1 read");
}
