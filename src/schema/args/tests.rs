//! Command lines of scripts, read against the declarations that real scripts make.
//! Messages are asserted by their text, since people read them.

use proptest::prelude::*;

use super::*;
use crate::schema::ShortForm;

fn table(kind: &str, more: &[(&str, Data)]) -> Data {
    let pairs = more
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()));
    Data::Map(pairs.chain([("1".to_owned(), kind.into())]).collect())
}

fn declared(positional: &[&str], named: &[(&str, Data)]) -> Parameters {
    let form = ShortForm {
        positional: positional.iter().map(|name| (*name).to_owned()).collect(),
        named: named
            .iter()
            .map(|(name, kind)| ((*name).to_owned(), kind.clone()))
            .collect(),
    };
    form.parameters().unwrap()
}

/// What `rename` declares.
fn rename() -> Parameters {
    let test = [
        ("default", "cargo test".into()),
        ("description", "must pass, or nothing stays changed".into()),
    ];
    declared(
        &["old", "new", "from"],
        &[
            ("from", "'-'?".into()),
            ("test", table("string", &test)),
            ("dry_run", table("boolean", &[("default", false.into())])),
        ],
    )
}

/// What a loop with limits declares.
fn limits() -> Parameters {
    declared(
        &[],
        &[
            (
                "rounds",
                table(
                    "integer",
                    &[("default", 5i64.into()), ("minimum", 1i64.into())],
                ),
            ),
            (
                "max_cost",
                table(
                    "number",
                    &[("default", 0.5.into()), ("description", "USD".into())],
                ),
            ),
            ("include", "string[]?".into()),
            ("extra", "table?".into()),
            ("colour", table("boolean", &[("default", true.into())])),
        ],
    )
}

fn parse(parameters: &Parameters, args: &[&str]) -> Result<Parsed, Error> {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    parse_args("rename", parameters, &args)
}

fn values(parameters: &Parameters, args: &[&str]) -> String {
    match parse(parameters, args) {
        Ok(Parsed::Values(values)) => serde_json::to_string(&values).unwrap(),
        other => panic!("{args:?}: {other:?}"),
    }
}

fn message(parameters: &Parameters, args: &[&str]) -> String {
    match parse(parameters, args) {
        Err(Error::Usage { message, .. }) => message,
        other => panic!("{args:?}: {other:?}"),
    }
}

#[test]
fn words_fill_the_positionals_and_defaults_the_rest() {
    let expected = r#"{"dry_run":false,"new":"b","old":"a","test":"cargo test"}"#;
    assert_eq!(values(&rename(), &["a", "b"]), expected);
    let expected = r#"{"dry_run":true,"from":"-","new":"b","old":"a","test":"make"}"#;
    for args in [
        &["a", "b", "-", "--dry-run", "--test", "make"][..],
        &["--test=make", "--dry_run", "a", "b", "-"],
        &[
            "--old",
            "a",
            "--new=b",
            "--from",
            "-",
            "--dry-run=true",
            "--test",
            "make",
        ],
    ] {
        assert_eq!(values(&rename(), args), expected, "{args:?}");
    }
    let numbers = r#"{"dry_run":false,"new":"-.5","old":"-5","test":"cargo test"}"#;
    assert_eq!(values(&rename(), &["-5", "-.5"]), numbers);
    let dashes = r#"{"dry_run":false,"new":"-b","old":"--a","test":"cargo test"}"#;
    assert_eq!(values(&rename(), &["--", "--a", "-b"]), dashes);
    let empty = r#"{"dry_run":false,"new":"","old":"","test":""}"#;
    assert_eq!(values(&rename(), &["", "", "--test="]), empty);
}

#[test]
fn values_take_the_type_that_is_due() {
    let base = |more: &str| format!(r#"{{"colour":true,{more}}}"#);
    let rest = r#""max_cost":0.5,"rounds":5"#;
    assert_eq!(values(&limits(), &[]), base(rest));
    assert_eq!(
        values(
            &limits(),
            &["--rounds", "7", "--max-cost", "2", "--no-colour"]
        ),
        r#"{"colour":false,"max_cost":2,"rounds":7}"#
    );
    assert_eq!(
        values(&limits(), &["--include", "a", "--include=b"]),
        base(&format!(r#""include":["a","b"],{rest}"#))
    );
    assert_eq!(
        values(&limits(), &["--extra", "{\"a\":1}"]),
        base(&format!(r#""extra":{{"a":1}},{rest}"#))
    );
    assert_eq!(
        values(&limits(), &["--max-cost", "-0.5"]),
        base(r#""max_cost":-0.5,"rounds":5"#)
    );
    let files = declared(
        &["first", "files"],
        &[("first", "integer".into()), ("files", "path[]?".into())],
    );
    assert_eq!(
        values(&files, &["-3", "a", "-"]),
        r#"{"files":["a","-"],"first":-3}"#
    );
}

#[test]
fn bytes_that_are_no_text_arrive_whole() {
    let args = [OsString::from_vec(vec![b'a', 0xff]), OsString::from("b")];
    let Ok(Parsed::Values(values)) = parse_args("rename", &rename(), &args) else {
        panic!("not read");
    };
    assert_eq!(values.get("old"), Some(&Data::Bytes(vec![b'a', 0xff])));
}

#[test]
fn says_what_is_wrong_with_a_command_line() {
    let rename_says = |args: &[&str]| message(&rename(), args);
    assert_eq!(rename_says(&[]), "missing OLD, NEW");
    assert_eq!(
        rename_says(&["a", "b", "-", "c"]),
        "unexpected argument \"c\""
    );
    assert_eq!(
        rename_says(&["a", "b", "x"]),
        "FROM: expected \"-\", got text \"x\""
    );
    assert_eq!(
        rename_says(&["--dry-rn"]),
        "there is no option --dry-rn; did you mean --dry-run?"
    );
    assert_eq!(rename_says(&["--quux"]), "there is no option --quux");
    assert_eq!(
        rename_says(&["--no-test"]),
        "there is no option --no-test; did you mean --test?"
    );
    assert_eq!(rename_says(&["-x"]), "there is no option -x");
    assert_eq!(rename_says(&["--test"]), "--test needs a value");
    assert_eq!(
        rename_says(&["--test", "--dry-run"]),
        "--test needs a value; write --test=--dry-run if that is it"
    );
    assert_eq!(
        rename_says(&["a", "b", "--old", "c"]),
        "--old is given twice"
    );
    assert_eq!(
        rename_says(&["--dry-run=maybe"]),
        "--dry-run: expected true or false, got text \"maybe\""
    );
    let limits_says = |args: &[&str]| message(&limits(), args);
    assert_eq!(
        limits_says(&["--rounds", "x"]),
        "--rounds: expected a whole number, got text \"x\""
    );
    assert_eq!(
        limits_says(&["--rounds=0"]),
        "--rounds: expected at least 1, got number 0"
    );
    assert_eq!(
        limits_says(&["--max-cost=inf"]),
        "--max-cost: expected a number, got text \"inf\""
    );
    assert_eq!(
        limits_says(&["--extra=3"]),
        "--extra: expected a table, got text \"3\""
    );
    let error = parse(&rename(), &[]).unwrap_err();
    assert_eq!(error.exit().code(), 2);
    assert_eq!(
        error.to_string(),
        "missing OLD, NEW\n  try: rename [OPTIONS] OLD NEW [-] (--help says more)"
    );
    let named = declared(&[], &[("out_dir", "path".into())]);
    assert_eq!(message(&named, &[]), "missing --out-dir");
}

#[test]
fn help_shows_usage_defaults_and_descriptions() {
    let expected = "\
usage: rename [OPTIONS] OLD NEW [-]

arguments:
  OLD
  NEW
  -

options:
  --dry-run
  --test TEXT  must pass, or nothing stays changed (default: cargo test)
  -h, --help   shows this
";
    for args in [&["--help"][..], &["a", "-h", "--quux"]] {
        assert_eq!(
            parse(&rename(), args),
            Ok(Parsed::Help(expected.to_owned()))
        );
    }
    let Ok(Parsed::Help(text)) = parse(&limits(), &["-h"]) else {
        panic!("no help")
    };
    for line in [
        "  --no-colour",
        "  --extra JSON",
        "  --include TEXT  (may be repeated)",
        "  --max-cost N    USD (default: 0.5)",
        "  --rounds N      (default: 5)",
    ] {
        assert!(
            text.lines().any(|other| other == line),
            "{line:?} in\n{text}"
        );
    }
}

#[test]
fn help_after_two_dashes_is_an_argument() {
    let expected = r#"{"dry_run":false,"new":"-h","old":"--help","test":"cargo test"}"#;
    assert_eq!(values(&rename(), &["--", "--help", "-h"]), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::text::property_cases()))]

    #[test]
    fn no_command_line_panics(args in prop::collection::vec("(--?)?[a-e_=-]{0,6}", 0..6)) {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        for parameters in [rename(), limits(), Parameters::default()] {
            let _ = parse(&parameters, &args);
        }
    }
}
