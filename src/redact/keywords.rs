//! Where keywords stand in a text, in whatever case: the words that every match of a rule holds one of.
//!
//! An automaton finds all of them in one pass, and takes longer to build than a few lines take to be searched
//! word by word. So it is built when enough was looked at to be worth it.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::AhoCorasick;
use memchr::memmem;

/// So many bytes are searched word by word before the automaton is built.
const PLAIN: usize = 32 << 10;

/// Words, and whose they are.
pub(super) struct Keywords {
    /// In small letters, as far as they are ASCII.
    words: Vec<String>,
    /// For each word, the numbers of those who look for it.
    owners: Vec<Vec<usize>>,
    /// How many bytes were looked at.
    looked_at: AtomicUsize,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Keywords {
    /// The words of `owned`, each with the number of who looks for it. Empty words are passed over.
    pub(super) fn new<'a>(owned: impl Iterator<Item = (&'a str, usize)>) -> Keywords {
        let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (word, owner) in owned.filter(|(word, _)| !word.is_empty()) {
            all.entry(word.to_ascii_lowercase())
                .or_default()
                .push(owner);
        }
        let (words, owners) = all.into_iter().unzip();
        Keywords {
            words,
            owners,
            looked_at: AtomicUsize::new(0),
            automaton: OnceLock::new(),
        }
    }

    /// Where the words begin in `text`, with who looks for them; those that end first come first.
    pub(super) fn hits<'t>(
        &'t self,
        text: &'t str,
    ) -> Box<dyn Iterator<Item = (usize, &'t [usize])> + 't> {
        let before = self.looked_at.fetch_add(text.len(), Ordering::Relaxed);
        let is_worth_it = before.saturating_add(text.len()) > PLAIN;
        let automaton = is_worth_it.then(|| self.automaton.get_or_init(|| self.build()));
        match automaton {
            Some(Some(automaton)) => {
                let hits = automaton.find_overlapping_iter(text);
                Box::new(hits.map(|hit| (hit.start(), &*self.owners[hit.pattern()])))
            }
            _ => Box::new(self.plain(text).into_iter()),
        }
    }

    /// `None` where an automaton cannot hold so many.
    fn build(&self) -> Option<AhoCorasick> {
        let builder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(&self.words);
        builder.ok()
    }

    fn plain(&self, text: &str) -> Vec<(usize, &[usize])> {
        let small = text.to_ascii_lowercase();
        let mut hits = Vec::new();
        for (word, owners) in self.words.iter().zip(&self.owners) {
            let starts = overlapping(small.as_bytes(), word.as_bytes());
            hits.extend(starts.map(|start| (start + word.len(), start, owners.as_slice())));
        }
        hits.sort_unstable_by_key(|&(end, start, _)| (end, start));
        let hits = hits.into_iter().map(|(_, start, owners)| (start, owners));
        hits.collect()
    }
}

/// Every place where `word` begins, those that overlap too.
fn overlapping<'a>(text: &'a [u8], word: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let finder = memmem::Finder::new(word);
    let mut from = 0;
    std::iter::from_fn(move || {
        let found = from + finder.find(text.get(from..)?)?;
        from = found + 1;
        Some(found)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn word_by_word_and_the_automaton_find_the_same(
            words in prop::collection::vec("[abA]{0,3}|é|key", 0..6),
            text in "[abABé key\n]{0,60}",
        ) {
            let owned = words.iter().enumerate().map(|(at, word)| (word.as_str(), at));
            let keywords = Keywords::new(owned);
            let mut plain = keywords.plain(&text);
            let built = keywords.build().unwrap();
            let hits = built.find_overlapping_iter(&text);
            let mut all: Vec<_> = hits
                .map(|hit| (hit.start(), &*keywords.owners[hit.pattern()]))
                .collect();
            plain.sort_unstable();
            all.sort_unstable();
            prop_assert_eq!(plain, all);
        }
    }

    #[test]
    fn what_was_searched_word_by_word_is_found_by_the_automaton_too() {
        let keywords = Keywords::new([("Token", 0), ("ken", 1), ("", 2)].into_iter());
        let text = "a TOKEN ".repeat(100);
        let first: Vec<_> = keywords.hits(&text).collect();
        assert!(keywords.automaton.get().is_none());
        assert_eq!(first.len(), 200);
        while keywords.automaton.get().is_none() {
            assert_eq!(keywords.hits(&text).count(), 200);
        }
        let mut last: Vec<_> = keywords.hits(&text).collect();
        last.sort_unstable();
        let mut first = first;
        first.sort_unstable();
        assert_eq!(first, last);
    }
}
