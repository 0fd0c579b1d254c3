//! Edits as data: each folder of `tests/edits` is a file, an edit, and what must come of it.
//!
//! `input` is the file, `edit.json` what is asked for, `replacers.lua` the policy if there is one; `expected` is
//! the file afterwards, and `result.json` says who found the place, or the kind of the error, and words of the answer.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::Program;

#[test]
fn every_edit_comes_out_as_its_folder_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edits");
    let entries = fs::read_dir(folder).unwrap();
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    let wrong: Vec<String> = cases.iter().filter_map(|case| wrong(case)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with one case.
fn wrong(case: &Path) -> Option<String> {
    let read =
        |name: &str| fs::read(case.join(name)).unwrap_or_else(|error| panic!("{case:?}: {error}"));
    let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
    let (before, mut args, result) = (
        read("input"),
        json(&read("edit.json")),
        json(&read("result.json")),
    );
    let program = Program::new().file("file", &before);
    args["path"] = "file".into();
    let args = args.to_string();
    let mut words = vec!["-o", "json"];
    if case.join("replacers.lua").exists() {
        program.write("own/replacers.lua", read("replacers.lua"));
        words.extend(["--tools", "own"]);
    }
    words.extend(["call", "edit", &args]);
    let ran = program.run(&words);
    let (code, stdout) = (ran.code(), ran.stdout().to_owned());
    ran.stderr();
    let told = json(stdout.as_bytes());
    let after = program.bytes("file");
    let mut wrong = Vec::new();
    let mut same = |what: &str, is: &Value, should: &Value| {
        if is != should {
            wrong.push(format!("{what}: {is}, not {should}"));
        }
    };
    let answer = told["error"]["message"]
        .as_str()
        .or(told["output"].as_str());
    let answer = answer.unwrap_or_default();
    for says in result["says"].as_array().into_iter().flatten() {
        let is_said = answer.contains(says.as_str().unwrap());
        same(answer, &is_said.into(), &true.into());
    }
    match result.get("error") {
        Some(kind) => {
            same("exit code", &code.into(), &1.into());
            same("kind", &told["error"]["kind"], kind);
            same("unchanged", &(after == before).into(), &true.into());
        }
        None => {
            same("exit code", &code.into(), &0.into());
            same(
                "replacer",
                &told["metadata"]["replacer"],
                &result["replacer"],
            );
            same("count", &told["metadata"]["count"], &result["count"]);
            let expected = read("expected");
            let text = |bytes: &[u8]| Value::from(String::from_utf8_lossy(bytes).into_owned());
            same("file", &text(&after), &text(&expected));
            same("bytes", &(after == expected).into(), &true.into());
        }
    }
    let name = case.file_name().unwrap().to_string_lossy();
    (!wrong.is_empty()).then(|| format!("{name}: {}\n  {stdout}", wrong.join("; ")))
}
