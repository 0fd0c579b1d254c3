//! Which job runs now: its scope, who speaks in it, what it loads. Set around every poll of a job or block.
//!
//! Read only in the synchronous part of a function: after an await another job may have run. It is
//! no Lua value, so no script can forge it.

use std::ffi::OsString;
use std::future::Future;
use std::rc::Rc;

use super::clock::Clock;
use super::load::Draft;
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::permission::Caller;
use crate::tool::{Origin, Scope};

/// How many blocks (`all`, `map`, `limit`) may stand inside each other in one job.
const MAX_BLOCKS: usize = 16;

tokio::task_local! {
    static CURRENT: Current;
}

/// Who speaks, and so where the output of `print` goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// A script: to standard output.
    Out(Script),
    /// A tool, a hook, a file that is loaded: to the log, under this name.
    Log(String, Layer),
}

impl Voice {
    /// The layer that what speaks belongs to.
    pub(super) fn layer(&self) -> Layer {
        match self {
            Voice::Out(_) => Layer::Script,
            Voice::Log(_, layer) => *layer,
        }
    }

    /// Where something comes from that is registered now.
    pub(super) fn origin(&self) -> Origin {
        match self {
            Voice::Out(script) => Origin::Script(script.name.clone()),
            Voice::Log(name, layer) => Origin::File(*layer, name.clone()),
        }
    }
}

/// What a script was started as.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// What messages call it: the file as it was named.
    pub(super) name: String,
    /// What stands after FILE on the command line.
    pub(super) args: Vec<OsString>,
}

/// A module whose body runs, for another perhaps.
struct Module {
    name: String,
    wanted_by: Option<Rc<Module>>,
}

/// What runs now.
#[derive(Clone)]
pub(super) struct Current {
    scope: Scope,
    voice: Rc<Voice>,
    blocks: usize,
    clock: Option<Rc<Clock>>,
    module: Option<Rc<Module>>,
    draft: Option<Rc<Draft>>,
    is_loading: bool,
    pure: Option<Rc<str>>,
}

impl Current {
    /// A job in `scope`.
    pub(super) fn new(scope: Scope, voice: Voice) -> Current {
        Current {
            scope,
            voice: Rc::new(voice),
            blocks: 0,
            clock: None,
            module: None,
            draft: None,
            is_loading: false,
            pure: None,
        }
    }

    /// What runs now.
    ///
    /// # Errors
    /// `unavailable` outside any job, as in a finalizer that runs at the end; `cancelled` when what
    /// runs now is not wanted any more.
    pub(super) fn get() -> Result<Current, ToolError> {
        let current = CURRENT.try_with(Clone::clone).map_err(|_| {
            ToolError::new(
                Kind::Unavailable,
                "nothing runs here that could make a call",
            )
        })?;
        if current.scope.node().is_closed() {
            return Err(ToolError::cancelled());
        }
        Ok(current)
    }

    /// A block inside this.
    ///
    /// # Errors
    /// `cancelled` when this has ended, `resource` when blocks nest too deeply.
    pub(super) fn block(&self) -> Result<Current, ToolError> {
        self.block_of(Scope::block)
    }

    /// As [`Current::block`], whose scope `open` makes.
    ///
    /// # Errors
    /// As [`Current::block`].
    pub(super) fn block_of(
        &self,
        open: impl FnOnce(&Scope) -> Result<Scope, ToolError>,
    ) -> Result<Current, ToolError> {
        if self.blocks == MAX_BLOCKS {
            let message = format!("blocks stand {MAX_BLOCKS} deep inside each other");
            return Err(ToolError::new(Kind::Resource, message).with_hint(
                "agent.all, agent.map, agent.limit or agent.transaction call themselves; break the circle",
            ));
        }
        Ok(Current {
            scope: open(&self.scope)?,
            blocks: self.blocks + 1,
            ..self.clone()
        })
    }

    /// A block inside this that acts as `caller` from here on.
    ///
    /// # Errors
    /// As [`Current::block`].
    pub(super) fn lowered(&self, caller: Caller) -> Result<Current, ToolError> {
        let block = self.block()?;
        Ok(Current {
            scope: block.scope.lowered(caller)?,
            ..block
        })
    }

    /// The same, while the body of the module `name` runs.
    pub(super) fn loading(&self, name: &str) -> Current {
        let module = Module {
            name: name.to_owned(),
            wanted_by: self.module.clone(),
        };
        Current {
            module: Some(Rc::new(module)),
            ..self.clone()
        }
    }

    /// The same, while files are loaded.
    pub(super) fn within_load(&self) -> Current {
        Current {
            is_loading: true,
            ..self.clone()
        }
    }

    /// Refuses `what` while files are loaded.
    ///
    /// # Errors
    /// `unavailable`.
    pub(super) fn refuse_if_loading(&self, what: &str) -> Result<(), ToolError> {
        if !self.is_loading {
            return Ok(());
        }
        let message = format!("{what} cannot be called while files are loaded");
        Err(ToolError::new(Kind::Unavailable, message)
            .with_hint("call it from a script, a command, or the body of a tool"))
    }

    /// The same, while a file is loaded: what it registers goes into `draft`.
    pub(super) fn drafting(&self, draft: &Rc<Draft>, voice: Voice) -> Current {
        Current {
            draft: Some(Rc::clone(draft)),
            voice: Rc::new(voice),
            ..self.clone()
        }
    }

    /// Where the file that is loaded now leaves what it registers; none where no file is.
    pub(super) fn draft(&self) -> Option<&Rc<Draft>> {
        self.draft.as_ref()
    }

    /// The same, inside of a function that may call no tool: `name` says which.
    pub(super) fn within_pure(&self, name: &str) -> Current {
        Current {
            pure: Some(name.into()),
            ..self.clone()
        }
    }

    /// Refuses `what` inside of a function that only computes.
    ///
    /// # Errors
    /// `unavailable`, with the name of the function.
    pub(super) fn refuse_if_pure(&self, what: &str) -> Result<(), ToolError> {
        let Some(name) = &self.pure else {
            return Ok(());
        };
        let message = format!("{what} cannot be called inside of {name}: it only computes");
        Err(ToolError::new(Kind::Unavailable, message)
            .with_hint("decide from what the function is given"))
    }

    /// Who speaks in it.
    pub(super) fn voice(&self) -> &Voice {
        &self.voice
    }

    /// The modules whose bodies run around this, the innermost first.
    pub(super) fn modules(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(self.module.as_deref(), |module| module.wanted_by.as_deref())
            .map(|module| module.name.as_str())
    }

    /// The scope that calls made now belong to.
    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The innermost time limit that this runs under.
    pub(super) fn clock(&self) -> Option<Rc<Clock>> {
        self.clock.clone()
    }

    /// Puts this under a time limit.
    pub(super) fn set_clock(&mut self, clock: Rc<Clock>) {
        self.clock = Some(clock);
    }

    /// `work`, polled and dropped as part of this.
    pub(super) fn around<F: Future>(self, work: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, work)
    }
}

/// Whether what runs now has been cancelled. False where nothing runs.
pub(super) fn is_cancelled() -> bool {
    CURRENT
        .try_with(|current| current.scope.node().is_closed())
        .unwrap_or(false)
}

/// Winds up the clocks of what runs now, for it takes its time.
pub(super) fn wind_clocks() {
    let clock = CURRENT.try_with(|current| current.clock.clone());
    if let Ok(Some(clock)) = clock {
        clock.wind();
    }
}

/// Where `print` goes now. None where nothing runs.
pub(super) fn voice() -> Option<Rc<Voice>> {
    CURRENT.try_with(|current| Rc::clone(&current.voice)).ok()
}
