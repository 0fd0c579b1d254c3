//! One piece of Lua as it was read: its layer, its role, its bytes.
//!
//! It is data: nothing of it has run, and what runs later is these bytes.

use std::sync::Arc;

use super::Layer;
use crate::error::ToolError;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// `init.lua`: runs once; registers hooks, commands, tools.
    Init,
    /// A policy file: it bears a reserved name and returns a table or a function of the layers so far.
    Policy(PolicyName),
    /// A tool file.
    Tool,
    /// A module, for `require`; nothing of it runs until then.
    Module,
}

/// The names that make a file of a `tools/` folder a policy and no tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyName {
    /// Rules: what is allowed, asked about, denied.
    Permissions,
    /// How much of a result a model gets.
    Truncation,
    /// How a text that is to be edited is found.
    Replacers,
    /// Model providers and the models they have.
    Models,
    /// Profiles: a prompt, a model, tools and rules under a name.
    Agents,
    /// Groups of tools, their limits, and whether they are there at all.
    Surfaces,
    /// What never reaches a model.
    Redaction,
}

impl PolicyName {
    /// Every policy, in the order they are loaded.
    pub const ALL: [PolicyName; 7] = [
        PolicyName::Permissions,
        PolicyName::Truncation,
        PolicyName::Replacers,
        PolicyName::Models,
        PolicyName::Agents,
        PolicyName::Surfaces,
        PolicyName::Redaction,
    ];

    /// The name of its file, without `.lua`.
    pub fn as_str(self) -> &'static str {
        match self {
            PolicyName::Permissions => "permissions",
            PolicyName::Truncation => "truncation",
            PolicyName::Replacers => "replacers",
            PolicyName::Models => "models",
            PolicyName::Agents => "agents",
            PolicyName::Surfaces => "surfaces",
            PolicyName::Redaction => "redaction",
        }
    }

    /// The policy whose file is called `name`, if one is.
    pub fn named(name: &str) -> Option<PolicyName> {
        Self::ALL.into_iter().find(|policy| policy.as_str() == name)
    }
}

/// One file as it was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Whose it is.
    pub layer: Layer,
    /// What it is for.
    pub role: Role,
    /// Its name without `.lua`; of a module the dotted name that `require` takes.
    pub name: String,
    /// What messages call it, as a person would type it.
    pub shown: String,
    /// Its bytes, or why they could not be read. What runs is these bytes, never the file again.
    pub text: Result<Arc<[u8]>, ToolError>,
}
