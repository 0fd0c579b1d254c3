//! The way back: a tag in what a model writes becomes the secret again, where the text it goes into holds it.
//!
//! Nothing is remembered. What a tag stands for is found in the text as it is now, so that a secret can
//! go nowhere but where it is already.

use std::borrow::Cow;
use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};

use super::redactor::Redactor;
use super::rule::Reach;
use super::tag::tags;

/// From how many bytes on a secret is looked for outside of where it was found.
const SHORTEST: usize = 5;

/// What the tags of one text stand for.
#[derive(Clone, Default)]
pub struct Known {
    /// The secret of each tag; `None` where that is not certain.
    secrets: BTreeMap<String, Option<String>>,
}

/// A tag that stands for nothing that can be put in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost(pub String);

impl Redactor {
    /// What tags stand for in `text`.
    pub fn known(&self, text: &str) -> Known {
        let mut secrets: BTreeMap<String, Option<String>> = BTreeMap::new();
        for reach in [Reach::Model, Reach::Input] {
            for span in self.find(text, reach) {
                let secret = &text[span.bytes];
                let tag = self.tag(span.name, secret);
                let known = secrets
                    .entry(tag)
                    .or_insert_with(|| Some(secret.to_owned()));
                if known.as_deref() != Some(secret) {
                    *known = None;
                }
            }
        }
        // A tag that the text holds to the letter stands for itself.
        for tag in tags(text).map(|tag| &text[tag]) {
            let literal = Some(tag.to_owned());
            let known = secrets
                .entry(tag.to_owned())
                .or_insert_with(|| literal.clone());
            if *known != literal {
                *known = None;
            }
        }
        Known { secrets }
    }
}

impl Known {
    /// `text` with secrets in the place of its tags.
    ///
    /// # Errors
    /// The first tag that stands for nothing, or for several things.
    pub fn restore<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, Lost> {
        let mut restored = String::new();
        let mut end = 0;
        for tag in tags(text) {
            let known = self.secrets.get(&text[tag.clone()]);
            let Some(Some(secret)) = known else {
                return Err(Lost(text[tag].to_owned()));
            };
            restored.push_str(&text[end..tag.start]);
            restored.push_str(secret);
            end = tag.end;
        }
        if end == 0 {
            return Ok(Cow::Borrowed(text));
        }
        restored.push_str(&text[end..]);
        Ok(Cow::Owned(restored))
    }

    /// What is known of two texts together; what they differ in is not certain.
    pub fn and(mut self, other: Known) -> Known {
        for (tag, secret) in other.secrets {
            let known = self.secrets.entry(tag).or_insert_with(|| secret.clone());
            if *known != secret {
                *known = None;
            }
        }
        self
    }

    /// `text`, which is made of parts of what this is known of, with tags in the place of secrets.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let known = self.secrets.iter();
        let known = known.filter_map(|(tag, secret)| Some((secret.as_deref()?, tag.as_str())));
        let (secrets, tags): (Vec<&str>, Vec<&str>) = known
            .filter(|(secret, tag)| secret.len() >= SHORTEST && secret != tag)
            .unzip();
        let built = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&secrets);
        match built {
            Ok(found) if !secrets.is_empty() => Cow::Owned(found.replace_all(text, &tags)),
            _ => Cow::Borrowed(text),
        }
    }

    /// Whether every secret that a tag of `text` stands for stands in each of `places`.
    ///
    /// # Errors
    /// The first tag whose secret does not.
    pub fn held_in<'p>(
        &self,
        text: &str,
        places: impl IntoIterator<Item = &'p str> + Clone,
    ) -> Result<(), Lost> {
        for tag in tags(text).map(|tag| &text[tag]) {
            let secret = self.secrets.get(tag).and_then(Option::as_deref);
            let is_held = secret.is_some_and(|secret| {
                let mut places = places.clone().into_iter();
                secret == tag || places.all(|place| place.contains(secret))
            });
            if !is_held {
                return Err(Lost(tag.to_owned()));
            }
        }
        Ok(())
    }
}
