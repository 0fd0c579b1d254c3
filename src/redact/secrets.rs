//! The values that this process holds and shows nobody: what variables of a secret-looking name are set to.
//!
//! A value counts from eight bytes on, and only where it is no place that is there, no address and no word of
//! settings.

use std::ffi::OsString;

use super::tag::{Key, as_name};

/// How a part of the name of a variable ends whose value is a secret.
const WORDS: [&str; 20] = [
    "KEY",
    "KEYS",
    "TOKEN",
    "TOKENS",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWORDS",
    "PASSWD",
    "PASS",
    "PASSPHRASE",
    "PWD",
    "CREDENTIAL",
    "CREDENTIALS",
    "CRED",
    "CREDS",
    "AUTH",
    "PAT",
    "COOKIE",
    "JWT",
];

/// Variables in which a shell keeps folders.
const FOLDERS: [&str; 2] = ["PWD", "OLDPWD"];

/// Parts of names that end so and mean something else.
const OTHERS: [&str; 6] = ["MONKEY", "TURKEY", "HOTKEY", "BYPASS", "COMPASS", "KEYPASS"];

/// Values that are settings, whatever the name says.
const SETTINGS: [&str; 14] = [
    "disabled",
    "required",
    "optional",
    "undefined",
    "password",
    "changeme",
    "anonymous",
    "localhost",
    "development",
    "production",
    "external",
    "internal",
    "interactive",
    "prompted",
];

/// From how many bytes on a value is looked for.
const SHORTEST: usize = 8;

/// What is held, and what its tags are made with.
#[derive(Clone, Default)]
pub struct Secrets {
    pub(super) key: Key,
    /// Name and value, one line each.
    pub(super) held: Vec<(String, String)>,
}

impl Secrets {
    /// The secrets among these variables, in tags made with `key`. `is_there` says whether a path leads to
    /// something: a variable that names a file is no secret, a value that merely begins as a path does is one.
    pub fn of<'a>(
        key: Key,
        environment: impl IntoIterator<Item = (&'a OsString, &'a OsString)>,
        is_there: &dyn Fn(&str) -> bool,
    ) -> Secrets {
        let mut secrets = Secrets {
            key,
            held: Vec::new(),
        };
        for (name, value) in environment {
            let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else {
                continue;
            };
            let is_meant = match password(value) {
                Some(_) => true,
                None if value.contains("://") => ends_as_secret(name),
                None => is_secret_name(name) && !(begins_as_path(value) && is_there(value)),
            };
            if is_meant {
                secrets.hold(name, value);
            }
        }
        secrets
    }

    /// Adds the value of `name`, if it is one that can be told from ordinary words.
    pub fn hold(&mut self, name: &str, value: &str) {
        let value = password(value).unwrap_or(value).trim();
        if is_value(value) && !self.held.iter().any(|(_, held)| held == value) {
            self.held.push((as_name(name), value.to_owned()));
        }
    }
}

/// Whether the value of this variable is one that nobody is to see.
fn is_secret_name(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    if FOLDERS.contains(&upper.as_str()) {
        return false;
    }
    let mut parts = upper.split(['_', '-', '.']);
    parts.any(|part| !OTHERS.contains(&part) && WORDS.iter().any(|word| part.ends_with(word)))
}

/// Whether its last part says so: `WEBHOOK_SECRET`, and not `AUTH_URL`.
fn ends_as_secret(name: &str) -> bool {
    let last = name.rsplit(['_', '-', '.']).next();
    last.is_some_and(is_secret_name)
}

fn begins_as_path(value: &str) -> bool {
    value.starts_with(['/', '~']) || value.starts_with("./") || value.starts_with("../")
}

/// The password in `scheme://user:password@host`.
fn password(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let (user, _) = rest.split(['/', '?', '#']).next()?.rsplit_once('@')?;
    user.split_once(':').map(|(_, password)| password)
}

fn is_value(value: &str) -> bool {
    let is_setting = SETTINGS.contains(&value.to_ascii_lowercase().as_str());
    value.len() >= SHORTEST && !is_setting
}
