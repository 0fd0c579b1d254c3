//! The room as a whole: what is found, what is not, and what holds of every text.

use std::ffi::OsString;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;

const VALUE: &str = "s3cr3t/+value&\"quoted\"";

fn rule(name: &str, regex: &str, keywords: &[&str]) -> Rule {
    Rule {
        name: name.to_owned(),
        regex: regex.to_owned(),
        keywords: keywords.iter().map(|word| (*word).to_owned()).collect(),
        ..Rule::default()
    }
}

fn rules() -> Vec<Rule> {
    let follow = r"^[\s+-]*(?<secret>[A-Za-z0-9+/]{16,}={0,2})$|^\s*$";
    vec![
        rule("key", "sk-[a-z0-9]{8,}", &["sk-"]),
        Rule {
            follow: Some(follow.to_owned()),
            ..rule(
                "private-key",
                "-----BEGIN [A-Z ]*KEY-----",
                &["-----BEGIN", "PRIVATE KEY"],
            )
        },
        rule("loose", "zz[0-9]{4}", &[]),
        Rule {
            reach: Reach::Input,
            is_literal: true,
            ..rule(
                "password",
                "password = \"(?<secret>[^\"]+)\"",
                &["PASSWORD"],
            )
        },
        Rule {
            reach: Reach::Log,
            ..rule("log", "log:[a-z]+", &["log:"])
        },
    ]
}

fn secrets() -> Secrets {
    let set = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
    let environment = [
        set("MY_TOKEN", VALUE),
        set("DB_PASSWORD", "hunter2-hunter2"),
        set("DATABASE_URL", "postgres://ann:p4ssw0rd-of-ann@db/x"),
        set("SSH_AUTH", "/run/agent.sock"),
        set("SHORT_KEY", "short"),
        set("USE_TOKEN", "disabled"),
        set("MONKEY", "eats-bananas"),
        set("PWD", "/home/ann/work"),
        set("AUTH_URL", "https://auth.example.com/login"),
        set("AWS_SECRET_ACCESS_KEY", "/JalrXUtnFEMI/K7MDENG/bPxRfiCY"),
        set("HOOK_SECRET", "https://hooks.example.com/abcdef"),
        set("DB_PWD", "hunter3-hunter3"),
        set("FRENCH_PASS", "é-très-secret"),
        set("AUTHOR", "Ann-of-Green"),
    ];
    Secrets::of(
        Key::of("a seed"),
        environment.iter().map(|(name, value)| (name, value)),
        &|path| path == "/run/agent.sock",
    )
}

fn redactor() -> Arc<Redactor> {
    Arc::new(Redactor::new(&rules(), &secrets()))
}

fn shown(text: &str) -> String {
    redactor().redact(text, Reach::Model).into_owned()
}

#[test]
fn a_held_value_is_hidden_in_every_form() {
    let base64 = |before: &str| {
        data_encoding::BASE64.encode(format!("{before}{VALUE} and so on").as_bytes())
    };
    let url = |before: &str| {
        data_encoding::BASE64URL.encode(format!("{before}{VALUE} and so on").as_bytes())
    };
    for text in [
        VALUE.to_owned(),
        serde_json::to_string(VALUE).unwrap(),
        "s3cr3t%2F%2Bvalue%26%22quoted%22".to_owned(),
        "s3cr3t%2f%2bvalue%26%22quoted%22".to_owned(),
        base64(""),
        base64("x"),
        base64("xy"),
        url(""),
        url("x"),
        url("xy"),
        "hunter2-hunter2".to_owned(),
        "p4ssw0rd-of-ann".to_owned(),
        "/JalrXUtnFEMI/K7MDENG/bPxRfiCY".to_owned(),
        "/JalrXUtnFEMI%2FK7MDENG%2FbPxRfiCY".replacen('/', "%2F", 1),
        "https://hooks.example.com/abcdef".to_owned(),
        "hunter3-hunter3".to_owned(),
        "é-très-secret".to_owned(),
        r"\u00e9-tr\u00e8s-secret".to_owned(),
        "%C3%A9-tr%C3%A8s-secret".to_owned(),
        "s3cr3t/%2Bvalue%26%22quoted%22".to_owned(),
    ] {
        let line = format!("before {text} after");
        let shown = shown(&line);
        assert!(shown.contains("[redacted:"), "{line}");
        let windows = text.as_bytes().windows(8);
        for part in windows.take(text.len().saturating_sub(20)) {
            let part = String::from_utf8_lossy(part);
            let part = part.trim_matches('\u{fffd}');
            let is_shown = shown.contains(part) && !"d so on".contains(part);
            assert!(!is_shown || text.len() > 40, "{part} of {text}: {shown}");
        }
    }
}

#[test]
fn what_a_setting_or_a_path_or_a_short_word_says_is_no_secret() {
    let text = "/run/agent.sock short disabled eats-bananas Ann-of-Green postgres://ann \
        /home/ann/work https://auth.example.com/login";
    assert_eq!(shown(text), text);
}

#[test]
fn the_same_secret_has_the_same_tag_and_another_session_another() {
    let text = "sk-aaaaaaaaaa sk-bbbbbbbbbb sk-aaaaaaaaaa";
    let shown = shown(text);
    let words: Vec<&str> = shown.split(' ').collect();
    assert!(words[0] == words[2] && words[0] != words[1], "{shown}");
    assert!(words[0].starts_with("[redacted:key:") && words[0].len() == 23);
    let other = Secrets::of(Key::of("another"), [], &|_| false);
    let other = Redactor::new(&rules(), &other);
    assert_ne!(other.redact(text, Reach::Model), shown);
}

#[test]
fn a_key_of_several_lines_becomes_a_tag_for_each_and_code_after_its_name_does_not() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{line}\n{line}\nAb==\n-----END PRIVATE KEY-----\nplain\n"
    );
    let hidden = shown(&key);
    assert_eq!(hidden.lines().count(), key.lines().count());
    assert!(
        !hidden.contains("MIIE") && !hidden.contains("Ab==") && hidden.ends_with("-----\nplain\n")
    );
    let code = "if line == \"-----BEGIN KEY-----\" {\n    begin();\n}\n";
    assert_eq!(shown(code), code);
    // A part of it, where the beginning is not known.
    let part = format!("{line}\n-----END PRIVATE KEY-----\n");
    assert!(!redactor().redact_part(&part, Reach::Model).contains("MIIE"));
}

#[test]
fn a_key_of_which_only_the_end_is_there_is_found_from_its_end() {
    let wide = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let end = "-----END RSA PRIVATE KEY-----";
    let beside = |one: &str, other: &str| format!("{one}\t{other}\n");
    let column = &wide[..61];
    let texts = [
        format!("{wide}\n{wide}\nAbcd12==\n{end}\nplain\n"),
        format!("{wide}\r\n{wide}\r\n{end}\r\nplain\n"),
        format!("{wide}\n{wide}\n{}\n{end}\n", &wide[..52]),
        format!("12:{wide}\n13:{wide}\n14:Abcd12==\n15:{end}\n"),
        format!("+{wide}\n+Abcd12==\n+{end}\n"),
        beside(column, column)
            + &beside(column, &format!(" |\t{column}"))
            + &beside("Abcd12==", "  Abcd12==")
            + &beside(end, end),
        beside("-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----")
            + &beside(column, column)
            + &beside("Abcd12==", "Abcd12==")
            + &beside(end, end),
    ];
    let redactor = redactor();
    for text in texts {
        let hidden = redactor.redact(&text, Reach::Model).into_owned();
        assert!(
            !hidden.contains("MIIE") && !hidden.contains("Abcd"),
            "{hidden}"
        );
        assert_eq!(hidden.lines().count(), text.lines().count());
        for size in [1, 7, 100] {
            let mut stream = Stream::new(&redactor, Reach::Model);
            let pieces = text.as_bytes().chunks(size).map(|piece| stream.push(piece));
            let passed: String = pieces.collect();
            assert_eq!(passed + &stream.finish(), hidden);
        }
    }
    for text in [
        format!("{wide}\n{wide}\n"),
        format!("{wide}\nno; key\n{end}\n"),
        format!("word\n{end}\n"),
        format!("{wide}\n{wide}\n-----END CERTIFICATE-----\n"),
        format!("let end = \"{end}\";\n"),
        format!(
            "{}\n",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n".repeat(2_000)
        ),
    ] {
        assert_eq!(redactor.redact(&text, Reach::Model), text);
        let mut stream = Stream::new(&redactor, Reach::Model);
        let passed: String = text
            .split_inclusive('\n')
            .map(|line| stream.push(line.as_bytes()))
            .collect();
        assert_eq!(passed + &stream.finish(), text);
    }
}

#[test]
fn rules_hold_where_they_reach() {
    let redactor = redactor();
    let text = "password = \"hunter3\" log:abc password = \"$NAME\" zz1234";
    let shown = |reach| redactor.redact(text, reach).into_owned();
    let (model, input, log) = (shown(Reach::Model), shown(Reach::Input), shown(Reach::Log));
    assert!(model.contains("hunter3") && model.contains("log:abc") && !model.contains("zz1234"));
    assert!(!input.contains("hunter3") && input.contains("$NAME") && input.contains("log:abc"));
    assert!(!log.contains("hunter3") && !log.contains("log:abc"));
}

#[test]
fn what_stands_beside_a_tag_is_seen() {
    // Behind a value that goes, a key begins that did not begin before.
    let rules = [rule("key", r"\bsk-[a-z0-9]{8,}", &["sk-"])];
    let redactor = Redactor::new(&rules, &secrets());
    let shown = redactor.redact("hunter2-hunter2sk-abcdefgh12", Reach::Model);
    assert!(!shown.contains("abcdefgh12"), "{shown}");
}

#[test]
fn a_rule_that_finds_nothing_or_everything_is_refused() {
    for (regex, said) in [
        ("(", "unclosed group"),
        ("a*", "empty text"),
        (r"\b", "empty text"),
    ] {
        let told = rule("x", regex, &[]).check().unwrap_err();
        assert!(told.contains(said), "{told}");
    }
    assert_eq!(rule("x", "a+", &[]).check(), Ok(()));
}

#[test]
fn a_tag_becomes_its_secret_where_that_stands_and_nowhere_else() {
    let redactor = redactor();
    let text = "a = sk-aaaaaaaaaa\nb = sk-bbbbbbbbbb\n";
    let shown = redactor.redact(text, Reach::Model);
    let known = redactor.known(text);
    assert_eq!(known.restore(&shown).unwrap(), text);
    let tag = shown[tags(&shown).next().unwrap()].to_owned();
    assert_eq!(
        redactor.known("nothing").restore(&tag),
        Err(Lost(tag.clone()))
    );
    assert_eq!(known.held_in(&tag, ["x sk-aaaaaaaaaa y"]), Ok(()));
    assert_eq!(
        known.held_in(&tag, ["sk-bbbbbbbbbb"]),
        Err(Lost(tag.clone()))
    );
    // What stands there to the letter stays, unless it could mean the secret too.
    let literal = format!("see {tag}\n");
    assert_eq!(redactor.known(&literal).restore(&literal).unwrap(), literal);
    let both = format!("{tag} sk-aaaaaaaaaa");
    assert!(redactor.known(&both).restore(&tag).is_err());
    // A part of the text is hidden by what the whole of it says.
    assert_eq!(
        known.hide("- b = sk-bbbbbbbbbb"),
        shown.lines().nth(1).unwrap().replace("b =", "- b =")
    );
}

#[test]
fn a_line_that_does_not_end_is_passed_on_in_parts() {
    let redactor = redactor();
    let text = format!(
        "{}sk-abcdefgh12{}",
        "x".repeat((1 << 20) - 65_536 - 5),
        "y ".repeat(100_000)
    );
    let mut stream = Stream::new(&redactor, Reach::Model);
    let mut passed = String::new();
    for piece in text.as_bytes().chunks(4000) {
        passed.push_str(&stream.push(piece));
    }
    assert!(passed.len() > 500_000);
    passed.push_str(&stream.finish());
    assert_eq!(passed, redactor.redact(&text, Reach::Model));
    assert!(!passed.contains("abcdefgh12"));
}

/// Texts in which much is to be found.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("sk-abcdefgh12".to_owned()),
        Just("sk-".to_owned()),
        Just(VALUE.to_owned()),
        Just("hunter2-hunter2".to_owned()),
        Just("hunter2-".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----\n".to_owned()),
        Just("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".to_owned()),
        Just("Ab==\n".to_owned()),
        Just("password = \"".to_owned()),
        Just("\"".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("zz1234".to_owned()),
        Just("[redacted:key:0123abcd]".to_owned()),
        Just("[redacted:".to_owned()),
        "[a-zé \"]{0,6}",
    ];
    prop::collection::vec(pieces, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_split_gives_the_same(text in texts(), cuts in prop::collection::vec(0usize..200, 0..6)) {
        let redactor = redactor();
        for reach in [Reach::Model, Reach::Input, Reach::Log] {
            let mut stream = Stream::new(&redactor, reach);
            let mut passed = String::new();
            let mut from = 0;
            let mut cuts = cuts.clone();
            cuts.sort_unstable();
            for cut in cuts {
                let to = cut.clamp(from, text.len());
                passed.push_str(&stream.push(&text.as_bytes()[from..to]));
                from = to;
            }
            passed.push_str(&stream.push(&text.as_bytes()[from..]));
            passed.push_str(&stream.finish());
            prop_assert_eq!(passed, redactor.redact(&text, reach));
        }
    }

    #[test]
    fn what_was_redacted_stays_as_it_is(text in texts()) {
        let redactor = redactor();
        for reach in [Reach::Model, Reach::Input, Reach::Log] {
            let once = redactor.redact(&text, reach).into_owned();
            prop_assert_eq!(redactor.redact(&once, reach), once.as_str());
        }
    }

    #[test]
    fn what_is_written_back_is_what_was_read(text in texts()) {
        let redactor = redactor();
        let shown = redactor.redact(&text, Reach::Model).into_owned();
        match redactor.known(&text).restore(&shown) {
            Ok(back) => prop_assert_eq!(back, text),
            Err(_) => prop_assert!(text.contains("[redacted:")),
        }
    }
}
