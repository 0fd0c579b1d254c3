//! Bytes to text and back. Writing back what was read changes no byte.
//!
//! Detection accepts an encoding only when encoding the decoded text gives the very same bytes;
//! windows-1252, which maps every byte, comes last, so any bytes can be read. What is text and what
//! is not is judged by content alone. An [`Encoding`] remembers the byte order mark: exactly one is
//! taken off when decoding and put back when encoding.

mod detect;
mod label;
mod utf16;

use std::fmt;

use encoding_rs::EncoderResult;

pub use detect::{detect, detect_start, is_binary};
use utf16::Order;

/// How a text is written as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    charset: Charset,
    bom: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Charset {
    Utf8,
    Utf16(Order),
    /// One of the encodings of the WHATWG standard; never UTF-8, UTF-16 or `replacement`.
    Legacy(&'static encoding_rs::Encoding),
}

/// A text and how it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The text, without its byte order mark.
    pub text: String,
    /// What it was decoded from; [`Encoding::encode`] goes back.
    pub encoding: Encoding,
    /// Whether encoding the text gives the same bytes again. Always so unless a label was given.
    pub exact: bool,
}

/// Why bytes could not be decoded as asked.
#[derive(Clone, Debug, PartialEq)]
pub enum DecodeError {
    /// No encoding has this label; the nearest one that exists.
    UnknownLabel {
        /// What was asked for.
        label: String,
        /// `did you mean …?`, or nothing.
        near: String,
    },
    /// The bytes are not valid in the encoding that was asked for.
    Malformed {
        /// The encoding that was asked for.
        encoding: Encoding,
        /// The first byte (from 0) that does not fit.
        position: usize,
    },
}

/// A character that the encoding has no bytes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unrepresentable {
    /// The encoding that lacks it.
    pub encoding: Encoding,
    /// The character.
    pub character: char,
    /// The byte of the text (from 0) at which it stands.
    pub position: usize,
}

impl Encoding {
    /// UTF-8 without a byte order mark: what new files get.
    pub const UTF_8: Encoding = Encoding {
        charset: Charset::Utf8,
        bom: false,
    };

    const WINDOWS_1252: Encoding = Encoding::legacy(encoding_rs::WINDOWS_1252);

    const fn legacy(encoding: &'static encoding_rs::Encoding) -> Encoding {
        Encoding {
            charset: Charset::Legacy(encoding),
            bom: false,
        }
    }

    /// The encoding that a person calls `label`: `utf-8`, `latin1`, `Shift_JIS`, `utf-16le`, … A name
    /// with `-bom` writes a byte order mark, and so does plain `utf-16`.
    ///
    /// # Errors
    /// [`DecodeError::UnknownLabel`] with the nearest label.
    pub fn for_label(label: &str) -> Result<Encoding, DecodeError> {
        label::find(label)
    }

    /// Whether a byte order mark stands in front.
    pub fn has_bom(self) -> bool {
        self.bom
    }

    /// Whether a newline is the single byte `\n` and can be found without decoding.
    pub fn has_plain_newlines(self) -> bool {
        match self.charset {
            Charset::Utf8 => true,
            Charset::Utf16(_) => false,
            Charset::Legacy(encoding) => encoding != encoding_rs::ISO_2022_JP,
        }
    }

    /// The bytes of `text` in this encoding, byte order mark included.
    ///
    /// # Errors
    /// The first character that the encoding cannot express.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Unrepresentable> {
        match self.charset {
            Charset::Utf8 => {
                let mark: &[u8] = if self.bom { b"\xef\xbb\xbf" } else { b"" };
                Ok([mark, text.as_bytes()].concat())
            }
            Charset::Utf16(order) => Ok(utf16::encode(text, order, self.bom)),
            Charset::Legacy(encoding) => match encoding.encode(text) {
                (bytes, _, false) => Ok(bytes.into_owned()),
                _ => Err(self.first_unrepresentable(encoding, text)),
            },
        }
    }

    /// The text of `bytes`, where a byte order mark of this encoding is taken off.
    ///
    /// # Errors
    /// The position of the first byte that does not fit.
    pub fn decode(self, bytes: &[u8]) -> Result<String, usize> {
        let start = if self.bom { self.mark().len() } else { 0 };
        let body = bytes.get(start..).unwrap_or_default();
        match self.charset {
            Charset::Utf8 => match std::str::from_utf8(body) {
                Ok(text) => Ok(text.to_owned()),
                Err(error) => Err(start + error.valid_up_to()),
            },
            Charset::Utf16(order) => utf16::decode(body, order).map_err(|at| start + at),
            Charset::Legacy(encoding) => {
                match encoding.decode_without_bom_handling_and_without_replacement(body) {
                    Some(text) => Ok(text.into_owned()),
                    None => Err(first_malformed(encoding, body)),
                }
            }
        }
    }

    /// The text of `bytes`, which need not begin or end on a character, with `\u{fffd}` for what
    /// does not fit. For showing; not for writing back.
    pub fn decode_lossy(self, bytes: &[u8]) -> String {
        let body = bytes.strip_prefix(self.mark()).unwrap_or(bytes);
        let (text, _) = self.standard().decode_without_bom_handling(body);
        text.into_owned()
    }

    /// A decoder for a stream of bytes in this encoding; a byte order mark is taken off.
    pub fn stream_decoder(self) -> encoding_rs::Decoder {
        self.standard().new_decoder_with_bom_removal()
    }

    fn standard(self) -> &'static encoding_rs::Encoding {
        match self.charset {
            Charset::Utf8 => encoding_rs::UTF_8,
            Charset::Utf16(Order::Little) => encoding_rs::UTF_16LE,
            Charset::Utf16(Order::Big) => encoding_rs::UTF_16BE,
            Charset::Legacy(encoding) => encoding,
        }
    }

    /// The bytes of the byte order mark that this charset would have.
    fn mark(self) -> &'static [u8] {
        match self.charset {
            Charset::Utf8 => b"\xef\xbb\xbf",
            Charset::Utf16(Order::Little) => b"\xff\xfe",
            Charset::Utf16(Order::Big) => b"\xfe\xff",
            Charset::Legacy(_) => b"",
        }
    }

    /// This charset with the mark that `bytes` really have.
    fn marked_as(self, bytes: &[u8]) -> Encoding {
        let mark = self.mark();
        Encoding {
            bom: !mark.is_empty() && bytes.starts_with(mark),
            ..self
        }
    }

    fn first_unrepresentable(
        self,
        encoding: &'static encoding_rs::Encoding,
        text: &str,
    ) -> Unrepresentable {
        let mut encoder = encoding.new_encoder();
        let (mut buffer, mut position) = ([0_u8; 4096], 0);
        let character = loop {
            let rest = &text[position..];
            let (result, read, _) =
                encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
            position += read;
            match result {
                EncoderResult::Unmappable(character) => break character,
                EncoderResult::InputEmpty => break char::REPLACEMENT_CHARACTER,
                EncoderResult::OutputFull => {}
            }
        };
        Unrepresentable {
            encoding: self,
            character,
            position: position.saturating_sub(character.len_utf8()),
        }
    }
}

/// Decodes `bytes` as `label` says, or as their content shows.
///
/// # Errors
/// Only with a label: nobody knows it, or the bytes are not valid in it.
pub fn decode(bytes: &[u8], label: Option<&str>) -> Result<Decoded, DecodeError> {
    let Some(label) = label else {
        return Ok(detect::decoded(bytes));
    };
    let encoding = label::for_bytes(label, bytes)?;
    match encoding.decode(bytes) {
        Ok(text) => {
            let exact = encoding.encode(&text).is_ok_and(|again| again == bytes);
            Ok(Decoded {
                text,
                encoding,
                exact,
            })
        }
        Err(position) => Err(DecodeError::Malformed { encoding, position }),
    }
}

/// Where `body` stops being valid: the first byte of the sequence that a decoder cannot take.
fn first_malformed(encoding: &'static encoding_rs::Encoding, body: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut buffer = String::with_capacity(4096);
    let mut position = 0;
    loop {
        buffer.clear();
        let (result, read) =
            decoder.decode_to_string_without_replacement(&body[position..], &mut buffer, true);
        position += read;
        match result {
            encoding_rs::DecoderResult::Malformed(length, after) => {
                return position.saturating_sub(usize::from(length) + usize::from(after));
            }
            encoding_rs::DecoderResult::InputEmpty => return position,
            encoding_rs::DecoderResult::OutputFull => {}
        }
    }
}

impl fmt::Display for Encoding {
    /// The label of the encoding; [`Encoding::for_label`] reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.standard().name().to_ascii_lowercase())?;
        f.write_str(if self.bom { "-bom" } else { "" })
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::UnknownLabel { label, .. } => {
                write!(f, "there is no encoding `{label}`")
            }
            DecodeError::Malformed { encoding, position } => {
                write!(f, "byte {} is not valid {encoding}", position + 1)
            }
        }
    }
}

impl std::error::Error for DecodeError {}

impl fmt::Display for Unrepresentable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} cannot express {:?} (U+{:04X})",
            self.encoding, self.character, self.character as u32
        )
    }
}

impl std::error::Error for Unrepresentable {}

#[cfg(test)]
mod tests;
