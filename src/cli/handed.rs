//! What a program of ours below a model's command gets from its caller, sealed: the rules of the command line, folders
//! of tools and policies, the mode, the profile, whose files it reads, and where home and workspace are.
//!
//! The model could have made every call itself, under the same rules, so those that allow hold here as well: they are
//! the caller's own, and no word of the model adds one. What was approved in the caller's session does not go down.
//! It comes in one variable, whose hash is part of the mark that the system hands on to every descendant. Where the
//! variable is missing or is another one, the program does not start: with less, it would do more.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::args::Options;
use super::below::PERMISSION;
use crate::error::Error;
use crate::permission::{Caller, Mode};
use crate::process::{HANDED, is_limited_otherwise, is_sealed};
use crate::store::{Paths, Workspace};
use crate::tool::{TermWords, Terms};

/// What is handed down.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Handed {
    /// Rules, as `--allow` takes them.
    allow: Vec<String>,
    /// Rules, as `--deny` takes them.
    deny: Vec<String>,
    /// What `AGENT_PERMISSION` says.
    permission: String,
    /// Folders, as `--tools` takes them.
    tools: Vec<PathBuf>,
    /// The mode that the caller was started with.
    mode: Option<String>,
    /// The profile that it was started under.
    profile: Option<String>,
    /// Whether nothing of the configuration folder is read.
    no_config: bool,
    config: PathBuf,
    state: PathBuf,
    home: Option<PathBuf>,
    /// The workspace: what rules say of its files, they say wherever a command goes.
    workspace: PathBuf,
    restricted: bool,
    /// What was laid down for the model, outermost first.
    terms: Vec<TermWords>,
}

/// Where a program works.
pub(super) struct Place {
    /// Our own folders.
    pub(super) paths: Paths,
    /// The home folder.
    pub(super) home: Option<PathBuf>,
    /// The workspace.
    pub(super) workspace: Workspace,
}

impl Place {
    /// What the caller handed down, else what is found from `cwd` and the environment.
    ///
    /// # Errors
    /// Usage, where our own folders cannot be where they are said to be; `not_found` when `cwd` is gone.
    pub(super) fn of(
        handed: Option<&Handed>,
        cwd: &Path,
        env: &BTreeMap<OsString, OsString>,
    ) -> Result<Place, Error> {
        let (home, workspace) = match handed {
            Some(handed) => (handed.home.clone(), handed.workspace()),
            None => {
                let home = env.get(OsStr::new("HOME"));
                let home = home.filter(|home| !home.is_empty()).map(PathBuf::from);
                let workspace = Workspace::find(cwd, home.as_deref())?;
                (home, workspace)
            }
        };
        Ok(Place {
            paths: Paths::of_process(cwd, &workspace)?,
            home,
            workspace,
        })
    }
}

impl Handed {
    /// What this program hands down: what was handed to it, else what it was started with.
    pub(super) fn on(
        options: &Options,
        mode: Option<Mode>,
        env: &BTreeMap<OsString, OsString>,
        place: &Place,
    ) -> Handed {
        if let Ok(Some(given)) = Handed::here(env) {
            return given;
        }
        let absolute = |folder: &PathBuf| std::path::absolute(folder).unwrap_or(folder.clone());
        let permission = env.get(OsStr::new(PERMISSION));
        Handed {
            allow: options.allow.clone(),
            deny: options.deny.clone(),
            permission: permission
                .map(|rules| rules.to_string_lossy().into_owned())
                .unwrap_or_default(),
            tools: options.tools.iter().map(absolute).collect(),
            mode: mode.map(|mode| mode.to_string()),
            profile: options.profile.clone(),
            no_config: options.no_config,
            config: place.paths.config.clone(),
            state: place.paths.state.clone(),
            home: place.home.clone(),
            workspace: place.workspace.root.clone(),
            restricted: place.workspace.restricted,
            terms: Vec::new(),
        }
    }

    /// It as the variable holds it, for what runs where `terms` were laid down.
    pub(super) fn sealed(&self, terms: &[TermWords]) -> Option<OsString> {
        let handed = Handed {
            terms: terms.to_vec(),
            ..self.clone()
        };
        serde_json::to_string(&handed).ok().map(OsString::from)
    }

    /// What was laid down for the model that the caller acts for.
    ///
    /// # Errors
    /// Usage, where it cannot be read.
    pub(super) fn terms(&self) -> Result<Option<Terms>, Error> {
        let lay = |outer: Option<Terms>, words: &TermWords| {
            Terms::new(words.clone(), Caller::User, outer.as_ref()).map(Some)
        };
        self.terms.iter().try_fold(None, lay)
    }

    /// What was handed to this program, if it runs below a model's command.
    ///
    /// # Errors
    /// Usage, where it is not what the caller handed down.
    pub(super) fn here(env: &BTreeMap<OsString, OsString>) -> Result<Option<Handed>, Error> {
        let given = env.get(OsStr::new(HANDED)).map(OsString::as_os_str);
        match is_sealed(given) {
            None => Ok(None),
            Some(true) => {
                let Some(given) = given.filter(|given| !given.is_empty()) else {
                    return Ok(None);
                };
                let read = serde_json::from_str(&given.to_string_lossy());
                read.map(Some).map_err(|_| shed())
            }
            Some(false) => Err(shed()),
        }
    }

    /// Lays it over what the words of the model say.
    ///
    /// # Errors
    /// Usage, where the program was pointed to other folders of ours than its caller's.
    pub(super) fn lay(&self, options: &mut Options, paths: &Paths) -> Result<(), Error> {
        let is_same =
            |ours: &Path, theirs: &Path| ours.to_string_lossy() == theirs.to_string_lossy();
        if !is_same(&paths.config, &self.config) || !is_same(&paths.state, &self.state) {
            return Err(shed());
        }
        options.allow.clone_from(&self.allow);
        options.deny.extend(self.deny.iter().cloned());
        options.tools.clone_from(&self.tools);
        options.no_config = self.no_config;
        Ok(())
    }

    /// The caller's workspace.
    fn workspace(&self) -> Workspace {
        Workspace {
            root: self.workspace.clone(),
            restricted: self.restricted,
        }
    }

    /// The mode that the caller was started with.
    pub(super) fn mode(&self) -> Option<Mode> {
        self.mode.as_deref().and_then(|mode| mode.parse().ok())
    }

    /// The profile that the caller was started under.
    pub(super) fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// What `AGENT_PERMISSION` said to the caller.
    pub(super) fn permission(&self) -> &str {
        &self.permission
    }
}

fn shed() -> Error {
    if is_limited_otherwise() {
        return Error::usage(
            "this process has a limit on real-time processor time that agent has not set, as a model's command has \
             that takes off the mark of who it runs for",
            "start it where `ulimit -R` says `unlimited`",
        );
    }
    Error::usage(
        format!(
            "this runs below a model's command, and what its caller handed down in {HANDED}, AGENT_CONFIG_DIR and \
             AGENT_STATE_DIR is missing or was changed"
        ),
        "leave the environment of the command as it is; what holds for the caller holds here",
    )
}
