//! Why an edit was not applied, and what is told of one that was not to the letter: said to its reader.
//! It decides nothing.

use crate::edit::{Edited, NotApplied, Size, Span};
use crate::error::{Kind, ToolError};
use crate::files::Place;
use crate::text::counted;
use crate::text::lines::LineIndex;

/// How many places of an ambiguous text are named.
const NAMED: usize = 20;

/// What the result says of a match that was not to the letter.
pub(super) fn inexact(edited: &Edited) -> String {
    let spans = edited.spans.iter().take(NAMED);
    let spans = spans.map(|span| format!("{}–{}", span.start + 1, span.end));
    let more = if edited.spans.len() > NAMED {
        ", …"
    } else {
        ""
    };
    format!(
        "`old` did not stand there to the letter: found by {}, {:.0} % alike, bytes {}{more}",
        edited.replacer,
        (edited.score * 100.0).floor(),
        Vec::from_iter(spans).join(", ")
    )
}

/// What the result says of places that were left because they lie over one that was replaced.
pub(super) fn overlapping(left: usize) -> String {
    let places = counted(left, "place");
    format!(
        "`old` overlaps itself: replaced from the left, leaving {places} that began inside another"
    )
}

/// The refusal of an edit of the file at `place`, which holds `text`.
pub(super) fn refused(why: NotApplied, text: &str, place: &Place) -> ToolError {
    let name = &place.display;
    match why {
        NotApplied::Empty => ToolError::argument("`old` is empty")
            .with_hint("give the text that is to be replaced; a new file is made with `write`"),
        NotApplied::NoChange => {
            ToolError::argument("`old` and `new` are the same, so nothing would change")
        }
        NotApplied::Already(spans) => {
            let line = spans
                .first()
                .map_or(1, |span| LineIndex::new(text).line_at(span.start));
            ToolError::argument(format!(
                "nothing would change: line {line} of {name} already says what `new` says"
            ))
            .with_hint("read the file: it may have been edited before")
        }
        NotApplied::NotFound => ToolError::not_found(format!("`old` does not stand in {name}"))
            .with_hint("read the file and copy the text from it, to the letter"),
        NotApplied::Ambiguous {
            replacer,
            spans,
            count,
        } => several(&replacer, &spans, count, text, name),
        NotApplied::TooMany(count) => {
            let message = format!(
                "`old` stands in {name} {} times: so many places are not replaced by one edit",
                count
            );
            ToolError::new(Kind::Resource, message)
                .with_hint("replace them in a script, which reads the file and writes it whole")
        }
        NotApplied::Larger {
            replacer,
            span,
            found,
            quoted,
        } => larger(
            &replacer,
            LineIndex::new(text).line_at(span.start),
            [found, quoted],
            name,
        ),
        NotApplied::Unclear {
            replacer,
            span,
            why,
        } => {
            let line = LineIndex::new(text).line_at(span.start);
            let message =
                format!("what {replacer} found in {name} at line {line} is not replaced: {why}");
            ToolError::conflict(message)
                .with_hint("copy `old` from the file, to the letter, and write `new` likewise")
        }
        NotApplied::TooLong(bytes) => {
            let message = format!(
                "`new` would come to {} in all the places that were found in {name}",
                counted(bytes, "byte")
            );
            ToolError::new(Kind::Resource, message)
                .with_hint("quote more in `old`, so that it stands in fewer places")
        }
        NotApplied::TooMuch(replacer) => {
            let message = format!(
                "`old` does not stand in {name} to the letter, and {replacer} finds too many places to compare"
            );
            ToolError::new(Kind::Resource, message)
                .with_hint("copy the text from the file, to the letter")
        }
    }
}

/// What was found is so much larger than what was quoted.
fn larger(replacer: &str, line: usize, sizes: [Size; 2], name: &str) -> ToolError {
    let [found, quoted] = sizes.map(|size| {
        let (lines, bytes) = (counted(size.lines, "line"), counted(size.bytes, "byte"));
        format!("{lines}, {bytes}")
    });
    let message = format!(
        "what {replacer} found in {name} at line {line} is much larger than `old`: {found}, and `old` has {quoted}"
    );
    ToolError::conflict(message).with_hint("quote the whole text that is to be replaced")
}

fn several(replacer: &str, spans: &[Span], count: usize, text: &str, name: &str) -> ToolError {
    let index = LineIndex::new(text);
    let numbers: Vec<usize> = spans.iter().map(|span| index.line_at(span.start)).collect();
    let named: Vec<String> = numbers.iter().take(NAMED).map(usize::to_string).collect();
    let more = if count > NAMED { ", …" } else { "" };
    let by = match replacer {
        "simple" => String::new(),
        other => format!(" (found by {other})"),
    };
    let over = match spans.windows(2).any(|pair| pair[1].start < pair[0].end) {
        true => ", overlapping itself",
        false => "",
    };
    let message = format!(
        "`old` stands in {name} {} times{over}{by}: lines {}{more}",
        count,
        named.join(", ")
    );
    ToolError::new(Kind::Conflict, message)
        .with_hint("quote more of what stands around the one you mean, or set `replace_all`")
        .with_detail("lines", numbers)
        .with_detail("count", count)
}
