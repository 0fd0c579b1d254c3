//! What bytes are: text in some encoding, or no text. Content decides, never a name.
//!
//! A byte order mark, valid UTF-8, evident UTF-16, a guess that goes back to the same bytes, and at
//! last windows-1252, which takes every byte.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::utf16::{self, Order};
use super::{Charset, Decoded, Encoding};

/// How many bytes the guess looks at, from the line of the first one that is not ASCII.
const GUESSED: usize = 1 << 20;

/// The encoding of `bytes`. Any bytes have one; whether they are text, [`is_binary`] says.
pub fn detect(bytes: &[u8]) -> Encoding {
    decoded(bytes).encoding
}

/// The encoding of a long text of which `start` is the beginning, cut anywhere; `None` if it is no
/// text. What follows may still differ, so the rest is decoded with replacement.
pub fn detect_start(start: &[u8]) -> Option<Encoding> {
    let start = whole_characters(start);
    (!is_binary(start)).then(|| detect(start))
}

/// Whether `bytes` are something other than text: a zero byte, or more than one control character in
/// ten, in what is not UTF-16.
pub fn is_binary(bytes: &[u8]) -> bool {
    match utf16_of(bytes) {
        Some((encoding, text)) if encoding.bom => is_dense(text.bytes(), text.len()),
        Some(_) => false,
        None => is_dense(bytes.iter().copied(), bytes.len()),
    }
}

/// The text of `bytes` in the encoding that their content shows.
pub(super) fn decoded(bytes: &[u8]) -> Decoded {
    let (encoding, text) = marked_utf8(bytes)
        .or_else(|| plain_utf8(bytes))
        .or_else(|| utf16_of(bytes))
        .or_else(|| guessed(bytes))
        .unwrap_or_else(|| {
            let last = Encoding::WINDOWS_1252;
            (last, last.decode_lossy(bytes))
        });
    Decoded {
        text,
        encoding,
        exact: true,
    }
}

fn marked_utf8(bytes: &[u8]) -> Option<(Encoding, String)> {
    let encoding = Encoding::UTF_8.marked_as(bytes);
    let text = encoding.bom.then(|| encoding.decode(bytes).ok())??;
    Some((encoding, text))
}

/// Valid UTF-8, unless its zero bytes show that it is UTF-16 of plain letters.
fn plain_utf8(bytes: &[u8]) -> Option<(Encoding, String)> {
    let text = std::str::from_utf8(bytes).ok()?;
    if memchr::memchr(0, bytes).is_some() && utf16_of(bytes).is_some() {
        return None;
    }
    Some((Encoding::UTF_8, text.to_owned()))
}

/// UTF-16 with its mark, or without one where nothing else is likely.
fn utf16_of(bytes: &[u8]) -> Option<(Encoding, String)> {
    for order in [Order::Little, Order::Big] {
        let encoding = Encoding {
            charset: Charset::Utf16(order),
            bom: false,
        }
        .marked_as(bytes);
        if encoding.bom || is_evident(bytes, order) {
            return Some((encoding, encoding.decode(bytes).ok()?));
        }
    }
    None
}

/// Without a mark: at least two units, most of them ASCII, no zero and no control character.
fn is_evident(bytes: &[u8], order: Order) -> bool {
    if bytes.len() < 4 || bytes.len() % 2 == 1 || memchr::memchr(0, bytes).is_none() {
        return false;
    }
    let mut ascii = 0;
    for unit in utf16::units(bytes, order) {
        if unit < 0x80 && is_control(unit as u8) || unit >= 0xfffe {
            return false;
        }
        ascii += usize::from(unit < 0x80);
    }
    ascii * 10 >= bytes.len() / 2 * 7
}

fn guessed(bytes: &[u8]) -> Option<(Encoding, String)> {
    let strange = encoding_rs::Encoding::ascii_valid_up_to(bytes);
    let line = memchr::memrchr(b'\n', &bytes[..strange]).map_or(0, |at| at + 1);
    let line = line.max(strange.saturating_sub(1024));
    let sample = &bytes[line..bytes.len().min(line + GUESSED)];

    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, sample.len() == bytes.len() - line);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let wider = (guess == encoding_rs::GBK).then_some(encoding_rs::GB18030);
    [Some(guess), wider]
        .into_iter()
        .flatten()
        .map(Encoding::legacy)
        .find_map(|encoding| {
            let text = encoding.decode(bytes).ok()?;
            let again = encoding.encode(&text).ok()?;
            (again == bytes).then_some((encoding, text))
        })
}

/// `start` without a character that its end cuts in two.
fn whole_characters(start: &[u8]) -> &[u8] {
    if let Err(error) = std::str::from_utf8(start)
        && error.error_len().is_none()
    {
        return &start[..error.valid_up_to()];
    }
    let even = &start[..start.len() & !1];
    let is_utf16 = even.starts_with(b"\xff\xfe") || even.starts_with(b"\xfe\xff");
    match even {
        [head @ .., a, b] if is_utf16 && (cuts(*a) || cuts(*b)) => head,
        [.., _, _] if is_utf16 || memchr::memchr(0, even).is_some() => even,
        _ => start,
    }
}

/// Whether this is the high byte of the first half of a surrogate pair.
fn cuts(byte: u8) -> bool {
    (0xd8..0xdc).contains(&byte)
}

/// A zero byte, or control characters in more than one of ten bytes.
fn is_dense(bytes: impl Iterator<Item = u8>, length: usize) -> bool {
    let mut controls = 0;
    for byte in bytes {
        if byte == 0 {
            return true;
        }
        controls += usize::from(is_control(byte));
    }
    controls * 10 > length
}

/// Control characters that text does not have: all but tab, line feed, form feed, carriage return,
/// backspace (overstrikes) and escape (coloured logs).
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | 0x08 | 0x1b)
}
