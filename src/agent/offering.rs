//! What a conversation was offered when it began, and what of the rest it has found since.
//!
//! Formats take tools in one place, before everything that is said. So what stands there from the beginning never changes:
//! not the tools, and not what `tool_search` says of those that it finds. What is found stands behind them. What can be
//! found since is told in the midst of the conversation, so that no request loses the beginning it has in common with the
//! one before.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use super::offer::Candidate;
use crate::chat::Offered;
use crate::text::counted;
use crate::tool::{Deferred, Generation, Surface};

/// How many bytes the names of tools may take; where they are more, their groups are named alone.
const NAMES: usize = 1_200;

/// What one conversation is offered.
#[derive(Default)]
pub(super) struct Offering {
    /// What is found, and what of it was.
    pub(super) deferred: Arc<Deferred>,
    /// How it began; `None` where it has not yet, or finds nothing.
    pub(super) begun: Option<Begun>,
    /// The tools that stand behind those it began with.
    pub(super) found: Vec<Offered>,
    /// How many of those that were opened were looked at.
    pub(super) looked: usize,
    /// How many of them stand in the session.
    noted: usize,
}

/// How it began, where it finds tools.
pub(super) struct Begun {
    /// The model, and the profile.
    about: (String, Option<String>),
    shown: BTreeSet<String>,
    /// What `tool_search` says of the tools that it finds.
    pub(super) hints: String,
    /// Those of which it says so.
    hinted: BTreeSet<String>,
    /// The same with those that were told of since.
    told: BTreeSet<String>,
}

impl Begun {
    /// A conversation with a model under a profile: what it shows, what it finds, and what it says of that.
    pub(super) fn new(
        about: (String, Option<String>),
        shown: &[&Candidate],
        found: &[&Candidate],
        hints: String,
    ) -> Begun {
        let [shown, hinted] = [shown, found].map(|tools| {
            let ids = tools.iter().map(|one| one.offered.name.clone());
            ids.collect::<BTreeSet<String>>()
        });
        Begun {
            about,
            shown,
            hints,
            told: hinted.clone(),
            hinted,
        }
    }

    /// Whether it began with this model under this profile: with another nothing is in common.
    pub(super) fn is_for(&self, about: &(String, Option<String>)) -> bool {
        self.about == *about
    }

    /// The ids of those of `all` that it did not show when it began.
    pub(super) fn later(&self, all: &[Candidate]) -> BTreeSet<String> {
        let ids = all.iter().map(|one| &one.offered.name);
        ids.filter(|id| !self.shown.contains(*id))
            .cloned()
            .collect()
    }
}

impl Offering {
    /// One that goes on with what was opened before.
    pub(super) fn going_on(opened: Vec<String>) -> Offering {
        let offering = Offering {
            noted: opened.len(),
            ..Offering::default()
        };
        offering.deferred.open(opened);
        offering
    }

    /// What was opened and stands in no session yet; it counts as noted from here on.
    pub(super) fn unnoted(&mut self) -> Vec<String> {
        let opened = self.deferred.opened();
        let new = opened.get(self.noted..).unwrap_or_default().to_vec();
        self.noted = opened.len();
        new
    }

    /// The names of those of `found` that nothing told of yet; they count as told from here on.
    pub(super) fn untold(&mut self, found: &[&Candidate]) -> Vec<String> {
        let Some(begun) = &mut self.begun else {
            return Vec::new();
        };
        let names = found.iter().map(|one| one.offered.name.clone());
        names
            .filter(|name| begun.told.insert(name.clone()))
            .collect()
    }

    /// What was told in the midst of the conversation is summed up: it is told again.
    pub(super) fn forgets(&mut self) {
        if let Some(begun) = &mut self.begun {
            begun.told.clone_from(&begun.hinted);
        }
    }
}

/// What `tool_search` says of the tools that it finds: their names by their groups, or the groups alone.
pub(super) fn hints(found: &[&Candidate], generation: &Generation) -> String {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in found {
        let names = groups.entry(&one.surface).or_default();
        names.push(&one.offered.name);
    }
    let bytes: usize = found.iter().map(|one| one.offered.name.len() + 2).sum();
    if bytes <= NAMES {
        let groups = groups.iter();
        let lines = groups.map(|(group, names)| format!("{group}: {}", names.join(", ")));
        return lines.collect::<Vec<_>>().join("\n");
    }
    let mut text = "The groups, each of which `by = \"surface\"` shows and opens:".to_owned();
    for (group, names) in groups {
        let surface = generation.surfaces.0.get(group);
        let about = surface.map(Surface::describe).unwrap_or_default();
        let gap = if about.is_empty() { "" } else { " " };
        let _ = write!(
            text,
            "\n{group} ({}):{gap}{about}",
            counted(names.len(), "tool")
        );
    }
    text
}

/// That more tools can be found.
pub(super) fn news(names: &[String]) -> String {
    format!(
        "From here on `tool_search` finds more: {}",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::gate::Rules;
    use crate::tool::Registry;

    fn tool(name: String, surface: &str) -> Candidate {
        Candidate {
            offered: Offered {
                name,
                description: String::new(),
                schema: json!({}),
                found: false,
            },
            surface: surface.to_owned(),
            is_shipped: false,
            is_named: false,
        }
    }

    fn said(many: usize) -> String {
        let mut all: Vec<Candidate> = (0..many)
            .map(|n| tool(format!("tool_{n:03}"), "field"))
            .collect();
        all.push(tool("move".to_owned(), "file"));
        let mut generation = Generation::new(Registry::default(), Arc::new(Rules::default()));
        let field = Surface {
            description: "Count sheep.".to_owned(),
            ..Surface::default()
        };
        generation.surfaces.0.insert("field".to_owned(), field);
        hints(&all.iter().collect::<Vec<_>>(), &generation)
    }

    #[test]
    fn a_few_are_named_and_of_many_the_groups() {
        assert_eq!(said(2), "field: tool_000, tool_001\nfile: move");
        let many = said(300);
        assert!(many.len() < 200, "{many}");
        assert!(
            many.ends_with("\nfield (300 tools): Count sheep.\nfile (1 tool):"),
            "{many}"
        );
    }

    #[test]
    fn what_comes_later_is_told_of_once_and_again_after_a_summary() {
        let all = ["read", "move", "late"].map(|name| tool(name.to_owned(), "file"));
        let [read, moves, late] = all.each_ref();
        let about = ("m".to_owned(), None);
        let mut offering = Offering::default();
        assert!(offering.untold(&[moves]).is_empty(), "it finds nothing");
        let begun = Begun::new(about, &[read], &[moves], String::new());
        assert_eq!(begun.later(&all).len(), 2);
        offering.begun = Some(begun);
        assert_eq!(offering.untold(&[moves, late]), ["late"]);
        assert!(offering.untold(&[moves, late]).is_empty());
        offering.forgets();
        assert_eq!(offering.untold(&[moves, late]), ["late"]);
    }

    #[test]
    fn what_was_opened_is_noted_once() {
        let mut offering = Offering::going_on(vec!["a".to_owned()]);
        assert!(offering.unnoted().is_empty());
        offering.deferred.open(["a".to_owned(), "b".to_owned()]);
        assert_eq!(offering.unnoted(), ["b"]);
        assert!(offering.unnoted().is_empty());
    }
}
