//! The shape of an answer: whether what a model said is JSON of a schema, and what to tell it where it is not.
//! It asks nobody: whoever asked the model asks it again.

use serde_json::Value;

use crate::error::{Error, ToolError};
use crate::schema::Checker;

/// How often a model is asked again whose answer does not fit.
pub(super) const AGAIN: usize = 2;

/// A schema that answers keep to.
pub(super) struct Shape(Checker);

impl Shape {
    /// The shape that `schema` says.
    ///
    /// # Errors
    /// Usage: it is no JSON Schema.
    pub(super) fn new(schema: &Value) -> Result<Shape, Error> {
        let checker = Checker::of(schema.clone());
        checker.compile().map_err(|error| {
            let why = error
                .message
                .split_once(": ")
                .map_or(error.message.as_str(), |(_, why)| why);
            Error::usage(
                format!("the schema of the answer is not valid: {why}"),
                "give a JSON Schema, such as { \"type\": \"object\", \"properties\": { … } }",
            )
        })?;
        Ok(Shape(checker))
    }

    /// The value that `text` says.
    ///
    /// # Errors
    /// `failed`, with what does not fit.
    pub(super) fn read(&self, text: &str) -> Result<Value, ToolError> {
        let value = serde_json::from_str::<Value>(unfenced(text));
        let value = value.map_err(|error| unfit(&format!("it is no JSON: {error}")))?;
        match self.0.check_json(&value) {
            Ok(()) => Ok(value),
            Err(error) => Err(unfit(&error.message.replace("args", "answer"))),
        }
    }
}

/// What the model is asked to do about an answer that does not fit.
pub(super) fn again(error: &ToolError) -> String {
    format!(
        "{}. Answer again: the JSON alone, in the shape that was asked for.",
        error.message
    )
}

fn unfit(why: &str) -> ToolError {
    use crate::error::Kind;
    ToolError::new(
        Kind::Failed,
        format!("the answer does not fit the schema: {why}"),
    )
    .with_hint("ask again, or make the schema or the question plainer")
}

/// A text without the fence of code that models like to put around JSON.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
    else {
        return text;
    };
    inner
        .split_once('\n')
        .map_or(inner, |(_, body)| body)
        .trim()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_is_data_and_what_does_not_says_why() {
        let schema = json!({
            "type": "object",
            "properties": { "score": { "type": "integer" } },
            "required": ["score"],
            "additionalProperties": false,
        });
        let shape = Shape::new(&schema).unwrap();
        for text in [" {\"score\": 3}\n", "```json\n{\"score\": 3}\n```"] {
            assert_eq!(shape.read(text).unwrap(), json!({ "score": 3 }), "{text}");
        }
        for (text, why) in [
            ("three", "it is no JSON"),
            ("{\"score\": \"3\"}", "answer.score"),
            ("{}", "score"),
            ("", "it is no JSON"),
        ] {
            let error = shape.read(text).unwrap_err();
            assert!(error.message.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_schema_that_is_none_is_refused() {
        let error = Shape::new(&json!({ "type": "intger" })).err().unwrap();
        assert!(error.to_string().contains("not valid"), "{error}");
    }
}
