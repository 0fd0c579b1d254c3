//! The shipped rules: what each of them finds, and what none of them does.

use mlua::Lua;

use super::*;
use crate::redact::{Redactor, Secrets};

fn shipped() -> Vec<Rule> {
    let text = include_str!("../../../../lua/redaction.lua");
    let lua = Lua::new();
    let table: Table = lua.load(text).eval().unwrap();
    let said = read(&table, Layer::Shipped).unwrap();
    assert!(!said.is_strict);
    said.rules
}

fn redactor() -> Redactor {
    Redactor::new(&shipped(), &Secrets::default())
}

/// A secret of each kind: the rule that finds it, what it begins with, and the rest. They stand apart so that
/// no line of this file is one.
const KINDS: &[(&str, &str, &str)] = &[
    ("aws-key", "AKIA", "Z7VRSQ5TJN2XMPLQ"),
    (
        "anthropic-key",
        "sk-ant-",
        "api03-Zm9vYmFyYmF6cXV4-0123456789_abcdefAA",
    ),
    (
        "openai-key",
        "sk-proj-",
        "Zm9vYmFyYmF6cXV4T3BlbkFJ0123456789",
    ),
    (
        "openai-key",
        "sk-",
        "Zm9vYmFyYmF6cXV4eT3BlbkFJ0123456789abcdefghijklm",
    ),
    ("stripe-key", "sk_live_", "51H8abcdefghijklmnopqrst"),
    (
        "github-token",
        "ghp_",
        "16C7e42F292c6912E7710c838347Ae178B4a",
    ),
    (
        "github-token",
        "github_pat_",
        "11ABCDEFG0abcdefghijkl_0123456789abcdefghijklmnopqrstuvwxyz",
    ),
    ("gitlab-token", "glpat-", "zYxWvUtSrQpOnMlKjIhG"),
    ("google-key", "AIza", "SyA1234567890abcdefghijklmnopqrstuv"),
    ("google-token", "GOCSPX-", "abcdefghijklmnopqrstuvwxyz01"),
    ("slack-token", "xoxb-", "123456789012-abcdefghijklmnop"),
    (
        "slack-webhook",
        "https://hooks.slack.com/services/",
        "T00000000/B00000000/abcdefghijklmnopqrstuvwx",
    ),
    ("npm-token", "npm_", "abcdefghijklmnopqrstuvwxyz0123456789"),
    (
        "pypi-token",
        "pypi-AgE",
        "IcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0",
    ),
    (
        "huggingface-token",
        "hf_",
        "abcdefghijklmnopqrstuvwxyzABCDEFGH",
    ),
    (
        "sendgrid-key",
        "SG.",
        "abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
    ),
    (
        "digitalocean-token",
        "dop_v1_",
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    ),
    ("docker-token", "dckr_pat_", "abcdefghijklmnopqrstuvwxyz0"),
    (
        "telegram-token",
        "123456789:",
        "AAabcdefghijklmnopqrstuvwxyz0123456",
    ),
    ("vault-token", "hvs.", "CAESIJabcdefghijklmnopqrstuv"),
    (
        "groq-key",
        "gsk_",
        "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOP",
    ),
    (
        "azure-key",
        "AccountKey=",
        "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx==",
    ),
    (
        "age-key",
        "AGE-SECRET-KEY-1",
        "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE",
    ),
    (
        "jwt",
        "eyJhbGciOiJIUzI1NiJ9.",
        "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ),
    ("url-password", "postgres://ann:", "hunter2@db.example/x"),
];

#[test]
fn every_shipped_rule_can_be_used() {
    for rule in shipped() {
        assert_eq!(rule.check(), Ok(()), "{}", rule.name);
        assert_eq!(rule.name, as_name(&rule.name));
        assert!(!rule.keywords.is_empty(), "{}: it would be slow", rule.name);
    }
}

#[test]
fn a_secret_of_every_kind_is_hidden_wherever_it_stands() {
    let redactor = redactor();
    for (name, start, rest) in KINDS {
        for (before, after) in [
            ("", ""),
            ("KEY=", "\n"),
            ("\"", "\","),
            ("a\\n", "\\n"),
            ("+  x: ", " # y"),
        ] {
            let text = format!("{before}{start}{rest}{after}");
            let shown = redactor.redact(&text, Reach::Model);
            assert!(
                shown.contains(&format!("[redacted:{name}:")),
                "{text}: {shown}"
            );
            let secret = rest.split('@').next().unwrap();
            assert!(!shown.contains(secret), "{text}: {shown}");
        }
    }
}

#[test]
fn a_private_key_is_hidden_as_tools_show_it() {
    let redactor = redactor();
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let (head, foot) = (
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----END RSA PRIVATE KEY-----",
    );
    for (before, number) in [
        ("", false),
        ("+", false),
        ("    ", false),
        ("     2\t", false),
        ("keys/id.pem:", true),
        ("keys/id.pem-7-", false),
    ] {
        let text = format!(
            "{before}{head}\n{before}{body}\n{before}{body}\n{before}AbCd==\n{before}{foot}\nplain = value\n"
        );
        let shown = redactor.redact(&text, Reach::Model);
        assert!(
            !shown.contains("MIIE") && !shown.contains("8cKj"),
            "{number}: {shown}"
        );
        assert!(
            shown.ends_with("\nplain = value\n") && shown.contains(foot),
            "{shown}"
        );
    }
    for end in ["^M$", "$", "^M", "\r"] {
        let text = [head, body, body, "AbCd==", foot].map(|line| format!("{line}{end}\n"));
        let shown = redactor.redact(&text.concat(), Reach::Model).into_owned();
        assert!(!shown.contains("8cKj"), "{end:?}: {shown}");
    }
    let one_line = format!("\"{head}\\n{body}\\n{body}\\n{foot}\\n\"");
    assert!(!redactor.redact(&one_line, Reach::Model).contains("MIIE"));
    let armor = format!(
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{body}\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----\n"
    );
    let shown = redactor.redact(&armor, Reach::Model);
    assert!(
        !shown.contains("MIIE") && !shown.contains("=aB3d") && shown.contains("GnuPG"),
        "{shown}"
    );
}

#[test]
fn what_people_pipe_in_is_looked_at_more_closely() {
    let redactor = redactor();
    for (text, secret) in [
        ("password = \"hunter2!\"", "hunter2!"),
        ("+DB_PASSWORD=hunter2!", "hunter2!"),
        ("  \"api_key\": \"abcd-efgh\",", "abcd-efgh"),
        ("client_secret: 'abcd-efgh'", "abcd-efgh"),
        ("host 10.1.2.3 and 192.168.0.17", "192.168.0.17"),
        ("host 172.20.0.1:80", "172.20.0.1"),
    ] {
        assert_eq!(redactor.redact(text, Reach::Model), text);
        let shown = redactor.redact(text, Reach::Input);
        assert!(!shown.contains(secret), "{text}: {shown}");
    }
    for text in [
        "password = \"$PASSWORD\"",
        "password: {password}",
        "token = get_token()",
        "PASSWORD=${PASSWORD}",
        "version 10.1.2",
        "8.8.8.8",
        "let token = self.next();",
        "secret_name: &str,",
        "    LuaTokenKind::TkComma",
        "172.15.0.1",
    ] {
        assert_eq!(redactor.redact(text, Reach::Input), text);
    }
    for line in [
        "Authorization: Bearer abcdefghijklmnop session=abcdefgh",
        "deploy --api-token abcdefgh now",
        "curl -u ann:abcdefgh https://example.org",
        "curl --user=ann:abcdefgh https://example.org",
    ] {
        let log = redactor.redact(line, Reach::Log);
        assert!(!log.contains("abcdefgh"), "{log}");
    }
    for line in [
        "cargo test --token-tree all",
        "sort -u a:b",
        "git log --author ann:b",
    ] {
        assert_eq!(redactor.redact(line, Reach::Log), line);
    }
}

#[test]
fn ordinary_lines_stay() {
    let redactor = redactor();
    for text in [
        "commit 16c7e42f292c6912e7710c838347ae178b4a1234",
        "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "task-manager risk-assessment disk-usage mask-image: none",
        ".sk-fading-circle .sk-circle-before { }",
        "https://example.org:8080/a@b",
        "http://{user}:{password}@{host}/",
        "postgres://$USER:$PASS@host",
        "let hf_model = hf_load(x); npm_config_registry npm_lifecycle_event",
        "if text.contains(\"-----BEGIN PRIVATE KEY-----\") {",
        "    return Some(verification_certificate);",
        "eyJ is how base64 of an object begins",
        "SG.x xoxb- ghp_ AKIA sk-ant- glpat-",
        "00000000-0000-0000-0000-000000000000",
    ] {
        assert_eq!(redactor.redact(text, Reach::Model), text);
    }
}

#[test]
fn what_a_file_may_say() {
    let said = |text: &str| {
        let lua = Lua::new();
        let table: Table = lua.load(text).eval().unwrap();
        read(&table, Layer::User)
    };
    let one = said("return { files = true, { name = 'Our Key', regex = 'ok-[0-9]+', keywords = { 'ok-' }, where = 'input' } }").unwrap();
    assert!(one.is_strict);
    assert_eq!(
        (one.rules[0].name.as_str(), one.rules[0].reach),
        ("our-key", Reach::Input)
    );
    for (text, told) in [
        ("return { { name = 'x' } }", "redaction[1].regex"),
        ("return { { regex = 'x' } }", "redaction[1].name"),
        (
            "return { { name = 'x', regex = '(' } }",
            "redaction[1].regex: regex parse error",
        ),
        (
            "return { { name = 'x', regex = 'x*' } }",
            "finds the empty text",
        ),
        (
            "return { { name = 'x', regex = 'x', where = 'here' } }",
            "expected `model`, `input` or `log`",
        ),
        (
            "return { { name = 'x', regexp = 'x' } }",
            "did you mean `regex`?",
        ),
        ("return { file = true }", "there is no field `file`"),
        ("return { files = 1 }", "redaction.files"),
    ] {
        let error = said(text).unwrap_err();
        let all = format!("{} {}", error.message, error.hint());
        assert!(all.contains(told), "{text}: {all}");
    }
}
