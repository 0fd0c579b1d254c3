//! Which tools a model is shown from the start, and which it finds with `tool_search`: decided here and nowhere else.
//!
//! Shown are those that most work needs, those that a profile or a script names one by one, and what people bring
//! themselves as long as that is not much. A long list of tools costs every request, and models choose worse from it.

use std::collections::BTreeSet;

use super::offer::Candidate;

/// What most work needs: it is shown from the start wherever it is there.
const CORE: [&str; 15] = [
    "read",
    "write",
    "edit",
    "apply_patch",
    "glob",
    "grep",
    "list",
    "shell",
    "lua",
    "task",
    "skill",
    "plan_exit",
    "question",
    "todo_read",
    "todo_write",
];

/// From how many tools on those that people bring are found too.
const MOST_TOOLS: usize = 30;

/// From how many bytes of declarations on, where the window of the model is not known, or larger.
const MOST_BYTES: u64 = 16_000;

/// The part of the window that declarations may take.
const SHARE: u64 = 10;

/// Bytes of a token.
const BYTES: u64 = 4;

/// What `tool_search` takes itself: to find tools that are shorter saves nothing.
const WORTH: u64 = 1_000;

/// The ids of those of `all` that are found and not shown; `window` is how many tokens the model takes.
pub(super) fn deferred(all: &[Candidate], window: Option<u64>) -> BTreeSet<String> {
    let is_lasting = |one: &&Candidate| one.is_named || CORE.contains(&one.offered.name.as_str());
    let (lasting, rest): (Vec<&Candidate>, Vec<&Candidate>) = all.iter().partition(is_lasting);
    let (tail, own): (Vec<&Candidate>, Vec<&Candidate>) =
        rest.into_iter().partition(|one| one.is_shipped);
    let most = window.map_or(MOST_BYTES, |tokens| {
        (tokens / SHARE).saturating_mul(BYTES).min(MOST_BYTES)
    });
    let shown = lasting.iter().chain(&own);
    let is_much = lasting.len() + own.len() > MOST_TOOLS || bytes(shown.copied()) > most;
    let found = tail.into_iter().chain(own.into_iter().filter(|_| is_much));
    let found: Vec<&Candidate> = found.collect();
    match bytes(found.iter().copied()) <= WORTH {
        true => BTreeSet::new(),
        false => found.iter().map(|one| one.offered.name.clone()).collect(),
    }
}

/// About how many bytes of a request they take.
fn bytes<'a>(tools: impl Iterator<Item = &'a Candidate>) -> u64 {
    let bytes = tools.map(|one| {
        let tool = &one.offered;
        tool.name.len() + tool.description.len() + tool.schema.to_string().len()
    });
    bytes.sum::<usize>() as u64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::chat::Offered;

    fn tool(name: &str, bytes: usize) -> Candidate {
        Candidate {
            offered: Offered {
                name: name.to_owned(),
                description: "x".repeat(bytes),
                schema: json!({}),
                found: false,
            },
            surface: "file".to_owned(),
            is_shipped: true,
            is_named: false,
        }
    }

    fn own(name: &str, bytes: usize) -> Candidate {
        Candidate {
            is_shipped: false,
            ..tool(name, bytes)
        }
    }

    fn found(all: &[Candidate], window: Option<u64>) -> Vec<String> {
        deferred(all, window).into_iter().collect()
    }

    #[test]
    fn the_tail_is_found_where_that_saves_something() {
        let all = [tool("read", 900), tool("move", 600), tool("undo", 600)];
        assert_eq!(found(&all, None), ["move", "undo"]);
        assert!(found(&[tool("read", 9000), tool("move", 600)], None).is_empty());
    }

    #[test]
    fn what_people_bring_is_shown_as_long_as_it_is_not_much() {
        let mut all = vec![tool("read", 900), own("mine", 3000)];
        assert!(found(&all, None).is_empty());
        assert_eq!(found(&all, Some(8_000)), ["mine"], "a tenth of the window");
        all.extend((0..30).map(|n| own(&format!("t{n}"), 50)));
        assert_eq!(found(&all, None).len(), 31);
        assert!(found(&[tool("read", 900), own("mine", 20_000)], Some(1_000_000)) == ["mine"]);
    }

    #[test]
    fn what_is_named_is_shown() {
        let mut all = vec![tool("move", 900), tool("undo", 900), own("mine", 90_000)];
        all[0].is_named = true;
        all[2].is_named = true;
        assert!(found(&all, None).is_empty());
        all.push(tool("other", 900));
        assert_eq!(found(&all, None), ["other", "undo"]);
    }
}
