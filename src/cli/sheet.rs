//! A question as it stands on the screen: whole where it fits; else its head and its end, and page by page on request.
//!
//! What is not all on the screen is not agreed to in passing. Rows are counted too high rather than too low.

use std::io;

use rustix::termios::tcgetwinsize;

use crate::text::visible;
use crate::tool::Question;

/// Rows that the line takes behind which the answer is typed, and the one above.
const BELOW: usize = 3;

/// Fewer rows than this are no screen to fold anything to.
const LEAST: usize = 8;

/// The rows of one question.
pub(super) struct Sheet {
    text: String,
    rows: Vec<String>,
    /// How many rows a page has.
    page: usize,
}

impl Sheet {
    /// The question on the screen that stderr is.
    pub(super) fn of(question: &Question) -> Sheet {
        let size = tcgetwinsize(io::stderr()).ok();
        let size = size.map(|size| (usize::from(size.ws_row), usize::from(size.ws_col)));
        Sheet::sized(question, size.unwrap_or_default())
    }

    /// The same on a screen of so many rows and columns; of none where that is not known.
    fn sized(question: &Question, (rows, columns): (usize, usize)) -> Sheet {
        let text = text(question);
        let is_known = rows >= LEAST && columns >= LEAST;
        let cut = match is_known {
            true => text
                .lines()
                .flat_map(|line| wrapped(line, columns))
                .collect(),
            false => Vec::new(),
        };
        Sheet {
            text,
            rows: cut,
            page: rows.saturating_sub(BELOW),
        }
    }

    /// Whether all of it is on the screen at once.
    pub(super) fn fits(&self) -> bool {
        self.rows.len() <= self.page
    }

    /// What is shown first.
    pub(super) fn first(&self) -> String {
        if self.fits() {
            return self.text.clone();
        }
        let tail = self.page / 3;
        let head = self.page - tail - 1;
        let hidden = self.rows.len() - head - tail;
        let end = &self.rows[self.rows.len() - tail..];
        let middle = format!("… {hidden} lines …");
        lines(self.rows[..head].iter().chain([&middle]).chain(end))
    }

    /// All of it, a page at a time, each with how many rows follow.
    pub(super) fn pages(&self) -> impl Iterator<Item = (String, usize)> {
        let mut left = self.rows.len();
        self.rows.chunks(self.page.max(1)).map(move |rows| {
            left -= rows.len();
            (lines(rows.iter()), left)
        })
    }
}

fn lines<'a>(rows: impl Iterator<Item = &'a String>) -> String {
    rows.flat_map(|row| [row, "\n"]).collect()
}

/// What is asked: a warning, the reason, exactly what would happen, and what a yes for good would allow.
fn text(question: &Question) -> String {
    let mut text = String::new();
    let reason = match &question.warning {
        Some(warning) => {
            text.push_str(&format!("warning: {}\n", visible(warning)));
            "this is critical".into()
        }
        None => visible(&question.reason),
    };
    text.push_str(&format!("{} asks: {reason}\n", question.tool));
    for line in visible(&question.shows).lines() {
        text.push_str(&format!("  {line}\n"));
    }
    for rule in &question.always.rules {
        let rule = visible(rule).replace('\n', " ");
        text.push_str(&format!("always would allow {rule}\n"));
    }
    text
}

/// The rows that a line takes; what goes on stands two columns in.
fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let (mut rows, mut row, mut width) = (Vec::new(), String::new(), 0);
    for c in line.chars() {
        let wide = match c {
            '\t' => 8,
            c if c.is_ascii() => 1,
            _ => 2,
        };
        if width + wide > columns {
            rows.push(std::mem::replace(&mut row, "  ".to_owned()));
            width = 2;
        }
        row.push(c);
        width += wide;
    }
    rows.push(row);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Always;

    fn question(shows: String) -> Question {
        Question {
            tool: "shell".to_owned(),
            warning: None,
            reason: "why".to_owned(),
            shows,
            always: Always {
                rules: vec!["shell:x".to_owned()],
                can_save: false,
            },
        }
    }

    #[test]
    fn what_fits_stands_as_it_is() {
        let sheet = Sheet::sized(&question("a\nb".to_owned()), (24, 80));
        assert!(sheet.fits());
        let text = "shell asks: why\n  a\n  b\nalways would allow shell:x\n";
        assert_eq!(sheet.first(), text);
        for size in [(0, 0), (3, 80)] {
            let sheet = Sheet::sized(&question("a\n".repeat(100)), size);
            assert!(sheet.fits() || size.0 > 0, "{size:?}");
            assert_eq!(sheet.first().lines().count(), 102);
        }
    }

    #[test]
    fn what_is_taller_shows_its_head_and_its_end_and_all_of_it_on_pages() {
        let numbers: Vec<String> = (0..100).map(|at| format!("n{at}")).collect();
        let long = numbers.join(" ");
        for shows in [numbers.join("\n"), long] {
            let sheet = Sheet::sized(&question(shows.clone()), (12, 30));
            assert!(!sheet.fits());
            let first = sheet.first();
            assert_eq!(first.lines().count(), 9);
            assert!(first.starts_with("shell asks: why\n  n0"));
            assert!(first.ends_with("shell:x\n") && first.contains(" lines …\n"));
            assert!(first.lines().all(|row| row.chars().count() <= 30));
            let pages: Vec<_> = sheet.pages().collect();
            assert!(pages.iter().all(|(page, _)| page.lines().count() <= 9));
            assert_eq!(pages.last().unwrap().1, 0);
            let all: String = pages.into_iter().map(|(page, _)| page).collect();
            let bare = |text: &str| text.replace([' ', '\n'], "");
            assert!(bare(&all).contains(&bare(&shows)));
        }
    }
}
