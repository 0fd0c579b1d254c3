//! Stage 1: arguments as they came become values by name, or an `argument` error that says what is wrong.
//!
//! A repair is made only where its meaning is certain: a value by place, a table of named ones that comes last.

use super::definition::Taken;
use crate::data::{self, Data, Map};
use crate::error::ToolError;
use crate::tool::Arguments;

/// The arguments of a call by name, neither checked nor complete.
///
/// # Errors
/// `argument`.
pub(super) fn decode(arguments: Arguments, taken: &Taken<'_>) -> Result<Data, ToolError> {
    let named = match arguments {
        Arguments::Named(map) => map,
        Arguments::Positional(values) => spread(values, taken)?,
        Arguments::Json(text) => object(&text)?,
    };
    Ok(Data::Map(named))
}

fn object(text: &str) -> Result<Map, ToolError> {
    match data::parse(text) {
        Ok(Data::Map(map)) => Ok(map),
        Ok(other) => {
            let message = format!("expected a JSON object as arguments, got {}", other.got());
            Err(ToolError::argument(message).with_hint("write them as {\"name\": value, …}"))
        }
        Err(error) => Err(
            ToolError::argument(format!("the arguments are no JSON: {error}"))
                .with_hint("write them as one JSON object, each key once"),
        ),
    }
}

/// Values in order become values by name; a table that comes last may hold named ones.
fn spread(mut values: Vec<Data>, taken: &Taken<'_>) -> Result<Map, ToolError> {
    let positional = taken.parameters().positional();
    let named = match values.last() {
        Some(Data::Map(table)) if holds_named(table, values.len() - 1, taken) => values.pop(),
        _ => None,
    };
    if values.len() > positional.len() {
        return Err(too_many(values.len(), positional, taken.tool.id()));
    }
    let mut map = match named {
        Some(Data::Map(map)) => map,
        _ => Map::new(),
    };
    for (name, value) in positional.iter().zip(values) {
        if value == Data::Null {
            continue;
        }
        if map.insert(name.clone(), value).is_some() {
            let message = format!("`{name}` was given twice, by place and by name");
            return Err(ToolError::argument(message));
        }
    }
    Ok(map)
}

/// Whether a last table holds named values. It is a value itself only where its place takes a table and
/// what it holds are not parameters.
fn holds_named(table: &Map, place: usize, taken: &Taken<'_>) -> bool {
    let parameters = taken.parameters();
    let takes_table = |name: &String| parameters.takes_table(name);
    let is_due = parameters.positional().get(place).is_some_and(takes_table);
    let is_named = |name: &String| {
        let mut aliases = taken.tool.spec().parameter_aliases.iter();
        parameters.get(name).is_some() || aliases.any(|(theirs, _)| theirs == name)
    };
    !is_due || (!table.is_empty() && table.keys().all(is_named))
}

fn too_many(given: usize, positional: &[String], tool: &str) -> ToolError {
    let given = match given {
        1 => "1 value was given by place".to_owned(),
        given => format!("{given} values were given by place"),
    };
    let names: Vec<String> = positional.iter().map(|name| format!("`{name}`")).collect();
    let (takes, hint) = match names.as_slice() {
        [] => (
            "none".to_owned(),
            "pass values by name, in a table: { name = value }",
        ),
        names => (names.join(", "), "pass the rest by name, in a table"),
    };
    ToolError::argument(format!("{given}, and `{tool}` takes {takes} that way")).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::permission::Effect;
    use crate::schema::Parameters;
    use crate::tool::{Origin, Spec, Unavailable};

    fn spec(properties: serde_json::Value, required: &[&str]) -> Spec {
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        Spec {
            id: "t".to_owned(),
            surface: "test".to_owned(),
            effect: Effect::Read,
            description: String::new(),
            parameters: Parameters::from_json_schema(schema).unwrap(),
            parameter_aliases: vec![("label".to_owned(), "name".to_owned())],
            timeout: None,
            examples: Vec::new(),
            display_name: None,
            hint: None,
            polls: false,
            stands_alone: false,
            fields: &[],
            origin: Origin::Shipped,
        }
    }

    fn decoded(spec: &Spec, values: &str) -> Result<String, ToolError> {
        let Ok(Data::List(values)) = data::parse(values) else {
            panic!("not a list")
        };
        let tool = Unavailable::new(spec.clone(), String::new());
        let taken = Taken::as_declared(&tool);
        let args = decode(Arguments::Positional(values), &taken)?;
        Ok(serde_json::to_string(&taken.complete(args)?).unwrap())
    }

    #[test]
    fn a_table_goes_to_the_place_that_takes_one() {
        let table = json!({ "options": { "type": "object" } });
        let one = spec(table, &["options"]);
        assert_eq!(
            decoded(&one, r#"[{"x":1}]"#).unwrap(),
            r#"{"options":{"x":1}}"#
        );
        assert_eq!(decoded(&one, "[{}]").unwrap(), r#"{"options":{}}"#);
        let by_name = decoded(&one, r#"[{"options":{"x":1}}]"#);
        assert_eq!(by_name.unwrap(), r#"{"options":{"x":1}}"#);

        let both = json!({ "name": { "type": "string" }, "options": { "type": "object" } });
        let two = spec(both, &["name", "options"]);
        let full = r#"{"name":"n","options":{"x":1}}"#;
        for values in [
            r#"["n",{"x":1}]"#,
            r#"["n",{"options":{"x":1}}]"#,
            r#"[{"name":"n","options":{"x":1}}]"#,
            r#"[{"label":"n","options":{"x":1}}]"#,
        ] {
            assert_eq!(decoded(&two, values).unwrap(), full, "{values}");
        }
    }

    #[test]
    fn a_table_where_none_is_due_holds_named_values() {
        let plain = spec(
            json!({ "name": {"type": "string"}, "n": {"type": "integer"} }),
            &[],
        );
        let full = r#"{"n":2,"name":"a"}"#;
        assert_eq!(decoded(&plain, r#"["a",{"n":2}]"#).unwrap(), full);
        let error = decoded(&plain, r#"["a",{"x":2}]"#).unwrap_err();
        assert_eq!(error.message, "there is no parameter `x`");
    }

    #[test]
    fn too_many_values_are_told_which_go_by_place() {
        let plain = spec(
            json!({ "name": {"type": "string"}, "n": {"type": "integer"} }),
            &[],
        );
        let error = decoded(&plain, r#"["a",1,2]"#).unwrap_err();
        assert_eq!(
            error.message,
            "3 values were given by place, and `t` takes `name`, `n` that way"
        );
        let error = decoded(&spec(json!({}), &[]), r#"["a"]"#).unwrap_err();
        assert_eq!(
            error.message,
            "1 value was given by place, and `t` takes none that way"
        );
    }
}
