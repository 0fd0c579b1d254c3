//! The full check of prepared arguments against a JSON Schema, for tools that have no Rust struct.
//!
//! The schema is compiled on the first call and never fetches anything. Patterns run in linear
//! time. Formats are not checked; bytes count as text.

use std::sync::OnceLock;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use super::Parameters;
use super::words::{Place, expected, got, kind_words, to_json};
use crate::data::Data;
use crate::error::ToolError;
use crate::text::suggestion;

/// Most faults that one error lists.
const LISTED: usize = 3;

/// The parameters of one tool, compiled when they are first needed.
#[derive(Debug)]
pub struct Checker {
    schema: Value,
    compiled: OnceLock<Result<Validator, String>>,
}

impl Checker {
    /// A checker for these parameters. Cheap: nothing is compiled yet.
    pub fn new(parameters: &Parameters) -> Checker {
        Checker {
            schema: parameters.json_schema().clone(),
            compiled: OnceLock::new(),
        }
    }

    /// A checker for any value, by a JSON Schema that somebody wrote.
    pub fn of(schema: Value) -> Checker {
        Checker {
            schema,
            compiled: OnceLock::new(),
        }
    }

    /// Checks a value.
    ///
    /// # Errors
    /// `argument`, as [`Checker::check`] says it, where `args` stands for the value.
    pub fn check_json(&self, value: &Value) -> Result<(), ToolError> {
        let validator = self.validator()?;
        let faults = validator.iter_errors(value).take(LISTED);
        let faults: Vec<String> = faults.map(|error| self.fault(&error)).collect();
        match faults.as_slice() {
            [] => Ok(()),
            faults => Err(ToolError::argument(faults.join("\n"))),
        }
    }

    /// Checks prepared arguments.
    ///
    /// # Errors
    /// `argument`, one line for each of the first faults, such as
    /// `args.files[2].path: expected text, got number 3`; or that the schema itself is broken.
    pub fn check(&self, args: &Data) -> Result<(), ToolError> {
        self.check_json(&to_json(args))
    }

    /// Compiles the schema now.
    ///
    /// # Errors
    /// `argument` when it is broken.
    pub fn compile(&self) -> Result<(), ToolError> {
        self.validator().map(|_| ())
    }

    fn validator(&self) -> Result<&Validator, ToolError> {
        let validator = self.compiled.get_or_init(|| compile(&self.schema));
        validator.as_ref().map_err(|why| {
            ToolError::argument(format!(
                "the tool's parameters are not a valid schema: {why}"
            ))
            .with_hint("mend `parameters` in the tool's declaration")
        })
    }

    fn fault(&self, error: &ValidationError<'_>) -> String {
        format!("{}: {}", place(error.instance_path()), self.says(error))
    }

    fn says(&self, error: &ValidationError<'_>) -> String {
        let wanted = match error.kind() {
            Kind::Type {
                kind: TypeKind::Single(kind),
            } => kind_words(kind.as_str()),
            Kind::Type {
                kind: TypeKind::Multiple(kinds),
            } => {
                let words: Vec<String> =
                    kinds.iter().map(|kind| kind_words(kind.as_str())).collect();
                words.join(" or ")
            }
            Kind::Enum { .. } | Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => self
                .declared(error)
                .map_or_else(|| "another value".to_owned(), expected),
            Kind::Constant { expected_value } => expected_value.to_string(),
            Kind::Minimum { limit } => format!("at least {limit}"),
            Kind::Maximum { limit } => format!("at most {limit}"),
            Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
            Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
            Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
            Kind::MinLength { limit } => format!("text of at least {limit} characters"),
            Kind::MaxLength { limit } => format!("text of at most {limit} characters"),
            Kind::MinItems { limit } => format!("a list of at least {limit}"),
            Kind::MaxItems { limit } => format!("a list of at most {limit}"),
            Kind::UniqueItems => "a list without repetition".to_owned(),
            Kind::Pattern { pattern } => format!("text that matches `{pattern}`"),
            Kind::Required { property } => {
                return format!("`{}` is missing", property.as_str().unwrap_or_default());
            }
            Kind::AdditionalProperties { unexpected } => return self.unknown(error, unexpected),
            _ => return error.masked_with("the value").to_string(),
        };
        format!("expected {wanted}, got {}", got(error.instance()))
    }

    fn unknown(&self, error: &ValidationError<'_>, unexpected: &[String]) -> String {
        let name = unexpected.first().map_or("", String::as_str);
        let declared = self
            .declared(error)
            .and_then(|schema| schema.get("properties")?.as_object());
        let names = declared
            .into_iter()
            .flat_map(|all| all.keys().map(String::as_str));
        let near = suggestion(name, names);
        format!("there is no `{name}`; {near}")
            .trim_end_matches("; ")
            .to_owned()
    }

    /// The schema that the failing keyword stands in.
    fn declared(&self, error: &ValidationError<'_>) -> Option<&Value> {
        let (parent, _) = error.schema_path().as_str().rsplit_once('/')?;
        self.schema.pointer(parent)
    }
}

fn compile(schema: &Value) -> Result<Validator, String> {
    jsonschema::options()
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(false)
        .offline()
        .build(schema)
        .map_err(|error| error.to_string())
}

fn place(location: &Location) -> Place {
    let mut place = Place::root();
    for segment in location {
        match segment {
            LocationSegment::Property(key) => place.key(&key),
            LocationSegment::Index(index) => place.index(index),
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::data::parse;

    fn checker(properties: Value) -> Checker {
        let schema = json!({ "type": "object", "properties": properties });
        Checker::new(&Parameters::from_json_schema(schema).unwrap())
    }

    fn message(properties: Value, args: &str) -> String {
        checker(properties)
            .check(&parse(args).unwrap())
            .unwrap_err()
            .message
    }

    #[test]
    fn says_where_and_why_as_the_rest_of_the_program_does() {
        let files = json!({ "files": { "type": "array", "minItems": 1, "items": {
            "type": "object",
            "properties": { "path": { "type": "string" } },
            "required": ["path"],
            "additionalProperties": false,
        } } });
        let rows = [
            (
                files.clone(),
                r#"{"files":[{"path":"a"},{"path":3}]}"#,
                "args.files[2].path: expected text, got number 3",
            ),
            (
                files.clone(),
                r#"{"files":[]}"#,
                "args.files: expected a list of at least 1, got a list of 0",
            ),
            (
                files.clone(),
                r#"{"files":[{}]}"#,
                "args.files[1]: `path` is missing",
            ),
            (
                files,
                r#"{"files":[{"path":"a","pth":1}]}"#,
                "args.files[1]: there is no `pth`; did you mean `path`?",
            ),
            (
                json!({"n": {"type": "integer"}}),
                r#"{"n":"5"}"#,
                "args.n: expected a whole number, got text \"5\"",
            ),
            (
                json!({"n": {"minimum": 1}}),
                r#"{"n":0}"#,
                "args.n: expected at least 1, got number 0",
            ),
            (
                json!({"n": {"exclusiveMaximum": 1}}),
                r#"{"n":1}"#,
                "args.n: expected less than 1, got number 1",
            ),
            (
                json!({"s": {"enum": ["a", "b"]}}),
                r#"{"s":"c"}"#,
                "args.s: expected one of \"a\", \"b\", got text \"c\"",
            ),
            (
                json!({"s": {"const": "a"}}),
                r#"{"s":true}"#,
                "args.s: expected \"a\", got true",
            ),
            (
                json!({"s": {"pattern": "^a+$"}}),
                r#"{"s":"b"}"#,
                "args.s: expected text that matches `^a+$`, got text \"b\"",
            ),
            (
                json!({"s": {"type": ["string", "boolean"]}}),
                r#"{"s":1}"#,
                "args.s: expected true or false or text, got number 1",
            ),
            (
                json!({"s": {"anyOf": [{"type": "string"}, {"type": "array"}]}}),
                r#"{"s":1}"#,
                "args.s: expected text or a list, got number 1",
            ),
            (
                json!({"a b": {"type": "string"}}),
                r#"{"a b":1}"#,
                "args[\"a b\"]: expected text, got number 1",
            ),
        ];
        for (properties, args, expected) in rows {
            assert_eq!(message(properties, args), expected);
        }
    }

    #[test]
    fn lists_the_first_faults_only() {
        let all = json!({ "a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}, "d": {"type": "string"} });
        let message = message(all, r#"{"a":1,"b":1,"c":1,"d":1}"#);
        assert_eq!(message.lines().count(), 3, "{message}");
    }

    #[test]
    fn bytes_are_text() {
        let checker = checker(json!({ "s": { "type": "string" } }));
        assert_eq!(
            checker.check(&Data::map([("s", Data::Bytes(vec![0xff, 0]))])),
            Ok(())
        );
    }

    #[test]
    fn a_broken_schema_is_said_to_be_broken_and_nothing_is_fetched() {
        for broken in [
            json!({ "type": "strng" }),
            json!({ "$ref": "http://127.0.0.1:9/x" }),
            json!({ "pattern": "(" }),
            json!({ "pattern": "(a)\\1" }),
        ] {
            let error = checker(json!({ "s": broken }))
                .check(&Data::map([]))
                .unwrap_err();
            assert!(
                error
                    .message
                    .starts_with("the tool's parameters are not a valid schema: "),
                "{error}"
            );
        }
    }
}
