//! A line through the grammar of bash, within bounds: what takes too long to read is not read.
//!
//! The grammar is loaded only when a line is taken apart. It sees no character that is not ASCII.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Rounds of the parser (some hundred steps each) after which a line counts as too hard.
const MOST_ROUNDS: usize = 20_000;

/// The tree of `line`, byte for byte; `None` where it is too hard.
pub(super) fn parse(line: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_bash::LANGUAGE.into())
        .ok()?;
    let mut rounds = 0;
    let mut count = |_: &ParseState| {
        rounds += 1;
        match rounds > MOST_ROUNDS {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let options = ParseOptions::new().progress_callback(&mut count);
    // The scanner of the grammar looks characters up in tables of 256 entries.
    let ascii: String = line.chars().flat_map(placeholders).collect();
    let bytes = ascii.as_bytes();
    let mut rest = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut rest, None, Some(options))
}

/// The character, or as many bytes of what is as little a part of the grammar.
fn placeholders(c: char) -> impl Iterator<Item = char> {
    let (c, count) = if c.is_ascii() {
        (c, 1)
    } else {
        ('%', c.len_utf8())
    };
    std::iter::repeat_n(c, count)
}
