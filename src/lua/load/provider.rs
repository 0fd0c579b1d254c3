//! A provider as `models.lua` says it: where it is, what it is shown, what is known of its models.
//!
//! A key stands in no file: a variable holds it, or a command says it. Every value is looked at when the file loads.

use std::path::PathBuf;
use std::time::Duration;

use mlua::{Table, Value};

use super::facts;
use crate::chat::Wire;
use crate::error::ToolError;
use crate::lua::blocks::seconds;
use crate::lua::fields::{Fields, items, named};
use crate::lua::short::wrong;
use crate::model::{HeaderValue, Key, Provider};
use crate::net::Proxy;

/// What is said of a provider.
const FIELDS: [&str; 12] = [
    "kind",
    "base_url",
    "key_env",
    "key_command",
    "headers",
    "ca",
    "proxy",
    "connect",
    "idle",
    "attempts",
    "quirks",
    "models",
];

/// The headers by which a server knows who asks.
const SECRET: [&str; 6] = [
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cookie",
];

/// The headers that a request has by being one.
const OURS: [&str; 6] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "upgrade",
    "te",
];

/// Whether what one file says of the provider `name` has the shape, whole or not.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn part(name: &str, table: &Table) -> Result<(), ToolError> {
    read(name, table).map(drop)
}

/// What all layers say of the provider `name`.
///
/// # Errors
/// `argument` that names the field, also one that is missing.
pub(super) fn whole(name: &str, table: &Table) -> Result<Provider, ToolError> {
    let (has_kind, provider) = read(name, table)?;
    let lacks = |field: &str, expected: &str| {
        let field = format!("models.providers.{name}.{field}");
        Err(wrong(&field, expected, &Value::Nil))
    };
    match (has_kind, provider.base_url.is_empty()) {
        (false, _) => lacks("kind", "one of `anthropic`, `openai`, …"),
        (_, true) => lacks("base_url", "a URL"),
        _ => Ok(provider),
    }
}

/// What the table says, and whether it names a kind.
fn read(name: &str, table: &Table) -> Result<(bool, Provider), ToolError> {
    let path = format!("models.providers.{name}");
    if name.is_empty() || name.contains(['/', ':']) {
        let message = format!("{path}: expected a name without `/` and `:`");
        return Err(ToolError::argument(message).with_hint("a model is named as provider/model"));
    }
    let fields = Fields::of(table, &path, &FIELDS)?;
    let kind = kind(&fields)?;
    let mut provider = Provider::new(kind.unwrap_or(Wire::OpenAiChat), base_url(&fields)?);
    provider.key = key(&fields)?;
    if let Some(table) = fields.table("headers")? {
        headers(&table, &fields.at("headers"), &mut provider)?;
    }
    provider.ca = ca(&fields)?;
    provider.proxy = proxy(&fields)?;
    provider.connect = time(&fields, "connect", provider.connect)?;
    provider.idle = time(&fields, "idle", provider.idle)?;
    if let Some(attempts) = facts::count(&fields, "attempts")? {
        provider.attempts = attempts;
    }
    let quirks = fields.table("quirks")?;
    provider.quirks = facts::quirks([(quirks.as_ref(), fields.at("quirks"))])?;
    if let Some(models) = fields.table("models")? {
        for (id, table) in named(&models, &fields.at("models"))? {
            let path = format!("{path}.models[\"{id}\"]");
            let facts = facts::read(&table, &path, (quirks.as_ref(), fields.at("quirks")))?;
            provider.models.insert(id, facts);
        }
    }
    Ok((kind.is_some(), provider))
}

fn kind(fields: &Fields) -> Result<Option<Wire>, ToolError> {
    let Some(word) = fields.text("kind")? else {
        return Ok(None);
    };
    let kind = word.parse::<Wire>().map_err(|offered| {
        let message = format!("{}: there is no kind `{word}`", fields.at("kind"));
        ToolError::argument(message).with_hint(offered)
    });
    kind.map(Some)
}

/// Where it is; nothing where that is not said.
fn base_url(fields: &Fields) -> Result<String, ToolError> {
    let Some(url) = fields.text("base_url")? else {
        return Ok(String::new());
    };
    if is_base(&url) {
        return Ok(url);
    }
    // What may be a password is not shown.
    let shown = match url.contains('@') {
        true => "one with a name or a password".to_owned(),
        false => format!("`{url}`"),
    };
    let field = fields.at("base_url");
    let message = format!("{field}: expected a URL such as `https://example.org/v1`, got {shown}");
    Err(ToolError::argument(message)
        .with_hint("`http` or `https`, no name or password, no `?` and no `#`"))
}

/// Where the key comes from.
fn key(fields: &Fields) -> Result<Key, ToolError> {
    let variable = fields.text("key_env")?;
    let command = command(fields)?;
    match (variable, command) {
        (Some(_), Some(_)) => {
            let message = format!(
                "{}: expected one of `key_env` and `key_command`, got both",
                fields.at("key_command")
            );
            Err(ToolError::argument(message))
        }
        (Some(name), None) => {
            is_variable(&name, &fields.at("key_env"))?;
            Ok(Key::Env(name))
        }
        (None, Some(command)) => Ok(Key::Command(command)),
        (None, None) => Ok(Key::None),
    }
}

/// The program that says the key, and its arguments.
fn command(fields: &Fields) -> Result<Option<Vec<String>>, ToolError> {
    let field = fields.at("key_command");
    let form = "a list of a program and its arguments, such as { \"pass\", \"show\", \"key\" }";
    match fields.value("key_command")? {
        Value::Nil => return Ok(None),
        Value::Table(list) if !items(&list, &field)?.is_empty() => {}
        other => return Err(wrong(&field, form, &other)),
    }
    let command = fields.texts("key_command")?.unwrap_or_default();
    let program = command.first().map_or("", String::as_str);
    if program.is_empty() || (program.contains('/') && !program.starts_with('/')) {
        let message = format!(
            "{field}[1]: expected the name of a program or a path from `/`, got `{program}`"
        );
        return Err(ToolError::argument(message).with_hint(
            "it runs without a shell, in your home folder: neither `~` nor `$` is read",
        ));
    }
    if command.iter().any(|word| word.contains('\0')) {
        return Err(ToolError::argument(format!(
            "{field}: a zero byte stands in it"
        )));
    }
    Ok(Some(command))
}

/// What is sent besides.
fn headers(table: &Table, path: &str, provider: &mut Provider) -> Result<(), ToolError> {
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let Value::String(key) = &key else {
            return Err(wrong(path, "names of headers as keys", &key));
        };
        let shown = key.to_string_lossy();
        let (name, field) = (shown.to_ascii_lowercase(), format!("{path}[\"{shown}\"]"));
        let is_token =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(ToolError::argument(format!(
                "{field}: this is no name of a header"
            )));
        }
        if OURS.contains(&name.as_str()) {
            let message = format!("{field}: the request itself says this header");
            return Err(ToolError::argument(message));
        }
        let value = match &value {
            Value::String(text) => header_text(&name, &text.to_string_lossy(), &field)?,
            Value::Table(table) => {
                let fields = Fields::of(table, &field, &["env"])?;
                let name = fields.text("env")?;
                let name = name.ok_or_else(|| wrong(&fields.at("env"), "text", &Value::Nil))?;
                is_variable(&name, &fields.at("env"))?;
                HeaderValue::Env(name)
            }
            other => return Err(wrong(&field, "text or { env = \"VARIABLE\" }", other)),
        };
        if provider.headers.insert(name, value).is_some() {
            return Err(ToolError::argument(format!(
                "{field}: the header is named twice"
            )));
        }
    }
    Ok(())
}

/// Refuses a header by which a server knows who asks, where its value stands in a file.
pub(super) fn is_open(name: &str, field: &str) -> Result<(), ToolError> {
    if !SECRET.contains(&name.to_ascii_lowercase().as_str()) {
        return Ok(());
    }
    let message = format!("{field}: a key stands in no file");
    Err(ToolError::argument(message).with_hint(
        "name the variable that holds it, in `headers` of the provider: { env = \"VARIABLE\" }",
    ))
}

fn header_text(name: &str, text: &str, field: &str) -> Result<HeaderValue, ToolError> {
    is_open(name, field)?;
    if !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        let message = format!("{field}: expected letters, digits and signs of ASCII in one line");
        return Err(ToolError::argument(message));
    }
    Ok(HeaderValue::Text(text.to_owned()))
}

/// The file with certificates, which is the same wherever the program runs.
fn ca(fields: &Fields) -> Result<Option<PathBuf>, ToolError> {
    match fields.text("ca")?.map(PathBuf::from) {
        Some(path) if !path.is_absolute() => {
            let message = format!(
                "{}: expected a path from `/`, got `{}`",
                fields.at("ca"),
                path.display()
            );
            Err(ToolError::argument(message))
        }
        path => Ok(path),
    }
}

fn proxy(fields: &Fields) -> Result<Proxy, ToolError> {
    const SCHEMES: [&str; 6] = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    match fields.value("proxy")? {
        Value::Nil => Ok(Proxy::Environment),
        Value::Boolean(false) => Ok(Proxy::Direct),
        Value::String(url) => {
            let url = url.to_string_lossy();
            let parts = url.split_once("://");
            let is_url = parts.is_some_and(|(scheme, rest)| {
                SCHEMES.contains(&scheme) && !rest.is_empty() && !rest.contains(char::is_whitespace)
            });
            match is_url {
                true => Ok(Proxy::Url(url)),
                false => {
                    let message = format!(
                        "{}: expected the URL of a proxy, such as `http://proxy.example:3128`",
                        fields.at("proxy")
                    );
                    Err(ToolError::argument(message)
                        .with_hint(format!("it begins with one of {}", SCHEMES.join(", "))))
                }
            }
        }
        other => Err(wrong(
            &fields.at("proxy"),
            "a URL, or false for none",
            &other,
        )),
    }
}

/// Seconds, above zero.
fn time(fields: &Fields, name: &str, otherwise: Duration) -> Result<Duration, ToolError> {
    let field = fields.at(name);
    match fields.value(name)? {
        Value::Nil => Ok(otherwise),
        value => match seconds(&value, &field)? {
            Duration::ZERO => Err(wrong(&field, "seconds, above zero", &value)),
            time => Ok(time),
        },
    }
}

/// Whether a request can be made by adding a path to it.
fn is_base(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split('/').next());
    host.is_some_and(|host| !host.is_empty() && !host.contains('@'))
        && !url.contains(|c: char| c.is_whitespace() || c.is_control() || "?#".contains(c))
}

/// A key that was written in the place of the variable is hardly ever the name of one; it is not shown.
fn is_variable(name: &str, field: &str) -> Result<(), ToolError> {
    let is_word = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !name.is_empty()
        && name.chars().all(is_word)
        && !name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Ok(());
    }
    let message = format!(
        "{field}: expected the name of a variable of the environment, got {} characters",
        name.chars().count()
    );
    Err(ToolError::argument(message)
        .with_hint("name the variable that holds the key; the key itself stands in no file"))
}
