//! The command line as it is typed, and what the environment adds to it.

use super::*;

fn parse_words(words: &[&str]) -> Result<CommandLine, Stop> {
    parse(words.iter().map(OsString::from).collect(), &|_| None)
}

#[test]
fn options_stand_before_and_after_the_command() {
    for words in [
        &[
            "agent", "-o", "json", "--allow", "edit", "call", "read", "x",
        ][..],
        &[
            "agent", "call", "read", "x", "--allow", "edit", "-o", "json",
        ][..],
    ] {
        let line = parse_words(words).unwrap();
        assert_eq!(line.options.format(), Format::Json);
        assert_eq!(line.options.allow, ["edit"]);
    }
}

#[test]
fn everything_after_the_file_is_the_scripts() {
    let line = parse_words(&[
        "agent", "script", "-o", "json", "a.lua", "-o", "x", "--", "-v",
    ]);
    let line = line.unwrap();
    let Command::Script { words } = line.command else {
        panic!("not a script")
    };
    assert_eq!(words, ["a.lua", "-o", "x", "--", "-v"]);
    assert_eq!(line.options.format(), Format::Json);
    assert_eq!(line.options.verbose, 0);
}

#[test]
fn a_digest_is_joined_to_its_option() {
    let line = parse_words(&["agent", "call", "--trust", "read", "x"]).unwrap();
    assert_eq!(line.options.trust.as_deref(), Some(""));
    let line = parse_words(&["agent", "--trust=ab", "call", "read", "x"]).unwrap();
    assert_eq!(line.options.trust.as_deref(), Some("ab"));
    let line = parse_words(&["agent", "trust", "--trust=ab", "sub"]).unwrap();
    assert_eq!(line.options.trust.as_deref(), Some("ab"));
    assert!(parse_words(&["agent", "doctor", "--untrusted", "ignore"]).is_err());
    assert!(parse_words(&["agent", "doctor", "--untrusted=allow"]).is_err());
    let line = parse_words(&["agent", "doctor", "--untrusted=ignore"]).unwrap();
    assert_eq!(line.options.untrusted, Some(Untrusted::Ignore));
    let env = |name: &str| (name == "AGENT_TRUST").then(|| OsString::from("ab"));
    let words = ["agent", "doctor"].map(OsString::from).to_vec();
    assert_eq!(
        parse(words, &env).unwrap().options.trust,
        None,
        "no form of the environment"
    );
}

#[test]
fn the_environment_speaks_where_an_option_is_silent() {
    let env = |name: &str| (name == "AGENT_OUTPUT").then(|| OsString::from("jsonl"));
    let words = |text: &str| text.split(' ').map(OsString::from).collect();
    assert_eq!(
        parse(words("agent doctor"), &env).unwrap().options.format(),
        Format::Jsonl
    );
    let said = parse(words("agent doctor -o text"), &env).unwrap();
    assert_eq!(said.options.format(), Format::Text);
    let env = |name: &str| (name == "AGENT_TIMEOUT").then(|| OsString::from("-3"));
    let Err(Stop::Error(error)) = parse(words("agent doctor"), &env) else {
        panic!("read")
    };
    assert!(error.to_string().contains("AGENT_TIMEOUT"), "{error}");
}
