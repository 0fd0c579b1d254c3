//! What messages call shapes and values. Said here, and nowhere else.
//!
//! A value is told so that its reader knows it again: never whole when it is long.

use std::fmt::Write as _;

use super::Data;

/// What messages call a text.
pub const TEXT: &str = "text";
/// What messages call true or false.
pub const BOOLEAN: &str = "true or false";
/// What messages call an integer.
pub const INTEGER: &str = "a whole number";
/// What messages call any number.
pub const NUMBER: &str = "a number";
/// What messages call values in order.
pub const LIST: &str = "a list";
/// What messages call values by name.
pub const TABLE: &str = "a table";
/// What messages call what is not there.
pub const NOTHING: &str = "nothing";

/// Longest part of a text that a message repeats, in bytes.
const SHOWN: usize = 60;

impl Data {
    /// What a message calls this shape: `text`, `integer`, `list`, …
    pub fn shape(&self) -> &'static str {
        match self {
            Data::Null => "nothing",
            Data::Bool(_) => "boolean",
            Data::Int(_) => "integer",
            Data::Float(_) => "number",
            Data::Text(_) => "text",
            Data::Bytes(_) => "bytes",
            Data::List(_) => "list",
            Data::Map(_) => "table",
        }
    }

    /// The value as a sentence names it after `got`: `number 3`, `text "a"`, `a list of 2`.
    pub fn got(&self) -> String {
        match self {
            Data::Null => NOTHING.to_owned(),
            Data::Bool(value) => value.to_string(),
            Data::Int(number) => format!("number {number}"),
            Data::Float(number) => format!("number {number}"),
            Data::Text(text) => shown(text),
            Data::Bytes(bytes) => format!("{} bytes that are not UTF-8", bytes.len()),
            Data::List(list) => format!("{LIST} of {}", list.len()),
            Data::Map(_) => TABLE.to_owned(),
        }
    }
}

fn shown(text: &str) -> String {
    let mut end = text.len().min(SHOWN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut said = format!("{TEXT} {:?}", &text[..end]);
    if end < text.len() {
        let _ = write!(said, "…");
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_so_that_it_is_known_again() {
        let rows = [
            (Data::Int(3), "number 3"),
            (Data::Float(1.5), "number 1.5"),
            (Data::from("a\n"), "text \"a\\n\""),
            (Data::Bytes(vec![255, 0]), "2 bytes that are not UTF-8"),
            (Data::List(vec![Data::Null]), "a list of 1"),
            (Data::map([]), "a table"),
            (Data::Null, "nothing"),
        ];
        for (data, said) in rows {
            assert_eq!(data.got(), said);
        }
    }

    #[test]
    fn a_long_text_is_not_repeated_whole() {
        let said = Data::from("é".repeat(100)).got();
        assert!(said.ends_with("\"…") && said.len() < 80, "{said}");
    }
}
