//! Which model a word means.
//! It connects to nothing and reads no key.

use super::{Facts, Models, Provider};
use crate::error::Error;
use crate::text::offer;

/// A model that was named, or is meant where none is.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// `provider/model`.
    pub name: String,
    /// The provider.
    pub provider: Provider,
    /// The model's name as the provider knows it.
    pub id: String,
    /// What is known of it.
    pub facts: Facts,
}

impl Models {
    /// The model that `word` names, as `provider/model` or by an alias; `None`: the one that is meant where none is named.
    ///
    /// # Errors
    /// Usage: there is none of that name, or none is meant at all.
    pub fn resolve(&self, word: Option<&str>) -> Result<Chosen, Error> {
        let Some(word) = word.or(self.default.as_deref()) else {
            return Err(none());
        };
        let named = self.aliases.get(word).map_or(word, String::as_str);
        let Some((name, id)) = named.split_once('/').filter(|(_, id)| !id.is_empty()) else {
            let aliases = self.aliases.keys().map(String::as_str);
            let hint = match self.aliases.is_empty() {
                true => "name it as provider/model, or as script:FILE".to_owned(),
                false => format!(
                    "name it as provider/model; {}",
                    offer(word, "aliases", aliases)
                ),
            };
            return Err(Error::usage(format!("there is no model `{word}`"), hint));
        };
        let Some(provider) = self.providers.get(name) else {
            let names = self.providers.keys().map(String::as_str);
            let hint = offer(name, "providers", names);
            return Err(Error::usage(
                format!("`{named}`: there is no provider `{name}`"),
                hint,
            ));
        };
        let facts = provider.models.get(id).cloned().unwrap_or_else(|| Facts {
            quirks: provider.quirks.clone(),
            ..Facts::default()
        });
        Ok(Chosen {
            name: named.to_owned(),
            provider: provider.clone(),
            id: id.to_owned(),
            facts,
        })
    }
}

/// That there is no model to ask, and the three ways to one.
fn none() -> Error {
    Error::usage(
        "no model is configured",
        "name one with -m provider/model or AGENT_MODEL, with the provider's key in its variable; or choose one in \
         tools/models.lua of your configuration folder: return { default = \"anthropic/…\" }; or name a server of your \
         own there: providers = { near = { kind = \"openai_chat\", base_url = \"http://127.0.0.1:8080/v1\" } }",
    )
}
