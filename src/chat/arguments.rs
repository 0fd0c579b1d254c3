//! The arguments of a call: the text as the model wrote it, read when it is needed.
//!
//! A text that is no object is kept, so that the model can be told what was wrong with it; on its way back to a
//! provider it is wrapped, since every provider refuses what it cannot read.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::data::{self, Data, Map};

/// The name under which arguments that are no object go back to a provider.
const WRAPPED: &str = "malformed_arguments";

/// What the model wrote as arguments of one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arguments(String);

impl Arguments {
    /// Arguments from what a model wrote. Nothing at all is no arguments, `null` too; an object that was
    /// written as a JSON string is that object. Everything else stays as it is.
    pub fn new(written: impl Into<String>) -> Arguments {
        let written = written.into();
        let trimmed = written.trim();
        if trimmed.is_empty() || trimmed == "null" {
            return Arguments("{}".to_owned());
        }
        if trimmed.starts_with('"')
            && let Ok(inner) = serde_json::from_str::<String>(trimmed)
        {
            if inner.trim().is_empty() {
                return Arguments("{}".to_owned());
            }
            if is_object(&inner) {
                return Arguments(inner);
            }
        }
        Arguments(written)
    }

    /// The text, as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The arguments by name.
    ///
    /// # Errors
    /// A sentence for the model: what the text is instead of a JSON object.
    pub fn parse(&self) -> Result<Map, String> {
        match data::parse(&self.0) {
            Ok(Data::Map(map)) => Ok(map),
            Ok(other) => Err(format!("expected a JSON object, got {}", other.got())),
            Err(error) => Err(format!("the arguments are not valid JSON: {error}")),
        }
    }

    /// The object that goes back to a provider which takes objects: keys in the order the model wrote them.
    pub fn object(&self) -> Value {
        let wrapped = || json!({ WRAPPED: self.0 });
        match self.parse() {
            Ok(_) => serde_json::from_str(&self.0).unwrap_or_else(|_| wrapped()),
            Err(_) => wrapped(),
        }
    }

    /// The text that goes back to a provider which takes text: always that of an object.
    pub fn object_text(&self) -> String {
        match self.parse() {
            Ok(_) => self.0.clone(),
            Err(_) => self.object().to_string(),
        }
    }
}

/// Whether `text` is one whole JSON object.
pub(super) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_no_arguments_and_an_object_in_a_string_is_that_object() {
        let rows = [
            ("", "{}"),
            (" \n", "{}"),
            ("null", "{}"),
            ("\"\"", "{}"),
            ("\"{\\\"a\\\":1}\"", "{\"a\":1}"),
            ("{\"b\":1, \"a\":2}", "{\"b\":1, \"a\":2}"),
            ("\"just text\"", "\"just text\""),
        ];
        for (written, kept) in rows {
            assert_eq!(Arguments::new(written).as_str(), kept);
        }
    }

    #[test]
    fn an_object_goes_back_with_its_keys_in_order_and_anything_else_wrapped() {
        let good = Arguments::new("{\"b\":1, \"a\":\"é\"}");
        assert_eq!(good.object().to_string(), "{\"b\":1,\"a\":\"é\"}");
        assert_eq!(good.object_text(), "{\"b\":1, \"a\":\"é\"}");
        assert_eq!(good.parse().unwrap().len(), 2);
        for bad in [
            "{\"a\":",
            "[1]",
            "{\"a\":1,\"a\":2}",
            "{} x",
            "{\"n\":18446744073709551615}",
        ] {
            let bad = Arguments::new(bad);
            assert!(bad.parse().is_err(), "{bad:?}");
            assert_eq!(bad.object(), json!({ "malformed_arguments": bad.as_str() }));
            assert_eq!(bad.object_text(), bad.object().to_string());
        }
    }

    #[test]
    fn what_is_wrong_is_said_for_the_model() {
        let said = Arguments::new("[1]").parse().unwrap_err();
        assert_eq!(said, "expected a JSON object, got a list of 1");
        let said = Arguments::new("{\"a\": tru").parse().unwrap_err();
        assert!(
            said.starts_with("the arguments are not valid JSON: "),
            "{said}"
        );
    }
}
