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
use crate::tool::{Deferred, Generation};

/// How many bytes the names of tools may take; where they are more, their groups are named alone.
const NAMES: usize = 1_200;

/// What one conversation is offered.
#[derive(Default)]
pub(super) struct Offering {
    /// What is found, and what of it was.
    pub(super) deferred: Arc<Deferred>,
    /// How it began; `None` where it has not yet.
    pub(super) begun: Option<Begun>,
    /// The tools that stand behind those it began with.
    pub(super) found: Vec<Offered>,
    /// How many of those that were opened were looked at.
    pub(super) looked: usize,
    /// How many of them stand in the session.
    noted: usize,
}

/// How it began.
pub(super) struct Begun {
    model: String,
    profile: Option<String>,
    shown: BTreeSet<String>,
    /// What `tool_search` says of the tools that it finds; `None` where it is not there.
    pub(super) hints: Option<String>,
    /// Those of which it says so.
    hinted: BTreeSet<String>,
    /// The same with those that were told of since.
    told: BTreeSet<String>,
}

impl Begun {
    /// A conversation that shows `model`, under `profile`, the tools `shown`, and says of those that are found `hints`.
    pub(super) fn new(
        model: &str,
        profile: Option<&str>,
        shown: BTreeSet<String>,
        hinted: BTreeSet<String>,
        hints: Option<String>,
    ) -> Begun {
        Begun {
            model: model.to_owned(),
            profile: profile.map(str::to_owned),
            shown,
            hints,
            told: hinted.clone(),
            hinted,
        }
    }

    /// Whether it began with this model under this profile: with another nothing is in common.
    pub(super) fn is_for(&self, model: &str, profile: Option<&str>) -> bool {
        self.model == model && self.profile.as_deref() == profile
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
        let Some(begun) = self.begun.as_mut().filter(|begun| begun.hints.is_some()) else {
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
        let about = surface.map_or_else(String::new, |surface| surface.describe());
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
