//! The layers that code and policy come from.
//!
//! The order of the variants is the order of strength and is public.

use std::fmt;

/// Where a piece of Lua comes from, weakest first: what a stronger layer says holds over what a weaker one said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Part of the program.
    Shipped,
    /// The person's own configuration folder.
    User,
    /// The workspace, once it is trusted.
    Project,
    /// A folder named with `--tools`.
    CommandLine,
    /// The script or piece of code that runs.
    Script,
}

impl Layer {
    /// Every layer, weakest first.
    pub const ALL: [Layer; 5] = [
        Layer::Shipped,
        Layer::User,
        Layer::Project,
        Layer::CommandLine,
        Layer::Script,
    ];

    /// The word that lists and messages use.
    pub fn as_str(self) -> &'static str {
        match self {
            Layer::Shipped => "shipped",
            Layer::User => "user",
            Layer::Project => "project",
            Layer::CommandLine => "tools folder",
            Layer::Script => "script",
        }
    }

    /// Whether the person wrote it or named it: only then may it grant what a rule or a setting of the
    /// person's does not already allow.
    pub fn is_the_persons(self) -> bool {
        self != Layer::Project
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
