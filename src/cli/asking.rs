//! How models are asked in this process: wired once, on first use.
//! A command that asks nobody pays nothing for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::args::Options;
use super::prompts::OfLua;
use super::speakers::Opened;
use crate::agent::Agency;
use crate::error::ToolError;
use crate::gate::Dispatch;
use crate::lua::Vm;
use crate::store::{Paths, Sessions, Workspace};

/// What asking takes.
pub(super) struct Asking {
    dispatch: Arc<Dispatch>,
    sessions: Sessions,
    workspace: Workspace,
    opened: Arc<Opened>,
    agency: Mutex<State>,
}

/// How far it is.
enum State {
    /// Nobody has asked yet.
    New,
    /// Somebody may ask.
    Open(Arc<Agency>),
    /// The session is over.
    Over,
}

impl Asking {
    /// Nothing is asked yet.
    pub(super) fn new(
        options: &Options,
        dispatch: &Arc<Dispatch>,
        paths: &Paths,
        workspace: &Workspace,
    ) -> Asking {
        Asking {
            dispatch: Arc::clone(dispatch),
            sessions: Sessions::new(paths),
            workspace: workspace.clone(),
            opened: Arc::new(Opened::new(options.model.clone(), dispatch.services())),
            agency: Mutex::new(State::New),
        }
    }

    /// The way to ask; prompts are read in `vm`.
    ///
    /// # Errors
    /// `cancelled` once the session is over.
    pub(super) fn agency(&self, vm: &Vm) -> Result<Arc<Agency>, ToolError> {
        let mut state = self.lock();
        match &*state {
            State::Over => return Err(ToolError::cancelled()),
            State::Open(agency) => return Ok(Arc::clone(agency)),
            State::New => {}
        }
        let agency = Arc::new(Agency::new(
            Arc::clone(&self.dispatch),
            self.sessions.clone(),
            self.workspace.clone(),
            Arc::clone(&self.opened) as _,
            Arc::new(OfLua(vm.clone())),
        ));
        *state = State::Open(Arc::clone(&agency));
        Ok(agency)
    }

    /// Nobody asks any more: what was held for it goes.
    pub(super) fn end(&self) {
        *self.lock() = State::Over;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.agency.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What files of scripted answers still hold, now that nobody asks any more.
    pub(super) fn left_over(&self) -> Option<ToolError> {
        self.opened.left_over()
    }
}
