//! Ids and names as every provider takes them: a conversation may have begun with another provider, whose ids
//! this one refuses, or hold the name of a tool that never was.
//!
//! Only what goes out is changed, always in the same way, so that a call and its result stay together. What a tool is
//! called on the wire depends on its id alone, two ids never have one name, and what comes back has the id again.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Decode;
use crate::chat::{Delta, Event, Request, StreamError};

/// Longest id and name.
const LONGEST: usize = 64;

/// What stands for a dot in the name of a tool.
const DOT: &str = "__";

/// How many digits of a digest end a name that could not be kept.
const DIGITS: usize = 16;

/// The id of a call, in letters, digits, `_` and `-`.
pub(super) fn safe(id: &str) -> Cow<'_, str> {
    if id.is_empty() {
        return Cow::Borrowed("unnamed");
    }
    if id.len() <= LONGEST && id.chars().all(is_plain) {
        return Cow::Borrowed(id);
    }
    if id.len() <= LONGEST {
        return Cow::Owned(plain(id).collect());
    }
    Cow::Owned(digested(id))
}

/// What the tool `id` is called on the wire. A dot becomes `__`, as in `mcp__github__create_issue`; an id that this does
/// not tell apart from every other, or that is no name even so, ends in a digest of itself.
pub(super) fn name(id: &str) -> Cow<'_, str> {
    if id.is_empty() {
        return Cow::Borrowed("unnamed");
    }
    let dotted = id.contains('.').then(|| id.replace('.', DOT));
    let is_taken = id.contains(DOT) || id.contains("._") || id.contains("_.") || id.contains("..");
    match dotted {
        _ if is_taken || is_digested(id) => Cow::Owned(digested(id)),
        None if is_name(id) => Cow::Borrowed(id),
        Some(dotted) if is_name(&dotted) && !is_digested(&dotted) => Cow::Owned(dotted),
        _ => Cow::Owned(digested(id)),
    }
}

/// Whether every provider takes it: some want a letter or `_` at its head.
fn is_name(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && text.len() <= LONGEST && text.chars().all(is_plain)
}

/// Whether it looks like what [`digested`] makes.
fn is_digested(text: &str) -> bool {
    let end = text.rsplit_once('_').map_or("", |(_, end)| end);
    end.len() == DIGITS && end.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn plain(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(|c| if is_plain(c) { c } else { '_' })
}

fn digested(text: &str) -> String {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || !is_plain(c) || c == '_');
    let kept: String = plain(text).take(LONGEST - DIGITS - 2).collect();
    let gap = if begins { "" } else { "_" };
    format!("{gap}{kept}_{:0DIGITS$x}", digest(text))
}

/// FNV-1a in 64 bits: it has to be the same in every run and build, and nothing more.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// `inner`, whose calls name tools by their ids. The names are those that `request` offers; one with `__` that it does
/// not offer is read back, so that a tool which is there and not offered is told of by its id.
pub(super) fn decoder(request: &Request, inner: Box<dyn Decode>) -> Box<dyn Decode> {
    let offered = request.tools.iter();
    let ids: HashMap<String, String> = offered
        .filter_map(|tool| match name(&tool.name) {
            Cow::Borrowed(_) => None,
            Cow::Owned(name) => Some((name, tool.name.clone())),
        })
        .collect();
    Box::new(Named { inner, ids })
}

struct Named {
    inner: Box<dyn Decode>,
    /// The ids of tools that are called something else on the wire.
    ids: HashMap<String, String>,
}

impl Decode for Named {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, StreamError> {
        let mut deltas = self.inner.event(event)?;
        deltas.iter_mut().for_each(|delta| self.named(delta));
        Ok(deltas)
    }

    fn end(&mut self) -> Result<Vec<Delta>, StreamError> {
        let mut deltas = self.inner.end()?;
        deltas.iter_mut().for_each(|delta| self.named(delta));
        Ok(deltas)
    }
}

impl Named {
    fn named(&self, delta: &mut Delta) {
        let Delta::CallBegun { tool, .. } = delta else {
            return;
        };
        if let Some(id) = self.ids.get(tool) {
            tool.clone_from(id);
        } else if tool.contains(DOT) {
            let id = tool.replace(DOT, ".");
            if name(&id) == *tool {
                *tool = id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_every_provider_takes_stays_and_the_rest_becomes_so() {
        assert_eq!(safe("call_3-1"), "call_3-1");
        assert_eq!(safe("functions.read:0"), "functions_read_0");
        assert_eq!(safe(""), "unnamed");
    }

    #[test]
    fn two_long_ids_stay_two() {
        let long = |end: &str| format!("{}{end}", "é".repeat(80));
        let (one, two) = (long("1"), long("2"));
        assert_ne!(safe(&one), safe(&two));
        assert_eq!(safe(&one), safe(&one.clone()));
        assert!(safe(&one).len() <= LONGEST);
    }

    #[test]
    fn a_tool_keeps_its_name_where_every_provider_takes_it() {
        assert_eq!(name("todo_write"), "todo_write");
        assert_eq!(name("mcp.github.create_issue"), "mcp__github__create_issue");
        assert_eq!(name("mcp.every-thing.get-sum"), "mcp__every-thing__get-sum");
        for strange in [
            "my__tool",
            "a_.b",
            "a._b",
            "a..b",
            "é",
            "2do",
            "-x",
            "a b",
            "with_0123456789abcdef",
            "a\u{0}",
        ] {
            let name = name(strange);
            assert!(is_name(&name) && name != strange, "{strange}: {name}");
        }
    }

    proptest! {
        #[test]
        fn two_tools_never_have_one_name(
            one in "[a-c_.é-]{1,6}|[a-z._]{60,70}",
            two in "[a-c_.é-]{1,6}|[a-z._]{60,70}",
        ) {
            let ids = [one.as_str(), two.as_str(), &one.replace('.', "_"), &one.replace('.', "__")].map(str::to_owned);
            for a in &ids {
                prop_assert!(is_name(&name(a)), "{a}: {}", name(a));
                for b in ids.iter().filter(|b| *b != a) {
                    prop_assert_ne!(name(a), name(b), "{} and {}", a, b);
                }
                // Nor is the name that one has on the wire another's.
                prop_assert!(name(a) == *a || name(&name(a)) != name(a));
            }
        }
    }
}
