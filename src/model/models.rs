//! What `models.lua` says, all layers together.
//!
//! A key is named and never held: it stands in the variable of the environment that its provider names.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::chat::{Prices, Quirks, Wire};
use crate::net::Proxy;

/// One provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Provider {
    /// The format it is spoken to in.
    pub kind: Wire,
    /// Where it is: a URL without a query, `http` or `https`.
    pub base_url: String,
    /// The variable that holds its key; `None` where it takes none.
    pub key_env: Option<String>,
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
            key_env: None,
            ca: None,
            proxy: Proxy::default(),
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(300),
            attempts: 5,
            quirks: Quirks::default(),
            models: BTreeMap::new(),
        }
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
    /// Where it departs from its format: what is said of its provider, and of itself.
    pub quirks: Quirks,
}

/// The providers, and the model that is meant where none is named.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Models {
    /// `provider/model`.
    pub default: Option<String>,
    /// Other names of models: `provider/model` by the name.
    pub aliases: BTreeMap<String, String>,
    /// The providers by name.
    pub providers: BTreeMap<String, Provider>,
}

impl Models {
    /// The provider of the model that is meant where none is named, by its name; `None` where none is chosen
    /// or nobody of that name is there.
    pub fn chosen(&self) -> Option<&Provider> {
        let (name, _) = self.default.as_deref()?.split_once('/')?;
        self.providers.get(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_provider_is_the_one_before_the_first_slash() {
        let provider = Provider::new(Wire::OpenAiChat, "http://127.0.0.1:8080/v1");
        let providers = BTreeMap::from([("near".to_owned(), provider.clone())]);
        let chosen = |default: &str| {
            let default = Some(default.to_owned());
            let providers = providers.clone();
            let aliases = BTreeMap::new();
            let models = Models {
                default,
                aliases,
                providers,
            };
            models.chosen().cloned()
        };
        assert_eq!(chosen("near/org/name"), Some(provider));
        assert_eq!((chosen("far/name"), chosen("near")), (None, None));
        assert_eq!(Models::default().chosen(), None);
    }
}
