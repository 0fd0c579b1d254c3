//! What all calls of a session share: files, stores, the person, the listeners, the clock.
//! Nothing here belongs to a single call.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::SystemTime;

use super::{Approved, Breaker, Human, Limits, Planning, Scope, Sink, Thinking, Todos};
use crate::files::Files;
use crate::model::Keys;
use crate::redact::Secrets;
use crate::store::{Ledger, SessionId, Spills};

/// The variables that what runs in a scope gets, so that a program of ours there is held to what the scope is.
pub type Inherited = Arc<dyn Fn(&Scope) -> Vec<(OsString, OsString)> + Send + Sync>;

/// Everything a tool reaches that is not its own call. A test replaces any field.
pub struct Services {
    /// The workspace and the way to every file.
    pub files: Arc<Files>,
    /// What this session has read, by hash.
    pub ledger: Arc<Ledger>,
    /// Full texts of truncated results.
    pub spills: Arc<Spills>,
    /// The session of this process.
    pub session: SessionId,
    /// The person, or nobody.
    pub human: Arc<dyn Human>,
    /// Who listens to events.
    pub sink: Arc<dyn Sink>,
    /// What the person wrote on the command line: paths among these words were named by them.
    pub named: Vec<String>,
    /// How much of a result each reader gets.
    pub limits: Limits,
    /// Variables for what a model's call runs, so that a program of ours below it acts for the model.
    pub inherited: Inherited,
    /// The environment this program was started with.
    pub environment: Arc<BTreeMap<OsString, OsString>>,
    /// The secrets in it, and what their tags are made with.
    pub secrets: Secrets,
    /// The keys of model providers; what a command says of them is hidden as the secrets are.
    pub keys: Arc<Keys>,
    /// The time of day.
    pub clock: fn() -> SystemTime,
    /// How long a person has been thinking, which counts against no tool.
    pub thinking: Arc<Thinking>,
    /// What the person said of more than one call.
    pub approved: Arc<Approved>,
    /// How often the classifier of the mode `auto` has denied.
    pub breaker: Arc<Breaker>,
    /// Whether this session is planning.
    pub planning: Arc<Planning>,
    /// What is to be done in this session.
    pub todos: Arc<Todos>,
}
