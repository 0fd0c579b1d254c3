//! The lines between `*** Begin Patch` and `*** End Patch`, out of what is wrapped around them.
//!
//! A here-document, a fence of a quoted block and blank lines may stand around a patch, nothing else: what
//! stood behind the end would be lost without a word.

use super::Malformed;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// A line of the patch and its number, from 1.
pub(super) type Numbered<'a> = (usize, &'a str);

/// The numbered lines inside the frame, without their line ends, and the number of the last line of all.
pub(super) fn inside(text: &str) -> Result<(Vec<Numbered<'_>>, usize), Malformed> {
    let lines = text.split('\n');
    let lines: Vec<Numbered<'_>> = lines
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .enumerate()
        .map(|(at, line)| (at + 1, line))
        .collect();
    let (begin, word) = begin(&lines)?;
    let rest = &lines[begin + 1..];
    let Some(end) = rest.iter().position(|(_, line)| line.trim_end() == END) else {
        return Err(Malformed {
            line: lines.len(),
            found: "the end of the text".to_owned(),
            expected: "`*** End Patch` as the last line",
        });
    };
    for (line, text) in &rest[end + 1..] {
        let text = text.trim();
        if !text.is_empty() && Some(text) != word && !text.starts_with("```") {
            return Err(malformed(*line, text, "nothing behind `*** End Patch`"));
        }
    }
    Ok((rest[..end].to_vec(), begin + end + 2))
}

/// Where the patch begins, and the word that ends the here-document around it.
fn begin<'a>(lines: &[Numbered<'a>]) -> Result<(usize, Option<&'a str>), Malformed> {
    let mut word = None;
    for (at, (line, text)) in lines.iter().enumerate() {
        let text = text.trim().trim_start_matches('\u{feff}');
        if text == BEGIN {
            return Ok((at, word));
        }
        if word.is_none() && here_document(text).is_some() {
            word = here_document(text);
        } else if !text.is_empty() && !text.starts_with("```") {
            return Err(malformed(
                *line,
                text,
                "`*** Begin Patch` as the first line",
            ));
        }
    }
    Err(Malformed {
        line: 1,
        found: "no patch".to_owned(),
        expected: "`*** Begin Patch` as the first line",
    })
}

/// The word that ends the here-document which this line of a shell begins.
fn here_document(line: &str) -> Option<&str> {
    let (command, word) = line.split_once("<<")?;
    let plain = |character: char| character.is_alphanumeric() || "_-. ".contains(character);
    let word = word.trim_start_matches('-').trim();
    let bare = word.trim_matches(['\'', '"']);
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let fits = !bare.is_empty() && bare.chars().all(is_word) && command.chars().all(plain);
    fits.then_some(bare)
}

pub(super) fn malformed(line: usize, found: &str, expected: &'static str) -> Malformed {
    Malformed {
        line,
        found: format!("`{found}`"),
        expected,
    }
}
