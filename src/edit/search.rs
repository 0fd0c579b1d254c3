//! One edit: ask the replacers in order, refuse what is uncertain, put the new text there.
//!
//! Bytes outside the places come out as they went in. A replacer that is not ours is asked by whoever
//! runs the search: it stops and says whom to ask.

use std::collections::HashSet;

use super::adapted::{Adapted, adapted};
use super::fold::{Folded, is_space};
use super::line_ends::{LineEnds, Unified};
use super::{Chain, Found, Policy, Replacer, Span, Step, simple};

/// A text after an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// The replacer that found the places.
    pub replacer: String,
    /// Whether what stood there was the old text to the letter.
    pub is_exact: bool,
    /// How like the places are to what was asked for, from 0 to 1; of several the least.
    pub score: f64,
    /// What was replaced: spans of the text before.
    pub spans: Vec<Span>,
}

/// How large a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its lines.
    pub lines: usize,
    /// Its bytes.
    pub bytes: usize,
}

/// Why an edit was not applied. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
pub enum NotApplied {
    /// There is nothing to look for.
    Empty,
    /// Old and new are the same but for line ends.
    NoChange,
    /// The text that was found is what the new text would make of it; its spans.
    Already(Vec<Span>),
    /// The text is not there.
    NotFound,
    /// It is there more than once; who found it, and the spans in the text.
    Ambiguous(String, Vec<Span>),
    /// What was found is much larger than what was quoted.
    Larger {
        /// Who found it.
        replacer: String,
        /// Where, in the text.
        span: Span,
        /// How large it is.
        found: Size,
        /// How large the old text is.
        quoted: Size,
    },
    /// A replacer had more to compare than it can compare in time; its name.
    TooMuch(String),
}

/// How far a search is.
pub enum Progress {
    /// It is over.
    Done(Box<Result<Edited, NotApplied>>),
    /// The replacer that is this step of the chain is to be asked; then [`Search::answer`].
    Ask(usize),
}

/// One edit under way.
pub struct Search {
    content: String,
    unified: Unified,
    old: String,
    new: String,
    all: bool,
    chain: Chain,
    /// The step that is next.
    next: usize,
    folded: Option<(Folded, String)>,
    /// Under `opencode`: what was found but not once, by whom first.
    several: Option<(String, Vec<Span>)>,
}

impl Search {
    /// The edit that puts `new` in the one place of `content` where `old` stands, or with `all` in every
    /// such place. `new` is literal. Line ends in it become those of the lines it replaces.
    ///
    /// # Errors
    /// [`NotApplied::Empty`], [`NotApplied::NoChange`].
    pub fn new(
        content: String,
        old: &str,
        new: &str,
        all: bool,
        chain: Chain,
    ) -> Result<Search, NotApplied> {
        let (old, new) = (Unified::of(old).text, Unified::of(new).text);
        if old.is_empty() {
            return Err(NotApplied::Empty);
        }
        if old == new {
            return Err(NotApplied::NoChange);
        }
        Ok(Search {
            unified: Unified::of(&content),
            content,
            old,
            new,
            all,
            chain,
            next: 0,
            folded: None,
            several: None,
        })
    }

    /// The text and the old text as replacers see them: every line ends with `\n`.
    pub fn texts(&self) -> (&str, &str) {
        (&self.unified.text, &self.old)
    }

    /// The text that is edited.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Goes on until it is over or somebody else is to be asked.
    pub fn run(&mut self) -> Progress {
        while let Some(step) = self.chain.steps.get(self.next).cloned() {
            self.next += 1;
            let replacer = match step {
                Step::Own(_) => return Progress::Ask(self.next - 1),
                Step::Shipped(replacer) => replacer,
            };
            let over = match self.chain.policy {
                Policy::Safe => self.safe(replacer),
                Policy::Opencode => {
                    let found =
                        replacer.classic(&self.unified.text, &self.old, &self.chain.thresholds);
                    self.classic(replacer.as_str(), found)
                }
            };
            if let Some(over) = over {
                return Progress::Done(Box::new(over));
            }
        }
        let several = self.several.take();
        let why = several.map_or(NotApplied::NotFound, |(name, spans)| {
            NotApplied::Ambiguous(name, self.originals(&spans))
        });
        Progress::Done(Box::new(Err(why)))
    }

    /// What the replacer found that [`Progress::Ask`] named; places of the text of [`Search::texts`], in order
    /// and checked.
    pub fn answer(&mut self, found: Vec<Found>) -> Progress {
        let name = self.chain.steps[self.next - 1].name().to_owned();
        let over = match self.chain.policy {
            _ if found.is_empty() => None,
            Policy::Safe => Some(self.decide(&name, found, Kind::Own)),
            Policy::Opencode => self.classic(&name, found),
        };
        over.map_or_else(|| self.run(), |over| Progress::Done(Box::new(over)))
    }

    /// One replacer under `safe`. `None`: it found nothing.
    fn safe(&mut self, replacer: Replacer) -> Option<Result<Edited, NotApplied>> {
        let name = replacer.as_str();
        let least = self.chain.thresholds;
        if replacer.is_exact() {
            let found = replacer.find(&self.unified.text, &self.old, &least);
            let found = found.ok().filter(|found| !found.is_empty())?;
            return Some(self.decide(name, found, Kind::Exact));
        }
        if self.old.chars().all(is_space) {
            return None;
        }
        let (folded, old) = self.folded.get_or_insert_with(|| {
            let old = Folded::of(&self.old).text;
            (Folded::of(&self.unified.text), old)
        });
        let Ok(mut found) = replacer.find(&folded.text, old, &least) else {
            return Some(Err(NotApplied::TooMuch(name.to_owned())));
        };
        for place in &mut found {
            place.span = folded.original(&place.span);
        }
        let kind = match replacer {
            Replacer::EscapeNormalized => Kind::Escapes,
            _ => Kind::Tolerant,
        };
        (!found.is_empty()).then(|| self.decide(name, found, kind))
    }

    /// What becomes of the places that the deciding replacer found.
    fn decide(&self, name: &str, mut found: Vec<Found>, kind: Kind) -> Result<Edited, NotApplied> {
        found.sort_by_key(|found| found.span.start);
        if found.len() > 1 && !self.all {
            let spans: Vec<Span> = found.into_iter().map(|found| found.span).collect();
            return Err(NotApplied::Ambiguous(
                name.to_owned(),
                self.originals(&spans),
            ));
        }
        let mut end = 0;
        found.retain(|found| {
            let is_free = found.span.start >= end;
            end = if is_free { found.span.end } else { end };
            is_free
        });
        if kind != Kind::Exact {
            found
                .iter()
                .try_for_each(|found| self.not_larger(name, &found.span))?;
        }
        let score = found.iter().map(|found| found.score).fold(1.0, f64::min);
        let text = &self.unified.text;
        let places = found.into_iter().map(|found| match kind {
            Kind::Exact => Adapted {
                span: found.span,
                text: self.new.clone(),
            },
            kind => {
                let escapes = kind == Kind::Escapes;
                adapted(text, &found.span, &self.old, &self.new, escapes)
            }
        });
        let edited = self.splice(name, places.collect(), score, kind == Kind::Exact);
        match edited.text == self.content {
            true => Err(NotApplied::Already(edited.spans)),
            false => Ok(edited),
        }
    }

    /// Refuses a place that is much larger than what was quoted.
    fn not_larger(&self, replacer: &str, span: &Span) -> Result<(), NotApplied> {
        let size = |text: &str| Size {
            lines: text.trim_matches(is_space).split('\n').count(),
            bytes: text.trim_matches(is_space).len(),
        };
        let (found, quoted) = (size(&self.unified.text[span.clone()]), size(&self.old));
        let times = self.chain.thresholds.larger;
        let most = |count: usize, times: f64, more: usize| {
            (count as f64 * times).max((count + more) as f64)
        };
        let is_larger = found.lines as f64 >= most(quoted.lines, times, 3)
            || found.bytes as f64 > most(quoted.bytes, 2.0 * times, 500);
        if !is_larger {
            return Ok(());
        }
        Err(NotApplied::Larger {
            replacer: replacer.to_owned(),
            span: self.unified.original(span),
            found,
            quoted,
        })
    }

    /// One replacer under `opencode`: its candidates are texts, looked for again. `None`: on to the next.
    fn classic(&mut self, name: &str, found: Vec<Found>) -> Option<Result<Edited, NotApplied>> {
        let text = &self.unified.text;
        let mut tried = HashSet::new();
        for Found { span, score } in found {
            let candidate = &text[span];
            if !tried.insert(candidate) {
                continue;
            }
            let spans = match (self.all, candidate.is_empty()) {
                (_, true) => continue,
                (true, _) => simple::find(text, candidate),
                (false, _) => simple::first(text, candidate).into_iter().collect(),
            };
            let last = text.rfind(candidate);
            if !self.all && spans.first().map(|span| span.start) != last {
                let several = (name.to_owned(), simple::find_overlapping(text, candidate));
                self.several.get_or_insert(several);
                continue;
            }
            let is_exact = candidate == self.old;
            let places = spans.into_iter().map(|span| Adapted {
                span,
                text: self.new.clone(),
            });
            let edited = self.splice(name, places.collect(), score, is_exact);
            return Some(match edited.text == self.content {
                true => Err(NotApplied::Already(edited.spans)),
                false => Ok(edited),
            });
        }
        None
    }

    fn originals(&self, spans: &[Span]) -> Vec<Span> {
        spans
            .iter()
            .map(|span| self.unified.original(span))
            .collect()
    }

    /// Puts the texts in their places, which are in order. Those texts have plain line ends.
    fn splice(&self, replacer: &str, places: Vec<Adapted>, score: f64, is_exact: bool) -> Edited {
        let content = &self.content;
        let more = places.iter().map(|place| place.text.len()).sum::<usize>();
        let mut text = String::with_capacity(content.len() + more);
        let (mut ends, mut kept, mut spans) = (LineEnds::of(content), 0, Vec::new());
        for Adapted { span, text: new } in places {
            let span = self.unified.original(&span);
            text.push_str(&content[kept..span.start]);
            ends.write(&mut text, &Vec::from_iter(new.split('\n')), &span);
            kept = span.end;
            spans.push(span);
        }
        text.push_str(&content[kept..]);
        Edited {
            text,
            replacer: replacer.to_owned(),
            is_exact,
            score,
            spans,
        }
    }
}

/// How a place was found, which decides what is written there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Exact,
    Tolerant,
    Escapes,
    /// By a replacer that is not ours.
    Own,
}

#[cfg(test)]
mod tests;
