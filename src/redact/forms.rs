//! The forms a secret takes on its way: as it is, in JSON, in a URL, in base64 wherever it begins.
//!
//! A form stands in one line: of a value of several lines each line is one.

use std::fmt::Write as _;

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD};

/// From how many bytes on a form is looked for.
const SHORTEST: usize = 8;

/// All forms of `value`, each once.
pub(super) fn of(value: &str) -> Vec<String> {
    let mut forms: Vec<String> = value
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("-----"))
        .map(str::to_owned)
        .collect();
    let json = serde_json::Value::from(value).to_string();
    let json = json.trim_matches('"').to_owned();
    let escaped = ascii(&json);
    for json in [json, escaped] {
        forms.push(json.replace('/', "\\/"));
        forms.push(json);
    }
    for digits in ["0123456789ABCDEF", "0123456789abcdef"] {
        let all = percent(value, digits, |byte| {
            byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
        });
        forms.push(all.replace("%20", "+"));
        // What a path keeps as it is.
        forms.push(all.replace("%2F", "/").replace("%2f", "/"));
        forms.push(all);
        // What JavaScript's `encodeURIComponent` leaves as it is.
        forms.push(percent(value, digits, |byte| {
            byte.is_ascii_alphanumeric() || b"-._~!*'()".contains(&byte)
        }));
    }
    for before in 0..3 {
        forms.extend(base64(value.as_bytes(), before));
    }
    forms.retain(|form| form.len() >= SHORTEST && !form.contains('\n'));
    forms.sort();
    forms.dedup();
    forms
}

/// JSON in which what is not ASCII is written as `\u00e9`.
fn ascii(json: &str) -> String {
    let mut text = String::new();
    for letter in json.chars() {
        if letter.is_ascii() {
            text.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            let _written = write!(text, "\\u{unit:04x}");
        }
    }
    text
}

fn percent(value: &str, digits: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let digits = digits.as_bytes();
    let mut text = String::new();
    for byte in value.bytes() {
        if is_plain(byte) {
            text.push(byte as char);
            continue;
        }
        text.push('%');
        text.push(digits[usize::from(byte >> 4)] as char);
        text.push(digits[usize::from(byte & 15)] as char);
    }
    text
}

/// The characters of the base64 of a longer text that `value` alone decides, where `before` bytes of a group
/// of three stand before it.
fn base64(value: &[u8], before: usize) -> [String; 2] {
    let mut bytes = vec![0; before];
    bytes.extend_from_slice(value);
    let (from, to) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
    [BASE64_NOPAD.encode(&bytes), BASE64URL_NOPAD.encode(&bytes)]
        .map(|text| text[from.min(to)..to].to_owned())
}
