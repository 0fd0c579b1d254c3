//! Where configuration and state lie. Looking creates nothing; a folder is made when it is first used.
//!
//! A folder that the environment names is taken only if it is ours and outside the workspace: a
//! cloned repository must not be able to supply either.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{Workspace, private, real_path};
use crate::error::{Error, ToolError};

/// The folders of the program's own files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// What the person writes: `init.lua`, `tools/`, `lua/`, `scripts/`.
    pub config: PathBuf,
    /// What the program writes.
    pub state: PathBuf,
}

/// A folder below the state folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// One file per session.
    Sessions,
    /// Blobs, spills, locks.
    Store,
    /// What the person trusts, by content.
    Trust,
    /// Approvals that outlive a session.
    Approvals,
    /// The audit log.
    Audit,
    /// `store/locks`: one lock file per changed file.
    Locks,
}

impl Room {
    fn as_str(self) -> &'static str {
        match self {
            Room::Sessions => "sessions",
            Room::Store => "store",
            Room::Trust => "trust",
            Room::Approvals => "approvals",
            Room::Audit => "audit",
            Room::Locks => "store/locks",
        }
    }
}

impl Paths {
    /// The folders as they are named here, without any check.
    pub fn at(config: impl Into<PathBuf>, state: impl Into<PathBuf>) -> Paths {
        Paths {
            config: config.into(),
            state: state.into(),
        }
    }

    /// The folders of this process: the environment's, else those of the XDG directories.
    ///
    /// # Errors
    /// As [`Paths::find`].
    pub fn of_process(cwd: &Path, workspace: &Workspace) -> Result<Paths, Error> {
        Paths::find(&|name| std::env::var_os(name), &standard, cwd, workspace)
    }

    /// `AGENT_CONFIG_DIR` and `AGENT_STATE_DIR` from `env` (the folders themselves; relative ones are
    /// taken from `cwd`), else what `standard` says.
    ///
    /// # Errors
    /// Wrong usage if one of the variables, or of those of the XDG directories, names a place inside the workspace,
    /// a file, or a folder of another owner, or if there is neither a variable nor a home folder.
    pub fn find(
        env: &dyn Fn(&str) -> Option<OsString>,
        standard: &dyn Fn() -> Option<Paths>,
        cwd: &Path,
        workspace: &Workspace,
    ) -> Result<Paths, Error> {
        let named = |variable| {
            env(variable)
                .filter(|value| !value.is_empty())
                .map(|value| checked(variable, &cwd.join(value), workspace))
                .transpose()
        };
        let (config, state) = (named("AGENT_CONFIG_DIR")?, named("AGENT_STATE_DIR")?);
        if let (Some(config), Some(state)) = (&config, &state) {
            return Ok(Paths::at(config, state));
        }
        let Some(standard) = standard() else {
            return Err(Error::usage(
                "there is no home folder to keep configuration and state in",
                "set HOME, or both AGENT_CONFIG_DIR and AGENT_STATE_DIR",
            ));
        };
        // The standard places are the environment's, too, where it says so.
        let or_standard = |own: Option<PathBuf>, variable: &str, folder: PathBuf| match own {
            Some(own) => Ok(own),
            None if env(variable).is_some_and(|value| !value.is_empty()) => {
                checked(variable, &folder, workspace)
            }
            None => Ok(folder),
        };
        Ok(Paths {
            config: or_standard(config, "XDG_CONFIG_HOME", standard.config)?,
            state: or_standard(state, "XDG_STATE_HOME", standard.state)?,
        })
    }

    /// Where this part of the state lies. Creates nothing.
    pub fn room(&self, room: Room) -> PathBuf {
        self.state.join(room.as_str())
    }

    /// The same folder, made if it is missing, for its owner alone.
    ///
    /// # Errors
    /// `resource` when the system refuses.
    pub fn make(&self, room: Room) -> Result<PathBuf, ToolError> {
        let folder = self.room(room);
        private::make_folder(&folder)?;
        Ok(folder)
    }
}

/// `<xdg config>/agent` and `<xdg state>/agent`.
fn standard() -> Option<Paths> {
    let project = directories::ProjectDirs::from("", "", "agent")?;
    Some(Paths::at(project.config_dir(), project.state_dir()?))
}

/// `folder` as the variable named it, if it may be used.
fn checked(variable: &str, folder: &Path, workspace: &Workspace) -> Result<PathBuf, Error> {
    let refuse = |why: &str, hint: &str| Err(Error::usage(format!("{variable} {why}"), hint));
    let Ok((real, _)) = real_path(folder, true) else {
        return refuse("names a circle of links", "name a folder");
    };
    if !workspace.restricted && real.starts_with(&workspace.root) {
        return refuse(
            "names a folder inside the workspace",
            "choose one outside: what lies in the workspace is not the person's own",
        );
    }
    match folder.metadata() {
        Ok(found) if !found.is_dir() => refuse("names a file", "name a folder"),
        Ok(found) if found.uid() != rustix::process::geteuid().as_raw() => refuse(
            "names a folder that belongs to somebody else",
            "choose one of your own",
        ),
        _ => Ok(folder.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::error::Exit;

    /// A home with a workspace `w` in it.
    fn tree() -> (tempfile::TempDir, Workspace) {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().canonicalize().unwrap().join("w");
        fs::create_dir_all(root.join(".git")).unwrap();
        let restricted = false;
        (home, Workspace { root, restricted })
    }

    fn find(workspace: &Workspace, variables: &[(&str, &Path)]) -> Result<Paths, Error> {
        let env = |name: &str| {
            let found = variables.iter().find(|(variable, _)| *variable == name)?;
            Some(found.1.into())
        };
        let standard = || Some(Paths::at("/xdg/config/agent", "/xdg/state/agent"));
        Paths::find(&env, &standard, &workspace.root, workspace)
    }

    #[test]
    fn takes_what_the_environment_names_else_the_standard_places() {
        let (home, workspace) = tree();
        let named = home.path().join("mine");
        let paths = find(&workspace, &[("AGENT_STATE_DIR", &named)]).unwrap();
        assert_eq!(paths, Paths::at("/xdg/config/agent", &named));
        let paths = find(&workspace, &[("AGENT_CONFIG_DIR", Path::new(""))]).unwrap();
        assert_eq!(paths, Paths::at("/xdg/config/agent", "/xdg/state/agent"));
        assert!(!named.exists(), "looking creates nothing");
    }

    #[test]
    fn refuses_a_folder_inside_the_workspace_however_it_is_written() {
        let (home, workspace) = tree();
        symlink(&workspace.root, home.path().join("link")).unwrap();
        symlink("w/not/yet", home.path().join("dangling")).unwrap();
        for named in [
            workspace.root.clone(),
            workspace.root.join("not/yet"),
            home.path().join("link/state"),
            home.path().join("dangling"),
            home.path().join("dangling/state"),
            home.path().join("x/../w/state"),
            PathBuf::from("state"),
        ] {
            let error = find(&workspace, &[("AGENT_STATE_DIR", &named)]).unwrap_err();
            assert_eq!(error.exit(), Exit::Usage, "{}", named.display());
        }
        let beside = home.path().join("w2");
        assert!(find(&workspace, &[("AGENT_STATE_DIR", &beside)]).is_ok());
        let restricted = Workspace {
            root: home.path().canonicalize().unwrap(),
            restricted: true,
        };
        assert!(find(&restricted, &[("AGENT_STATE_DIR", &beside)]).is_ok());
    }

    #[test]
    fn the_standard_places_may_not_lie_in_the_workspace_either() {
        let (home, workspace) = tree();
        let inside = workspace.root.join("cfg");
        let at = Paths::at(inside.join("agent"), home.path().join("state/agent"));
        let find = |variable: &'static str, restricted: bool| {
            let set = inside.clone();
            let env = move |name: &str| (name == variable).then(|| set.clone().into());
            let root = workspace.root.clone();
            let workspace = Workspace { root, restricted };
            Paths::find(&env, &|| Some(at.clone()), &workspace.root, &workspace)
        };
        let error = find("XDG_CONFIG_HOME", false).unwrap_err();
        assert!(error.to_string().contains("XDG_CONFIG_HOME"), "{error}");
        assert_eq!(find("XDG_CONFIG_HOME", true).unwrap(), at);
        // What no variable named is where the home folder is.
        assert_eq!(find("XDG_STATE_HOME", false).unwrap(), at);
    }

    #[test]
    fn refuses_a_file_and_a_folder_of_another_owner() {
        let (home, workspace) = tree();
        let file = home.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(find(&workspace, &[("AGENT_CONFIG_DIR", &file)]).is_err());
        let other = if rustix::process::geteuid().is_root() {
            let theirs = home.path().join("theirs");
            fs::create_dir(&theirs).unwrap();
            std::os::unix::fs::chown(&theirs, Some(12345), None).unwrap();
            theirs
        } else {
            PathBuf::from("/usr")
        };
        let error = find(&workspace, &[("AGENT_CONFIG_DIR", &other)]).unwrap_err();
        assert!(error.to_string().contains("AGENT_CONFIG_DIR"), "{error}");
        assert_eq!(error.exit(), Exit::Usage);
    }

    #[test]
    fn without_a_home_both_variables_are_needed() {
        let (home, workspace) = tree();
        let mine = home.path().join("mine");
        let one = |name: &str| (name == "AGENT_STATE_DIR").then(|| mine.clone().into());
        let both = |_: &str| Some(mine.clone().into());
        let cwd = workspace.root.clone();
        assert!(Paths::find(&one, &|| None, &cwd, &workspace).is_err());
        assert!(Paths::find(&both, &|| None, &cwd, &workspace).is_ok());
    }

    #[test]
    fn makes_a_folder_for_its_owner_alone() {
        let (home, _) = tree();
        let paths = Paths::at(home.path().join("config"), home.path().join("a/state"));
        for room in [Room::Locks, Room::Sessions, Room::Sessions] {
            let folder = paths.make(room).unwrap();
            let mode = fs::metadata(&folder).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
            assert_eq!(folder, paths.room(room));
        }
    }
}
