//! A session copied up to here: what was said stays, and what it cost stays with the one it was copied from.
//!
//! Lines are copied as they stand; one that cannot be read is left out and counted.

use super::record::{Head, Line};
use crate::error::ToolError;

/// A copy that is not written yet.
#[derive(Debug)]
pub struct Fork {
    /// Its lines, the first of which says where it comes from.
    pub lines: Vec<Vec<u8>>,
    /// How many lines could not be read and are not in it.
    pub unread: usize,
}

/// What of a copy is its own.
#[derive(Clone, Debug)]
pub struct Own {
    /// Its id.
    pub id: String,
    /// When it is made.
    pub time: String,
    /// The session that it is a copy of.
    pub of: String,
    /// The workspace that it belongs to.
    pub workspace: String,
}

/// Copies `lines`, the oldest first.
///
/// # Errors
/// `internal`.
pub fn fork(lines: Vec<Vec<u8>>, own: Own) -> Result<Fork, ToolError> {
    let mut head = Head::default();
    let (mut copied, mut unread) = (vec![Vec::new()], 0);
    for line in lines {
        match serde_json::from_slice(&line) {
            Ok(Line::Session(first)) => head = first,
            Ok(Line::Usage { .. }) => {}
            Ok(_) => copied.push(line),
            Err(_) => unread += 1,
        }
    }
    let head = Line::Session(Head {
        version: 1,
        id: own.id,
        time: own.time,
        workspace: own.workspace,
        forked_from: Some(own.of),
        ..head
    });
    copied[0] = serde_json::to_vec(&head)
        .map_err(|error| ToolError::internal(format!("the first line of a copy: {error}")))?;
    Ok(Fork {
        lines: copied,
        unread,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Past;
    use crate::chat::Usage;

    #[test]
    fn what_was_said_is_copied_and_what_it_cost_is_not() {
        let lines = [
            r#"{"type":"session","version":1,"id":"a","workspace":"/w","model":"p/m","mode":"plan"}"#,
            r#"{"type":"message","time":"1","message":{"role":"user","parts":[{"type":"text","text":"hi"}]}}"#,
            r#"{"type":"usage","model":"p/m","usage":{"input":5,"output":6,"cache_read":0,"cache_write":0,"reasoning":0},"cost":1.0}"#,
            "{\"type\":",
            r#"{"type":"of_a_later_form","x":1}"#,
        ];
        let before = Past::read(lines.iter().map(|line| line.as_bytes()));
        assert_eq!((before.usage.input, before.unread), (5, 1));
        let own = Own {
            id: "b".to_owned(),
            time: "2".to_owned(),
            of: "a".to_owned(),
            workspace: "/w".to_owned(),
        };
        let lines = lines.iter().map(|line| line.as_bytes().to_vec());
        let fork = fork(lines.collect(), own).unwrap();
        let past = Past::read(fork.lines.iter().map(Vec::as_slice));
        assert_eq!(past.messages, before.messages);
        assert_eq!(
            (past.usage, past.cost, past.unread, fork.unread),
            (Usage::default(), None, 0, 1)
        );
        let head = &past.head;
        assert_eq!((&*head.id, &*head.model, &*head.mode), ("b", "p/m", "plan"));
        assert_eq!(head.forked_from.as_deref(), Some("a"));
        assert!(fork.lines[2].ends_with(b"\"x\":1}"));
    }
}
