//! Groups of tools as a person meets them: what they are for, whether they are there, what they keep to.
//!
//! A tool belongs to the surface that lists it, else to the one it names itself. Limits only ever narrow;
//! those of a project hold besides those of the person.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Registry, Spec};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::permission::Limit;

/// One group of tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// What it is for, in a sentence.
    pub description: String,
    /// Tools that belong to it besides those that name it themselves, by id.
    pub tools: Vec<String>,
    /// The same as a project has it, which counts for tools of the project alone.
    pub of_project: Vec<String>,
    /// What its tools keep to.
    pub limits: Vec<Limit>,
    /// Settings that its tools read.
    pub params: BTreeMap<String, Data>,
    /// Who disabled it: a file. `None`: it is there.
    pub disabled_by: Option<String>,
}

impl Surface {
    /// The description, with the limits in force.
    pub fn describe(&self) -> String {
        let mut text = self.description.trim().to_owned();
        if let Some(bounds) = self.bounds() {
            let gap = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{gap}{bounds}");
        }
        text
    }

    /// The limits in force, as a sentence for who calls its tools; none where there are none.
    pub fn bounds(&self) -> Option<String> {
        let limits: Vec<String> = self.limits.iter().map(ToString::to_string).collect();
        (!limits.is_empty()).then(|| format!("Limited to {}.", limits.join("; ")))
    }
}

/// All groups by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surfaces(pub BTreeMap<String, Surface>);

impl Surfaces {
    /// The name of the surface that a tool belongs to.
    pub fn name_of<'a>(&'a self, spec: &'a Spec) -> &'a str {
        let is_projects = spec.origin.layer() == Layer::Project;
        let lists = |surface: &Surface| {
            surface.tools.contains(&spec.id)
                || (is_projects && surface.of_project.contains(&spec.id))
        };
        let listed = self.0.iter().find(|(_, surface)| lists(surface));
        listed.map_or(spec.surface.as_str(), |(name, _)| name)
    }

    /// The surface that a tool belongs to, where anything is said of it.
    pub fn of(&self, spec: &Spec) -> Option<&Surface> {
        self.0.get(self.name_of(spec))
    }

    /// Refuses a tool whose surface is disabled.
    ///
    /// # Errors
    /// `unavailable`, with who disabled it and the surfaces that are there.
    pub fn usable(&self, spec: &Spec, tools: &Registry) -> Result<(), ToolError> {
        let name = self.name_of(spec);
        let Some(file) = self.0.get(name).and_then(|one| one.disabled_by.as_ref()) else {
            return Ok(());
        };
        let message = format!(
            "the surface `{name}` is disabled by {file}, so `{}` is not there",
            spec.id
        );
        Err(ToolError::new(Kind::Unavailable, message).with_hint(self.what_is_there(tools)))
    }

    /// Whether a tool's surface is disabled.
    pub fn is_disabled(&self, spec: &Spec) -> bool {
        self.of(spec).is_some_and(|one| one.disabled_by.is_some())
    }

    /// The limits of each, by its name.
    pub fn limits(&self) -> BTreeMap<String, Vec<Limit>> {
        let limited = self.0.iter().filter(|(_, one)| !one.limits.is_empty());
        limited
            .map(|(name, one)| (name.clone(), one.limits.clone()))
            .collect()
    }

    fn what_is_there(&self, tools: &Registry) -> String {
        let mut there: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for tool in tools.listed().filter(|tool| !self.is_disabled(tool.spec())) {
            let name = self.name_of(tool.spec());
            there.entry(name).or_default().push(tool.id());
        }
        let list: Vec<String> = there
            .iter()
            .map(|(name, tools)| format!("{name} ({})", tools.join(", ")))
            .collect();
        match list.is_empty() {
            true => "no surface is there".to_owned(),
            false => format!("what is there: {}", list.join("; ")),
        }
    }
}
