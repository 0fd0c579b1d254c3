//! Numbered lines for a model or a person, and the same lines as they are for a program.
//!
//! A page never exceeds what a model's context takes, so that it is not cut a second time; it ends with
//! the call that shows what comes next.

use std::fmt::Write as _;

use crate::data::Data;
use crate::edit::hashline::{Mark, anchor};
use crate::text::lines::{lines, split_ending};
use crate::text::{counted, head_bytes, shell_word};
use crate::tool::{Context, Limits, Output};

/// Bytes that the first line and the notices of a page may take.
const FRAME: usize = 1024;

/// Lines of a text, and where they stand in it.
pub(super) struct Page<'a> {
    /// What a person calls the text.
    pub(super) name: String,
    /// What the caller calls it, for the call that shows more.
    pub(super) path: String,
    /// Whether it is a file that a command can read too.
    pub(super) is_file: bool,
    /// The lines.
    pub(super) text: &'a str,
    /// The first line's number.
    pub(super) first: u64,
    /// The last line's number; before `first` when there is none.
    pub(super) last: u64,
    /// How many lines there are, if that is known.
    pub(super) total: Option<u64>,
    /// The encoding by name.
    pub(super) encoding: String,
    /// The line ends by name.
    pub(super) line_ending: &'static str,
    /// The hash of each line that can be named by it, where they are wanted.
    pub(super) marks: Option<Vec<Option<Mark>>>,
}

/// The page as the result of a call; `path` and `hash` are for the caller to add.
pub(super) fn output(page: &Page<'_>, context: &Context) -> Output {
    let (text, title) = numbered(page, &context.limits());
    let metadata = [
        ("text", Data::from(page.text)),
        ("total_lines", Data::from(page.total)),
        ("first_line", Data::from(page.first)),
        ("last_line", Data::from(page.last)),
        ("encoding", Data::from(page.encoding.as_str())),
        ("line_ending", Data::from(page.line_ending)),
    ];
    let mut output = Output {
        is_page: true,
        ..Output::new(title, text, metadata)
    };
    if let Some(marks) = &page.marks {
        let anchors = (page.first as usize..).zip(marks);
        let anchors = anchors.map(|(number, mark)| mark.map(|mark| anchor(number, mark)));
        let anchors: Data = anchors.map(Data::from).collect();
        output.metadata.insert("anchors".to_owned(), anchors);
    }
    output
}

/// The lines with their numbers, as many as fit, and a title.
fn numbered(page: &Page<'_>, limits: &Limits) -> (String, String) {
    let of = page
        .total
        .map_or("more".to_owned(), |total| total.to_string());
    let mut text = format!(
        "{}: {}, {}, {}\n",
        page.name,
        page.total.map_or("more lines".to_owned(), |total| counted(
            total as usize,
            "line"
        )),
        page.encoding,
        page.line_ending
    );
    let room = limits.bytes.saturating_sub(FRAME);
    let (mut shown, mut clipped) = (0, None);
    for line in lines(page.text).take(limits.lines) {
        let number = page.first + shown;
        let (body, _) = split_ending(line);
        let part = head_bytes(body, limits.line_bytes);
        if shown > 0 && text.len() + part.len() + 12 > room {
            break;
        }
        let marks = page.marks.as_ref().filter(|_| part.len() == body.len());
        let _ = match marks.and_then(|marks| marks.get(shown as usize)) {
            Some(Some(mark)) => write!(text, "{:>10}|{part}", anchor(number as usize, *mark)),
            _ => write!(text, "{number:>6}\t{part}"),
        };
        if part.len() < body.len() {
            let more = counted(body.len() - part.len(), "more byte");
            let _ = write!(text, "… [{more}]");
            clipped.get_or_insert((number, part.len()));
        }
        text.push('\n');
        shown += 1;
    }
    let last = page.first + shown - u64::from(shown > 0);
    if let Some((line, kept)) = clipped {
        rest_of_line(&mut text, page, line, kept, limits);
    }
    notices(&mut text, page, shown, last);
    let title = match shown {
        0 => format!("{} (no lines)", page.name),
        _ => format!("{} lines {}-{last} of {of}", page.name, page.first),
    };
    (text, title)
}

/// How to see what comes after the first `kept` bytes of a line: as a command that runs as it stands.
fn rest_of_line(text: &mut String, page: &Page<'_>, line: u64, kept: usize, limits: &Limits) {
    if !page.is_file {
        let path = quoted(&page.path);
        let _ = writeln!(
            text,
            "[line {line} is clipped; a script gets all of it: tools.read{{path={path}}}.text]"
        );
        return;
    }
    let file = file_word(&page.path);
    let (encoding, mark) = match page.encoding.strip_suffix("-bom") {
        Some("utf-8") => ("utf-8", if line == 1 { "\u{feff}".len() } else { 0 }),
        Some(_) => ("utf-16", 0), // iconv takes the byte order from the mark, and the mark away
        None => (page.encoding.as_str(), 0),
    };
    let source = match encoding {
        "utf-8" => format!("sed -n '{line}{{p;q}}' {file}"),
        other => format!("iconv -f {other} -t utf-8 {file} | sed -n '{line}{{p;q}}'"),
    };
    let (from, to) = (kept + mark + 1, kept + mark + limits.bytes / 2);
    let command = format!("{source} | cut -b {from}-{to}");
    let command = quoted(&command);
    let _ = writeln!(
        text,
        "[line {line} is clipped; what follows: shell{{command={command}}}]"
    );
}

/// A path as a command takes it: `~/` is home, and nothing is an option.
fn file_word(path: &str) -> String {
    match path.strip_prefix("~/") {
        Some(below) => format!("~/{}", shell_word(below)),
        None if path.starts_with('-') => shell_word(&format!("./{path}")).into_owned(),
        None => shell_word(path).into_owned(),
    }
}

/// A text as JSON and Lua both read it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn notices(text: &mut String, page: &Page<'_>, shown: u64, last: u64) {
    if shown == 0 {
        text.push_str("[empty]\n");
        return;
    }
    if page.total.is_none_or(|total| last < total) {
        let of = page
            .total
            .map_or(String::new(), |total| format!(" of {total}"));
        let _ = writeln!(
            text,
            "[lines {}-{last}{of}; more: read{{path={}, offset={}}}]",
            page.first,
            quoted(&page.path),
            last + 1,
        );
    }
}
