//! How models are asked in this process: wired once, on first use.
//! A command that asks nobody pays nothing for it.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

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
    /// `None` once the session is over.
    agency: Mutex<Option<Arc<OnceLock<Arc<Agency>>>>>,
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
            agency: Mutex::new(Some(Arc::default())),
        }
    }

    /// The way to ask, while the session lasts; prompts are read in `vm`.
    pub(super) fn agency(&self, vm: &Vm) -> Option<Arc<Agency>> {
        let agency = self.lock().clone()?;
        let agency = agency.get_or_init(|| {
            Arc::new(Agency::new(
                Arc::clone(&self.dispatch),
                self.sessions.clone(),
                self.workspace.clone(),
                Arc::clone(&self.opened) as _,
                Arc::new(OfLua(vm.clone())),
            ))
        });
        Some(Arc::clone(agency))
    }

    /// Nobody asks any more: what was held for it goes.
    pub(super) fn end(&self) {
        drop(self.lock().take());
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<OnceLock<Arc<Agency>>>>> {
        self.agency.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What files of scripted answers still hold, now that nobody asks any more.
    pub(super) fn left_over(&self) -> Option<ToolError> {
        self.opened.left_over()
    }
}
