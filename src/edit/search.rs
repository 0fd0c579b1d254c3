//! One edit: ask the replacers in order, refuse what is uncertain, put the new text there.
//!
//! Bytes outside the places come out as they went in. A replacer that is not ours is asked by whoever
//! runs the search: it stops and says whom to ask.

mod fitted;

use std::collections::HashSet;

use super::adapted::Adapted;
use super::fold::{Folded, is_space};
use super::line_ends::{LineEnds, Unified};
use super::multi_occurrence::{self, Places};
use super::not_applied::{NotApplied, Size};
use super::{Chain, Found, Policy, Replacer, STEPS, Span, Step, simple};
use crate::text::{TooMuch, Work};

/// How many bytes the new text may come to in all places together.
const LONGEST: usize = 64 << 20;

/// How many places one edit replaces.
const MOST: usize = 1_000_000;

/// How many of several places are told of.
const TOLD: usize = 1000;

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
    /// How many places were left because they lie over one that was replaced.
    pub overlapping: usize,
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
    /// The steps that are left for it.
    left: usize,
    folded: Option<(Folded, String)>,
    /// Under `opencode`: what was found but not once, by whom first.
    several: Option<(String, Places)>,
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
            left: STEPS,
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
            let work = Work::of(self.left);
            let over = match self.chain.policy {
                Policy::Safe if replacer.is_exact() => Ok(self.exact(replacer.as_str())),
                Policy::Safe => self.safe(replacer, &work),
                Policy::Opencode => {
                    let least = (self.chain.policy, &self.chain.thresholds);
                    let found = replacer.find(&self.unified.text, &self.old, least, &work);
                    found.and_then(|found| self.classic(replacer.as_str(), found, &work))
                }
            };
            self.left = work.left();
            if let Some(over) = given_up(replacer.as_str(), over) {
                return Progress::Done(Box::new(over));
            }
        }
        let several = self.several.take();
        let why = several.map_or(NotApplied::NotFound, |(name, places)| {
            self.ambiguous(&name, &places)
        });
        Progress::Done(Box::new(Err(why)))
    }

    /// What the replacer found that [`Progress::Ask`] named; places of the text of [`Search::texts`], in order
    /// and checked.
    pub fn answer(&mut self, found: Vec<Found>) -> Progress {
        let name = self.chain.steps[self.next - 1].name().to_owned();
        let work = Work::of(self.left);
        let over = match self.chain.policy {
            _ if found.is_empty() => Ok(None),
            Policy::Safe => self.decide(&name, found, false, &work).map(Some),
            Policy::Opencode => self.classic(&name, found, &work),
        };
        self.left = work.left();
        given_up(&name, over).map_or_else(|| self.run(), |over| Progress::Done(Box::new(over)))
    }

    /// The very text under `safe`. `None`: it is not there.
    fn exact(&self, name: &str) -> Option<Answer> {
        let (text, old) = self.texts();
        let places = match self.all {
            true => multi_occurrence::apart(text, old, MOST + 1),
            false => multi_occurrence::all(text, old, TOLD),
        };
        if places.count > 1 && !self.all {
            return Some(Err(self.ambiguous(name, &places)));
        }
        (places.count > 0).then(|| self.replaced(name, places, 1.0, true))
    }

    /// The new text to the letter in each of these places.
    fn replaced(&self, name: &str, places: Places, score: f64, is_exact: bool) -> Answer {
        let Places { spans, count } = places;
        if spans.len() > MOST {
            return Err(NotApplied::TooMany(count));
        }
        if let Some(long) = self.too_long(spans.len()) {
            return Err(long);
        }
        let overlapping = count - spans.len();
        let places = spans.into_iter().map(|span| Adapted {
            span,
            text: self.new.as_str().into(),
        });
        let edited = self.splice(name, places.collect(), score, is_exact);
        self.unless_equal(Edited {
            overlapping,
            ..edited
        })
    }

    /// The refusal of what is there more than once.
    fn ambiguous(&self, name: &str, places: &Places) -> NotApplied {
        let spans = places.spans.iter();
        NotApplied::Ambiguous {
            replacer: name.to_owned(),
            spans: spans.map(|span| self.unified.original(span)).collect(),
            count: places.count,
        }
    }

    /// One tolerant replacer under `safe`. `None`: it found nothing.
    fn safe(&mut self, replacer: Replacer, work: &Work) -> Result<Option<Answer>, TooMuch> {
        let name = replacer.as_str();
        if self.old.chars().all(is_space) {
            return Ok(None);
        }
        let (folded, old) = self.folded.get_or_insert_with(|| {
            let old = Folded::of(&self.old).text;
            (Folded::of(&self.unified.text), old)
        });
        let least = (self.chain.policy, &self.chain.thresholds);
        let mut found = replacer.find(&folded.text, old, least, work)?;
        if found.is_empty() {
            return Ok(None);
        }
        for place in &mut found {
            place.span = folded.original(&place.span);
        }
        let escapes = replacer == Replacer::EscapeNormalized;
        self.decide(name, found, escapes, work).map(Some)
    }

    /// What becomes of the places that the deciding replacer found; to it, escapes may stand for what they mean.
    fn decide(
        &self,
        name: &str,
        mut found: Vec<Found>,
        escapes: bool,
        work: &Work,
    ) -> Result<Answer, TooMuch> {
        found.sort_by_key(|found| found.span.start);
        let count = found.len();
        if count > 1 && !self.all {
            let spans = found.into_iter().map(|found| found.span);
            let spans = spans.take(TOLD).collect();
            return Ok(Err(self.ambiguous(name, &Places { spans, count })));
        }
        let mut end = 0;
        found.retain(|found| {
            let is_free = found.span.start >= end;
            end = if is_free { found.span.end } else { end };
            is_free
        });
        for found in &found {
            work.look(found.span.len() + self.old.len())?;
            if let Err(larger) = self.not_larger(name, &found.span) {
                return Ok(Err(larger));
            }
        }
        let score = found.iter().map(|found| found.score).fold(1.0, f64::min);
        if let Some(long) = self.too_long(found.len()) {
            return Ok(Err(long));
        }
        let overlapping = count - found.len();
        let spans = found.into_iter().map(|found| found.span);
        let places = match self.fitted(name, spans, escapes, work)? {
            Ok(places) => places,
            Err(unclear) => return Ok(Err(unclear)),
        };
        let edited = self.splice(name, places, score, false);
        Ok(self.unless_equal(Edited {
            overlapping,
            ..edited
        }))
    }

    /// The refusal of a text that would be very much longer for the new text in so many places.
    fn too_long(&self, places: usize) -> Option<NotApplied> {
        let length = self.new.len().saturating_mul(places);
        (places > 1 && length > LONGEST).then_some(NotApplied::TooLong(length))
    }

    /// What was edited, unless it is what was there.
    fn unless_equal(&self, edited: Edited) -> Answer {
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
    fn classic(
        &mut self,
        name: &str,
        found: Vec<Found>,
        work: &Work,
    ) -> Result<Option<Answer>, TooMuch> {
        let text = &self.unified.text;
        let mut tried = HashSet::new();
        for Found { span, score } in found {
            let candidate = &text[span];
            work.look(candidate.len())?;
            if !tried.insert(candidate) {
                continue;
            }
            work.look(text.len())?;
            if candidate.is_empty() {
                continue;
            }
            let first = simple::first(text, candidate);
            if !self.all && first.as_ref().map(|span| span.start) != text.rfind(candidate) {
                let several = || {
                    (
                        name.to_owned(),
                        multi_occurrence::all(text, candidate, TOLD),
                    )
                };
                self.several.get_or_insert_with(several);
                continue;
            }
            let places = match self.all {
                true => multi_occurrence::apart(text, candidate, MOST + 1),
                false => Places {
                    spans: first.into_iter().collect(),
                    count: 1,
                },
            };
            return Ok(Some(self.replaced(
                name,
                places,
                score,
                candidate == self.old,
            )));
        }
        Ok(None)
    }

    /// Puts the texts in their places, which are in order. Those texts have plain line ends.
    fn splice(
        &self,
        replacer: &str,
        places: Vec<Adapted<'_>>,
        score: f64,
        is_exact: bool,
    ) -> Edited {
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
            overlapping: 0,
        }
    }
}

/// How an edit ended.
type Answer = Result<Edited, NotApplied>;

/// What a replacer that gave up leaves: the refusal in its name.
fn given_up(name: &str, over: Result<Option<Answer>, TooMuch>) -> Option<Answer> {
    over.unwrap_or_else(|TooMuch| Some(Err(NotApplied::TooMuch(name.to_owned()))))
}

#[cfg(test)]
mod tests;
