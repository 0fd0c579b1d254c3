//! Which replacers are asked, in which order, under which policy: what `replacers.lua` says, as data.
//!
//! Nothing here looks at a text.

use super::Found;
use super::{
    block_anchor, context_aware, escape_normalized, indentation_flexible, line_trimmed, simple,
    trimmed_boundary, whitespace_normalized,
};
use crate::text::{TooMuch, Work};

/// What happens with what a replacer finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// The first replacer that finds anything decides; what is not certain is refused.
    #[default]
    Safe,
    /// The classic chain: what is ambiguous is left to the next candidate and the next replacer.
    Opencode,
}

/// Numbers that a policy file may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// How like the middle between anchors must be, from 0 to 1.
    pub block_anchor: f64,
    /// Which part of the lines between anchors must be the same, from 0 to 1.
    pub context_aware: f64,
    /// How many times the lines of what was quoted a place may have; for its bytes twice that.
    pub larger: f64,
    /// Under `opencode`: how like the middle must be where there is one block with these anchors.
    pub block_anchor_single: f64,
    /// Under `opencode`: how like it must be where there are several.
    pub block_anchor_several: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            block_anchor: 0.65,
            context_aware: 0.5,
            larger: 2.0,
            block_anchor_single: 0.0,
            block_anchor_several: 0.3,
        }
    }
}

/// One of the shipped replacers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacer {
    /// The very text.
    Simple,
    /// Whole lines, the space around each aside.
    LineTrimmed,
    /// First and last line, and a middle that is alike.
    BlockAnchor,
    /// The same words.
    WhitespaceNormalized,
    /// A block moved in or out.
    IndentationFlexible,
    /// Escapes for what they mean.
    EscapeNormalized,
    /// Without the space around it.
    TrimmedBoundary,
    /// First and last line, and enough of the lines between.
    ContextAware,
    /// The very text, each time.
    MultiOccurrence,
}

impl Replacer {
    /// All of them, the strictest first.
    pub const ALL: [Replacer; 9] = [
        Replacer::Simple,
        Replacer::LineTrimmed,
        Replacer::BlockAnchor,
        Replacer::WhitespaceNormalized,
        Replacer::IndentationFlexible,
        Replacer::EscapeNormalized,
        Replacer::TrimmedBoundary,
        Replacer::ContextAware,
        Replacer::MultiOccurrence,
    ];

    /// The word for it in policies and results.
    pub fn as_str(self) -> &'static str {
        match self {
            Replacer::Simple => "simple",
            Replacer::LineTrimmed => "line_trimmed",
            Replacer::BlockAnchor => "block_anchor",
            Replacer::WhitespaceNormalized => "whitespace_normalized",
            Replacer::IndentationFlexible => "indentation_flexible",
            Replacer::EscapeNormalized => "escape_normalized",
            Replacer::TrimmedBoundary => "trimmed_boundary",
            Replacer::ContextAware => "context_aware",
            Replacer::MultiOccurrence => "multi_occurrence",
        }
    }

    /// The replacer called `name`.
    pub fn named(name: &str) -> Option<Replacer> {
        Replacer::ALL.into_iter().find(|one| one.as_str() == name)
    }

    /// Whether it tolerates nothing, so that what it finds is replaced to the letter.
    pub(super) fn is_exact(self) -> bool {
        matches!(self, Replacer::Simple | Replacer::MultiOccurrence)
    }

    /// Its candidates, in order: under `safe` every place, those that overlap too. Of the very text it is the first
    /// place alone; where more count they are counted elsewhere.
    ///
    /// # Errors
    /// [`TooMuch`] to compare.
    pub(super) fn find(
        self,
        content: &str,
        old: &str,
        (policy, least): (Policy, &Thresholds),
        work: &Work,
    ) -> Result<Vec<Found>, TooMuch> {
        let is_safe = policy == Policy::Safe;
        match self {
            Replacer::Simple | Replacer::MultiOccurrence => {
                let first = simple::first(content, old).into_iter();
                Ok(first.map(|span| Found::new(span, 1.0)).collect())
            }
            Replacer::LineTrimmed => line_trimmed::find(content, old, work),
            Replacer::IndentationFlexible => indentation_flexible::find(content, old, work),
            Replacer::BlockAnchor if is_safe => block_anchor::find(content, old, least, work),
            Replacer::BlockAnchor => block_anchor::classic(content, old, least, work),
            Replacer::WhitespaceNormalized if is_safe => {
                whitespace_normalized::find(content, old, work)
            }
            Replacer::WhitespaceNormalized => whitespace_normalized::classic(content, old, work),
            Replacer::EscapeNormalized if is_safe => escape_normalized::find(content, old, work),
            Replacer::EscapeNormalized => Ok(escape_normalized::classic(content, old)),
            Replacer::TrimmedBoundary if is_safe => trimmed_boundary::find(content, old, work),
            Replacer::TrimmedBoundary => trimmed_boundary::classic(content, old, work),
            Replacer::ContextAware if is_safe => context_aware::find(content, old, least, work),
            Replacer::ContextAware => context_aware::classic(content, old, least, work),
        }
    }
}

/// One step of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A shipped replacer.
    Shipped(Replacer),
    /// One that somebody else brings, by name.
    Own(String),
}

impl Step {
    /// The word for it in policies and results.
    pub fn name(&self) -> &str {
        match self {
            Step::Shipped(replacer) => replacer.as_str(),
            Step::Own(name) => name,
        }
    }
}

/// The replacers in the order they are asked, and what counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// What happens with what is found.
    pub policy: Policy,
    /// The numbers.
    pub thresholds: Thresholds,
    /// The replacers, the first to be asked first.
    pub steps: Vec<Step>,
}

impl Default for Chain {
    fn default() -> Chain {
        Chain {
            policy: Policy::default(),
            thresholds: Thresholds::default(),
            steps: Replacer::ALL.into_iter().map(Step::Shipped).collect(),
        }
    }
}
