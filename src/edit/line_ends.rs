//! Texts that differ only in their line ends: compared as one, written back each in its own.
//!
//! Positions lead back to the text as it was, so that nothing outside a place is ever rewritten.

use super::Span;

/// A text whose line ends are all `\n`, and the way back to where its bytes stood.
pub(super) struct Unified {
    /// The text with `\n` for `\r\n`.
    pub(super) text: String,
    /// For every `\r` that was taken out, the position in `text` of the `\n` that followed it.
    taken: Vec<usize>,
}

impl Unified {
    pub(super) fn of(text: &str) -> Unified {
        let mut unified = String::with_capacity(text.len());
        let mut taken = Vec::new();
        for (at, piece) in text.split("\r\n").enumerate() {
            if at > 0 {
                taken.push(unified.len());
                unified.push('\n');
            }
            unified.push_str(piece);
        }
        Unified {
            text: unified,
            taken,
        }
    }

    /// The span in the text as it was. A `\r` belongs to the `\n` behind it.
    pub(super) fn original(&self, span: &Span) -> Span {
        let back = |at: usize| at + self.taken.partition_point(|&taken| taken < at);
        back(span.start)..back(span.end)
    }
}

/// `new` with the line ends of the lines that it replaces, one after the other; where there are more
/// lines than before, with the last of those, else with that of the nearest line of `content`.
pub(super) fn like(new: &str, content: &str, span: &Span) -> String {
    let replaced = ends(&content[span.clone()]);
    let nearest = ends(&content[span.end..])
        .first()
        .or(ends(&content[..span.start]).last())
        .copied()
        .unwrap_or("\n");
    let mut written = String::with_capacity(new.len());
    let new = Unified::of(new).text;
    for (at, piece) in new.split('\n').enumerate() {
        if at > 0 {
            let end = replaced.get(at - 1).or(replaced.last());
            written.push_str(end.copied().unwrap_or(nearest));
        }
        written.push_str(piece);
    }
    written
}

/// The line ends of `text`, in order.
fn ends(text: &str) -> Vec<&'static str> {
    let end = |line: &str| match line {
        _ if line.ends_with("\r\n") => Some("\r\n"),
        _ if line.ends_with('\n') => Some("\n"),
        _ => None,
    };
    text.split_inclusive('\n').filter_map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_way_back_around_line_ends() {
        let text = "a\r\nb\nc\r\nd";
        let unified = Unified::of(text);
        assert_eq!(unified.text, "a\nb\nc\nd");
        for (span, original) in [
            (0..1, "a"),
            (0..2, "a\r\n"),
            (1..3, "\r\nb"),
            (4..7, "c\r\nd"),
        ] {
            assert_eq!(&text[unified.original(&span)], original);
        }
    }

    #[test]
    fn gives_new_lines_the_ends_of_the_old_ones() {
        let text = "a\r\nb\nc\r\n";
        assert_eq!(like("x\ny\nz\n", text, &(0..5)), "x\r\ny\nz\n");
        assert_eq!(like("x\ny", text, &(5..6)), "x\r\ny");
        assert_eq!(like("x\r\ny", "one line", &(0..3)), "x\ny");
    }
}
