//! Declarations in the short form: what they mean, and what is said of those that mean nothing.
//! Messages are asserted by their text, since authors of tools read them.

use proptest::prelude::*;

use super::*;

fn form(positional: &[&str], named: &[(&str, Data)]) -> ShortForm {
    ShortForm {
        positional: positional.iter().map(|name| (*name).to_owned()).collect(),
        named: named
            .iter()
            .map(|(name, kind)| ((*name).to_owned(), kind.clone()))
            .collect(),
    }
}

fn parameters(positional: &[&str], named: &[(&str, Data)]) -> Parameters {
    form(positional, named).parameters().unwrap()
}

fn message(kind: impl Into<Data>) -> String {
    let error = form(&[], &[("x", kind.into())]).parameters().unwrap_err();
    assert_eq!(error.hint(), ACCEPTED);
    error.message
}

#[test]
fn names_alone_are_required_texts_in_order() {
    let parameters = parameters(&["name"], &[]);
    assert_eq!(
        *parameters.json_schema(),
        json!({
            "type": "object",
            "properties": { "name": { "type": "string" } },
            "required": ["name"],
            "additionalProperties": false,
        })
    );
    assert_eq!(parameters.positional(), ["name"]);
}

#[test]
fn every_type_has_its_schema() {
    let rows = [
        ("string", json!({ "type": "string" })),
        ("path", json!({ "type": "string" })),
        ("integer", json!({ "type": "integer" })),
        ("number", json!({ "type": "number" })),
        ("boolean", json!({ "type": "boolean" })),
        ("table", json!({ "type": "object" })),
        ("object", json!({ "type": "object" })),
        ("any", json!({})),
        (
            "string[]",
            json!({ "type": "array", "items": { "type": "string" } }),
        ),
        ("'a'|'b'", json!({ "type": "string", "enum": ["a", "b"] })),
        (
            "'a' | \"b|c\"",
            json!({ "type": "string", "enum": ["a", "b|c"] }),
        ),
        (
            "('a'|'b')[]",
            json!({ "type": "array", "items": { "type": "string", "enum": ["a", "b"] } }),
        ),
    ];
    for (word, schema) in rows {
        for (word, required) in [(word.to_owned(), true), (format!("{word}?"), false)] {
            let parameters = parameters(&[], &[("x", word.as_str().into())]);
            assert_eq!(parameters.get("x"), Some(&schema), "{word}");
            assert_eq!(parameters.is_required("x"), required, "{word}");
        }
    }
    let paths = parameters(&["a"], &[("a", "path".into()), ("b", "path[]?".into())]);
    assert!(paths.is_path("a") && paths.is_path("b"));
    assert_eq!(paths.compact(), "(a: path, b?: path[])");
}

#[test]
fn positionals_come_first_and_the_rest_by_name() {
    let parameters = parameters(
        &["old", "new", "from"],
        &[
            (
                "test",
                Data::map([("1", "string".into()), ("default", "cargo test".into())]),
            ),
            ("from", "'-'?".into()),
            (
                "dry_run",
                Data::map([("1", "boolean".into()), ("default", false.into())]),
            ),
        ],
    );
    assert_eq!(
        parameters.compact(),
        "(old: string, new: string, from?: '-', dry_run?: boolean = false, \
         test?: string = \"cargo test\")"
    );
}

#[test]
fn a_table_says_more() {
    let table = Data::map([
        ("type", "integer".into()),
        ("default", Data::Float(5.0)),
        ("minimum", 1i64.into()),
        ("description", "how many".into()),
    ]);
    let got = parameters(&[], &[("x", table)]);
    assert_eq!(
        got.get("x"),
        Some(&json!({
            "type": "integer", "default": 5, "description": "how many", "minimum": 1,
        }))
    );
    let of = |pairs: &[(&str, Data)]| {
        let map = pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()))
            .collect();
        parameters(&[], &[("x", Data::Map(map))])
    };
    assert_eq!(of(&[("default", true.into())]).type_of("x"), "boolean");
    assert_eq!(of(&[("default", 0.5.into())]).type_of("x"), "number");
    assert_eq!(of(&[("description", "text".into())]).type_of("x"), "string");
    assert!(of(&[("description", "text".into())]).is_required("x"));
    assert!(!of(&[("1", "string".into()), ("optional", true.into())]).is_required("x"));
    let items = of(&[("1", "table".into()), ("items", "'a'|'b'".into())]);
    assert_eq!(items.type_of("x"), "('a'|'b')[]");
    let options = of(&[("enum", Data::from(vec!["a".into(), 1i64.into()]))]);
    assert_eq!(options.type_of("x"), "'a'|1");
    let single = parameters(&[], &[("x", Data::from(vec!["integer?".into()]))]);
    assert_eq!(single.compact(), "(x?: integer)");
}

#[test]
fn a_table_of_types_is_a_table_with_these_fields() {
    let point = || Data::map([("x", "number".into()), ("file", "path?".into())]);
    let got = parameters(&[], &[("at", point())]);
    assert_eq!(
        got.get("at"),
        Some(&json!({
            "type": "object", "additionalProperties": false, "required": ["x"],
            "properties": { "file": { "type": "string" }, "x": { "type": "number" } },
        }))
    );
    let many = Data::from(vec![point()]);
    let deep = Data::map([
        ("items", point()),
        ("description", "places".into()),
        ("optional", true.into()),
    ]);
    let within = Data::map([("type", "table".into()), ("properties", point())]);
    let got = parameters(&[], &[("many", many), ("deep", deep), ("within", within)]);
    assert_eq!(got.get("many").unwrap()["items"]["required"], json!(["x"]));
    assert_eq!(got.get("deep").unwrap()["items"]["required"], json!(["x"]));
    assert_eq!(got.get("within").unwrap()["required"], json!(["x"]));
    assert!(got.is_required("many") && !got.is_required("deep"));
    let args = crate::data::parse(
        r#"{"many":[{"x":1,"file":"a"},{"x":2}],"deep":[{"file":"b"}],"within":{"file":"c"}}"#,
    );
    let args = args.unwrap();
    let paths: Vec<_> = got
        .path_values(&args)
        .into_iter()
        .filter_map(Data::as_str)
        .collect();
    assert_eq!(paths, ["b", "a", "c"]);
    let wrong = |table: Data| message(Data::from(vec![table]));
    assert_eq!(
        wrong(Data::map([(
            "inner",
            Data::map([("n", "strng".into()), ("m", "any".into())])
        )])),
        "parameter `x[].inner.n`: `strng` is no type; did you mean `string`?"
    );
    assert_eq!(
        message(Data::map([("a-b", "string".into())])),
        "parameter `x.a-b`: it cannot name a field"
    );
}

#[test]
fn names_the_parameter_that_means_nothing() {
    assert_eq!(
        message("int"),
        "parameter `x`: `int` is no type; did you mean `integer`?"
    );
    assert_eq!(message("quux"), "parameter `x`: `quux` is no type");
    assert_eq!(message(""), "parameter `x`: `` is no type");
    assert_eq!(
        message("'a'|"),
        "parameter `x`: 'a'| is not a choice such as 'a'|'b'"
    );
    assert_eq!(
        message("'a"),
        "parameter `x`: 'a is not a choice such as 'a'|'b'"
    );
    assert_eq!(message(3i64), "parameter `x`: number 3 is no type");
    assert_eq!(
        message(vec!["a".into(), "b".into()]),
        "parameter `x`: a list is no type"
    );
    let table =
        |key: &str, value: Data| message(Data::map([("1", "integer".into()), (key, value)]));
    assert_eq!(
        table("defualt", 1i64.into()),
        "parameter `x`: it has the unknown key `defualt`; did you mean `default`?"
    );
    assert_eq!(
        table("default", "5".into()),
        "parameter `x`: its default does not fit: expected a whole number, got text \"5\""
    );
    assert_eq!(
        table("minn", 1i64.into()),
        "parameter `x`: it has the unknown key `minn`"
    );
    assert_eq!(
        table("optional", "yes".into()),
        "parameter `x`: optional: expected true or false, got text \"yes\""
    );
    assert_eq!(
        table("minimum", "1".into()),
        "parameter `x`: minimum: expected a number, got text \"1\""
    );
    assert_eq!(
        table("description", 1i64.into()),
        "parameter `x`: description: expected text, got number 1"
    );
    assert_eq!(
        table("items", "strng".into()),
        "parameter `x`: items: `strng` is no type; did you mean `string`?"
    );
    assert_eq!(
        message(Data::map([("1", 3i64.into())])),
        "parameter `x`: its type: expected text, got number 3"
    );
}

#[test]
fn refuses_names_that_cannot_be_names() {
    let error = |positional: &[&str], named: &[(&str, Data)]| {
        form(positional, named).parameters().unwrap_err().message
    };
    assert_eq!(error(&["a", "a"], &[]), "the parameter `a` is listed twice");
    assert_eq!(
        error(&["integer?"], &[]),
        "\"integer?\" cannot name a parameter"
    );
    assert_eq!(
        error(&[], &[("a b", "string".into())]),
        "\"a b\" cannot name a parameter"
    );
    assert_eq!(
        error(&[], &[("1", "string".into())]),
        "\"1\" cannot name a parameter"
    );
}

#[test]
fn a_json_schema_is_taken_as_it_stands() {
    let properties = Data::map([("path", Data::map([("type", "string".into())]))]);
    let schema = [
        ("type", "object".into()),
        ("properties", properties),
        ("required", Data::from(vec!["path".into()])),
    ];
    assert_eq!(parameters(&[], &schema).compact(), "(path: string)");
    let empty = [
        ("type", "object".into()),
        ("properties", Data::List(Vec::new())),
        ("required", Data::map([])),
    ];
    assert_eq!(parameters(&[], &empty).compact(), "()");
    let named_type = parameters(&[], &[("type", "string".into())]);
    assert_eq!(
        named_type.compact(),
        "(type: string)",
        "a parameter may be called `type`"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn no_text_panics_as_a_type(text in "['\"()|a-c\\[\\]?é ]{0,12}") {
        let _ = word(&text);
    }
}

#[test]
fn an_empty_default_of_a_list_is_an_empty_list() {
    let given = Data::map([("1", "string[]".into()), ("default", Data::map([]))]);
    let parameters = parameters(&[], &[("x", given)]);
    assert_eq!(parameters.get("x").unwrap()["default"], json!([]));
}

#[test]
fn a_table_beside_other_keys_is_told_to_say_which_it_is() {
    let fields = || Data::map([("deep", "boolean?".into())]);
    let said = message(Data::map([("1", fields()), ("description", "d".into())]));
    assert!(said.ends_with(TABLE_OR_LIST), "{said}");
    for (key, kind) in [("properties", "object"), ("items", "array")] {
        let given = Data::map([(key, fields()), ("description", "d".into())]);
        let parameters = parameters(&[], &[("x", given)]);
        assert_eq!(parameters.get("x").unwrap()["type"], kind);
    }
}
