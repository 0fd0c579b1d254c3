//! What `models.lua` says, all layers together.
//!
//! A key is named and never held: a variable of the environment holds it, or a command says it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::chat::{Effort, Prices, Quirks, Wire};
use crate::net::Proxy;

/// Where the key of a provider comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Key {
    /// It takes none.
    #[default]
    None,
    /// From the variable of this name.
    Env(String),
    /// From a program and its arguments, run without a shell: the first line of what it prints.
    Command(Vec<String>),
}

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderValue {
    /// This.
    Text(String),
    /// What the variable of this name holds.
    Env(String),
}

/// One provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Provider {
    /// The format it is spoken to in.
    pub kind: Wire,
    /// Where it is: a URL without a query, `http` or `https`.
    pub base_url: String,
    /// Where its key comes from.
    pub key: Key,
    /// What it is sent besides what its format asks for, by names in lower case.
    pub headers: BTreeMap<String, HeaderValue>,
    /// A PEM file with certificates that are trusted beside the usual ones.
    pub ca: Option<PathBuf>,
    /// Through which proxy it is reached.
    pub proxy: Proxy,
    /// How long it may take to connect.
    pub connect: Duration,
    /// How long it may say nothing, counted from event to event.
    pub idle: Duration,
    /// How often a request is sent at most that fails in a way that may pass.
    pub attempts: u32,
    /// Where it departs from its format.
    pub quirks: Quirks,
    /// What is known of its models, by their names there.
    pub models: BTreeMap<String, Facts>,
}

impl Provider {
    /// A provider of which nothing else is said.
    pub fn new(kind: Wire, base_url: impl Into<String>) -> Provider {
        Provider {
            kind,
            base_url: base_url.into(),
            key: Key::None,
            headers: BTreeMap::new(),
            ca: None,
            proxy: Proxy::default(),
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(300),
            attempts: 5,
            quirks: Quirks::default(),
            models: BTreeMap::new(),
        }
    }

    /// The variables that hold what nobody but the provider is to see: its key, and what its headers say.
    pub fn secret_variables(&self) -> impl Iterator<Item = &str> {
        let key = match &self.key {
            Key::Env(name) => Some(name.as_str()),
            Key::None | Key::Command(_) => None,
        };
        let headers = self.headers.values().filter_map(|value| match value {
            HeaderValue::Env(name) => Some(name.as_str()),
            HeaderValue::Text(_) => None,
        });
        key.into_iter().chain(headers)
    }
}

/// What is known of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// How many tokens a conversation may have.
    pub window: Option<u64>,
    /// Most tokens of one answer.
    pub max_output: Option<u32>,
    /// What it costs, in US dollars per million tokens.
    pub prices: Prices,
    /// Whether it takes images; they are sent unless it is said that it does not.
    pub images: Option<bool>,
    /// How hard it is to think where nobody says so.
    pub effort: Option<Effort>,
    /// Where it departs from its format: what is said of its provider, and of itself.
    pub quirks: Quirks,
}

/// The providers, and the model that is meant where none is named.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Models {
    /// `provider/model`, or an alias.
    pub default: Option<String>,
    /// Other names of models: `provider/model`, or another alias, by a name without a slash.
    pub aliases: BTreeMap<String, String>,
    /// The providers by name.
    pub providers: BTreeMap<String, Provider>,
}
