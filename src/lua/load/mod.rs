//! Loading: the files of all layers, weakest first, become tools, hooks and policy that are swapped in as one.
//!
//! A file that is wrong is told of and takes only its own part along; what it gave when it last loaded
//! stays, and a tool of its name is disabled where it never did. Nothing weaker ever comes back by itself.

mod agents;
mod cases;
mod decide;
mod draft;
mod facts;
mod file;
mod forms;
mod models;
mod permissions;
mod policy;
mod provider;
mod redaction;
mod replacers;
mod shape;
mod space;
mod surfaces;
mod truncation;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::current::{Current, Voice};
use super::state::State;
use super::vm::Vm;
use crate::error::{Kind, ToolError};
use crate::layers::{Layer, PolicyName, Role, SourceFile};
use crate::model::Models;
use crate::permission::{Mode, Modes, Rule};
use crate::tool::{
    Classifier, Commands, Decide, Hook, Origin, Profiles, Redaction, Registry, Replacers, Scope,
    Surfaces, Tool, Truncation,
};
use file::{Part, Running};
use forms::Tools;
use policy::Policies;
use space::Space;

pub use cases::PolicyCase;
pub(super) use draft::Draft;
pub(super) use space::install;

/// What came of it: the parts of a generation.
#[derive(Clone)]
pub struct Loaded {
    /// The tools, the strongest layer's in place.
    pub tools: Registry,
    /// The hooks, in the order they run.
    pub hooks: Vec<Arc<dyn Hook>>,
    /// The commands, the strongest layer's in place.
    pub commands: Commands,
    /// What the policy files say.
    pub policy: Policed,
    /// What became of each file.
    pub report: Report,
    /// Which loading of its state this is: one with a lower number must not replace it.
    pub number: u64,
}

/// What the policy files say, all layers together.
#[derive(Clone, Default)]
pub struct Policed {
    /// The rules.
    pub rules: Vec<Rule>,
    /// The functions that decide in the place of actions, by the numbers that the rules have of them.
    pub functions: Vec<Arc<dyn Decide>>,
    /// What judges in the mode `auto` where no rule does: that of the strongest of the person's own files.
    pub classifier: Option<Arc<dyn Classifier>>,
    /// What the rules are tested with, of all layers but the shipped one.
    pub cases: Vec<PolicyCase>,
    /// The mode that the strongest of the person's own files names.
    pub mode: Option<Mode>,
    /// What a project tightens it with.
    pub tightened: Option<Modes>,
    /// Every file that names a mode, the weakest first, and the mode.
    pub modes: Vec<(Mode, String)>,
    /// How much of a result a model gets.
    pub truncation: Truncation,
    /// What a model never sees.
    pub redaction: Redaction,
    /// How an edit finds its place.
    pub replacers: Replacers,
    /// The groups of tools.
    pub surfaces: Surfaces,
    /// The profiles that calls may be made under. Functions among their rules have their numbers above.
    pub profiles: Profiles,
    /// The providers of language models.
    pub models: Models,
    /// The files that say something of a surface, a profile, or of the results of a tool, by its name there.
    pub places: BTreeMap<(PolicyName, String), Vec<String>>,
}

impl Policed {
    /// The files that say something of `name` in a policy, for a message.
    pub fn place(&self, policy: PolicyName, name: &str) -> String {
        let files = self.places.get(&(policy, name.to_owned()));
        files.map(|files| files.join(", ")).unwrap_or_default()
    }
}

/// Gets what the policy files say, and the files that are broken, before any other file runs. An error ends
/// the loading.
pub type Enforce = Box<dyn FnOnce(&Policed, &Report) -> Result<(), ToolError> + Send>;

/// What became of the files.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The tools that were loaded, in order.
    pub loaded: Vec<LoadedTool>,
    /// What did not load.
    pub problems: Vec<Problem>,
    /// Modules that have the name of a policy, and so say nothing.
    pub misplaced: Vec<String>,
}

impl Report {
    /// The policy files that did not load.
    pub fn broken_policies(&self) -> impl Iterator<Item = &Problem> {
        let is_policy = |problem: &&Problem| matches!(problem.role, Role::Policy(_));
        self.problems.iter().filter(is_policy)
    }
}

/// A tool that was loaded.
#[derive(Clone, Debug)]
pub struct LoadedTool {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Where the tool of the same id comes from that it took the place of.
    pub shadows: Option<Origin>,
}

/// A file, or a part of it, that did not load.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What the file is for.
    pub role: Role,
    /// The file.
    pub file: String,
    /// Where in it: `tools/hello.lua:3`, if that is known.
    pub position: Option<String>,
    /// What is wrong.
    pub error: ToolError,
    /// Whether what it gave when it last loaded is still there.
    pub is_kept: bool,
    /// Whether nothing of the file is there.
    pub is_lost: bool,
}

impl Problem {
    /// Where it is: the line, where that is known, else the file.
    pub fn place(&self) -> &str {
        self.position.as_deref().unwrap_or(&self.file)
    }

    /// What to do about it. No call was made, so what is said of calls does not fit.
    pub fn hint(&self) -> &str {
        const MEND: &str =
            "mend the file; it is read anew by `agent.reload()` and at the next start";
        self.error.hint.as_deref().unwrap_or(MEND)
    }
}

impl std::fmt::Display for Problem {
    /// One line for a person: place, what is wrong, what to do, what holds meanwhile.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: not loaded: {}", self.place(), self.error)?;
        write!(f, "; {}", self.hint())?;
        match self.is_kept {
            true => f.write_str("; what it gave before is still there"),
            false => Ok(()),
        }
    }
}

impl Vm {
    /// Loads `files`, weakest layer first, over the tools of `base`: first all policies, then, when `enforce`
    /// has them, what else there is. What is there now stays until the caller has put what comes of it in
    /// its place.
    ///
    /// # Errors
    /// `cancelled`, that the Lua state cannot be made, what `enforce` says. A file that is wrong is no error
    /// here: it is in the report.
    pub async fn load(
        &self,
        scope: &Scope,
        base: Registry,
        files: Vec<SourceFile>,
        enforce: Enforce,
    ) -> Result<Loaded, ToolError> {
        let voice = Voice::Log("the configuration".to_owned(), Layer::Shipped);
        let number = self.shared().loads.fetch_add(1, Ordering::Relaxed);
        self.job(scope, voice, move |state| async move {
            let loading = Loading::new(&state, base, number).run(&files, enforce);
            Current::get()?.within_load().around(loading).await
        })
        .await
    }
}

/// What each file gave when it last loaded, in their order.
pub(super) type Given = Vec<Rc<file::Part>>;

/// One loading: what has come together so far.
struct Loading {
    state: Rc<State>,
    tools: Registry,
    hooks: Vec<Arc<dyn Hook>>,
    commands: Commands,
    policies: Policies,
    report: Report,
    given: Given,
    number: u64,
}

impl Loading {
    fn new(state: &Rc<State>, base: Registry, number: u64) -> Loading {
        Loading {
            state: Rc::clone(state),
            tools: base,
            hooks: Vec::new(),
            commands: Commands::default(),
            policies: Policies::default(),
            report: Report::default(),
            given: Given::default(),
            number,
        }
    }

    async fn run(mut self, files: &[SourceFile], enforce: Enforce) -> Result<Loaded, ToolError> {
        let state = Rc::clone(&self.state);
        let told = |error: mlua::Error| state.told(&error);
        let space = Space::open(&state.lua, files).map_err(told)?;
        let misplaced = files.iter().filter(|file| is_misplaced(file));
        let misplaced = misplaced.map(|file| file.shown.clone());
        self.report.misplaced = misplaced.collect();
        let is_policy = |file: &&SourceFile| matches!(file.role, Role::Policy(_));
        for file in files.iter().filter(is_policy) {
            self.load(file, &space).await?;
        }
        let policy = self.policies.said(&state)?;
        enforce(&policy, &self.report)?;
        let is_code = |file: &&SourceFile| matches!(file.role, Role::Init | Role::Tool);
        for file in files.iter().filter(is_code) {
            self.load(file, &space).await?;
        }
        // Whoever began later has read newer files.
        if state.host.loaded.get() <= self.number {
            state.host.loaded.set(self.number);
            space.settle(&state.lua).map_err(told)?;
            *state.host.given.borrow_mut() = self.given;
        }
        Ok(Loaded {
            tools: self.tools,
            hooks: self.hooks,
            commands: self.commands,
            policy,
            report: self.report,
            number: self.number,
        })
    }

    /// Runs one file and puts in place what it gives, or what holds where it does not load.
    async fn load(&mut self, file: &SourceFile, space: &Space) -> Result<(), ToolError> {
        let taken = match self.read(file, space).await {
            Ok(part) => self.take(part),
            Err(problem) if problem.error.kind == Kind::Cancelled => return Err(problem.error),
            Err(problem) => self.fall_back(file, *problem),
        };
        taken.map_err(|error| self.state.told(&error))
    }

    /// Runs one file.
    async fn read(&mut self, file: &SourceFile, space: &Space) -> Result<Part, Box<Problem>> {
        let running = Running::new(&self.state, file, space, &self.tools);
        let mut policy = None;
        let mut found = Tools::default();
        match file.role {
            Role::Policy(name) => {
                let said = policy::read(&self.state, &running, name, file, &self.policies);
                policy = Some(said.await?);
            }
            Role::Tool => {
                found = forms::read(&self.state, &running, file, &self.tools).await?;
                // A file loads as a whole, or what it gave before stays as a whole.
                if self.last(file).is_some()
                    && let Some(problem) = found.problems.pop()
                {
                    return Err(Box::new(problem));
                }
            }
            Role::Init | Role::Module => drop(running.returned().await?),
        }
        let mut registered = running.registered();
        registered.tools.append(&mut found.tools);
        self.report.problems.append(&mut found.problems);
        Ok(Part {
            layer: file.layer,
            role: file.role,
            file: file.shown.clone(),
            tools: registered.tools,
            hooks: registered.hooks,
            commands: registered.commands,
            policy,
            text: file.text.clone().ok(),
        })
    }

    /// Puts what a file gives in its place.
    fn take(&mut self, part: impl Into<Rc<Part>>) -> mlua::Result<()> {
        let part = part.into();
        for tool in &part.tools {
            self.take_tool(&part, tool);
        }
        self.hooks.extend(part.hooks.iter().cloned());
        for command in &part.commands {
            self.commands.insert(Arc::clone(command));
        }
        self.policies.add(&self.state.lua, &part)?;
        self.given.push(part);
        Ok(())
    }

    fn take_tool(&mut self, part: &Part, tool: &Arc<dyn Tool>) {
        let id = tool.id();
        let there = self.tools.get(id).filter(|there| there.id() == id);
        if let Some(other) = there.and_then(|there| clash(part, there)) {
            let message = format!("the tool `{id}` is given by {other} too; that one stays");
            let error = ToolError::new(Kind::Conflict, message)
                .with_hint("give one of them another id, or take one file away");
            self.report.problems.push(part.problem(error));
            return;
        }
        let shadows = self.tools.insert(Arc::clone(tool));
        let is_there = tool.usable().is_ok();
        self.report.loaded.extend(is_there.then(|| LoadedTool {
            id: id.to_owned(),
            file: part.file.clone(),
            shadows: shadows.map(|tool| tool.origin().clone()),
        }));
    }

    /// What a file gave when it last loaded.
    fn last(&self, file: &SourceFile) -> Option<Rc<Part>> {
        let is_same = |part: &&Rc<Part>| part.layer == file.layer && part.file == file.shown;
        self.state.host.given.borrow().iter().find(is_same).cloned()
    }

    /// What holds for a file that does not load: what it gave when it last did, else a disabled tool.
    fn fall_back(&mut self, file: &SourceFile, mut problem: Problem) -> mlua::Result<()> {
        let last = self.last(file);
        problem.is_kept = last.is_some();
        problem.is_lost = last.is_none();
        let disabled = match file.role {
            Role::Tool => Some(forms::disabled(file, file.name.clone(), &problem)),
            _ => None,
        };
        self.report.problems.push(problem);
        match last {
            Some(part) => self.take(part),
            None => {
                self.tools.extend(disabled);
                Ok(())
            }
        }
    }
}

/// Whether a module of the person's or the project's would be a policy in another folder.
fn is_misplaced(file: &SourceFile) -> bool {
    let named = PolicyName::named(&file.name);
    file.role == Role::Module && file.layer != Layer::Shipped && named.is_some()
}

/// The file of the same folder that gives the tool `there` already.
fn clash<'a>(part: &Part, there: &'a Arc<dyn Tool>) -> Option<&'a str> {
    let Origin::File(layer, file) = there.origin() else {
        return None;
    };
    let folder = |file: &str| file.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let is_beside = *layer == part.layer && folder(file) == folder(&part.file);
    is_beside.then_some(file.as_str())
}
