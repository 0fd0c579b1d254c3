//! Decoding of [`Data`] into a tool's own argument struct, through serde.
//!
//! A float without a fraction passes for a whole number, since Lua's `10 / 2` is `5.0`.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserializer, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::{Data, whole, words};

/// Why a value could not be decoded. The path to it is added by the caller.
#[derive(Debug, PartialEq)]
pub struct DecodeError(String);

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: std::fmt::Display>(message: T) -> DecodeError {
        DecodeError(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> DecodeError {
        DecodeError(format!(
            "expected {}, got {}",
            plain(&expected.to_string()),
            describe(found)
        ))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> DecodeError {
        DecodeError::invalid_type(found, expected)
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> DecodeError {
        let words: Vec<String> = expected.iter().map(|word| format!("\"{word}\"")).collect();
        DecodeError(format!("expected {}, got \"{found}\"", words.join(" or ")))
    }
}

/// Serde's name for what it expects, in the words of this program.
fn plain(expected: &str) -> String {
    let number = expected.strip_prefix("a nonzero ").unwrap_or(expected);
    let words = match (number, number.len() < expected.len()) {
        ("a string", _) => words::TEXT,
        ("a boolean", _) => words::BOOLEAN,
        ("a sequence", _) => words::LIST,
        ("a map", _) => words::TABLE,
        ("f64" | "f32", _) => words::NUMBER,
        ("usize" | "u64" | "u32" | "u16" | "u8", false) => "a whole number, zero or more",
        ("usize" | "u64" | "u32" | "u16" | "u8", true) => "a whole number, one or more",
        ("isize" | "i64" | "i32" | "i16" | "i8", false) => words::INTEGER,
        ("isize" | "i64" | "i32" | "i16" | "i8", true) => "a whole number that is not zero",
        _ => expected,
    };
    words.to_owned()
}

/// What serde found, as [`Data::got`] says it.
fn describe(found: Unexpected<'_>) -> String {
    let data = match found {
        Unexpected::Str(text) => Data::from(text),
        Unexpected::Bytes(bytes) => Data::Bytes(bytes.to_vec()),
        Unexpected::Signed(number) => Data::Int(number),
        Unexpected::Unsigned(number) => Data::from(number),
        Unexpected::Float(number) => Data::Float(number),
        Unexpected::Bool(value) => Data::Bool(value),
        Unexpected::Seq => return words::LIST.to_owned(),
        Unexpected::Map => return words::TABLE.to_owned(),
        Unexpected::Unit | Unexpected::Option => Data::Null,
        other => return other.to_string(),
    };
    data.got()
}

/// A value is decoded where it stands: nothing of it is copied but what the struct keeps.
impl<'de> Deserializer<'de> for &'de Data {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Data::Null => visitor.visit_unit(),
            Data::Bool(value) => visitor.visit_bool(*value),
            Data::Int(number) => visitor.visit_i64(*number),
            Data::Float(number) => match whole(*number) {
                Some(number) => visitor.visit_i64(number),
                None => visitor.visit_f64(*number),
            },
            Data::Text(text) => visitor.visit_borrowed_str(text),
            Data::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Data::List(list) => visitor.visit_seq(SeqDeserializer::new(list.iter())),
            Data::Map(map) => {
                let pairs = map.iter().map(|(key, value)| (key.as_str(), value));
                visitor.visit_map(MapDeserializer::new(pairs))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Data::Null => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self {
            Data::Text(word) => visitor.visit_enum(word.as_str().into_deserializer()),
            other => Err(DecodeError(format!("expected a word, got {}", other.got()))),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, DecodeError> for &'de Data {
    type Deserializer = &'de Data;

    fn into_deserializer(self) -> &'de Data {
        self
    }
}
