//! One use of a tool: its name, its arguments as they came, and who reads the result.
//! Nothing is checked here: that is the first stage of dispatch.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::data::{self, Data, Map};

/// The number of a call, unique in its session. Shown as `c17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u64);

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c{}", self.0)
    }
}

impl Serialize for CallId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Arguments as the caller gave them. The first stage of dispatch turns them into a map.
#[derive(Clone, Debug)]
pub enum Arguments {
    /// Values by parameter name.
    Named(Map),
    /// Values in the order of the positional parameters; a map that comes last and does not belong
    /// to a positional holds named ones.
    Positional(Vec<Data>),
    /// The text of a JSON object, as a model writes it.
    Json(String),
}

impl Arguments {
    /// The values by name, where that can be told without knowing the tool.
    pub fn by_name(&self) -> Option<Data> {
        match self {
            Arguments::Named(map) => Some(Data::Map(map.clone())),
            Arguments::Positional(_) => None,
            Arguments::Json(text) => data::parse(text).ok(),
        }
    }
}

/// Who reads the result. Decides redaction, truncation and escaping, never the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Lua or `call -o json`: the whole result.
    Program,
    /// A model's context: redacted, then truncated with a spill.
    Model,
    /// A terminal: control characters visible.
    Person,
}

/// One call, before the door has looked at it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name asked for; an alias is fine.
    pub tool: String,
    /// The arguments as given.
    pub arguments: Arguments,
    /// Who reads the result.
    pub destination: Destination,
}
