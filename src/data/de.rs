//! Decoding of [`Data`] into a tool's own argument struct, through serde.
//!
//! A float without a fraction passes for a whole number, since Lua's `10 / 2` is `5.0`.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserializer, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::{Data, whole};

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

/// Serde's name for a shape, in the words of this program.
fn plain(expected: &str) -> String {
    match expected {
        "a string" => "text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        "f64" | "f32" => "a number".to_owned(),
        "usize" | "u64" | "u32" => "a whole number, zero or more".to_owned(),
        "i64" | "i32" => "a whole number".to_owned(),
        other => other.to_owned(),
    }
}

fn describe(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Str(text) => format!("text {text:?}"),
        Unexpected::Bytes(_) => "bytes that are not UTF-8".to_owned(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
        other => other.to_string(),
    }
}

impl<'de> Deserializer<'de> for Data {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Data::Null => visitor.visit_unit(),
            Data::Bool(value) => visitor.visit_bool(value),
            Data::Int(number) => visitor.visit_i64(number),
            Data::Float(number) => match whole(number) {
                Some(number) => visitor.visit_i64(number),
                None => visitor.visit_f64(number),
            },
            Data::Text(text) => visitor.visit_string(text),
            Data::Bytes(bytes) => visitor.visit_byte_buf(bytes),
            Data::List(list) => visitor.visit_seq(SeqDeserializer::new(list.into_iter())),
            Data::Map(map) => visitor.visit_map(MapDeserializer::new(map.into_iter())),
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
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self {
            Data::Text(word) => visitor.visit_enum(word.into_deserializer()),
            other => {
                let (_, _) = (name, variants);
                Err(DecodeError(format!(
                    "expected a word, got {}",
                    other.shape()
                )))
            }
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

impl IntoDeserializer<'_, DecodeError> for Data {
    type Deserializer = Data;

    fn into_deserializer(self) -> Data {
        self
    }
}
