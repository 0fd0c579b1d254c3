use serde_json::json;

use super::*;
use crate::data::Map;
use crate::error::Kind;

fn parameters() -> Parameters {
    Parameters {
        json: json!({ "type": "object", "required": ["old", "new"], "properties": {
            "old": { "type": "string" },
            "new": { "type": "string", "description": "what takes its place" },
            "files": { "type": "array", "items": { "type": "string" } },
            "test": { "type": "string", "default": "cargo test", "description": "must pass" },
            "dry_run": { "type": "boolean", "default": false },
            "rounds": { "type": ["integer", "null"], "minimum": 1 },
            "cost": { "type": "number" },
            "tags": { "type": "array", "items": { "type": "integer" } },
            "mode": { "enum": ["fast", "slow"] },
        }}),
        positional: ["old", "new", "files"].map(str::to_owned).into(),
    }
}

fn parse(words: &[&str]) -> Result<Words, ToolError> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    options::parse(&declared(&parameters()), &words)
}

fn values(words: &[&str]) -> Map {
    match parse(words) {
        Ok(Words::Values(values)) => values,
        other => panic!("{words:?}: {other:?}"),
    }
}

#[test]
fn reads_words_by_their_types() {
    let read = values(&[
        "a",
        "--test=make -k",
        "b",
        "--dry-run",
        "--rounds",
        "3",
        "--cost",
        "0.5",
        "--tags",
        "1",
        "x",
        "--tags=2",
        "-",
        "--",
        "--odd",
    ]);
    let texts = |list: &[&str]| list.iter().map(|text| Data::from(*text)).collect::<Data>();
    let expected = Data::map([
        ("old", "a".into()),
        ("new", "b".into()),
        ("test", "make -k".into()),
        ("dry_run", true.into()),
        ("rounds", 3_i64.into()),
        ("cost", 0.5.into()),
        ("tags", Data::List(vec![1_i64.into(), 2_i64.into()])),
        ("files", texts(&["x", "-", "--odd"])),
    ]);
    assert_eq!(Data::Map(read), expected);
    assert_eq!(values(&["--no-dry-run"])["dry_run"], Data::Bool(false));
    assert_eq!(values(&["--dry-run=yes"])["dry_run"], Data::Bool(true));
    assert_eq!(values(&["-5"])["old"], Data::from("-5"));
    assert_eq!(
        values(&["--old", "x", "--new", "-5"])["new"],
        Data::from("-5")
    );
}

#[test]
fn says_what_is_wrong_with_the_words() {
    for (words, said) in [
        (&["--dry-rnu"][..], "there is no option `--dry-rnu`"),
        (&["-x"], "there is no option `-x`"),
        (&["--no-rounds"], "there is no option `--no-rounds`"),
        (
            &["--rounds", "many"],
            "--rounds: expected a whole number, got `many`",
        ),
        (&["--cost", "inf"], "--cost: expected a number, got `inf`"),
        (
            &["--dry-run=maybe"],
            "--dry-run: expected true or false, got `maybe`",
        ),
        (&["--rounds"], "--rounds needs a value: integer"),
        (&["--rounds=1", "--rounds=2"], "--rounds was given twice"),
        (&["--tags", "x"], "--tags: expected a whole number, got `x`"),
    ] {
        let error = parse(words).unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (Kind::Argument, said));
    }
    assert_eq!(
        parse(&["--dry-rnu"]).unwrap_err().hint(),
        "did you mean `--dry-run`?"
    );
    let mut few = parameters();
    few.positional.truncate(1);
    let words = ["a".to_owned(), "b".to_owned()];
    let error = options::parse(&declared(&few), &words).unwrap_err();
    assert_eq!(error.message, "`b` is one word too many");
}

#[test]
fn wrong_usage_ends_with_two_and_help_with_nothing_wrong() {
    let end = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        match read(&parameters(), &words, "scripts/rename.lua") {
            Err(Failure::Exit(exit)) => exit,
            other => panic!("{other:?}"),
        }
    };
    let wrong = end(&["--dry-rnu"]);
    assert_eq!(wrong.code, 2);
    assert_eq!(
        wrong.text,
        "rename.lua: there is no option `--dry-rnu`\n  try: did you mean `--dry-run`?, or agent script scripts/rename.lua --help\n"
    );
    let help = end(&["x", "--help", "--dry-rnu"]);
    assert_eq!(help.code, 0);
    let usage = "Usage: agent script scripts/rename.lua [options] OLD NEW [FILES…]\n\n";
    assert!(help.text.starts_with(usage), "{}", help.text);
    for line in [
        "  NEW                   what takes its place; required\n",
        "  --test string         must pass; default \"cargo test\"\n",
        "  --dry-run\n",
        "  --mode 'fast'|'slow'\n",
        "  -h, --help            show this and do nothing\n",
    ] {
        assert!(help.text.contains(line), "{line}{}", help.text);
    }
}
