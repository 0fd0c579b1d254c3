//! Where a rule came from. The order of the variants is the order of strength and is public.
//!
//! Adding a layer means adding a variant at its place; nothing else compares sources by hand.

use std::fmt;

/// The origin of a rule or of a step in a trace, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// What holds when nothing is said.
    GlobalDefault,
    /// What follows from the effect that a tool declares.
    ToolEffect,
    /// The classifier of mode `auto`.
    Classifier,
    /// The rules that come with the program.
    Shipped,
    /// The trusted policy of the project.
    Project,
    /// The block of rules in the project's instruction file.
    ProjectInstructions,
    /// The profile that the model runs under.
    Profile,
    /// The person's own configuration.
    User,
    /// `AGENT_PERMISSION`.
    Environment,
    /// What whoever set the model to work lays down for it: `allow` and `deny` of `agent.ask`.
    Script,
    /// `--allow` and `--deny`.
    CommandLine,
    /// What the person approved in this session.
    Session,
    /// The mode, where it says more than the defaults or outranks the rules.
    Mode,
    /// A hook. It only ever tightens, after all rules have spoken.
    Hook,
}

impl Source {
    /// Every source, weakest first.
    pub const ALL: [Source; 14] = [
        Source::GlobalDefault,
        Source::ToolEffect,
        Source::Classifier,
        Source::Shipped,
        Source::Project,
        Source::ProjectInstructions,
        Source::Profile,
        Source::User,
        Source::Environment,
        Source::Script,
        Source::CommandLine,
        Source::Session,
        Source::Mode,
        Source::Hook,
    ];

    /// The words that traces and messages use.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::GlobalDefault => "default",
            Source::ToolEffect => "tool effect",
            Source::Classifier => "classifier",
            Source::Shipped => "shipped",
            Source::Project => "project",
            Source::ProjectInstructions => "project instructions",
            Source::Profile => "profile",
            Source::User => "user",
            Source::Environment => "environment",
            Source::Script => "script",
            Source::CommandLine => "command line",
            Source::Session => "session approval",
            Source::Mode => "mode",
            Source::Hook => "hook",
        }
    }

    /// True for what merely holds until somebody says otherwise: its denies give way.
    pub fn is_default(self) -> bool {
        self <= Source::ToolEffect
    }

    /// True for what a person wrote, or accepted by trusting the project: its asks hold for the
    /// caller `user` too.
    pub fn is_written(self) -> bool {
        self >= Source::Project
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stands_in_the_order_of_strength() {
        let words: Vec<&str> = Source::ALL.map(Source::as_str).to_vec();
        assert_eq!(
            words.join(" < "),
            "default < tool effect < classifier < shipped < project < project instructions < \
             profile < user < environment < script < command line < session approval < mode < hook"
        );
        assert!(Source::ALL.is_sorted());
    }

    #[test]
    fn only_the_two_defaults_give_way() {
        let defaults = Source::ALL.iter().filter(|source| source.is_default());
        assert_eq!(defaults.count(), 2);
        assert!(!Source::Shipped.is_written() && Source::Project.is_written());
    }
}
