//! What the person said of more than one call: the approvals of this session and the saved ones, and news of
//! them for every question that waits.
//!
//! Saved approvals are read where a call would be asked about, never before: one that is taken back holds no
//! longer, in whatever process. Nothing here judges.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use tokio::sync::watch;

use crate::error::ToolError;
use crate::permission::{Approval, Caller, Reach, Rule};
use crate::store::{Approvals, Saved};

/// What all calls of a session share about answers.
pub struct Approved {
    store: Option<Approvals>,
    given: Mutex<Vec<Approval>>,
    /// The damaged records that were told of.
    told: Mutex<BTreeSet<String>>,
    news: watch::Sender<News>,
}

/// How often something was said that may settle what waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Approvals that were given.
    pub approved: u64,
    /// Times the person said no and nothing else.
    pub refused: u64,
}

impl Default for Approved {
    /// With no approval, and no place to save one.
    fn default() -> Approved {
        Approved {
            store: None,
            given: Mutex::default(),
            told: Mutex::default(),
            news: watch::Sender::default(),
        }
    }
}

impl Approved {
    /// With the saved approvals of `store`.
    pub fn with(store: Approvals) -> Approved {
        Approved {
            store: Some(store),
            ..Approved::default()
        }
    }

    /// The rules that were approved in this session and hold for `caller`.
    pub fn rules(&self, caller: Caller) -> Vec<Rule> {
        let given = lock(&self.given);
        let given = given.iter().filter(|approval| approval.holds_for(caller));
        given.map(|approval| approval.rule.clone()).collect()
    }

    /// Whether an approval can outlive the session.
    pub fn can_save(&self) -> bool {
        self.store.is_some()
    }

    /// The saved rules that hold for `caller` here, and a line for each record that is damaged and was not
    /// told of yet. It reads files.
    ///
    /// # Errors
    /// `resource` when the folder cannot be read.
    pub fn saved_rules(&self, caller: Caller) -> Result<(Vec<Rule>, Vec<String>), ToolError> {
        let Some(store) = &self.store else {
            return Ok(Default::default());
        };
        let found = store.list()?;
        let holds = |saved: &Saved| saved.holds_here() && saved.approval.holds_for(caller);
        let saved = found.saved.into_iter().filter(holds);
        let rules = saved.map(|saved| saved.approval.rule).collect();
        let mut told = lock(&self.told);
        let damaged = found.damaged.into_iter();
        let new = damaged.filter(|name| told.insert(name.clone()));
        let lines = new.map(|name| damage(&name)).collect();
        Ok((rules, lines))
    }

    /// Takes `approvals` into this session, and saves those that outlive it. It writes files. What cannot be
    /// saved holds in this session all the same.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn give(&self, approvals: Vec<Approval>, now: SystemTime) -> Result<(), ToolError> {
        let mut result = Ok(());
        for approval in approvals {
            let saved = match (&self.store, approval.reach) {
                (_, Reach::Session) | (None, _) => None,
                (Some(store), _) => match store.save(&approval, now) {
                    Ok(id) => id,
                    Err(error) => {
                        result = Err(error);
                        None
                    }
                },
            };
            // What was saved is read from there, so that it can be taken back.
            if saved.is_none() {
                lock(&self.given).push(approval);
            }
        }
        self.news.send_modify(|news| news.approved += 1);
        result
    }

    /// Says no to everything that waits.
    pub fn refuse(&self) {
        self.news.send_modify(|news| news.refused += 1);
    }

    /// News from here on.
    pub fn watch(&self) -> watch::Receiver<News> {
        self.news.subscribe()
    }
}

/// That a record of the saved approvals is damaged.
pub fn damage(name: &str) -> String {
    format!(
        "the saved approval {name} is damaged or could have been written by somebody else, so it approves nothing; \
         it lies in the folder `approvals` of the state"
    )
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
