//! The redactor: rules and held values, compiled once, over any number of texts. Linear in the text.
//!
//! Keywords and held values are found first; an expression runs only on a line that holds a keyword of its
//! rule. What was redacted holds nothing that would be found again, and tags themselves are never touched.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::{memchr, memrchr};
use regex::Regex;

use super::block::{self, Line, Open};
use super::forms;
use super::keywords::Keywords;
use super::rule::{Reach, Rule};
use super::secrets::Secrets;
use super::tag::{Key, tags};

/// How often a text is looked at again after something in it was found.
const PASSES: usize = 8;

/// What finds secrets.
pub struct Redactor {
    key: Key,
    /// Held values in all their forms, and what each is called.
    held: Option<AhoCorasick>,
    names: Vec<String>,
    rules: Vec<Compiled>,
    /// The keywords of all rules, and which rules each belongs to.
    keywords: Keywords,
    /// The rules without keywords.
    loose: Vec<usize>,
}

/// A rule and its expressions, compiled on first use. One that does not compile finds nothing: whoever
/// loads rules checks them.
struct Compiled {
    rule: Rule,
    regex: OnceLock<Option<Regex>>,
    follow: OnceLock<Option<Regex>>,
}

impl Compiled {
    fn regex(&self) -> Option<&Regex> {
        let compile = || Regex::new(&self.rule.regex).ok();
        self.regex.get_or_init(compile).as_ref()
    }

    fn follow(&self) -> Option<&Regex> {
        let compile = || Regex::new(self.rule.follow.as_deref()?).ok();
        self.follow.get_or_init(compile).as_ref()
    }
}

/// A secret in a text, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span<'a> {
    pub(super) bytes: Range<usize>,
    pub(super) name: &'a str,
}

impl Redactor {
    /// What finds the secrets that are held, and those of `rules`.
    pub fn new(rules: &[Rule], secrets: &Secrets) -> Redactor {
        let mut held = Vec::new();
        for (name, value) in &secrets.held {
            held.extend(
                forms::of(value)
                    .into_iter()
                    .map(|form| (form, name.clone())),
            );
        }
        let (forms, names): (Vec<String>, Vec<String>) = held.into_iter().unzip();
        let keywords = rules.iter().enumerate().flat_map(|(at, rule)| {
            let keywords = rule.keywords.iter();
            keywords.map(move |keyword| (keyword.as_str(), at))
        });
        let keywords = Keywords::new(keywords);
        let is_loose = |at: &usize| rules[*at].keywords.iter().all(String::is_empty);
        let compiled = |rule: &Rule| Compiled {
            rule: rule.clone(),
            regex: OnceLock::new(),
            follow: OnceLock::new(),
        };
        Redactor {
            key: secrets.key.clone(),
            held: automaton(&forms),
            names,
            rules: rules.iter().map(compiled).collect(),
            keywords,
            loose: (0..rules.len()).filter(is_loose).collect(),
        }
    }

    /// `text` with a tag in the place of every secret.
    pub fn redact<'t>(&self, text: &'t str, reach: Reach) -> Cow<'t, str> {
        self.redact_after(text, reach, &mut Open::default())
    }

    /// As [`Redactor::redact`], of a part of a text whose beginning is not known: it may lie inside a key.
    pub fn redact_part<'t>(&self, text: &'t str, reach: Reach) -> Cow<'t, str> {
        let blocks = self.rules.iter().position(|one| one.rule.follow.is_some());
        let mut open = Open {
            rule: blocks,
            has_begun: false,
        };
        self.redact_after(text, reach, &mut open)
    }

    /// The lines of `text`, of which `open` says what came before.
    pub(super) fn redact_after<'t>(
        &self,
        text: &'t str,
        reach: Reach,
        open: &mut Open,
    ) -> Cow<'t, str> {
        let found = self.find_after(text, reach, open);
        match found.is_empty() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(self.tagged(text, &found).0),
        }
    }

    /// The secrets in `text`, in order, none over another.
    pub(super) fn find(&self, text: &str, reach: Reach) -> Vec<Span<'_>> {
        self.find_after(text, reach, &mut Open::default())
    }

    /// The tag of a secret.
    pub(super) fn tag(&self, name: &str, secret: &str) -> String {
        self.key.tag(name, secret)
    }

    pub(super) fn find_after(&self, text: &str, reach: Reach, open: &mut Open) -> Vec<Span<'_>> {
        let before = *open;
        let mut found = apart(text, self.scan(text, reach, open));
        // What stood beside a secret may begin where it could not before.
        for _ in 0..PASSES {
            if found.is_empty() {
                break;
            }
            let (tagged, places) = self.tagged(text, &found);
            let more = apart(&tagged, self.scan(&tagged, reach, &mut before.clone()));
            if more.is_empty() {
                break;
            }
            found.extend(more.into_iter().filter_map(|span| placed(span, &places)));
            found.sort_by_key(|span| span.bytes.start);
        }
        found
    }

    /// `text` with the tags of `found`, and of each piece that stayed where it stands now and stood before.
    fn tagged(&self, text: &str, found: &[Span<'_>]) -> (String, Vec<(Range<usize>, usize)>) {
        let mut tagged = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(found.len() + 1);
        let mut end = 0;
        let mut keep = |tagged: &mut String, from: usize, to: usize| {
            let start = tagged.len();
            tagged.push_str(&text[from..to]);
            places.push((start..tagged.len(), from));
        };
        for span in found {
            keep(&mut tagged, end, span.bytes.start);
            tagged.push_str(&self.tag(span.name, &text[span.bytes.clone()]));
            end = span.bytes.end;
        }
        keep(&mut tagged, end, text.len());
        (tagged, places)
    }

    /// All that one pass finds, in no order.
    fn scan(&self, text: &str, reach: Reach, open: &mut Open) -> Vec<Span<'_>> {
        let mut found = Vec::new();
        if let Some(held) = &self.held {
            found.extend(held.find_overlapping_iter(text).map(|hit| Span {
                bytes: hit.range(),
                name: &self.names[hit.pattern()],
            }));
        }
        let mut next = 0;
        if open.rule.is_some() {
            next = self.follow(text, 0, open, &mut found);
        }
        let mut done = vec![0; self.rules.len()];
        for (at, owners) in self.keywords.hits(text) {
            for &owner in owners {
                let compiled = &self.rules[owner];
                if at < done[owner] || compiled.rule.reach > reach {
                    continue;
                }
                let line = line_at(text, at);
                done[owner] = line.end + 1;
                let is_block = compiled.rule.follow.is_some();
                if is_block && block::ends(&text[line.clone()]) {
                    let above = block::above(text, line.start).into_iter();
                    found.extend(above.map(|bytes| compiled.span(bytes)));
                }
                let is_found = compiled.in_line(text, line.clone(), &mut found);
                if is_found && is_block && line.start >= next {
                    *open = Open {
                        rule: Some(owner),
                        has_begun: false,
                    };
                    next = self.follow(text, line.end + 1, open, &mut found);
                }
            }
        }
        let loose = self.loose.iter().map(|&at| &self.rules[at]);
        for compiled in loose.filter(|compiled| compiled.rule.reach <= reach) {
            let mut start = 0;
            while start < text.len() {
                let line = line_at(text, start);
                start = line.end + 1;
                compiled.in_line(text, line, &mut found);
            }
        }
        found
    }

    /// The lines of an open block, from `start` on; where it is over, or the text is.
    fn follow<'a>(
        &'a self,
        text: &str,
        mut start: usize,
        open: &mut Open,
        found: &mut Vec<Span<'a>>,
    ) -> usize {
        let compiled = open.rule.and_then(|at| self.rules.get(at));
        let Some((compiled, follow)) = compiled.and_then(|one| Some((one, one.follow()?))) else {
            *open = Open::default();
            return start;
        };
        while start < text.len() {
            let line = line_at(text, start);
            let body = text[line.clone()].trim_end_matches('\r');
            match block::line(follow, body, open.has_begun) {
                Line::Secret(from, to) => {
                    open.has_begun = true;
                    let places = block::beside(body).chain(std::iter::once(from..to));
                    let place =
                        |place: Range<usize>| line.start + place.start..line.start + place.end;
                    found.extend(places.map(|bytes| compiled.span(place(bytes))));
                }
                Line::Empty => {}
                Line::Over => {
                    *open = Open::default();
                    return start;
                }
            }
            start = line.end + 1;
        }
        start
    }
}

impl Compiled {
    fn span(&self, bytes: Range<usize>) -> Span<'_> {
        let name = &self.rule.name;
        Span { bytes, name }
    }

    /// What the rule finds in a line of `text`; whether its expression matches at all.
    fn in_line<'a>(&'a self, text: &str, line: Range<usize>, found: &mut Vec<Span<'a>>) -> bool {
        let Some(regex) = self.regex() else {
            return false;
        };
        let body = text[line.clone()].trim_end_matches('\r');
        let is_block = self.rule.follow.is_some();
        if is_block {
            return regex.is_match(body);
        }
        let mut is_found = false;
        for captures in regex.captures_iter(body) {
            let Some(secret) = captures.name("secret").or_else(|| captures.get(0)) else {
                continue;
            };
            is_found = true;
            if secret.is_empty() || (self.rule.is_literal && stands_for_another(secret.as_str())) {
                continue;
            }
            found.push(Span {
                bytes: line.start + secret.start()..line.start + secret.end(),
                name: &self.rule.name,
            });
        }
        is_found
    }
}

/// Whether a value is put in later, or blotted out: `$NAME`, `{name}`, `<name>`, `%s`, `****`.
fn stands_for_another(value: &str) -> bool {
    let is_blot = |letter: char| matches!(letter, '*' | 'x' | 'X' | '.' | '-' | '_' | '…' | '?');
    let is_formatted =
        value.starts_with('%') && !value[1..].starts_with(|c: char| c.is_ascii_hexdigit());
    value.starts_with(['$', '{', '<', '[', '(', '`', '#'])
        || value.contains("${")
        || value.contains("{{")
        || value.contains("#{")
        || is_formatted
        || value.starts_with("%s")
        || value.chars().all(is_blot)
}

/// The line of `text` in which the byte `at` stands, without its end.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = memrchr(b'\n', &bytes[..at]).map_or(0, |before| before + 1);
    let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |after| at + after);
    start..end
}

/// What was found, in order, none over another and none over a tag that stands there already.
fn apart<'a>(text: &str, mut found: Vec<Span<'a>>) -> Vec<Span<'a>> {
    if found.is_empty() {
        return found;
    }
    found.sort_by_key(|span| (span.bytes.start, std::cmp::Reverse(span.bytes.end)));
    let mut merged: Vec<Span<'a>> = Vec::with_capacity(found.len());
    for span in found {
        match merged.last_mut() {
            Some(last) if span.bytes.start < last.bytes.end => {
                last.bytes.end = last.bytes.end.max(span.bytes.end);
            }
            _ => merged.push(span),
        }
    }
    let tags: Vec<Range<usize>> = tags(text).collect();
    if tags.is_empty() {
        return merged;
    }
    let mut left = Vec::with_capacity(merged.len());
    for span in merged {
        let first = tags.partition_point(|tag| tag.end <= span.bytes.start);
        let mut start = span.bytes.start;
        for tag in tags[first..]
            .iter()
            .take_while(|tag| tag.start < span.bytes.end)
        {
            if start < tag.start {
                left.push(Span {
                    bytes: start..tag.start,
                    name: span.name,
                });
            }
            start = tag.end.max(start);
        }
        if start < span.bytes.end {
            left.push(Span {
                bytes: start..span.bytes.end,
                name: span.name,
            });
        }
    }
    left
}

/// A span of a tagged text where it stood before the tags.
fn placed<'a>(span: Span<'a>, places: &[(Range<usize>, usize)]) -> Option<Span<'a>> {
    let at = places.partition_point(|(now, _)| now.end <= span.bytes.start);
    let (now, before) = places.get(at)?;
    let start = span.bytes.start.checked_sub(now.start)?;
    let end = span.bytes.end.min(now.end).checked_sub(now.start)?;
    let bytes = before + start..before + end;
    Some(Span { bytes, ..span })
}

/// `None` where there is nothing to look for, or more than an automaton holds.
fn automaton(texts: &[String]) -> Option<AhoCorasick> {
    if texts.is_empty() {
        return None;
    }
    let builder = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .build(texts);
    builder.ok()
}
