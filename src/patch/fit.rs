//! Which lines of a text are like given lines: exactly, then but for white space, then but for typography.
//!
//! Searching is one pass over the text for each degree of likeness, however often its lines repeat.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use super::typography;
use crate::text::{TooMuch, Work};

/// The steps of one section. A step is a look at one line that is known: about a nanosecond.
const STEPS: usize = 400_000_000;

/// How like two lines must be, the strictest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// To the letter.
    Exact,
    /// But for white space at the end.
    Trailing,
    /// But for white space at both ends.
    Surrounding,
    /// The same, and quotes, dashes, spaces and the ellipsis in their plain form.
    Typographic,
}

pub(super) const LADDER: [Likeness; 4] = [
    Likeness::Exact,
    Likeness::Trailing,
    Likeness::Surrounding,
    Likeness::Typographic,
];

impl Likeness {
    /// What may differ, in words; `None` where nothing does.
    pub(super) fn differs(self) -> Option<&'static str> {
        match self {
            Likeness::Exact => None,
            Likeness::Trailing => Some("white space at the end of lines"),
            Likeness::Surrounding => Some("white space around lines"),
            Likeness::Typographic => Some("typographic characters"),
        }
    }

    /// What of a line is compared.
    pub(super) fn of(self, line: &str) -> Cow<'_, str> {
        match self {
            Likeness::Exact => line.into(),
            Likeness::Trailing => line.trim_end().into(),
            Likeness::Surrounding => line.trim().into(),
            Likeness::Typographic => typography::plain(line.trim()).into(),
        }
    }
}

/// The lines of a text, ready to be searched.
pub(super) struct Lines<'a> {
    /// The lines without their ends.
    pub(super) bare: Vec<&'a str>,
    /// What is left to search them with.
    pub(super) work: Work,
    numbered: [OnceCell<Numbered<'a>>; 4],
    placed: OnceCell<Vec<(usize, &'a str)>>,
}

/// The lines as numbers: equal lines have equal ones.
struct Numbered<'a> {
    numbers: Vec<u32>,
    known: HashMap<Cow<'a, str>, u32>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(bare: Vec<&'a str>) -> Lines<'a> {
        Lines {
            bare,
            work: Work::of(STEPS),
            numbered: Default::default(),
            placed: OnceCell::new(),
        }
    }

    /// How far each line is indented, and what stands there.
    pub(super) fn placed(&self) -> &[(usize, &'a str)] {
        let placed = |line: &&'a str| (width(line), line.trim());
        self.placed
            .get_or_init(|| self.bare.iter().map(placed).collect())
    }

    fn numbered(&self, likeness: Likeness) -> &Numbered<'a> {
        self.numbered[likeness as usize].get_or_init(|| {
            let mut known = HashMap::new();
            let mut number = |line: &&'a str| {
                let next = known.len() as u32;
                *known.entry(likeness.of(line)).or_insert(next)
            };
            let numbers = self.bare.iter().map(&mut number).collect();
            Numbered { numbers, known }
        })
    }

    /// Every line at which lines like `wanted` begin, from 0, those that overlap too.
    ///
    /// # Errors
    /// [`TooMuch`] to compare.
    pub(super) fn places(
        &self,
        wanted: &[&str],
        likeness: Likeness,
    ) -> Result<Vec<usize>, TooMuch> {
        let Numbered { numbers, known } = self.numbered(likeness);
        let wanted = wanted
            .iter()
            .map(|line| known.get(&likeness.of(line)).copied());
        match wanted.collect::<Option<Vec<u32>>>() {
            Some(wanted) => {
                self.work.take(numbers.len())?;
                Ok(search(numbers, &wanted))
            }
            None => Ok(Vec::new()),
        }
    }

    /// Whether a line like this stands anywhere, under any likeness.
    pub(super) fn has(&self, line: &str) -> bool {
        let likeness = Likeness::Typographic;
        self.numbered(likeness)
            .known
            .contains_key(&likeness.of(line))
    }
}

/// Every place of `wanted` in `numbers`: the text is never stepped back in.
fn search(numbers: &[u32], wanted: &[u32]) -> Vec<usize> {
    if wanted.is_empty() || wanted.len() > numbers.len() {
        return Vec::new();
    }
    let mut borders = vec![0; wanted.len()];
    let longer = |borders: &[usize], mut matched: usize, next: u32| {
        while matched > 0 && (matched == wanted.len() || wanted[matched] != next) {
            matched = borders[matched - 1];
        }
        matched + usize::from(wanted[matched] == next)
    };
    for at in 1..wanted.len() {
        borders[at] = longer(&borders, borders[at - 1], wanted[at]);
    }
    let (mut matched, mut places) = (0, Vec::new());
    for (at, number) in numbers.iter().enumerate() {
        matched = longer(&borders, matched, *number);
        if matched == wanted.len() {
            places.push(at + 1 - matched);
        }
    }
    places
}

/// How far a line is indented; a tab goes to the next multiple of eight.
fn width(line: &str) -> usize {
    let mut width = 0;
    for character in line.chars() {
        match character {
            ' ' => width += 1,
            '\t' => width = (width / 8 + 1) * 8,
            _ => break,
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_places_that_overlap() {
        assert_eq!(search(&[1, 1, 1, 2, 1, 1], &[1, 1]), [0, 1, 4]);
        assert_eq!(search(&[1, 2, 1, 2, 1, 3], &[1, 2, 1, 3]), [2]);
        assert!(search(&[1], &[1, 1]).is_empty());
    }

    #[test]
    fn each_likeness_forgives_what_its_name_says() {
        let lines = Lines::of(vec!["\tsay(\u{201c}hi\u{201d}) "]);
        for (wanted, strictest) in [
            ("\tsay(\u{201c}hi\u{201d}) ", Some(Likeness::Exact)),
            ("\tsay(\u{201c}hi\u{201d})", Some(Likeness::Trailing)),
            ("  say(\u{201c}hi\u{201d})", Some(Likeness::Surrounding)),
            ("  say(\"hi\")", Some(Likeness::Typographic)),
            ("say( \"hi\")", None),
        ] {
            let fits =
                |likeness: &Likeness| !lines.places(&[wanted], *likeness).unwrap().is_empty();
            assert_eq!(LADDER.into_iter().find(fits), strictest, "{wanted}");
        }
    }

    #[test]
    fn many_lines_that_are_all_alike_are_searched_in_one_pass() {
        let lines = Lines::of(vec![""; 1_000_000]);
        let wanted = vec![""; 100_000];
        assert_eq!(
            lines.places(&wanted, Likeness::Exact).unwrap().len(),
            900_001
        );
    }

    #[test]
    fn every_search_is_counted() {
        let mut lines = Lines::of(vec!["a"; 1000]);
        lines.work = Work::of(2500);
        for _ in 0..2 {
            assert!(lines.places(&["a"], Likeness::Exact).is_ok());
        }
        assert_eq!(lines.places(&["a"], Likeness::Exact), Err(TooMuch));
    }
}
