//! Profiles: what a model is told, which model that is, which tools it has, and rules that hold for it besides.
//!
//! A profile brings no tool, and its rules are as strong as its author: it chooses and tightens. Which one holds
//! stands in the scope of a call; what it has not got is not offered there, and refused to whoever calls it.

use std::collections::BTreeMap;

use super::{Generation, Scope, Tool};
use crate::error::{Kind, ToolError};
use crate::permission::{Glob, Rule};
use crate::text::offer;

/// One profile.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The module that returns what the model is told; `None`: nothing of the profile's own.
    pub prompt: Option<String>,
    /// The module that says how room is made in a long conversation; `None`: the shipped one.
    pub compact: Option<String>,
    /// `provider/model`; `None`: the one that is meant where none is named.
    pub model: Option<String>,
    /// Choices of tools: it has those that every one of them has. None: all tools.
    pub tools: Vec<Choice>,
    /// The rules that hold for the calls made under it.
    pub rules: Vec<Rule>,
}

impl Profile {
    /// Whether it has `tool`, which belongs to `surface`.
    pub fn has(&self, tool: &dyn Tool, surface: &str) -> bool {
        self.tools.iter().all(|choice| choice.has(tool, surface))
    }
}

/// A choice of tools as people write it: ids and `surface.effect`, globs of either, and with a `!` before it what is
/// left out. The last entry that is about a tool decides; a list that begins with a `!` begins with all tools.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    entries: Vec<Entry>,
    begins_with_all: bool,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    glob: Glob,
    is_in: bool,
}

impl Choice {
    /// The choice that `list` says.
    pub fn new<'a>(list: impl IntoIterator<Item = &'a str>) -> Choice {
        let entry = |text: &str| {
            let (name, is_in) = match text.strip_prefix('!') {
                Some(name) => (name.trim(), false),
                None => (text.trim(), true),
            };
            Entry {
                name: name.to_owned(),
                glob: Glob::new(name, ""),
                is_in,
            }
        };
        let entries: Vec<Entry> = list.into_iter().map(entry).collect();
        Choice {
            begins_with_all: entries.first().is_some_and(|entry| !entry.is_in),
            entries,
        }
    }

    /// What leaves out looks wide: at the other names that a tool answers to, and at the surface that it names
    /// itself. What takes in looks narrow, so that no tool comes in under the name of another.
    pub fn has(&self, tool: &dyn Tool, surface: &str) -> bool {
        let spec = tool.spec();
        let own = [tool.id().to_owned(), format!("{surface}.{}", spec.effect)];
        let declared = format!("{}.{}", spec.surface, spec.effect);
        let others = tool.aliases().into_iter().chain([declared.as_str()]);
        let others: Vec<&str> = others.collect();
        let is_about = |entry: &&Entry| {
            own.iter().any(|name| entry.glob.matches(name))
                || (!entry.is_in && others.iter().any(|name| entry.glob.matches(name)))
        };
        let decides = self.entries.iter().rev().find(is_about);
        decides.map_or(self.begins_with_all, |entry| entry.is_in)
    }

    /// Whether it takes in the tool `id` by that name, to the letter.
    pub fn names_tool(&self, id: &str) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|entry| entry.is_in && entry.name == id)
    }

    /// The names in it that stand for one tool which it takes in. What is left out, a glob, and a name with a dot are
    /// taken as they are: what they are about may come later.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let is_plain = |entry: &&Entry| entry.is_in && !entry.name.contains(['*', '?', '.']);
        let names = self.entries.iter().filter(is_plain);
        names.map(|entry| entry.name.as_str())
    }
}

/// All profiles by name.
#[derive(Clone, Debug, Default)]
pub struct Profiles(pub BTreeMap<String, Profile>);

impl Profiles {
    /// The profile `name`.
    ///
    /// # Errors
    /// `not_found` with the nearest name and the list of what is there.
    pub fn find(&self, name: &str) -> Result<&Profile, ToolError> {
        self.0.get(name).ok_or_else(|| {
            let names = self.0.keys().map(String::as_str);
            ToolError::not_found(format!("there is no profile `{name}`"))
                .with_hint(offer(name, "profiles", names))
        })
    }

    /// The rules of each, by its name.
    pub fn rules(&self) -> BTreeMap<String, Vec<Rule>> {
        let rules = self.0.iter();
        rules
            .map(|(name, profile)| (name.clone(), profile.rules.clone()))
            .collect()
    }
}

impl Generation {
    /// Refuses a tool that there is not in `scope`: its profile has not got it, or what was laid down for the model
    /// leaves it out.
    ///
    /// # Errors
    /// `unavailable` with the tools that there are; `not_found` where there is no such profile any more.
    pub fn usable_in(&self, scope: &Scope, tool: &dyn Tool) -> Result<(), ToolError> {
        if let Some(name) = scope.profile() {
            self.usable_under(name, tool)?;
        }
        let choices = scope.terms().map_or(&[][..], |terms| terms.choices());
        let has = |tool: &dyn Tool| {
            let surface = self.surface_of(tool);
            choices.iter().all(|choice| choice.has(tool, surface))
        };
        if has(tool) {
            return Ok(());
        }
        let there = self.tools.listed().filter(|tool| has(&***tool));
        let there: Vec<&str> = there.map(|tool| tool.id()).collect();
        let message = format!("the tool `{}` was not given for this", tool.id());
        Err(ToolError::new(Kind::Unavailable, message)
            .with_hint(format!("work with what there is: {}", there.join(", "))))
    }

    /// Refuses a tool that the profile `name` has not got.
    fn usable_under(&self, name: &str, tool: &dyn Tool) -> Result<(), ToolError> {
        let profile = self.profiles.find(name)?;
        if profile.has(tool, self.surface_of(tool)) {
            return Ok(());
        }
        let id = tool.id();
        let message = format!("the profile `{name}` has not got the tool `{id}`");
        let hint = match self.tools_under(profile).as_slice() {
            [] => "it has no tools at all".to_owned(),
            there => format!(
                "work with what it has ({}), or leave this to another profile",
                there.join(", ")
            ),
        };
        Err(ToolError::new(Kind::Unavailable, message).with_hint(hint))
    }

    /// The ids of the tools that a profile has, in their order.
    pub fn tools_under(&self, profile: &Profile) -> Vec<&str> {
        let tools = self.tools.listed().filter(|tool| {
            let tool: &dyn Tool = &***tool;
            profile.has(tool, self.surface_of(tool)) && !self.surfaces.is_disabled(tool.spec())
        });
        tools.map(|tool| tool.id()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_stands_for_one_tool_that_is_taken_in() {
        let choice = Choice::new(["raed", "!wirte", "gerp*", "file.raed", "read"]);
        assert_eq!(choice.names().collect::<Vec<_>>(), ["raed", "read"]);
    }

    #[test]
    fn a_profile_that_is_not_there_names_the_nearest() {
        let all = ["build", "explore"].map(|name| (name.to_owned(), Profile::default()));
        let error = Profiles(all.into()).find("exploer").unwrap_err();
        assert_eq!(error.message, "there is no profile `exploer`");
        assert!(error.hint().contains("did you mean `explore`?"), "{error}");
    }
}
