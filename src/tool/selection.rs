//! Which tools a hook looks at: globs over their ids and other names, and over their surfaces.
//!
//! Made once, when the hook is registered; nothing chosen is everything.

use super::{Registry, Tool};
use crate::permission::Glob;
use crate::text::nearest;

/// A choice of tools.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    tools: Vec<Glob>,
    surfaces: Vec<Glob>,
    /// The tools that are named one by one.
    names: Vec<String>,
}

impl Selection {
    /// Tools whose id or alias matches one of `tools`, on a surface that matches one of `surfaces`. An
    /// empty list leaves nothing out.
    pub fn new<'a>(
        tools: impl IntoIterator<Item = &'a str>,
        surfaces: impl IntoIterator<Item = &'a str>,
    ) -> Selection {
        let glob = |pattern: &str| Glob::new(pattern, "");
        let tools: Vec<&str> = tools.into_iter().collect();
        let is_plain = |name: &&str| !name.contains(['*', '?']) && !name.starts_with("mcp.");
        let names = tools.iter().copied().filter(is_plain);
        Selection {
            names: names.map(str::to_owned).collect(),
            tools: tools.into_iter().map(glob).collect(),
            surfaces: surfaces.into_iter().map(glob).collect(),
        }
    }

    /// The names in it that no tool answers to, each with the nearest id, if one is near. A glob, and what begins
    /// with `mcp.`, is taken as it is: what it is about may come later.
    pub fn unknown<'a>(
        &'a self,
        tools: &'a Registry,
    ) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let names = self.names.iter().map(String::as_str);
        let unknown = names.filter(|name| tools.get(name).is_none());
        unknown.map(|name| (name, nearest(name, tools.iter().map(|tool| tool.id()))))
    }

    /// Whether `tool`, which belongs to `surface`, is chosen.
    pub fn has(&self, tool: &dyn Tool, surface: &str) -> bool {
        let any = |globs: &[Glob], name: &str| globs.iter().any(|glob| glob.matches(name));
        let by_name = || {
            let mut names = std::iter::once(tool.id()).chain(tool.aliases());
            names.any(|name| any(&self.tools, name))
        };
        (self.tools.is_empty() || by_name())
            && (self.surfaces.is_empty() || any(&self.surfaces, surface))
    }
}
