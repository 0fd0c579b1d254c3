//! Which model a word means.
//! It connects to nothing and reads no key.

use super::{Facts, Models, Provider};
use crate::error::{Error, ToolError};
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
        let (name, provider, id) = self.find(word).map_err(|error| {
            let hint = error.hint().to_owned();
            Error::usage(error.message, hint)
        })?;
        let facts = provider.models.get(id).cloned().unwrap_or_else(|| Facts {
            quirks: provider.quirks.clone(),
            ..Facts::default()
        });
        Ok(Chosen {
            name: name.to_owned(),
            provider: provider.clone(),
            id: id.to_owned(),
            facts,
        })
    }

    /// What `word` means: `provider/model`, the provider, and the model's name there.
    ///
    /// # Errors
    /// `argument`: what is missing, and what there is.
    pub fn find<'a>(
        &'a self,
        word: &'a str,
    ) -> Result<(&'a str, &'a Provider, &'a str), ToolError> {
        let name = self.followed(word)?;
        let parts = name.split_once('/');
        let whole = parts.filter(|(provider, id)| !provider.is_empty() && !id.is_empty());
        let Some((of, id)) = whole else {
            return Err(self.no_model(name));
        };
        match self.providers.get(of) {
            Some(provider) => Ok((name, provider, id)),
            None => {
                let names = self.providers.keys().map(String::as_str);
                let message = format!("`{name}` is of the provider `{of}`, and there is none");
                Err(ToolError::argument(message).with_hint(offer(of, "providers", names)))
            }
        }
    }

    /// What `word` stands for in the end, as long as it is an alias.
    fn followed<'a>(&'a self, word: &'a str) -> Result<&'a str, ToolError> {
        let mut way = vec![word];
        let mut name = word;
        while let Some(next) = self.aliases.get(name) {
            let is_round = way.contains(&next.as_str());
            way.push(next);
            if is_round {
                let message = format!("the alias `{word}` leads nowhere: {}", way.join(" → "));
                return Err(ToolError::argument(message)
                    .with_hint("let one of them name a model as provider/model"));
            }
            name = next;
        }
        Ok(name)
    }

    fn no_model(&self, name: &str) -> ToolError {
        let aliases = self.aliases.keys().map(String::as_str);
        let hint = match self.aliases.is_empty() {
            true => "name it as provider/model, or as script:FILE".to_owned(),
            false => format!(
                "name it as provider/model; {}",
                offer(name, "aliases", aliases)
            ),
        };
        ToolError::argument(format!(
            "there is no model `{name}`: expected `provider/model` or an alias"
        ))
        .with_hint(hint)
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::chat::{Quirks, Wire};

    /// The providers `near`, with something known of `org/known`, and `far`; some aliases.
    fn models(default: Option<&str>) -> Models {
        let mut near = Provider::new(Wire::OpenAiChat, "http://127.0.0.1:8080/v1");
        near.quirks.developer = true;
        let known = Facts {
            window: Some(8192),
            ..Facts::default()
        };
        near.models.insert("org/known".to_owned(), known);
        let far = Provider::new(Wire::Anthropic, "https://far.example");
        let aliases = [
            ("fast", "near/org/known"),
            ("usual", "fast"),
            ("round", "about"),
            ("about", "round"),
            ("lost", "fst"),
        ];
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Models {
            default: default.map(str::to_owned),
            aliases: aliases.into_iter().map(owned).collect(),
            providers: BTreeMap::from([("near".to_owned(), near), ("far".to_owned(), far)]),
        }
    }

    #[test]
    fn a_word_means_a_model_as_it_stands_or_by_one_alias_after_another() {
        let rows = [
            (Some("near/org/known"), "near/org/known", "org/known"),
            (Some("far/m:1"), "far/m:1", "m:1"),
            (Some("fast"), "near/org/known", "org/known"),
            (Some("usual"), "near/org/known", "org/known"),
            (None, "near/org/known", "org/known"),
        ];
        for (word, name, id) in rows {
            let chosen = models(Some("usual")).resolve(word).unwrap();
            assert_eq!((chosen.name.as_str(), chosen.id.as_str()), (name, id));
        }
    }

    #[test]
    fn of_a_model_that_nobody_described_is_known_what_is_said_of_its_provider() {
        let facts = |word| models(None).resolve(Some(word)).unwrap().facts;
        assert_eq!(facts("near/org/known").window, Some(8192));
        let other = facts("near/other");
        assert_eq!(other.window, None);
        assert!(other.quirks.developer);
        assert_eq!(facts("far/x").quirks, Quirks::default());
    }

    #[test]
    fn what_names_no_model_says_what_is_there() {
        let rows = [
            ("naer/x", "`naer/x` is of the provider `naer`", "`near`"),
            (
                "gpt",
                "expected `provider/model` or an alias",
                "provider/model",
            ),
            ("fsat", "there is no model `fsat`", "`fast`"),
            ("near/", "there is no model `near/`", "provider/model"),
            ("/x", "there is no model `/x`", "provider/model"),
            ("", "there is no model ``", "provider/model"),
            ("lost", "there is no model `fst`", "`fast`"),
            ("round", "round → about → round", "provider/model"),
        ];
        for (word, what, advice) in rows {
            let error = models(None).resolve(Some(word)).unwrap_err();
            let Error::Usage { message, hint } = error else {
                panic!("{word}: {error:?}");
            };
            assert!(message.contains(what), "{word}: {message}");
            assert!(hint.contains(advice), "{word}: {hint}");
        }
    }

    #[test]
    fn where_no_model_is_meant_three_ways_to_one_are_named() {
        let error = models(None).resolve(None).unwrap_err();
        let Error::Usage { message, hint } = error else {
            panic!("{error:?}");
        };
        assert_eq!(message, "no model is configured");
        for way in ["-m provider/model or AGENT_MODEL", "default = ", "near = {"] {
            assert!(hint.contains(way), "{hint}");
        }
    }
}
