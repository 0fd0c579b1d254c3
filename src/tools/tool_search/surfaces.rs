//! `tool_search` by surface: first the groups, each with what it is for and the tools in it; then the tools of one.
//!
//! Where there are many tools a model finds the right group sooner than the right name. One that is named, or that is the
//! only one met, is opened.

use std::fmt::Write as _;

use super::{met as met_in, signature, words};
use crate::data::Data;
use crate::text::counted;
use crate::tool::{Generation, Output, Surface, Tool};

/// A group, and those of its tools that can be opened.
pub(super) struct Group<'a> {
    name: &'a str,
    about: String,
    tools: Vec<&'a dyn Tool>,
}

/// The groups of the tools that are `there`, in the order in which people meet them.
pub(super) fn groups<'a>(there: &[&'a dyn Tool], generation: &'a Generation) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for tool in there {
        let name = generation.surface_of(*tool);
        if let Some(group) = groups.iter_mut().find(|group| group.name == name) {
            group.tools.push(*tool);
            continue;
        }
        let surface = generation.surfaces.0.get(name);
        groups.push(Group {
            name,
            about: surface.map(Surface::describe).unwrap_or_default(),
            tools: vec![*tool],
        });
    }
    groups
}

/// Those of `groups` that the words of `query` speak of, the likeliest first; all, where it has none.
pub(super) fn met<'a>(query: &str, groups: Vec<Group<'a>>) -> Vec<Group<'a>> {
    let asked = words(query);
    if asked.is_empty() {
        return groups;
    }
    let rank = |group: &Group<'_>| {
        let tools: Vec<String> = group
            .tools
            .iter()
            .flat_map(|tool| words(tool.id()))
            .collect();
        [
            usize::from(group.name.eq_ignore_ascii_case(query)),
            met_in(&asked, &words(group.name)),
            met_in(&asked, &words(&group.about)) + met_in(&asked, &tools),
        ]
    };
    let ranked = groups.into_iter().map(|group| (rank(&group), group));
    let mut ranked: Vec<([usize; 3], Group<'_>)> = ranked
        .filter(|(rank, _)| rank.iter().any(|part| *part > 0))
        .collect();
    ranked.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    ranked.into_iter().map(|(_, group)| group).collect()
}

/// The tools that are opened: those of the group that `query` names, or of the only one that it speaks of.
pub(super) fn opened<'a>(query: &str, met: &[Group<'a>]) -> Vec<&'a dyn Tool> {
    let is_asked = !words(query).is_empty();
    match met {
        [first, ..] if first.name.eq_ignore_ascii_case(query) => first.tools.clone(),
        [only] if is_asked => only.tools.clone(),
        _ => Vec::new(),
    }
}

/// What the model reads of it.
pub(super) fn told(
    query: &str,
    met: &[Group<'_>],
    opened: &[&dyn Tool],
    generation: &Generation,
) -> Output {
    let ids: Data = opened.iter().map(|tool| tool.id().into()).collect();
    let (title, mut text) = match (opened, met) {
        ([first, ..], _) => {
            let name = generation.surface_of(*first);
            let title = format!(
                "{} of `{name}`, open from here on",
                counted(opened.len(), "tool")
            );
            (title, String::new())
        }
        ([], []) => (format!("no group is about `{query}`"), String::new()),
        ([], met) => (
            counted(met.len(), "group"),
            "Name one in `query` to open it.\n".to_owned(),
        ),
    };
    match opened {
        [] => met.iter().for_each(|group| group.tell(&mut text)),
        opened => text.extend(opened.iter().map(|tool| signature(tool.spec()))),
    }
    Output::new(title.clone(), format!("{title}\n{text}"), [("opened", ids)])
}

impl Group<'_> {
    fn tell(&self, text: &mut String) {
        let ids: Vec<&str> = self.tools.iter().map(|tool| tool.id()).collect();
        let gap = if self.about.is_empty() { "" } else { " " };
        let _ = writeln!(
            text,
            "{}:{gap}{}\n    {}",
            self.name,
            self.about,
            ids.join(", ")
        );
    }
}
