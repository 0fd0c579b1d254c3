//! What is hidden from whoever reads a result: the rules of the policy files, over the values that are held.
//!
//! Nothing is compiled before the first text is delivered to a model; and anew only once a command has said a key.

use std::ffi::OsStr;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Destination, Scope, Services};
use crate::permission::Caller;
use crate::redact::{Reach, Redactor, Rule};

/// What hides the secrets of one session, compiled when it is first needed, by whoever needs it.
#[derive(Clone)]
pub struct Hiding {
    redaction: Redaction,
    services: Arc<Services>,
}

impl Hiding {
    /// What hides what `redaction` says, in what these services do.
    pub fn new(redaction: &Redaction, services: &Arc<Services>) -> Hiding {
        Hiding {
            redaction: redaction.clone(),
            services: Arc::clone(services),
        }
    }

    /// What finds them.
    pub fn redactor(&self) -> Arc<Redactor> {
        self.redaction.redactor(&self.services)
    }
}

impl fmt::Debug for Hiding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hiding")
    }
}

/// What `redaction.lua` says, all layers together.
#[derive(Clone, Default)]
pub struct Redaction(Arc<Inner>);

#[derive(Default)]
struct Inner {
    rules: Vec<Rule>,
    is_strict: bool,
    keys: Vec<String>,
    /// How many keys commands had said when it was compiled, and what came of it.
    compiled: Mutex<Option<(usize, Arc<Redactor>)>>,
}

impl Redaction {
    /// These rules, and the values of the variables called `keys`. Where it is strict, files that are read are
    /// held to the rules of what is piped in.
    pub fn new(rules: Vec<Rule>, keys: Vec<String>, is_strict: bool) -> Redaction {
        Redaction(Arc::new(Inner {
            rules,
            is_strict,
            keys,
            compiled: Mutex::default(),
        }))
    }

    /// The rules that hold for the text of files.
    pub fn reach(&self) -> Reach {
        match self.0.is_strict {
            true => Reach::Input,
            false => Reach::Model,
        }
    }

    /// What finds the secrets of this session.
    pub fn redactor(&self, services: &Services) -> Arc<Redactor> {
        let said = services.keys.count();
        let compiled = self.0.compiled.lock();
        let mut compiled = compiled.unwrap_or_else(PoisonError::into_inner);
        match &*compiled {
            Some((count, redactor)) if *count == said => Arc::clone(redactor),
            _ => {
                let redactor = Arc::new(self.compile(services));
                *compiled = Some((said, Arc::clone(&redactor)));
                redactor
            }
        }
    }

    fn compile(&self, services: &Services) -> Redactor {
        let mut secrets = services.secrets.clone();
        for name in &self.0.keys {
            let value = services.environment.get(OsStr::new(name));
            if let Some(value) = value.and_then(|value| value.to_str()) {
                secrets.hold(name, value);
            }
        }
        for key in services.keys.held() {
            secrets.hold("KEY", &key);
        }
        Redactor::new(&self.0.rules, &secrets)
    }

    /// The same, where secrets are hidden from who reads at `destination` what is done in `scope`: from a
    /// model, and from what it runs itself. What a person's own code does for it gets values whole.
    pub fn hiding(
        &self,
        services: &Services,
        scope: &Scope,
        destination: Destination,
    ) -> Option<Arc<Redactor>> {
        let is_its_own = scope.caller() == Caller::Model && scope.is_direct();
        let is_hidden = destination == Destination::Model || is_its_own;
        is_hidden.then(|| self.redactor(services))
    }
}
