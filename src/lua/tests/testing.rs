//! A file of tests in a state made for it: what it may do before its tests, and how each is told.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::rig::Rig;
use crate::error::{Kind, ToolError};
use crate::lua::{TestFile, TestWorld, Tested};
use crate::permission::Caller;

/// What the tests in `source` come to.
fn tested(source: &str, limit: Duration) -> (Result<(), ToolError>, Vec<Tested>) {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    let rig = Rig::with(Caller::User, |settings| {
        settings.testing = Some(TestWorld {
            workspace: workspace.clone(),
            ..TestWorld::default()
        });
    });
    let told = Arc::<Mutex<Vec<Tested>>>::default();
    let heard = Arc::clone(&told);
    let file = TestFile {
        shown: "a_test.lua".to_owned(),
        source: source.as_bytes().to_vec(),
        filter: None,
        limit,
    };
    let note = move |tested| heard.lock().unwrap().push(tested);
    let ended = rig.wait(rig.vm.test(&rig.scope, file, Arc::new(note)));
    let told = told.lock().unwrap().clone();
    (ended, told)
}

#[test]
fn a_file_that_does_not_come_to_an_end_is_ended() {
    for loop_in in ["", "describe('x', function() ", "pcall(function() "] {
        let end = if loop_in.is_empty() { "" } else { " end)" };
        let source = format!("it('never', function() end) {loop_in}while true do end{end}");
        let (ended, told) = tested(&source, Duration::from_millis(50));
        let error = ended.unwrap_err();
        assert_eq!((error.kind, told.len()), (Kind::Timeout, 0), "{error}");
        assert!(
            error.message.contains("the file was not done after 0.05 s"),
            "{error}"
        );
    }
}
