//! `models.lua`: every field of a provider and of a model, what a stronger file changes of them, what is refused.

use std::path::PathBuf;
use std::time::Duration;

use super::layers::{load, problems};
use super::rig::Rig;
use crate::chat::{Effort, Prices, Thinking, Wire};
use crate::layers::Layer::{self, Project, Shipped, User};
use crate::model::{HeaderValue, Key, Models};
use crate::net::Proxy;
use crate::tool::Gate as _;

/// What these files say together, over what is shipped.
fn models(files: &[(Layer, &str)]) -> Models {
    let rig = Rig::new();
    let shipped = include_str!("../../../lua/models.lua");
    let files = [&[(Shipped, shipped)], files].concat();
    let files: Vec<_> = files
        .into_iter()
        .map(|(layer, text)| (layer, "tools/models.lua", text))
        .collect();
    assert_eq!(problems(&load(&rig, &files)), [""; 0]);
    rig.door.generation().models.clone()
}

const WHOLE: &str = r#"return {
  default = "usual",
  aliases = { usual = "small", small = "near/org/qwen:7b" },
  providers = {
    near = {
      kind = "openai_chat", base_url = "https://127.0.0.1:8080/v1",
      key_command = { "pass", "show", "near key" },
      headers = { ["X-Team"] = "ours", Authorization = { env = "NEAR_AUTH" } },
      ca = "/etc/near.pem", proxy = false, idle = 7.5, connect = 2, attempts = 1,
      quirks = { developer = true, headers = { a = "1", b = "1" }, body = { x = { y = 1, z = 1 } } },
      models = {
        ["org/qwen:7b"] = {
          window = 32768, max_output = 4096, images = false, effort = "low",
          price = { input = 0, output = 0.5, cache_read = 1 },
          quirks = { developer = false, thinking = "off", headers = { b = "2" }, body = { x = { z = 2 } } },
        },
        plain = { images = true, quirks = {} },
      },
    },
    far = { kind = "anthropic", base_url = "http://far.example", proxy = "socks5h://127.0.0.1:1080" },
  },
}"#;

#[test]
fn every_field_is_read() {
    let models = models(&[(User, WHOLE)]);
    let near = &models.providers["near"];
    let command = ["pass", "show", "near key"].map(str::to_owned).to_vec();
    assert_eq!(near.key, Key::Command(command));
    let header = |name: &str| near.headers[name].clone();
    assert_eq!(header("x-team"), HeaderValue::Text("ours".to_owned()));
    assert_eq!(
        header("authorization"),
        HeaderValue::Env("NEAR_AUTH".to_owned())
    );
    assert_eq!(near.secret_variables().collect::<Vec<_>>(), ["NEAR_AUTH"]);
    assert_eq!(near.ca, Some(PathBuf::from("/etc/near.pem")));
    assert_eq!((near.proxy.clone(), near.attempts), (Proxy::Direct, 1));
    let times = (near.idle, near.connect);
    assert_eq!(times, (Duration::from_millis(7500), Duration::from_secs(2)));
    let far = &models.providers["far"];
    assert_eq!(far.proxy, Proxy::Url("socks5h://127.0.0.1:1080".to_owned()));
    assert_eq!((far.key.clone(), far.attempts), (Key::None, 5));

    let chosen = models.resolve(None).unwrap();
    assert_eq!(
        (chosen.name.as_str(), chosen.id.as_str()),
        ("near/org/qwen:7b", "org/qwen:7b")
    );
    assert_eq!(chosen.provider.kind, Wire::OpenAiChat);
    let facts = chosen.facts;
    assert_eq!((facts.window, facts.max_output), (Some(32768), Some(4096)));
    assert_eq!(
        (facts.images, facts.effort),
        (Some(false), Some(Effort::Low))
    );
    let prices = Prices {
        input: Some(0.0),
        output: Some(0.5),
        cache_read: Some(1.0),
        cache_write: None,
    };
    assert_eq!(facts.prices, prices);
}

#[test]
fn what_is_said_of_a_model_lies_over_what_is_said_of_its_provider() {
    let models = models(&[(User, WHOLE)]);
    let quirks = |name: &str| models.resolve(Some(name)).unwrap().facts.quirks;
    let own = quirks("usual");
    assert!(!own.developer && own.no_images);
    assert_eq!(own.thinking, Some(Thinking::Off));
    let headers: Vec<_> = own
        .headers
        .iter()
        .map(|(a, b)| format!("{a}={b}"))
        .collect();
    assert_eq!(headers, ["a=1", "b=2"]);
    let body = serde_json::to_value(&own.body).unwrap();
    assert_eq!(body, serde_json::json!({ "x": { "y": 1, "z": 2 } }));
    let plain = quirks("near/plain");
    assert!(plain.developer && !plain.no_images);
    assert_eq!(plain, quirks("near/nobody knows it"));
}

#[test]
fn a_stronger_file_says_part_and_a_key_comes_from_where_the_strongest_says() {
    let command = "return { providers = { openai = { key_command = { '/bin/key' } }, gemini = { key_env = 'OWN', idle = 9 } } }";
    let said = models(&[(User, command)]);
    let openai = &said.providers["openai"];
    assert_eq!(openai.key, Key::Command(vec!["/bin/key".to_owned()]));
    assert_eq!(openai.base_url, "https://api.openai.com/v1");
    let gemini = &said.providers["gemini"];
    assert_eq!(gemini.key, Key::Env("OWN".to_owned()));
    assert_eq!(gemini.idle, Duration::from_secs(9));
    // And back again; a model's facts are merged field by field.
    let again = "return { providers = { openai = { key_env = 'BACK', models = { ['gpt-6.2-sol'] = { window = 5 } } } } }";
    let said = models(&[(User, command), (Layer::CommandLine, again)]);
    let openai = &said.providers["openai"];
    assert_eq!(openai.key, Key::Env("BACK".to_owned()));
    let sol = &openai.models["gpt-6.2-sol"];
    assert_eq!((sol.window, sol.max_output), (Some(5), Some(128_000)));
    assert_eq!(sol.prices.output, Some(10.0));
}

#[test]
fn a_project_chooses_a_default_and_aliases_among_what_is_there() {
    let project = "return { default = 'ours', aliases = { ours = 'near/x', small = 'far/y' } }";
    let said = models(&[(User, WHOLE), (Project, project)]);
    let name = |word| said.resolve(word).unwrap().name;
    assert_eq!(name(None), "near/x");
    assert_eq!(name(Some("usual")), "far/y");
    assert!(said.providers.contains_key("anthropic"));
}

#[test]
fn what_is_shipped_names_no_model_and_every_price_it_states_is_whole() {
    let said = models(&[]);
    assert_eq!((said.default.as_ref(), said.aliases.len()), (None, 0));
    for (name, provider) in &said.providers {
        assert!(matches!(provider.key, Key::Env(_)), "{name}");
        for (model, facts) in &provider.models {
            let prices = facts.prices;
            assert!(prices == Prices::default() || prices.are_known(), "{model}");
            let most = facts.max_output.map(u64::from);
            assert!(most < facts.window, "{model}");
        }
    }
}

/// What a user's file may not say of the provider `near`, and what is said of it.
const WRONG: &[(&str, &str)] = &[
    ("key_enw = 'A'", "near: there is no field `key_enw`"),
    (
        "key_command = 'pass show x'",
        "near.key_command: expected a list of a program",
    ),
    (
        "key_command = {}",
        "near.key_command: expected a list of a program",
    ),
    (
        "key_command = { 'pass', 3 }",
        "near.key_command[2]: expected text",
    ),
    (
        "key_command = { './key.sh' }",
        "near.key_command[1]: expected the name of a program or a path from `/`",
    ),
    ("key_command = { '' }", "near.key_command[1]"),
    ("key_command = { 'a\\0' }", "near.key_command: a zero byte"),
    (
        "key_env = 'A', key_command = { 'a' }",
        "near.key_command: expected one of",
    ),
    (
        "headers = { 'a' }",
        "near.headers: expected names of headers",
    ),
    (
        "headers = { ['a b'] = 'x' }",
        "near.headers[\"a b\"]: this is no name",
    ),
    (
        "headers = { a = 3 }",
        "near.headers[\"a\"]: expected text or { env",
    ),
    (
        "headers = { a = 'x\\ny' }",
        "near.headers[\"a\"]: expected letters",
    ),
    (
        "headers = { a = { env = 'sk-secret' } }",
        "near.headers[\"a\"].env: expected the name of a variable of the environment, got 9",
    ),
    (
        "headers = { a = { enw = 'A' } }",
        "near.headers[\"a\"]: there is no field `enw`",
    ),
    (
        "headers = { a = {} }",
        "near.headers[\"a\"].env: expected text",
    ),
    ("headers = { a = 'x', A = 'x' }", "named twice"),
    (
        "headers = { Authorization = 'Bearer x' }",
        "near.headers[\"Authorization\"]: a key stands in no file",
    ),
    (
        "headers = { Host = 'x' }",
        "near.headers[\"Host\"]: the request itself",
    ),
    ("base_url = 'ftp://x'", "near.base_url: expected a URL"),
    (
        "base_url = 'http://x/v1?a=1'",
        "near.base_url: expected a URL",
    ),
    ("ca = 'near.pem'", "near.ca: expected a path from `/`"),
    ("proxy = true", "near.proxy: expected a URL, or false"),
    (
        "proxy = 'proxy:3128'",
        "near.proxy: expected the URL of a proxy",
    ),
    ("idle = 0", "near.idle: expected seconds, above zero"),
    ("connect = -1", "near.connect: expected seconds"),
    (
        "attempts = 1.5",
        "near.attempts: expected a whole number above zero",
    ),
    (
        "attempts = 1e12 // 1 | 0",
        "near.attempts: expected at most",
    ),
    (
        "quirks = { develper = true }",
        "near.quirks: there is no field `develper`",
    ),
    (
        "quirks = { developer = 'yes' }",
        "near.quirks.developer: invalid type",
    ),
    (
        "quirks = { thinking = 'loud' }",
        "near.quirks.thinking: unknown variant `loud`",
    ),
    (
        "quirks = { headers = { Cookie = 'x' } }",
        "near.quirks.headers: a key stands in no file",
    ),
    (
        "models = { m = { windw = 1 } }",
        "near.models[\"m\"]: there is no field `windw`",
    ),
    (
        "models = { m = { window = 0 } }",
        "near.models[\"m\"].window: expected a whole number above zero",
    ),
    (
        "models = { m = { max_output = 5000000000 } }",
        "near.models[\"m\"].max_output: expected at most",
    ),
    (
        "models = { m = { price = { input = -1 } } }",
        "near.models[\"m\"].price.input: expected US dollars",
    ),
    (
        "models = { m = { price = { input = 0/0 } } }",
        "near.models[\"m\"].price.input: expected US dollars",
    ),
    (
        "models = { m = { price = { cached = 1 } } }",
        "near.models[\"m\"].price: there is no field `cached`",
    ),
    (
        "models = { m = { images = 'no' } }",
        "near.models[\"m\"].images: expected true or false",
    ),
    (
        "models = { m = { effort = 'hihg' } }",
        "near.models[\"m\"].effort: there is no effort `hihg`",
    ),
    (
        "models = { m = { quirks = { body = 3 } } }",
        "near.models[\"m\"].quirks.body: invalid type",
    ),
    (
        "}, ['a/b'] = {",
        "models.providers.a/b: expected a name without",
    ),
];

#[test]
fn what_is_wrong_in_a_provider_is_named_to_the_field() {
    for (field, said) in WRONG {
        let text = format!("return {{ providers = {{ near = {{ kind = 'gemini', {field} }} }} }}");
        refused(User, &text, said);
    }
}

#[test]
fn what_is_wrong_besides_is_named_too() {
    let rows = [
        (
            User,
            "return { aliases = { a = 'b', b = 'a' } }",
            "models.aliases.a: the alias `a` leads nowhere: a → b → a",
        ),
        (
            User,
            "return { aliases = { fast = 'antropic/x' } }",
            "models.aliases.fast: `antropic/x` is of the provider",
        ),
        (
            User,
            "return { aliases = { fast = 'gpt' } }",
            "models.aliases.fast: there is no model `gpt`",
        ),
        (
            User,
            "return { aliases = { ['a/b'] = 'openai/x' } }",
            "`a/b` is no alias",
        ),
        (
            User,
            "return { aliases = { 'openai/x' } }",
            "expected models by name",
        ),
        (
            User,
            "return { default = 'openai/' }",
            "models.default: there is no model `openai/`",
        ),
        (User, "return { alias = {} }", "there is no field `alias`"),
        (
            Project,
            "return { aliases = { fast = 'near/x' } }",
            "models.aliases.fast: `near/x` is of the provider",
        ),
        (
            Project,
            "return { providers = { openai = { idle = 1 } } }",
            "a project chooses among the providers of its user",
        ),
        (
            Project,
            "return { providers = { openai = { key_command = { 'x' } } } }",
            "a project chooses among the providers of its user",
        ),
        (
            Project,
            "return function(below) below.providers.openai.base_url = 'http://127.0.0.1' return below end",
            "a project chooses among the providers of its user",
        ),
    ];
    for (layer, text, said) in rows {
        refused(layer, text, said);
    }
}

#[test]
fn a_password_in_an_address_is_not_shown() {
    let text = "return { providers = { openai = { base_url = 'https://me:hunter2@127.0.0.1' } } }";
    let found = refused(
        User,
        text,
        "models.providers.openai.base_url: expected a URL",
    );
    assert!(!found.contains("hunter2"), "{found}");
}

/// That the file does not load over what is shipped, and what is said of it.
fn refused(layer: Layer, text: &str, said: &str) -> String {
    let shipped = include_str!("../../../lua/models.lua");
    let files = [
        (Shipped, "tools/models.lua", shipped),
        (layer, "tools/models.lua", text),
    ];
    let report = load(&Rig::new(), &files);
    let found = problems(&report).join("\n");
    assert!(found.contains(said), "{text}\n  {found}");
    assert_eq!(report.broken_policies().count(), 1, "{text}");
    found
}
