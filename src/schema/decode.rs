//! Arguments as a tool's own struct, through serde. What does not fit is named by its path.
//! Unknown names and defaults are settled before, in `prepare`.

use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;

use super::words::Place;
use crate::data::Data;
use crate::error::ToolError;

/// The arguments as a `T`. They have been prepared: names are known and defaults filled.
///
/// # Errors
/// `argument`, such as `args.limit: expected a whole number, got text "5"`.
pub fn decode<T: DeserializeOwned>(args: &Data) -> Result<T, ToolError> {
    // The way to a fault is looked for only when there is one.
    T::deserialize(args).or_else(|_| decode_again(args))
}

fn decode_again<T: DeserializeOwned>(args: &Data) -> Result<T, ToolError> {
    serde_path_to_error::deserialize(args).map_err(|error| {
        let mut place = Place::root();
        for segment in error.path().iter() {
            match segment {
                Segment::Seq { index } => place.index(*index),
                Segment::Map { key } => place.key(key),
                Segment::Enum { variant } => place.key(variant),
                Segment::Unknown => {}
            }
        }
        ToolError::argument(format!("{place}: {}", error.inner()))
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use serde::Deserialize;

    use super::*;
    use crate::data::parse;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Args {
        path: String,
        limit: Option<u32>,
        times: Option<NonZeroU64>,
        show: Show,
        files: Vec<File>,
        ratio: f64,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Show {
        #[default]
        Content,
        Files,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct File {
        path: String,
    }

    fn message(args: &str) -> String {
        decode::<Args>(&parse(args).unwrap()).unwrap_err().message
    }

    #[test]
    fn decodes_what_fits() {
        let args = r#"{"path":"a","limit":2.0,"show":"files","files":[{"path":"b"}],"ratio":1}"#;
        let expected = Args {
            path: "a".to_owned(),
            limit: Some(2),
            times: None,
            show: Show::Files,
            files: vec![File {
                path: "b".to_owned(),
            }],
            ratio: 1.0,
        };
        assert_eq!(decode::<Args>(&parse(args).unwrap()), Ok(expected));
    }

    #[test]
    fn names_the_value_that_does_not_fit() {
        assert_eq!(
            message(r#"{"path":3}"#),
            "args.path: expected text, got number 3"
        );
        assert_eq!(
            message(r#"{"limit":"5"}"#),
            "args.limit: expected a whole number, zero or more, got text \"5\""
        );
        assert_eq!(
            message(r#"{"files":[{"path":"a"},{"path":[]}]}"#),
            "args.files[2].path: expected text, got a list"
        );
        assert_eq!(
            message(r#"{"show":"names"}"#),
            "args.show: expected \"content\" or \"files\", got \"names\""
        );
        assert_eq!(
            message(r#"{"limit":-1}"#),
            "args.limit: expected a whole number, zero or more, got number -1"
        );
        assert_eq!(
            message(r#"{"times":0}"#),
            "args.times: expected a whole number, one or more, got number 0"
        );
        assert_eq!(
            message(r#"{"show":3}"#),
            "args.show: expected a word, got number 3"
        );
        assert!(message(r#"{"files":[{}]}"#).starts_with("args.files[1]: "));
    }
}
