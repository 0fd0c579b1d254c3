//! What `models.lua` says, all layers together.
//!
//! A key is named and never held: it stands in the variable of the environment that its provider names.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::text::offer;

/// The format in which a provider is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Responses.
    OpenAi,
    /// OpenAI's Chat Completions, which many others speak.
    OpenAiChat,
    /// Google's Gemini.
    Gemini,
}

impl Wire {
    /// Every format.
    pub const ALL: [Wire; 4] = [
        Wire::Anthropic,
        Wire::OpenAi,
        Wire::OpenAiChat,
        Wire::Gemini,
    ];

    /// The word that `kind` takes.
    pub fn as_str(self) -> &'static str {
        match self {
            Wire::Anthropic => "anthropic",
            Wire::OpenAi => "openai",
            Wire::OpenAiChat => "openai_chat",
            Wire::Gemini => "gemini",
        }
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Wire {
    type Err = String;

    /// # Errors
    /// The formats there are, the nearest first.
    fn from_str(word: &str) -> Result<Wire, String> {
        let found = Wire::ALL.into_iter().find(|wire| wire.as_str() == word);
        found.ok_or_else(|| offer(word, "kinds", Wire::ALL.map(Wire::as_str)))
    }
}

/// One provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The format it is spoken to in.
    pub kind: Wire,
    /// Where it is: a URL without a query, `http` or `https`.
    pub base_url: String,
    /// The variable that holds its key; `None` where it takes none.
    pub key_env: Option<String>,
}

/// The providers, and the model that is meant where none is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Models {
    /// `provider/model`.
    pub default: Option<String>,
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
    fn every_kind_is_read_back_and_a_misspelt_one_names_the_nearest() {
        for wire in Wire::ALL {
            assert_eq!(wire.to_string().parse(), Ok(wire));
        }
        let offered = "openai-chat".parse::<Wire>().unwrap_err();
        assert!(offered.contains("openai_chat"), "{offered}");
    }

    #[test]
    fn the_chosen_provider_is_the_one_before_the_first_slash() {
        let provider = Provider {
            kind: Wire::OpenAiChat,
            base_url: "http://127.0.0.1:8080/v1".to_owned(),
            key_env: None,
        };
        let providers = BTreeMap::from([("near".to_owned(), provider.clone())]);
        let chosen = |default: &str| {
            let default = Some(default.to_owned());
            let providers = providers.clone();
            Models { default, providers }.chosen().cloned()
        };
        assert_eq!(chosen("near/org/name"), Some(provider));
        assert_eq!((chosen("far/name"), chosen("near")), (None, None));
        assert_eq!(Models::default().chosen(), None);
    }
}
