//! [`Data`] from and to JSON. Duplicate keys are refused: two readers would not agree on the value.
//!
//! Bytes have no JSON form of their own; they are written as `{"b64": …}`, as the worker protocol
//! does, and every other shape maps to its namesake.

use std::fmt;

use data_encoding::BASE64;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::{Data, Map};

/// Why a text is not a JSON value: what was found and where.
#[derive(Debug, PartialEq)]
pub struct ParseError(String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

/// Reads one JSON value; nothing but white space may follow it.
///
/// # Errors
/// Syntax, a duplicate key, a number outside 64 bits, nesting deeper than 128.
pub fn parse(text: &str) -> Result<Data, ParseError> {
    serde_json::from_str(text).map_err(|error| ParseError(error.to_string()))
}

/// Turns what JSON had to write as `{"b64": …}` back into bytes, wherever it stands. A text that could have
/// been written as text was never bytes, and stays a table.
pub fn restore_bytes(data: &mut Data) {
    match data {
        Data::List(list) => list.iter_mut().for_each(restore_bytes),
        Data::Map(map) => match bytes(map) {
            Some(bytes) => *data = Data::Bytes(bytes),
            None => map.values_mut().for_each(restore_bytes),
        },
        _ => {}
    }
}

fn bytes(map: &Map) -> Option<Vec<u8>> {
    let text = map.get("b64")?.as_str().filter(|_| map.len() == 1)?;
    let bytes = BASE64.decode(text.as_bytes()).ok()?;
    std::str::from_utf8(&bytes).is_err().then_some(bytes)
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Data, D::Error> {
        deserializer.deserialize_any(DataVisitor)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    fn visit_none<E>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Data, D::Error> {
        Data::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Data, E> {
        Ok(Data::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Data, E> {
        Ok(Data::Int(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Data, E> {
        i64::try_from(number).map(Data::Int).map_err(|_| {
            E::custom(format!(
                "{number} does not fit a 64-bit integer; pass it as text"
            ))
        })
    }

    fn visit_f64<E>(self, number: f64) -> Result<Data, E> {
        Ok(Data::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Data, E> {
        Ok(Data::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Data, E> {
        Ok(Data::Text(text))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Data, E> {
        Ok(Data::from_bytes(bytes.to_vec()))
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Data, E> {
        Ok(Data::from_bytes(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Data, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element()? {
            list.push(value);
        }
        Ok(Data::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Data, A::Error> {
        let mut map = Map::new();
        while let Some((key, value)) = access.next_entry::<String, Data>()? {
            if map.contains_key(&key) {
                return Err(de::Error::custom(format!(
                    "the key {key:?} stands there twice"
                )));
            }
            map.insert(key, value);
        }
        Ok(Data::Map(map))
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Data::Null => serializer.serialize_unit(),
            Data::Bool(value) => serializer.serialize_bool(*value),
            Data::Int(number) => serializer.serialize_i64(*number),
            Data::Float(number) => serializer.serialize_f64(*number),
            Data::Text(text) => serializer.serialize_str(text),
            Data::Bytes(bytes) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("b64", &BASE64.encode(bytes))?;
                map.end()
            }
            Data::List(list) => serializer.collect_seq(list),
            Data::Map(map) => serializer.collect_map(map),
        }
    }
}

impl From<Value> for Data {
    fn from(value: Value) -> Data {
        match value {
            Value::Null => Data::Null,
            Value::Bool(value) => Data::Bool(value),
            Value::Number(number) => match number.as_i64() {
                Some(number) => Data::Int(number),
                None => Data::Float(number.as_f64().unwrap_or(f64::MAX)),
            },
            Value::String(text) => Data::Text(text),
            Value::Array(list) => list.into_iter().map(Data::from).collect(),
            Value::Object(map) => Data::Map(
                map.into_iter()
                    .map(|(key, value)| (key, value.into()))
                    .collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_a_key_that_stands_there_twice() {
        let error = parse(r#"{"a": 1, "a": 2}"#).unwrap_err();
        assert!(
            error.to_string().contains("\"a\" stands there twice"),
            "{error}"
        );
    }

    #[test]
    fn reads_back_what_it_wrote() {
        let text = r#"{"a":[1,2.5,null,true],"b":{"c":"é"},"n":-9223372036854775808}"#;
        assert_eq!(serde_json::to_string(&parse(text).unwrap()).unwrap(), text);
    }

    #[test]
    fn writes_bytes_as_base64() {
        let text = serde_json::to_string(&Data::Bytes(vec![0xff, 0xfe, 0, 1])).unwrap();
        assert_eq!(text, r#"{"b64":"//4AAQ=="}"#);
    }
}
