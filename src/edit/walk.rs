//! The way from the lines of the file to those that are written, one step after the other.
//!
//! Lines that nobody quoted stay, but between two that go. A new line that could be indented in more than one
//! way is not written at all.

use super::indent::indent_of;
use super::laid_over::Line;
use super::lines::trimmed;
use super::merged::{Known, Merge};
use super::steps::{Step, kept};
use super::unfit::Unfit;

/// The way through the lines of the file, from the first to the last.
pub(super) struct Walk<'a> {
    merge: &'a Merge<'a>,
    known: &'a Known<'a>,
    written: Vec<String>,
    /// The line of the file that is next.
    next: usize,
    /// Lines that nobody quoted behind a line that goes: they go too where the next one goes.
    pending: Vec<&'a str>,
    /// Whether the quoted line before went.
    is_gone: bool,
    /// How many quoted lines are passed.
    passed: usize,
    /// The last line that stays and says something: its numbers in the quote and in the new text.
    above: Option<(usize, usize)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(merge: &'a Merge<'a>, known: &'a Known<'a>) -> Walk<'a> {
        Walk {
            merge,
            known,
            written: Vec::new(),
            next: 0,
            pending: Vec::new(),
            is_gone: false,
            passed: 0,
            above: None,
        }
    }

    /// The lines of the place after `steps`.
    ///
    /// # Errors
    /// [`Unfit`].
    pub(super) fn written(mut self, steps: &[Step]) -> Result<String, Unfit> {
        for (at, step) in steps.iter().enumerate() {
            match *step {
                Step::Both(old, new) => self.both(old, new)?,
                Step::Old(old) => self.gone(old),
                Step::New(new) => {
                    let indent = self.new_indent(new, &steps[at + 1..])?;
                    let line = self.put(self.merge.new[new], &indent)?;
                    self.written.push(line);
                }
            }
        }
        self.keep_pending();
        self.keep(self.merge.file.len());
        Ok(self.written.join("\n"))
    }

    fn keep_pending(&mut self) {
        let pending = self.pending.drain(..).map(str::to_owned);
        self.written.extend(pending);
    }

    /// Keeps the lines of the file before `end`.
    fn keep(&mut self, end: usize) {
        let lines = &self.merge.file[self.next..end.max(self.next)];
        self.written
            .extend(lines.iter().map(|line| (*line).to_owned()));
        self.next = end.max(self.next);
    }

    /// Where the lines end that nobody quoted, from the next on.
    fn unquoted(&self) -> usize {
        let owners = &self.known.owners[self.next..];
        self.next + owners.iter().take_while(|owner| owner.is_none()).count()
    }

    fn both(&mut self, old: usize, new: usize) -> Result<(), Unfit> {
        self.keep_pending();
        self.is_gone = false;
        let merge = self.merge;
        let (was, is) = (merge.old[old], merge.new[new]);
        match self.known.places[old] {
            Some(place) => {
                self.keep(place);
                let line = self.changed(merge.file[place], was, is, old)?;
                self.written.push(line);
                self.next = place + 1;
            }
            None if kept(was) == kept(is) => {}
            None => {
                let line = self.put(is, &self.indent_at(is, old)?)?;
                self.written.push(line);
            }
        }
        self.keep(self.unquoted());
        self.passed = old + 1;
        if !trimmed(is).is_empty() {
            self.above = Some((old, new));
        }
        Ok(())
    }

    fn gone(&mut self, old: usize) {
        self.passed = old + 1;
        let Some(place) = self.known.places[old] else {
            return;
        };
        if !self.is_gone {
            self.keep(place);
        }
        self.pending.clear();
        self.next = place + 1;
        let end = self.unquoted();
        self.pending.extend(&self.merge.file[self.next..end]);
        self.next = end;
        self.is_gone = true;
    }

    /// The line of the file where the quoted line `was` becomes `is`.
    fn changed(&self, file: &str, was: &str, is: &str, old: usize) -> Result<String, Unfit> {
        if trimmed(is).is_empty() || was == is {
            return Ok(file.to_owned());
        }
        let indent = match indent_of(was) == indent_of(is) {
            true => indent_of(file).to_owned(),
            false => self.indent_at(is, old)?,
        };
        let line = Line {
            file: trimmed(file),
            old: trimmed(was),
            new: trimmed(is),
        };
        let text = line.text(self.merge.spelling.as_ref(), self.merge.work)?;
        Ok(indent + &text + &is[kept(is).len()..])
    }

    fn indent_at(&self, line: &str, old: usize) -> Result<String, Unfit> {
        let indents = &self.known.indents;
        self.merge.work.take(indents.cost())?;
        Ok(indents.in_file(indent_of(line), old))
    }

    /// The indent of a new line, before the steps `behind` it.
    fn new_indent(&self, new: usize, behind: &[Step]) -> Result<String, Unfit> {
        let line = self.merge.new[new];
        let indents = &self.known.indents;
        let Some(base) = indents
            .base(indent_of(line))
            .filter(|base| !indents.is_regular(base))
        else {
            return self.indent_at(line, self.passed);
        };
        self.merge.work.take(behind.len())?;
        let below = behind.iter().find_map(|step| match *step {
            Step::Both(old, new) if !trimmed(self.merge.new[new]).is_empty() => Some((old, new)),
            _ => None,
        });
        // The file's indent there, and where in the quote, if the quote has it like the new line.
        let known = |side: Option<(usize, usize)>| {
            let (old, new) = side?;
            let file = self.merge.file[self.known.places[old]?];
            (indent_of(self.merge.old[old]) == base).then(|| (indent_of(file), old, new))
        };
        let text = |at: usize| trimmed(self.merge.new[at]);
        let follows_new = new
            .checked_sub(1)
            .is_some_and(|at| opens(text(at)) && self.above.is_none_or(|(_, above)| above != at));
        let near = match (known(self.above), known(below)) {
            _ if follows_new => None,
            (Some((above, old, _)), Some((below, ..))) if above == below => Some(old),
            (Some((above, _, at)), Some((below, old, _)))
                if opens(text(at)) && below.starts_with(above) =>
            {
                Some(old)
            }
            (Some((above, old, _)), Some((below, _, at)))
                if closes(text(at)) && above.starts_with(below) =>
            {
                Some(old)
            }
            (Some((_, old, at)), None) if !opens(text(at)) => Some(old),
            (None, Some((_, old, _))) => Some(old),
            _ => None,
        };
        let near = near.ok_or(Unfit::Unclear(
            "the lines of `old` are not indented as those of the file, and a new line could belong to more than one depth",
        ))?;
        self.indent_at(line, near)
    }

    /// A line of the new text behind `indent`; a blank one is written blank.
    fn put(&self, line: &str, indent: &str) -> Result<String, Unfit> {
        let text = &line[indent_of(line).len()..];
        if text.is_empty() {
            return Ok(String::new());
        }
        let text = match &self.merge.spelling {
            Some(spelling) => spelling.of(text)?,
            None => text.to_owned(),
        };
        Ok(format!("{indent}{text}"))
    }
}

/// Whether what follows `line` stands further in.
fn opens(line: &str) -> bool {
    line.ends_with([':', '{', '(', '['])
}

/// Whether `line` ends what stands further in.
fn closes(line: &str) -> bool {
    line.starts_with(['}', ')', ']'])
}
