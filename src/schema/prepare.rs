//! Puts arguments in order before they are decoded or checked: names settled, defaults filled.
//!
//! Only what is certain is mended: a known other name; `null` for what may be absent; a float
//! without a fraction where a whole number is due; an empty list where a table is due and the other
//! way round, since Lua writes them alike. Text is never made a number, nor one value a list.

use super::Parameters;
use super::param::Param;
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::text::nearest;

/// Arguments that are complete: every name known, every default in place. `aliases` are pairs of
/// another name and ours; one counts only where ours is declared and the other is not.
///
/// # Errors
/// `argument`: not a table, an unknown name, the same parameter under two names, a required one
/// missing. The hint says what is accepted.
pub fn prepare<N: AsRef<str>>(
    args: Data,
    parameters: &Parameters,
    aliases: &[(N, N)],
) -> Result<Data, ToolError> {
    let args = settle(args, parameters, aliases)?;
    missing(&args, parameters)?;
    Ok(Data::Map(args))
}

/// As [`prepare`], of arguments of which some may be missing.
///
/// # Errors
/// `argument`, but for what is missing.
pub fn prepare_some<N: AsRef<str>>(
    args: Data,
    parameters: &Parameters,
    aliases: &[(N, N)],
) -> Result<Data, ToolError> {
    settle(args, parameters, aliases).map(Data::Map)
}

/// The arguments with names settled and defaults filled.
fn settle<N: AsRef<str>>(
    args: Data,
    parameters: &Parameters,
    aliases: &[(N, N)],
) -> Result<Map, ToolError> {
    let given = match args {
        Data::Map(map) => map,
        Data::Null => Map::new(),
        Data::List(list) if list.is_empty() => Map::new(),
        other => {
            let message = format!("expected the arguments as a table, got {}", other.got());
            return Err(ToolError::argument(message).with_hint(parameters.takes()));
        }
    };
    let is_known = |name: &String| parameters.param(name).is_some();
    let mut args = match given.keys().all(is_known) {
        true => given,
        false => named(given, parameters, aliases)?,
    };
    args.retain(|name, value| *value != Data::Null || parameters.param(name).is_none());
    for (name, value) in &mut args {
        if let Some(param) = parameters.param(name) {
            param.shape.mend(value);
        }
    }
    fill(&mut args, parameters);
    Ok(args)
}

/// The arguments under the names of the declaration.
fn named<N: AsRef<str>>(
    given: Map,
    parameters: &Parameters,
    aliases: &[(N, N)],
) -> Result<Map, ToolError> {
    let mut args = Map::new();
    let mut renamed: Vec<(String, &str, Data)> = Vec::new();
    for (name, value) in given {
        if parameters.param(&name).is_some() {
            args.insert(name, value);
            continue;
        }
        let ours = aliases.iter().find(|(theirs, ours)| {
            theirs.as_ref() == name && parameters.param(ours.as_ref()).is_some()
        });
        match ours {
            Some((_, ours)) => renamed.push((name, ours.as_ref(), value)),
            None if parameters.is_open() => drop(args.insert(name, value)),
            None => return Err(unknown(&name, parameters)),
        }
    }
    for (theirs, ours, value) in renamed {
        match args.get(ours) {
            Some(other) if *other != Data::Null && *other != value && value != Data::Null => {
                let message =
                    format!("`{theirs}` is another name for `{ours}`, and both are given");
                return Err(ToolError::argument(message).with_hint(format!("give `{ours}` alone")));
            }
            Some(other) if *other != Data::Null => {}
            _ => drop(args.insert(ours.to_owned(), value)),
        }
    }
    Ok(args)
}

fn unknown(name: &str, parameters: &Parameters) -> ToolError {
    let near = nearest(name, parameters.names());
    ToolError::unknown(Kind::Argument, "parameter", name, near, &parameters.takes())
}

fn fill(args: &mut Map, parameters: &Parameters) {
    for param in parameters.params() {
        if let Some(default) = &param.default
            && !args.contains_key(&param.name)
        {
            args.insert(param.name.clone(), default.clone());
        }
    }
}

fn missing(args: &Map, parameters: &Parameters) -> Result<(), ToolError> {
    let absent = |param: &&Param| param.required && !args.contains_key(&param.name);
    let named: Vec<String> = parameters
        .params()
        .iter()
        .filter(absent)
        .map(|Param { name, .. }| {
            let about = parameters.description(name).map(|text| format!(": {text}"));
            let kind = parameters.type_of(name);
            format!("`{name}` ({kind}){}", about.unwrap_or_default())
        })
        .collect();
    if named.is_empty() {
        return Ok(());
    }
    let message = format!("missing {}", named.join("; "));
    Err(ToolError::argument(message).with_hint(parameters.takes()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::data::parse;

    fn parameters() -> Parameters {
        Parameters::from_json_schema(json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "The file." },
                "offset": { "type": "integer", "default": 1 },
                "limit": { "type": "integer" },
                "env": { "type": "object", "additionalProperties": { "type": "integer" } },
                "ranges": { "type": "array", "items": {
                    "type": "object", "properties": { "from": { "type": "integer" } },
                } },
            },
            "required": ["path"],
        }))
        .unwrap()
    }

    fn prepared(args: &str) -> Result<String, ToolError> {
        let aliases = [
            ("filePath", "path"),
            ("count", "limit"),
            ("start", "nothing"),
        ];
        let args = prepare(parse(args).unwrap(), &parameters(), &aliases)?;
        Ok(serde_json::to_string(&args).unwrap())
    }

    fn error(args: &str) -> ToolError {
        prepared(args).unwrap_err()
    }

    const TAKES: &str = "it takes (path: string, offset?: integer = 1, limit?: integer, \
        env?: table, ranges?: table[])";

    #[test]
    fn fills_defaults_and_settles_names() {
        assert_eq!(
            prepared(r#"{"path":"a"}"#).unwrap(),
            r#"{"offset":1,"path":"a"}"#
        );
        assert_eq!(
            prepared(r#"{"filePath":"a","count":2,"offset":3}"#).unwrap(),
            r#"{"limit":2,"offset":3,"path":"a"}"#
        );
        let same = r#"{"filePath":"a","path":"a"}"#;
        assert_eq!(prepared(same).unwrap(), r#"{"offset":1,"path":"a"}"#);
    }

    #[test]
    fn null_is_absent() {
        let args = r#"{"path":"a","offset":null,"limit":null}"#;
        assert_eq!(prepared(args).unwrap(), r#"{"offset":1,"path":"a"}"#);
        let half = r#"{"path":null,"filePath":"a"}"#;
        assert_eq!(prepared(half).unwrap(), r#"{"offset":1,"path":"a"}"#);
        assert!(
            error(r#"{"path":null}"#)
                .message
                .starts_with("missing `path`")
        );
    }

    #[test]
    fn mends_what_is_certain_at_any_depth() {
        let args = r#"{"path":"a","offset":2.0,"env":[],"ranges":{}}"#;
        let mended = r#"{"env":{},"offset":2,"path":"a","ranges":[]}"#;
        assert_eq!(prepared(args).unwrap(), mended);
        let deep = r#"{"path":"a","env":{"A":3.0},"ranges":[{"from":4.0}]}"#;
        let mended = r#"{"env":{"A":3},"offset":1,"path":"a","ranges":[{"from":4}]}"#;
        assert_eq!(prepared(deep).unwrap(), mended);
    }

    #[test]
    fn leaves_what_is_not_certain() {
        let args = r#"{"limit":"5","offset":1.5,"path":7}"#;
        assert_eq!(prepared(args).unwrap(), args);
    }

    #[test]
    fn refuses_with_the_nearest_name_and_what_is_accepted() {
        let unknown = error(r#"{"pth":"a"}"#);
        assert_eq!(unknown.message, "there is no parameter `pth`");
        assert_eq!(unknown.hint(), format!("did you mean `path`? {TAKES}"));
        assert_eq!(
            error(r#"{"quux":1}"#).message,
            "there is no parameter `quux`"
        );
        let start = error(r#"{"path":"a","start":1}"#);
        assert_eq!(
            start.message, "there is no parameter `start`",
            "an alias of what it has not"
        );
        let missing = error("{}");
        assert_eq!(missing.message, "missing `path` (string): The file.");
        assert_eq!(missing.hint(), TAKES);
        let both = error(r#"{"path":"a","filePath":"b"}"#);
        assert_eq!(
            both.message,
            "`filePath` is another name for `path`, and both are given"
        );
        assert_eq!(both.hint(), "give `path` alone");
        let shape = error("[1]");
        assert_eq!(
            shape.message,
            "expected the arguments as a table, got a list of 1"
        );
    }

    #[test]
    fn nothing_is_an_empty_table() {
        let none: [(&str, &str); 0] = [];
        for args in [Data::Null, Data::List(Vec::new()), Data::map([])] {
            let prepared = prepare(args, &Parameters::default(), &none).unwrap();
            assert_eq!(prepared, Data::map([]));
        }
        let error = prepare(
            Data::map([("x", Data::Null)]),
            &Parameters::default(),
            &none,
        );
        let error = error.unwrap_err();
        assert_eq!(error.message, "there is no parameter `x`");
        assert_eq!(error.hint(), "it takes no arguments");
    }

    #[test]
    fn an_open_schema_takes_other_names_too() {
        let open = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
        let open = Parameters::from_json_schema(open).unwrap();
        let none: [(String, String); 0] = [];
        let args = Data::map([("x", 1i64.into())]);
        assert_eq!(prepare(args.clone(), &open, &none).unwrap(), args);
    }
}
