//! The models of this process: out of a file, or of a provider. Each is made when it is first asked.
//! That its key is there is looked at then; a command that says one runs with the first request.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::agent::Speakers;
use crate::error::{Error, ToolError};
use crate::model::{Chosen, Keys, Provided, Scripted, Speak};
use crate::net::Net;
use crate::tool::{Generation, Services};

/// The models that were asked so far.
#[derive(Default)]
pub(super) struct Opened {
    scripted: Mutex<BTreeMap<String, Arc<Scripted>>>,
    /// What `--model` or the environment says.
    word: Option<String>,
    env: Arc<BTreeMap<OsString, OsString>>,
    keys: Arc<Keys>,
    net: OnceLock<Arc<Net>>,
}

impl Opened {
    /// None yet; `word` names the one that is meant where none is named.
    pub(super) fn new(word: Option<String>, services: &Services) -> Opened {
        Opened {
            word,
            env: Arc::clone(&services.environment),
            keys: Arc::clone(&services.keys),
            ..Opened::default()
        }
    }

    /// What files of answers still hold, now that nobody asks any more.
    pub(super) fn left_over(&self) -> Option<ToolError> {
        let scripted = self.scripted.lock().unwrap_or_else(PoisonError::into_inner);
        scripted.values().find_map(|scripted| scripted.left_over())
    }

    fn provided(&self, chosen: Chosen) -> Result<Arc<dyn Speak>, Error> {
        self.keys.check(&chosen)?;
        let net = self.net.get_or_init(|| Arc::new(Net::new(&self.env)));
        let provided = Provided::new(chosen, Arc::clone(&self.keys), Arc::clone(net));
        Ok(Arc::new(provided))
    }
}

impl Speakers for Opened {
    fn speaker(
        &self,
        word: Option<&str>,
        generation: &Generation,
    ) -> Result<Arc<dyn Speak>, Error> {
        let models = &generation.models;
        let word = self.word.as_deref().or(word);
        let named = word.or(models.default.as_deref());
        let Some((word, file)) = named.and_then(|word| Some((word, Scripted::file_of(word)?)))
        else {
            return self.provided(models.resolve(word)?);
        };
        let mut scripted = self.scripted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(there) = scripted.get(word) {
            return Ok(Arc::clone(there) as _);
        }
        let new = Arc::new(Scripted::open(&file)?);
        scripted.insert(word.to_owned(), Arc::clone(&new));
        Ok(new)
    }
}
