//! A line through the grammar of bash, within bounds: what takes too long to read is not read.
//!
//! The grammar is loaded only when a line is taken apart. It sees no character that is not ASCII. The bounds are
//! counts, so that a line is read to its end on every machine or on none.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Rounds of the parser (some hundred steps each) after which a line counts as too hard. A readable one of the
/// longest has half of that.
const MOST_ROUNDS: usize = 4_000;

/// Bytes that the parser is given at a time. For one word it may look ahead as far as it likes.
const PIECE: usize = 256;

/// Pieces after which a line counts as too hard. A readable one of the longest takes a thirtieth of that.
const MOST_PIECES: usize = 16_000;

/// The tree of `line`, byte for byte; `None` where it is too hard.
pub(super) fn parse(line: &str) -> Option<Tree> {
    let (mut rounds, pieces) = (0, Cell::new(0));
    counted(line, &mut rounds, &pieces)
}

/// The same, with what it took.
fn counted(line: &str, rounds: &mut usize, pieces: &Cell<usize>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_bash::LANGUAGE.into())
        .ok()?;
    let mut count = |_: &ParseState| {
        *rounds += 1;
        match *rounds > MOST_ROUNDS || pieces.get() > MOST_PIECES {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let options = ParseOptions::new().progress_callback(&mut count);
    // The scanner of the grammar looks characters up in tables of 256 entries.
    let ascii: String = line.chars().flat_map(placeholders).collect();
    let bytes = ascii.as_bytes();
    let mut piece = |at: usize, _| {
        pieces.set(pieces.get() + 1);
        let end = match pieces.get() > MOST_PIECES {
            true => at,
            false => bytes.len().min(at + PIECE),
        };
        bytes.get(at..end).unwrap_or_default()
    };
    let tree = parser.parse_with_options(&mut piece, None, Some(options));
    // What was cut off there ends in time all the same, with the tree of another text.
    tree.filter(|_| pieces.get() <= MOST_PIECES)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(line: &str) -> (bool, usize, usize) {
        let (mut rounds, pieces) = (0, Cell::new(0));
        let tree = counted(line, &mut rounds, &pieces);
        (tree.is_some(), rounds, pieces.get())
    }

    #[test]
    fn what_makes_the_parser_look_ahead_for_ever_is_given_up_at_once() {
        for sign in ["a=(", ">&", "<"] {
            let line = sign.repeat(65_536 / sign.len());
            let (is_read, rounds, pieces) = spent(&line);
            assert!(!is_read, "{sign}");
            assert!(rounds <= MOST_ROUNDS + 1, "{sign}: {rounds}");
            // Given nothing more, it tries a last time for each of its versions.
            assert!(pieces <= MOST_PIECES + 2_000, "{sign}: {pieces}");
        }
        let (is_read, rounds, _) = spent(&"a|".repeat(32_000));
        assert!(!is_read && rounds == MOST_ROUNDS + 1, "{rounds}");
    }

    #[test]
    fn what_people_write_takes_a_part_of_what_there_is() {
        let script =
            "if test -f \"$a\"; then cat <(sort x) | grep -v 'y z' > out 2>&1 || exit 1; fi\n";
        let (is_read, rounds, pieces) = spent(&script.repeat(65_536 / script.len()));
        assert!(is_read);
        assert!(rounds < MOST_ROUNDS, "{rounds}");
        assert!(pieces < MOST_PIECES / 8, "{pieces}");
        // As much as this is read even of what is no grammar.
        for sign in ["a=(", ">&", "<", "<<E\n"] {
            assert!(spent(&sign.repeat(1_600 / sign.len())).0, "{sign}");
        }
    }
}
