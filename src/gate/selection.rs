//! Which tools a hook looks at: globs over their ids and other names, and over their surfaces.
//!
//! Made once, when the hook is registered; nothing chosen is everything.

use crate::permission::Glob;
use crate::tool::Tool;

/// A choice of tools.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    tools: Vec<Glob>,
    surfaces: Vec<Glob>,
}

impl Selection {
    /// Tools whose id or alias matches one of `tools`, on a surface that matches one of `surfaces`. An
    /// empty list leaves nothing out.
    pub fn new<'a>(
        tools: impl IntoIterator<Item = &'a str>,
        surfaces: impl IntoIterator<Item = &'a str>,
    ) -> Selection {
        let glob = |pattern: &str| Glob::new(pattern, "");
        Selection {
            tools: tools.into_iter().map(glob).collect(),
            surfaces: surfaces.into_iter().map(glob).collect(),
        }
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
