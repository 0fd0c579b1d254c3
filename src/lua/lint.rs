//! What Lua would run and nobody means: `tools.delete "build/" .. name`, a call with the text alone whose result is
//! then joined to a name. Pure; it reads tokens and runs nothing.
//!
//! Only calls that begin with `tools`, `agent` or `require` are looked at: for other functions the same shape may be
//! meant, and Lua's own rules hold. What it does not understand it passes over; the compiler speaks then.

use super::tokens::{Kind, Token, tokens};

/// How much of an argument is shown.
const SHOWN: usize = 40;

/// A call that is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The line it stands on, from 1.
    pub(super) line: usize,
    /// What is wrong, and how to write it.
    pub(super) message: String,
}

/// The first call in `source` without parentheses that is followed by `..`.
pub(super) fn check(source: &[u8]) -> Option<Finding> {
    // Most texts join nothing to anything, and need no second look.
    if !source.windows(2).any(|pair| pair == b"..") {
        return None;
    }
    let tokens = tokens(source);
    let starts = (0..tokens.len()).filter(|&at| begins(&tokens, at));
    starts
        .into_iter()
        .find_map(|start| joined(source, &tokens, start))
}

/// Whether a call of ours may begin here.
fn begins(tokens: &[Token], at: usize) -> bool {
    let is_ours = |name: &[u8]| matches!(name, b"tools" | b"agent" | b"require");
    let is_field = at > 0 && matches!(tokens[at - 1].kind, Kind::Symbol(b"." | b":"));
    matches!(tokens[at].kind, Kind::Name(name) if is_ours(name)) && !is_field
}

/// The finding, where the call that begins at `start` has one argument without parentheses and `..` behind.
fn joined(source: &[u8], tokens: &[Token], start: usize) -> Option<Finding> {
    let argument = after_chain(tokens, start + 1);
    let end = match tokens.get(argument)?.kind {
        Kind::Text => argument + 1,
        Kind::Symbol(b"{") => after_table(tokens, argument)?,
        _ => return None,
    };
    if tokens.get(end)?.kind != Kind::Symbol(b"..") {
        return None;
    }
    let text = |from: usize, to: usize| &source[tokens[from].from..tokens[to - 1].to];
    let callee = shown(text(start, argument));
    let given = shown(text(argument, end));
    let after = match tokens.get(end + 1).map(|token| token.kind) {
        Some(Kind::Name(_)) => shown(text(end + 1, after_chain(tokens, end + 2))),
        Some(Kind::Text | Kind::Number) => shown(text(end + 1, end + 2)),
        _ => "…".to_owned(),
    };
    let message = format!(
        "{callee} {given} .. {after} makes the call before it joins: write {callee}({given} .. {after}), or \
         ({callee} {given}) .. {after} if that is meant"
    );
    Some(Finding {
        line: tokens[end].line,
        message,
    })
}

/// Where the fields of a name end: `.a["b"].c`.
fn after_chain(tokens: &[Token], mut at: usize) -> usize {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    loop {
        match (kind(at), kind(at + 1), kind(at + 2)) {
            (Some(Kind::Symbol(b"." | b":")), Some(Kind::Name(_)), _) => at += 2,
            (Some(Kind::Symbol(b"[")), Some(Kind::Text), Some(Kind::Symbol(b"]"))) => at += 3,
            _ => return at,
        }
    }
}

/// Where the table that opens at `open` ends.
fn after_table(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Symbol(b"{" | b"(" | b"[") => depth += 1,
            Kind::Symbol(b"}" | b")" | b"]") => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// A piece of source on one line, cut where it is long.
fn shown(piece: &[u8]) -> String {
    let text = String::from_utf8_lossy(piece);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() > SHOWN {
        true => text.chars().take(SHOWN - 1).chain(['…']).collect(),
        false => text,
    }
}

#[cfg(test)]
mod tests;
