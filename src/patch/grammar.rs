//! From the text of a patch to its sections. A line that means nothing is an error that names it.
//!
//! Blank lines that lost their leading space are context; headers of unified diffs are passed over.

use super::frame::{self, Numbered, malformed};
use super::{Hunk, Line, Malformed, Section, Work};

const ADD: &str = "*** Add File:";
const DELETE: &str = "*** Delete File:";
const UPDATE: &str = "*** Update File:";
const MOVE: &str = "*** Move to:";
const END_OF_FILE: &str = "*** End of File";
/// What unified diffs say of a last line; the last line end is the file's.
const NO_NEWLINE: &str = "\\ No newline at end of file";

const A_SECTION: &str =
    "`*** Add File: PATH`, `*** Update File: PATH`, `*** Delete File: PATH` or `*** End Patch`";
const A_HUNK_LINE: &str =
    "a line that begins with a space, `-` or `+`, a line `@@`, or one that begins with `*** `";

/// The sections of a patch, in order; at least one.
///
/// # Errors
/// [`Malformed`]: the first line that is none of the grammar.
pub fn parse(text: &str) -> Result<Vec<Section>, Malformed> {
    let (lines, end) = frame::inside(text)?;
    let mut reader = Reader {
        lines: &lines,
        at: 0,
        end,
    };
    let mut sections = Vec::new();
    while reader.skip_blank() {
        sections.push(reader.section()?);
    }
    if sections.is_empty() {
        return Err(malformed(
            end,
            "*** End Patch",
            "a section: `*** Add File: PATH`, `*** Update File: PATH` or `*** Delete File: PATH`",
        ));
    }
    Ok(sections)
}

struct Reader<'a> {
    lines: &'a [Numbered<'a>],
    at: usize,
    /// The number of the last line.
    end: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Numbered<'a>> {
        self.lines.get(self.at).copied()
    }

    /// Passes over blank lines; whether anything is left.
    fn skip_blank(&mut self) -> bool {
        while self.peek().is_some_and(|(_, line)| line.trim().is_empty()) {
            self.at += 1;
        }
        self.peek().is_some()
    }

    /// The next line, if it begins with `marker`: what stands behind it.
    fn marked(&mut self, marker: &str) -> Option<&'a str> {
        let (_, line) = self.peek()?;
        let rest = line.strip_prefix(marker)?;
        self.at += 1;
        Some(rest.trim())
    }

    fn section(&mut self) -> Result<Section, Malformed> {
        let (line, text) = self.here();
        for marker in [ADD, DELETE, UPDATE] {
            let Some(path) = self.marked(marker) else {
                continue;
            };
            let path = named(line, text, path)?;
            let work = match marker {
                ADD => Work::Add(self.added()?),
                DELETE => Work::Delete,
                _ => self.update(line, &path)?,
            };
            return Ok(Section { line, path, work });
        }
        Err(malformed(line, text, A_SECTION))
    }

    /// The next line, or the end of the patch in its place.
    fn here(&self) -> Numbered<'a> {
        self.peek().unwrap_or((self.end, "*** End Patch"))
    }

    /// The text of a new file. A blank line between its lines has lost its `+`.
    fn added(&mut self) -> Result<String, Malformed> {
        let (mut text, mut blank) = (String::new(), 0);
        while let Some((line, found)) = self.peek() {
            if let Some(rest) = found.strip_prefix('+') {
                text.push_str(&"\n".repeat(blank));
                text.push_str(rest);
                text.push('\n');
                blank = 0;
            } else if found.trim().is_empty() {
                blank += 1;
            } else if found.trim_end() != END_OF_FILE && found != NO_NEWLINE {
                if found.starts_with("*** ") {
                    break;
                }
                return Err(malformed(
                    line,
                    found,
                    "a line of the new file, which begins with `+`, or one that begins with `*** `",
                ));
            }
            self.at += 1;
        }
        Ok(text)
    }

    fn update(&mut self, line: usize, path: &str) -> Result<Work, Malformed> {
        let (at, text) = self.here();
        let to = self
            .marked(MOVE)
            .map(|to| named(at, text, to))
            .transpose()?;
        self.skip_file_headers(path, to.as_deref());
        let mut hunks = Vec::new();
        while let Some(hunk) = self.hunk()? {
            hunks.push(hunk);
        }
        if hunks.is_empty() && to.is_none() {
            let (at, text) = self.here();
            let at = if at > line { at } else { self.end };
            return Err(malformed(
                at,
                text,
                "the lines of an update: ` `, `-` and `+`, or `*** Move to: PATH`",
            ));
        }
        Ok(Work::Update { to, hunks })
    }

    /// `--- a/PATH` and `+++ b/PATH` of a unified diff, with what may stand before them.
    fn skip_file_headers(&mut self, path: &str, to: Option<&str>) {
        let rest = &self.lines[self.at..];
        let is_extra = |line: &str| line.starts_with("diff --git ") || line.starts_with("index ");
        let extra = rest.iter().take_while(|(_, line)| is_extra(line)).count();
        let [(_, old), (_, new), ..] = rest[extra..] else {
            return;
        };
        let names = |line: &str, marker: &str| {
            let Some(name) = line.strip_prefix(marker) else {
                return false;
            };
            let name = name.split('\t').next().unwrap_or(name).trim();
            [name, name.get(2..).unwrap_or(name)]
                .iter()
                .any(|name| *name == path || Some(*name) == to)
        };
        if names(old, "--- ") && names(new, "+++ ") {
            self.at += extra + 2;
        }
    }

    /// The next hunk; `None` where the section ends.
    fn hunk(&mut self) -> Result<Option<Hunk>, Malformed> {
        let before = self.at;
        let more = self.skip_blank();
        let (_, text) = self.here();
        if !more || text.starts_with("***") && text.trim_end() != END_OF_FILE {
            return Ok(None);
        }
        if !text.starts_with("@@") {
            self.at = before; // blank lines that lost their space, in front of an update without `@@`
        }
        let mut hunk = Hunk {
            line: self.here().0,
            ..Hunk::default()
        };
        while let Some(header) = self.marked("@@") {
            match counted(header) {
                true => hunk.counted = true,
                false if !header.is_empty() => hunk.scopes.push(header.to_owned()),
                false => {}
            }
        }
        self.lines_of(&mut hunk)?;
        if hunk.lines.is_empty() {
            let (line, text) = self.here();
            return Err(malformed(
                line,
                text,
                "lines of the hunk, which begin with a space, `-` or `+`",
            ));
        }
        Ok(Some(hunk))
    }

    fn lines_of(&mut self, hunk: &mut Hunk) -> Result<(), Malformed> {
        while let Some((line, text)) = self.peek() {
            if text.trim_end() == END_OF_FILE {
                self.at += 1;
                hunk.at_end = true;
                return self.behind_the_end();
            }
            let read = match (text.chars().next(), text.get(1..)) {
                (None, _) => Line::Keep(String::new()),
                (Some(' '), Some(rest)) => Line::Keep(rest.to_owned()),
                (Some('-'), Some(rest)) => Line::Drop(rest.to_owned()),
                (Some('+'), Some(rest)) => Line::Put(rest.to_owned()),
                _ if text.starts_with("@@") || text.starts_with("*** ") => return Ok(()),
                _ if text == NO_NEWLINE => {
                    self.at += 1;
                    continue;
                }
                _ => return Err(malformed(line, text, A_HUNK_LINE)),
            };
            hunk.blanks = if text.is_empty() { hunk.blanks + 1 } else { 0 };
            hunk.lines.push(read);
            self.at += 1;
        }
        Ok(())
    }

    /// Behind the end of the file only another hunk or section can follow.
    fn behind_the_end(&mut self) -> Result<(), Malformed> {
        self.skip_blank();
        match self.peek() {
            Some((line, text)) if !text.starts_with("@@") && !text.starts_with("*** ") => Err(
                malformed(line, text, "`@@` or a section behind `*** End of File`"),
            ),
            _ => Ok(()),
        }
    }
}

fn named(line: usize, text: &str, path: &str) -> Result<String, Malformed> {
    if path.is_empty() {
        return Err(malformed(line, text.trim_end(), "a path behind the colon"));
    }
    Ok(path.to_owned())
}

/// Whether what stands behind `@@` counts lines, as in `-1,2 +1,2 @@`.
fn counted(header: &str) -> bool {
    let mut words = header.split_whitespace();
    let range = |word: Option<&str>, sign: char| {
        let numbers = word.and_then(|word| word.strip_prefix(sign));
        numbers.is_some_and(|numbers| {
            let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            numbers.split(',').all(digits)
        })
    };
    range(words.next(), '-') && range(words.next(), '+') && words.next() == Some("@@")
}
