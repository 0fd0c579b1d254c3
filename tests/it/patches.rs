//! `apply_patch`: the cases under `tests/patches`, and what needs a door, rules or a model to be seen.
//!
//! A case is a folder: `input` (the workspace before), `patch.txt`, and either `expected` (the workspace after)
//! or `error.txt`: the kind of the failure, then a line for each piece of its words; the workspace is as it was.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use agent::data::Data;
use agent::error::{Kind, ToolError};
use agent::permission::Action;
use agent::tool::Output;

use crate::door::{Door, args};
use crate::program::Program;
use crate::sources::assert_none;

/// The files of a folder by their paths in it; none where there is no folder.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(below, std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn patch(text: &str) -> Data {
    args([("patch", text.into())])
}

/// A patch with these sections.
fn sections(text: &str) -> Data {
    patch(&format!("*** Begin Patch\n{text}*** End Patch\n"))
}

/// What is wrong with the case in this folder, or nothing.
fn fault(case: &Path) -> Option<String> {
    let door = Door::new();
    let input = tree(&case.join("input"));
    for (path, bytes) in &input {
        door.write(path.to_str().unwrap(), bytes);
    }
    let text = std::fs::read_to_string(case.join("patch.txt")).unwrap();
    let outcome = door.call("apply_patch", patch(&text));
    let after = tree(&door.at(""));
    match (std::fs::read_to_string(case.join("error.txt")), outcome) {
        (Ok(_), Ok(output)) => Some(format!("it was applied: {}", output.text)),
        (Ok(_), Err(_)) if after != input => Some("it was refused, and files changed".to_owned()),
        (Ok(wanted), Err(error)) => missing(&wanted, &error),
        (Err(_), Err(error)) => Some(format!("it was refused: {} ({})", error, error.hint())),
        (Err(_), Ok(_)) => {
            let expected = tree(&case.join("expected"));
            (after != expected).then(|| {
                let shown = |files: &BTreeMap<PathBuf, Vec<u8>>| -> Vec<String> {
                    let line = |(path, bytes): (&PathBuf, &Vec<u8>)| {
                        format!("{}: {}", path.display(), bytes.escape_ascii())
                    };
                    files.iter().map(line).collect()
                };
                format!("expected {:?}\n  got {:?}", shown(&expected), shown(&after))
            })
        }
    }
}

/// What an error does not say although it was to.
fn missing(wanted: &str, error: &ToolError) -> Option<String> {
    let said = format!(
        "{}\n{}\n{}",
        error.kind.as_str(),
        error.message,
        error.hint()
    );
    let (kind, words) = wanted.split_once('\n').unwrap();
    let absent = words.lines().find(|words| !said.contains(words));
    let is_right = kind == error.kind.as_str() && absent.is_none();
    (!is_right).then(|| format!("expected {wanted:?}\n  got {said:?}"))
}

#[test]
fn every_case_comes_out_as_it_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patches");
    let cases = std::fs::read_dir(folder).unwrap();
    let mut cases: Vec<PathBuf> = cases.map(|case| case.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 100, "{} cases are left", cases.len());
    let told = |case: &PathBuf| {
        let name = case.file_name()?.to_string_lossy().into_owned();
        fault(case).map(|fault| format!("{name}: {fault}"))
    };
    let found: Vec<String> = cases.iter().filter_map(told).collect();
    assert_none(&found);
}

#[test]
fn the_result_tells_of_every_file() {
    let door = Door::new();
    door.write("a.txt", "a\n");
    door.write("b.txt", "b\nc\n");
    door.write("d.txt", "d\n");
    let output = door.ok(
        "apply_patch",
        sections(
            "*** Update File: a.txt\n-a\n+A\n+B\n*** Update File: b.txt\n*** Move to: n/b.txt\n c\n+d\n\
             *** Delete File: d.txt\n*** Add File: e.txt\n+e\n",
        ),
    );
    let file = |data: &Data| -> String {
        let word = |key: &str| {
            data.get(key)
                .and_then(Data::as_str)
                .unwrap_or("-")
                .to_owned()
        };
        let count = |key: &str| data.get(key).and_then(Data::as_int).unwrap();
        format!(
            "{} {} {} +{} -{}",
            word("path"),
            word("action"),
            word("moved_to"),
            count("additions"),
            count("deletions")
        )
    };
    let files = output.metadata["files"].as_list().unwrap();
    let files: Vec<String> = files.iter().map(file).collect();
    let wanted = [
        "a.txt update - +2 -1",
        "b.txt move n/b.txt +1 -0",
        "d.txt delete - +0 -1",
        "e.txt create - +1 -0",
    ];
    assert_eq!(files, wanted);
    assert!(
        output
            .text
            .starts_with("patched 4 files\nupdated a.txt (+2 -1)\n")
    );
    let diff = output.metadata["diff"].as_str().unwrap();
    assert!(diff.contains("rename to n/b.txt") && diff.contains("-d\n") && diff.contains("+e\n"));
}

#[test]
fn a_rough_fit_is_told() {
    let door = Door::new();
    door.write("a.txt", "\tx\n");
    let output = door.ok(
        "apply_patch",
        sections("*** Update File: a.txt\n-    x\n+    y\n"),
    );
    assert_eq!(door.bytes("a.txt"), b"\ty\n");
    let note = "[the hunk at line 3 of the patch fits a.txt but for white space around lines]";
    assert!(output.text.contains(note), "{}", output.text);
}

#[test]
fn names_of_other_systems_lead_here() {
    for (tool, parameter) in [("applyPatch", "patchText"), ("patch", "input")] {
        let door = Door::new();
        let text = "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch";
        door.ok(tool, args([(parameter, text.into())]));
        assert_eq!(door.bytes("a.txt"), b"a\n");
    }
}

/// Every path of a patch is judged: the source of a move as well as its target, and one deny stops it all.
#[test]
fn one_denied_path_stops_the_whole_patch() {
    let update = "*** Update File: a.txt\n-a\n+A\n";
    for (rule, section) in [
        (
            "edit:secret/*",
            "*** Update File: b.txt\n*** Move to: secret/b.txt\n",
        ),
        ("edit:b.txt", "*** Update File: b.txt\n*** Move to: c.txt\n"),
        ("edit:b.txt", "*** Delete File: b.txt\n"),
        ("edit:n.txt", "*** Add File: n.txt\n+n\n"),
        ("edit:b.txt", "*** Update File: d/../b.txt\n-b\n+B\n"),
    ] {
        let door = Door::with(&[(rule, Action::Deny)]);
        door.write("a.txt", "a\n");
        door.write("b.txt", "b\n");
        door.write("d/x.txt", "x\n");
        let before = tree(&door.at(""));
        let error = door.call("apply_patch", sections(&format!("{update}{section}")));
        assert_eq!(error.unwrap_err().kind, Kind::Denied, "{rule} {section}");
        assert_eq!(tree(&door.at("")), before, "{rule} {section}");
    }
}

#[test]
fn a_path_outside_the_workspace_is_not_changed_unasked() {
    let door = Door::new();
    let outside = door.at("../outside.txt");
    std::fs::write(&outside, "x\n").unwrap();
    let absolute = outside.to_str().unwrap();
    for path in ["../outside.txt", absolute] {
        for section in [
            format!("*** Update File: {path}\n-x\n+y\n"),
            format!("*** Delete File: {path}\n"),
            format!("*** Update File: a.txt\n*** Move to: {path}.new\n"),
            format!("*** Add File: {path}.new\n+x\n"),
        ] {
            door.write("a.txt", "a\n");
            let error = door.call("apply_patch", sections(&section)).unwrap_err();
            assert_eq!(error.kind, Kind::Denied, "{section}");
        }
    }
    assert_eq!(std::fs::read(&outside).unwrap(), b"x\n");
    assert!(!door.at("../outside.txt.new").exists());
}

fn read(door: &Door, path: &str) -> Output {
    door.model("read", args([("path", path.into())])).unwrap()
}

#[test]
fn a_model_reads_what_it_patches_first() {
    let door = Door::with(&[("edit", Action::Allow)]);
    for (section, path) in [
        ("*** Update File: a.txt\n-a\n+A\n", "a.txt"),
        ("*** Delete File: a.txt\n", "a.txt"),
        ("*** Update File: a.txt\n*** Move to: b.txt\n", "a.txt"),
        (
            "*** Delete File: a.txt\n*** Add File: a.txt\n+new\n",
            "a.txt",
        ),
    ] {
        let _ = std::fs::remove_file(door.at("b.txt"));
        door.write("a.txt", format!("a\n{section}"));
        let error = door.model("apply_patch", sections(section)).unwrap_err();
        assert_eq!(error.kind, Kind::Conflict, "{section}");
        read(&door, path);
        let done = door.model("apply_patch", sections(section));
        assert!(done.is_ok(), "{section}: {done:?}");
    }
}

#[test]
fn what_a_patch_made_is_known_to_the_session() {
    let door = Door::with(&[("edit", Action::Allow)]);
    door.write("a.txt", "a\nb\n");
    read(&door, "a.txt");
    for section in [
        "*** Update File: a.txt\n-a\n+A\n*** Add File: n.txt\n+n\n",
        "*** Update File: a.txt\n*** Move to: d/c.txt\n-b\n+B\n",
        "*** Update File: d/c.txt\n A\n-B\n+C\n*** Update File: n.txt\n-n\n+N\n",
        "*** Update File: d/c.txt\n*** Move to: t\n*** Update File: n.txt\n*** Move to: d/c.txt\n*** Update File: t\n*** Move to: n.txt\n",
        "*** Update File: n.txt\n A\n-C\n+D\n*** Delete File: d/c.txt\n",
    ] {
        let done = door.model("apply_patch", sections(section));
        assert!(done.is_ok(), "{section}: {done:?}");
    }
    assert_eq!(door.bytes("n.txt"), b"A\nD\n");
    door.write("n.txt", "A\nD\nby somebody else\n");
    let error = door.call("apply_patch", sections("*** Update File: n.txt\n-A\n+a\n"));
    assert_eq!(error.unwrap_err().kind, Kind::Conflict);
}

#[test]
fn modes_go_with_their_files_and_links_are_moved_as_they_are() {
    let door = Door::new();
    let mode = |path: &str| door.at(path).metadata().unwrap().permissions().mode() & 0o777;
    door.write("run.sh", "a\n");
    door.write("b.txt", "b\n");
    std::fs::set_permissions(door.at("run.sh"), std::fs::Permissions::from_mode(0o750)).unwrap();
    symlink("b.txt", door.at("link")).unwrap();
    door.ok(
        "apply_patch",
        sections("*** Update File: run.sh\n*** Move to: bin/run\n-a\n+A\n*** Update File: link\n-b\n+B\n"),
    );
    assert_eq!(
        (mode("bin/run"), door.bytes("bin/run")),
        (0o750, b"A\n".to_vec())
    );
    assert_eq!(door.bytes("b.txt"), b"B\n");
    door.ok(
        "apply_patch",
        sections("*** Update File: link\n*** Move to: other\n"),
    );
    assert_eq!(
        std::fs::read_link(door.at("other")).unwrap(),
        Path::new("b.txt")
    );
    let text = "*** Update File: other\n*** Move to: third\n-B\n+C\n";
    let error = door.call("apply_patch", sections(text)).unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    door.ok("apply_patch", sections("*** Delete File: other\n"));
    assert!(door.at("b.txt").exists() && !door.at("other").exists());
    let text = "*** Update File: bin/run\n*** Move to: t\n*** Update File: b.txt\n*** Move to: bin/run\n*** Update File: t\n*** Move to: b.txt\n";
    door.ok("apply_patch", sections(text));
    assert_eq!(
        (mode("b.txt"), door.bytes("b.txt")),
        (0o750, b"A\n".to_vec())
    );
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_others_as_they_were() {
    let door = Door::new();
    door.write("a.txt", "a\n");
    door.write("fixed.txt", "b\n");
    let read_only = std::fs::Permissions::from_mode(0o444);
    std::fs::set_permissions(door.at("fixed.txt"), read_only).unwrap();
    let text = "*** Add File: n/n.txt\n+n\n*** Update File: a.txt\n-a\n+A\n*** Update File: fixed.txt\n-b\n+B\n";
    let error = door.call("apply_patch", sections(text)).unwrap_err();
    assert_eq!(error.kind, Kind::Resource);
    assert_eq!(door.bytes("a.txt"), b"a\n");
    assert!(!door.at("n").exists());
}

#[test]
fn a_model_does_not_write_a_notice_of_truncation() {
    let door = Door::with(&[("edit", Action::Allow)]);
    let text = format!(
        "*** Add File: a.txt\n+{}lines 1-2000 of 3000]\n",
        agent::text::TRUNCATION_MARK
    );
    let error = door.model("apply_patch", sections(&text)).unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    assert!(!door.at("a.txt").exists());
    door.ok("apply_patch", sections(&text));
}

#[test]
fn the_program_applies_a_patch_from_the_command_line() {
    let program = Program::new();
    program.write("a.txt", "a\r\nb\r\n");
    let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-b\n+B\n*** End Patch\n";
    program
        .run(&["call", "apply_patch", text])
        .exits(0)
        .prints_part("patched 1 file\nupdated a.txt (+1 -1)\n");
    assert_eq!(program.bytes("a.txt"), b"a\r\nB\r\n");
}
