//! The value that travels between Lua, dispatch and tools.
//!
//! JSON's shapes plus bytes: a Lua string need not be UTF-8, and it must survive a call unchanged.
//! Maps keep their keys sorted, so that the same value always has the same text.

mod de;
mod json;
pub mod words;

use std::collections::BTreeMap;

pub use json::{ParseError, parse, restore_bytes};

/// A map of names to values, sorted by name.
pub type Map = BTreeMap<String, Data>;

/// A plain value: no functions, no handles, nothing that belongs to one thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Data {
    /// Nothing: Lua's `nil` in a field, JSON's `null`.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number; never NaN or infinite when it came through a call.
    Float(f64),
    /// Text in UTF-8.
    Text(String),
    /// Bytes that are not UTF-8.
    Bytes(Vec<u8>),
    /// Values in order.
    List(Vec<Data>),
    /// Values by name.
    Map(Map),
}

impl Data {
    /// A map from pairs, the usual way to build metadata.
    pub fn map<const N: usize>(pairs: [(&str, Data); N]) -> Data {
        Data::Map(
            pairs
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
        )
    }

    /// Bytes as text where they are UTF-8, else as bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Data {
        match String::from_utf8(bytes) {
            Ok(text) => Data::Text(text),
            Err(error) => Data::Bytes(error.into_bytes()),
        }
    }

    /// The field `key` of a map; `None` for other shapes and missing fields.
    pub fn get(&self, key: &str) -> Option<&Data> {
        match self {
            Data::Map(map) => map.get(key),
            _ => None,
        }
    }

    /// The text, if it is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, if it is one; a float without a fraction counts.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Data::Int(number) => Some(*number),
            Data::Float(number) => whole(*number),
            _ => None,
        }
    }

    /// The values in order, if it is a list.
    pub fn as_list(&self) -> Option<&[Data]> {
        match self {
            Data::List(list) => Some(list),
            _ => None,
        }
    }

    /// The values by name, if it is a map.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Data::Map(map) => Some(map),
            _ => None,
        }
    }
}

/// The whole number that `number` is, if it has no fraction and fits.
pub(crate) fn whole(number: f64) -> Option<i64> {
    let fits = number.fract() == 0.0 && number.abs() < 9_223_372_036_854_775_808.0;
    fits.then_some(number as i64)
}

macro_rules! from {
    ($($type:ty => $variant:ident),* $(,)?) => {$(
        impl From<$type> for Data {
            fn from(value: $type) -> Data { Data::$variant(value.into()) }
        }
    )*};
}

from! {
    bool => Bool, i64 => Int, i32 => Int, u32 => Int, u8 => Int, f64 => Float,
    &str => Text, String => Text, Vec<Data> => List, Map => Map,
}

impl From<usize> for Data {
    fn from(value: usize) -> Data {
        i64::try_from(value).map_or(Data::Float(value as f64), Data::Int)
    }
}

impl From<u64> for Data {
    fn from(value: u64) -> Data {
        i64::try_from(value).map_or(Data::Float(value as f64), Data::Int)
    }
}

impl<T: Into<Data>> From<Option<T>> for Data {
    fn from(value: Option<T>) -> Data {
        value.map_or(Data::Null, Into::into)
    }
}

impl FromIterator<Data> for Data {
    fn from_iter<I: IntoIterator<Item = Data>>(values: I) -> Data {
        Data::List(values.into_iter().collect())
    }
}
