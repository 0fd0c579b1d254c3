//! What each reader gets of a result.

use super::rig::{Rig, Setup};
use crate::store::Reader;
use crate::tool::{Destination, Limits};

fn small() -> Rig {
    let limits = Limits {
        lines: 3,
        bytes: 40,
        ..Limits::default()
    };
    Rig::with(Setup {
        limits: Some(limits),
        ..Setup::default()
    })
}

#[tokio::test]
async fn a_model_gets_a_part_and_the_way_to_the_rest() {
    let rig = small();
    let args = r#"{"text": "line\n", "times": 20}"#;
    let output = rig
        .call_in(&rig.scope, "echo", args, Destination::Model)
        .await
        .unwrap();
    assert!(output.text.starts_with(&format!(
        "{}[truncated: lines 1-3 of 20;",
        "line\n".repeat(3)
    )));
    let id = output.metadata["spill"].as_str().unwrap().to_owned();
    assert!(output.text.contains(&format!("spill:{id}")) && output.text.contains("offset=4"));
    let spills = &rig.gate.services().spills;
    let now = std::time::SystemTime::now();
    let mut file = spills
        .open(&id.parse().unwrap(), Reader::Person, now)
        .unwrap();
    let mut whole = String::new();
    std::io::Read::read_to_string(&mut file, &mut whole).unwrap();
    assert_eq!(whole, "line\n".repeat(20));
}

#[tokio::test]
async fn a_program_gets_all_of_it() {
    let rig = small();
    let args = r#"{"text": "line\n", "times": 20}"#;
    let output = rig.call("echo", args).await.unwrap();
    assert_eq!(output.text, "line\n".repeat(20));
    assert!(!output.metadata.contains_key("truncated"));
}

#[tokio::test]
async fn a_person_sees_what_a_terminal_would_obey() {
    let rig = small();
    let args = r#"{"text": "\u001b[2Jhi"}"#;
    let output = rig
        .call_in(&rig.scope, "echo", args, Destination::Person)
        .await
        .unwrap();
    assert_eq!(output.text, "\\x1b[2Jhi");
}
