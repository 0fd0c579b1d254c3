//! What PATH holds: test files, and the folders of tool files that belong to them. Sorted; links to folders are not followed.
//!
//! Reads names and test files, runs nothing. The tools of a test are those beside it or above it, never above PATH.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::project::Projects;
use crate::cli::session::Session;
use crate::cli::trusting::is_trusted;
use crate::error::{Error, ToolError};
use crate::layers::{self, Layer, PolicyName, Role, SourceFile, What, is_test, survey};

/// How deep folders are searched.
const DEEPEST: usize = 32;
/// How many names are looked at.
const MOST: usize = 200_000;

/// Folders that hold no tests of one's own.
const PASSED_OVER: [&str; 2] = ["node_modules", "target"];

/// What there is to run, in order.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The test files.
    pub(super) tests: Vec<TestSource>,
    /// The folders whose tools have their examples run.
    pub(super) tools: Vec<Folder>,
}

/// One test file.
#[derive(Debug)]
pub(super) struct TestSource {
    /// What messages call it.
    pub(super) shown: String,
    /// Where it is.
    pub(super) path: PathBuf,
    /// Its text, or why there is none.
    pub(super) text: Result<Vec<u8>, ToolError>,
    /// The folders whose tools it calls.
    pub(super) tools: Vec<Folder>,
}

/// A folder of tool files, and what belongs to it.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    /// What messages call it.
    pub(super) shown: String,
    /// What it holds, as it was read; or why it cannot be.
    pub(super) files: Result<Vec<SourceFile>, ToolError>,
}

impl Folder {
    /// The tools, policies and modules of `path`; of a folder `.agent` all that a session would load, by its rules.
    fn read(path: &Path, projects: &mut Projects) -> Folder {
        let shown = path.display().to_string();
        let files = match projects.sources(path) {
            Some(files) => Ok(named(files)),
            None => layers::of_folder(path, &shown).map(|files| walled(files, projects)),
        };
        Folder { shown, files }
    }

    /// The policy in the file at `path` and the modules beside it, and nothing else.
    fn of_policy(path: &Path, projects: &mut Projects) -> Folder {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let mut folder = Folder::read(folder.unwrap_or(Path::new(".")), projects);
        let is_it = |file: &SourceFile| match file.role {
            Role::Policy(name) => name == PolicyName::Permissions,
            Role::Module => true,
            Role::Init | Role::Tool => false,
        };
        if let Ok(files) = &mut folder.files {
            files.retain(is_it);
        }
        folder.shown = path.display().to_string();
        folder
    }
}

/// The files, those that lie in a folder `.agent` by its rules.
fn walled(mut files: Vec<SourceFile>, projects: &mut Projects) -> Vec<SourceFile> {
    for file in &mut files {
        if let Some(text) = projects.text(Path::new(&file.shown)) {
            file.text = text.map(Into::into);
        }
    }
    files
}

/// The same files, as what the person named on the command line.
fn named(mut files: Vec<SourceFile>) -> Vec<SourceFile> {
    for file in &mut files {
        file.layer = Layer::CommandLine;
    }
    files
}

/// Everything below `paths`; `more` are folders of tools that every test gets.
///
/// # Errors
/// Usage: a path that is not there, a file that is no test, a tree that does not end.
pub(super) fn all(paths: &[PathBuf], more: &[PathBuf]) -> Result<Found, Error> {
    let mut projects = Projects::default();
    let (mut tests, mut tools, mut policies) = Default::default();
    for path in paths {
        let meta = path.metadata().map_err(|error| unknown(&error, path))?;
        if meta.is_dir() {
            let mut walk = Walk {
                left: MOST,
                tests: &mut tests,
                tools: &mut tools,
                policies: &mut policies,
                top: path,
            };
            walk.folder(path, 0)?;
        } else if is_test_file(path) {
            let above = path.parent().unwrap_or(Path::new("")).to_owned();
            tests.insert((path.clone(), above));
        } else if is_policy(path) {
            policies.insert(path.clone());
        } else {
            return Err(Error::usage(
                format!("{} is no test file", path.display()),
                "the name of one ends in _test.lua or _spec.lua, or is permissions.lua; the examples of tools run with their folder",
            ));
        }
    }
    examined(&mut tools, &mut policies, paths, more);
    let mut read = |path: &PathBuf| Folder::read(path, &mut projects);
    let more: Vec<Folder> = more.iter().map(&mut read).collect();
    let mut found = Found::default();
    found.tools.extend(tools.iter().map(&mut read));
    let policies = policies.iter();
    let policies = policies.map(|path| Folder::of_policy(path, &mut projects));
    found.tools.extend(policies);
    let mut seen = BTreeSet::new();
    for (path, top) in tests {
        if !seen.insert(path.clone()) {
            continue;
        }
        let shown = path.display().to_string();
        let mut tools = more.clone();
        let beside = beside(&path, &top);
        tools.extend(
            beside
                .iter()
                .map(|folder| Folder::read(folder, &mut projects)),
        );
        let policies = policies_beside(&path, &top);
        tools.extend(
            policies
                .iter()
                .map(|policy| Folder::of_policy(policy, &mut projects)),
        );
        let text = projects.text(&path).unwrap_or_else(|| {
            fs::read(&path).map_err(|error| ToolError::from_io(&error, "read", &shown))
        });
        let path = std::path::absolute(&path).unwrap_or(path);
        found.tests.push(TestSource {
            shown,
            path,
            text,
            tools,
        });
    }
    Ok(found)
}

/// Adds to the folders whose examples run those of `more` that lie in one of `paths`, by whatever name; what is a
/// policy there has its cases run with the folder.
fn examined(
    tools: &mut BTreeSet<PathBuf>,
    policies: &mut BTreeSet<PathBuf>,
    paths: &[PathBuf],
    more: &[PathBuf],
) {
    let real = |path: &Path| path.canonicalize().ok();
    let tops: Vec<PathBuf> = paths.iter().filter_map(|path| real(path)).collect();
    let mut known: Vec<PathBuf> = tools.iter().filter_map(|path| real(path)).collect();
    for folder in more {
        let Some(place) = real(folder) else { continue };
        if tops.iter().any(|top| place.starts_with(top)) && !known.contains(&place) {
            known.push(place);
            tools.insert(folder.clone());
        }
    }
    let folder = |path: &Path| real(path)?.parent().map(Path::to_owned);
    policies.retain(|policy| folder(policy).is_none_or(|folder| !known.contains(&folder)));
}

/// The tests of the project that `session` stands in, with all that it loads. They are code of the project, so they wait for
/// a yes; the bytes that were accepted are the bytes that run.
///
/// # Errors
/// Usage: there are none, or what the project holds is not trusted.
pub(super) fn of_the_project(session: &Session, more: &[PathBuf]) -> Result<Found, Error> {
    let survey = survey(&session.workspace);
    let tests = survey
        .entries
        .iter()
        .filter(|entry| entry.what == What::Test);
    let mut projects = Projects::default();
    let more = more.iter().map(|path| Folder::read(path, &mut projects));
    let mut folders: Vec<Folder> = more.collect();
    folders.push(Folder {
        shown: ".agent".to_owned(),
        files: Ok(survey.sources()),
    });
    let tests: Vec<TestSource> = tests
        .map(|entry| TestSource {
            shown: entry.path.clone(),
            path: session.workspace.root.join(&entry.path),
            text: Ok(entry.bytes.to_vec()),
            tools: folders.clone(),
        })
        .collect();
    if tests.is_empty() {
        return Err(Error::usage(
            "no PATH was named, and the project has no tests of its own",
            "name a file or a folder: `agent test tests`; a project's own are .agent/**/*_test.lua",
        ));
    }
    if !is_trusted(&session.options, &survey, &session.paths)? {
        return Err(Error::usage(
            "what this project holds is not trusted, so its tests do not run by themselves",
            "look at it with `agent trust`: tests and tools are code that runs with your rights",
        ));
    }
    let tools = folders.pop().into_iter().collect();
    Ok(Found { tests, tools })
}

fn unknown(error: &io::Error, path: &Path) -> Error {
    let failed = ToolError::from_io(error, "test", &path.display().to_string());
    Error::usage(
        failed.message,
        "name a test file, or a folder that holds some",
    )
}

fn is_test_file(path: &Path) -> bool {
    is_test(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// Whether a file is the policy that has cases.
fn is_policy(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name == "permissions.lua")
}

fn is_tools(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name == "tools" || name == "tool")
}

/// The folders of tools that the test at `path` calls, the outermost first: those that stand beside it or around
/// it, up to `top`, and beside a folder `tests` that is itself `top`.
fn beside(path: &Path, top: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut look = |folder: &Path| {
        let inside = ["tools", "tool"].map(|name| folder.join(name));
        folders.extend(inside.into_iter().filter(|path| path.is_dir()));
        if is_tools(folder) {
            folders.push(folder.to_owned());
        }
    };
    let above = path.ancestors().skip(1);
    let within = above.take_while(|folder| folder.starts_with(top));
    let mut last = top;
    for folder in within {
        look(folder);
        last = folder;
    }
    if last.file_name().is_some_and(|name| name == "tests") {
        look(last.parent().unwrap_or(Path::new("")));
    }
    folders.reverse();
    folders
}

/// The policies that hold in the test at `path`: each `permissions.lua` beside it or above it, up to `top`, that lies in
/// no folder of tools; the outermost first.
fn policies_beside(path: &Path, top: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1);
    let within = above.take_while(|folder| folder.starts_with(top));
    let policies = within.filter(|folder| !is_tools(folder));
    let policies = policies.map(|folder| folder.join("permissions.lua"));
    let mut policies: Vec<PathBuf> = policies.filter(|path| path.is_file()).collect();
    policies.reverse();
    policies
}

struct Walk<'a> {
    left: usize,
    tests: &'a mut BTreeSet<(PathBuf, PathBuf)>,
    tools: &'a mut BTreeSet<PathBuf>,
    /// Policies that lie in no folder of tools.
    policies: &'a mut BTreeSet<PathBuf>,
    top: &'a Path,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), Error> {
        if is_tools(folder) {
            self.tools.insert(folder.to_owned());
        }
        let entries = fs::read_dir(folder).map_err(|error| unknown(&error, folder))?;
        for entry in entries.flatten() {
            self.left = self.left.checked_sub(1).ok_or_else(|| self.too_large())?;
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                if name.starts_with('.') || PASSED_OVER.contains(&&*name) {
                    continue;
                }
                if depth == DEEPEST {
                    return Err(self.too_large());
                }
                self.folder(&path, depth + 1)?;
            } else if is_policy(&path) && !is_tools(folder) && path.is_file() {
                self.policies.insert(path);
            } else if is_test_file(&path) && path.is_file() {
                self.tests.insert((path, self.top.to_owned()));
            }
        }
        Ok(())
    }

    fn too_large(&self) -> Error {
        Error::usage(
            format!(
                "{} holds more than {MOST} names, or folders more than {DEEPEST} deep",
                self.top.display()
            ),
            "name the folder of the tests",
        )
    }
}
