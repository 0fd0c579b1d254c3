//! What `models.lua` says, all layers together.
//!
//! A key is named and never held: it stands in the variable of the environment that its provider names.

use std::collections::BTreeMap;

use crate::chat::Wire;

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
