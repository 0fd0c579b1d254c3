//! The calls of a session as one table in Lua, to be made again: those that succeeded, in order.
//!
//! It is data. Every text is a quoted literal in which only printable characters stand for themselves, so that nothing
//! in it can end the literal, and what is shown is what is there.

use super::{Piece, pieces};
use crate::agent::record::Past;
use crate::chat::{Call, CallResult};
use crate::data::{Data, Map};
use crate::text::{one_line, visible};

/// Words that are no names.
const RESERVED: [&str; 22] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// The program; it returns what became of each call.
pub fn lua(past: &Past) -> String {
    let pieces = pieces(&past.messages);
    let calls = pieces.iter().filter_map(|piece| match piece {
        Piece::Call(call, Some(answer)) => call_again(call, answer),
        _ => None,
    });
    let calls: String = calls.collect();
    let id = one_line(&past.head.id);
    format!(
        "--- The calls that succeeded in the session {id}: made again as a model's, in order, under the rules of now.\n\
         return agent.replay {{\n{calls}}}\n"
    )
}

/// A call as an entry of the table; `None` for one that did not succeed.
fn call_again(call: &Call, answer: &CallResult) -> Option<String> {
    if answer.is_error || call.incomplete {
        return None;
    }
    let arguments = call.arguments.parse().ok()?;
    let mut entry = "  { tool = ".to_owned();
    text(call.tool.as_bytes(), &mut entry);
    entry += ", args = ";
    map(&arguments, &mut entry);
    entry += " },\n";
    Some(entry)
}

fn value(data: &Data, out: &mut String) {
    match data {
        Data::Null => *out += "agent.null",
        Data::Bool(value) => *out += &value.to_string(),
        // Its digits alone would be read as a float.
        Data::Int(i64::MIN) => *out += "math.mininteger",
        Data::Int(number) => *out += &number.to_string(),
        Data::Float(number) => *out += &format!("{number:?}"),
        Data::Text(string) => text(string.as_bytes(), out),
        Data::Bytes(bytes) => text(bytes, out),
        Data::List(items) if items.is_empty() => *out += "agent.array {}",
        Data::List(items) => {
            *out += "{ ";
            for item in items {
                value(item, out);
                *out += ", ";
            }
            out.truncate(out.len() - 2);
            *out += " }";
        }
        Data::Map(named) => map(named, out),
    }
}

/// Fields without a value are left out, as they are wherever Lua gets data.
fn map(named: &Map, out: &mut String) {
    let mut fields = named.iter().filter(|(_, item)| **item != Data::Null);
    let Some(first) = fields.next() else {
        *out += "{}";
        return;
    };
    *out += "{ ";
    for (name, item) in std::iter::once(first).chain(fields) {
        match is_name(name) {
            true => *out += name,
            false => {
                out.push('[');
                text(name.as_bytes(), out);
                out.push(']');
            }
        }
        *out += " = ";
        value(item, out);
        *out += ", ";
    }
    out.truncate(out.len() - 2);
    *out += " }";
}

fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(is_plain)
        && name.starts_with(|first: char| !first.is_ascii_digit())
        && !RESERVED.contains(&name)
}

/// Bytes as a quoted literal. A line end is a backslash and a line end: the text reads as it is.
fn text(bytes: &[u8], out: &mut String) {
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            let mut buffer = [0; 4];
            let own: &str = character.encode_utf8(&mut buffer);
            match character {
                '\n' => *out += "\\\n",
                '\t' => *out += "\\t",
                '"' | '\\' => out.extend(['\\', character]),
                _ if visible(own) == own => out.push(character),
                _ => own.bytes().for_each(|byte| escape(byte, out)),
            }
        }
        chunk.invalid().iter().for_each(|byte| escape(*byte, out));
    }
    out.push('"');
}

/// Three digits always: a digit that follows is not of it.
fn escape(byte: u8, out: &mut String) {
    *out += &format!("\\{byte:03}");
}
