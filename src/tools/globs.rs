//! A parameter that holds globs: a list, or one of them as text.
//!
//! Its schema says a list, which every caller can give; one text alone is taken for a list of one.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// Globs, in the order given.
#[derive(Clone, Debug, Default)]
pub(super) struct Globs(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for Globs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Globs, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a glob or a list of globs")]
        enum OneOrMany {
            One(String),
            Many(Vec<String>),
        }
        Ok(match OneOrMany::deserialize(deserializer)? {
            OneOrMany::One(glob) => Globs(vec![glob]),
            OneOrMany::Many(globs) => Globs(globs),
        })
    }
}

impl JsonSchema for Globs {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Globs".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<String>::json_schema(generator)
    }
}
