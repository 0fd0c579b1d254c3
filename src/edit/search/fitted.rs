//! The new text fitted to the places that a tolerant replacer found: as each of them is indented and escaped.
//!
//! What could be written in more than one way is not written.

use std::borrow::Cow;

use super::super::Span;
use super::super::adapted::{Adapted, Edit, adapted};
use super::super::escape_normalized::{meant, unescaped};
use super::super::indent::Habit;
use super::super::not_applied::NotApplied;
use super::super::unfit::Unfit;
use super::Search;
use crate::text::{TooMuch, Work};

impl Search {
    /// The new text fitted to each of the places.
    pub(super) fn fitted(
        &self,
        name: &str,
        spans: impl Iterator<Item = Span>,
        escapes: bool,
        work: &Work,
    ) -> Result<Result<Vec<Adapted<'static>>, NotApplied>, TooMuch> {
        let content = self.unified.text.as_str();
        let plain = unescaped(&self.old);
        // Either the quote has escapes, which are undone in the new text too, or the file has.
        let is_quote = escapes && plain != self.old;
        let unclear = |span: &Span, why| NotApplied::Unclear {
            replacer: name.to_owned(),
            span: self.unified.original(span),
            why,
        };
        let meant = match is_quote {
            true => meant(&self.old, &self.new).map(Cow::Owned),
            false => Ok(Cow::Borrowed(self.new.as_str())),
        };
        let edit = meant.map(|new| Edit {
            content,
            habit: Habit::of(content),
            old: if is_quote { &plain } else { &self.old },
            new,
            escapes: escapes && !is_quote,
        });
        let mut places = Vec::new();
        for span in spans {
            let place = edit.as_ref().map_err(|unfit| *unfit);
            match place.and_then(|edit| adapted(edit, &span, work)) {
                Ok(place) => places.push(place),
                Err(Unfit::TooMuch) => return Err(TooMuch),
                Err(Unfit::Unclear(why)) => return Ok(Err(unclear(&span, why))),
            }
        }
        Ok(Ok(places))
    }
}
