//! A report as JUnit XML, for programs that show test results. Everything that XML cannot carry is replaced.
//! It says no more than the other forms do.

use std::fmt::Write as _;
use std::time::Duration;

use super::report::Report;
use crate::lua::{Status, Tested};

/// The document.
pub(super) fn document(report: &Report) -> String {
    let (failed, skipped) = (report.count(Status::Failed), report.count(Status::Skipped));
    let all = report.count(Status::Passed) + failed + skipped;
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites tests=\"{all}\" failures=\"{failed}\" skipped=\"{skipped}\">"
    );
    for file in &report.files {
        let (failed, skipped) = (file.count(Status::Failed), file.count(Status::Skipped));
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" skipped=\"{skipped}\" time=\"{}\">",
            escaped(&file.file),
            file.tests.len(),
            seconds(file.duration()),
        );
        for test in &file.tests {
            case(&mut xml, &file.file, test);
        }
        xml.push_str("  </testsuite>\n");
    }
    xml + "</testsuites>\n"
}

fn case(xml: &mut String, file: &str, test: &Tested) {
    let line = test
        .line
        .map(|line| format!(" line=\"{line}\""))
        .unwrap_or_default();
    let (file, name) = (escaped(file), escaped(&test.name));
    let _ = write!(
        xml,
        "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\"{line} time=\"{}\"",
        seconds(test.duration)
    );
    let message = test.message.as_deref().unwrap_or_default();
    let first = escaped(message.lines().next().unwrap_or_default());
    match test.status {
        Status::Passed => xml.push_str("/>\n"),
        Status::Skipped => {
            let _ = writeln!(xml, "><skipped message=\"{first}\"/></testcase>");
        }
        Status::Failed => {
            let whole = escaped(message);
            let _ = writeln!(
                xml,
                "><failure message=\"{first}\">{whole}</failure></testcase>"
            );
        }
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.6}", duration.as_secs_f64())
}

/// `text` as XML takes it, inside of quotes too.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character if character.is_control() => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_carry_is_replaced() {
        assert_eq!(
            escaped("a<b>&\"\u{1b}[0m\0\n"),
            "a&lt;b&gt;&amp;&quot;\u{fffd}[0m\u{fffd}\n"
        );
    }
}
