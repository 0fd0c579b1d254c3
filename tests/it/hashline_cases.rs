//! `hashline_edit` as data: each folder of `tests/hashlines` is a file, edits, and what must come of them.
//!
//! `input` is the file before, if there is one, `edit.json` what is asked for, `expected` the file after, and `result.json`
//! the count, or the kind of the error, and words of the text. Refused, the file is as it was.

use std::fs;
use std::path::{Path, PathBuf};

use agent::data::Data;
use serde_json::Value;

use crate::door::Door;
use crate::sources::assert_none;

#[test]
fn every_case_comes_out_as_it_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hashlines");
    let cases = fs::read_dir(folder).unwrap();
    let mut cases: Vec<PathBuf> = cases.map(|case| case.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 80, "{} cases are left", cases.len());
    let told = |case: &PathBuf| {
        let name = case.file_name()?.to_string_lossy().into_owned();
        fault(case).map(|fault| format!("{name}: {fault}"))
    };
    let found: Vec<String> = cases.iter().filter_map(told).collect();
    assert_none(&found);
}

/// What is wrong with one case, or nothing.
fn fault(case: &Path) -> Option<String> {
    let json = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(case.join(name)).unwrap()).unwrap()
    };
    let door = Door::new();
    let before = fs::read(case.join("input")).ok();
    if let Some(bytes) = &before {
        door.write("file", bytes);
    }
    let (mut edit, result) = (json("edit.json"), json("result.json"));
    edit["path"] = "file".into();
    let outcome = door.call("hashline_edit", Data::from(edit));
    let after = fs::read(door.at("file")).ok();
    let (said, is_right) = match (&outcome, result.get("error")) {
        (Err(error), Some(kind)) => (
            error.message.clone(),
            kind == error.kind.as_str() && after == before,
        ),
        (Ok(output), None) => {
            let count = output.metadata["count"].as_int().unwrap();
            let counts = result.get("count").is_none_or(|wanted| *wanted == count);
            let expected = fs::read(case.join("expected")).ok();
            (output.text.clone(), counts && after == expected)
        }
        (Err(error), None) => (format!("{error}"), false),
        (Ok(output), Some(_)) => (output.text.clone(), false),
    };
    let words = result["says"].as_array().into_iter().flatten();
    let mut absent = words.filter(|words| !said.contains(words.as_str().unwrap()));
    let absent = absent.next();
    let shown = after.map(|bytes| bytes.escape_ascii().to_string());
    (!is_right || absent.is_some())
        .then(|| format!("it said {said}\n  the file is {shown:?}, not said: {absent:?}"))
}
