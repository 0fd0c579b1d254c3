//! Loading what the layers hold, at the start and again on demand: files in, one generation out.
//!
//! Nothing of the old generation goes before the new one is whole. At the start a policy file that does not
//! load ends the program; later, what it said before goes on to hold.

mod guarding;
mod idle;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::args::Options;
use super::marking::Marking;
use super::mode::Chosen;
use super::slips;
use super::trusting::Project;
use crate::error::{Error, Kind, ToolError};
use crate::gate::{Dispatch, Rules, aliases, known_rules, resolve_aliases};
use crate::layers::{self, Instructions, Layer, SourceFile, Sources};
use crate::lua::{Enforce, Loaded, Policed, Report, Vm};
use crate::permission::{Rule, Source};
use crate::store::Paths;
use crate::tool::{Generation, Level, Scope};

/// What a session loads, and where it puts it.
pub(super) struct Loading {
    pub(super) options: Options,
    pub(super) paths: Paths,
    /// What the project holds, as it was accepted.
    pub(super) project: Project,
    /// The watch over what models change of it, where there is one.
    pub(super) marking: Option<Arc<Marking>>,
    /// What the workspace's instruction files said at the start.
    pub(super) instructions: Instructions,
    /// The rules of the command line, the environment and the instructions, and the places they depend on.
    pub(super) base: Mutex<Rules>,
    /// What was said of the mode at the start.
    pub(super) mode: Chosen,
    pub(super) dispatch: Weak<Dispatch>,
    /// Why no model may act, where a file that may hold hooks did not load.
    pub(super) unguarded: Mutex<Option<Error>>,
    /// The number of the newest loading that is in place.
    pub(super) newest: AtomicU64,
}

impl Loading {
    /// Loads everything for the first time. The policies are in force before any other file runs.
    ///
    /// # Errors
    /// Usage: a policy file that does not load, a rule that names nothing, a folder that is not there; for a
    /// model, a file that may hold hooks and does not load.
    pub(super) async fn start(&self, vm: &Vm, scope: &Scope) -> Result<(), Error> {
        match self.options.bare {
            true => Ok(()),
            false => self.first(vm, scope).await.map(drop),
        }
    }

    /// The same, whoever wants it; what did not load.
    ///
    /// # Errors
    /// Those of [`Loading::start`].
    pub(super) async fn first(&self, vm: &Vm, scope: &Scope) -> Result<Report, Error> {
        let dispatch = self.dispatch()?;
        let sink = Arc::clone(&dispatch.services().sink);
        for line in &self.instructions.warnings {
            sink.log(Level::Warn, line.clone());
        }
        for line in &self.instructions.notes {
            sink.log(Level::Debug, line.clone());
        }
        if let Some(line) = self.project.decide()? {
            sink.log(Level::Warn, line);
        }
        let (base, mode) = (self.base(), self.mode);
        let profile = self.options.profile.clone();
        let enforce: Enforce = Box::new(move |policy, report| {
            dispatch.update(|generation| govern(generation, &base, mode, policy));
            is_there(profile.as_deref(), policy)?;
            match report.broken_policies().next() {
                None => Ok(()),
                Some(broken) => {
                    let (place, error) = (broken.place(), &broken.error);
                    let message = format!("a policy does not load: {place}: {error}");
                    let hint = guarding::without_it(broken);
                    Err(ToolError::new(Kind::Failed, message).with_hint(hint))
                }
            }
        });
        let files = self.files()?;
        let guards = guarding::guards(&files);
        let broken = |error: ToolError| match error.kind {
            Kind::Failed => {
                let hint = error.hint().to_owned();
                Error::usage(error.message, hint)
            }
            _ => Error::Tool(error),
        };
        let loaded = vm
            .load(scope, crate::tools::shipped(), files, enforce)
            .await;
        let loaded = loaded.map_err(broken)?;
        self.complain(&loaded.report)?;
        self.tell_of_idle(&loaded)?;
        self.check_rules(&loaded)?;
        let lost = self.note_hooks(&loaded.report, &guards);
        if let Some(lost) = lost.filter(|_| self.options.a_model_acts()) {
            return Err(lost);
        }
        let report = loaded.report.clone();
        self.put_in_place(loaded)?;
        Ok(report)
    }

    /// Loads everything anew. Calls that run end with what they began with.
    ///
    /// # Errors
    /// A folder that is not there any more; `cancelled`; `unavailable` when the session is over.
    pub(super) async fn again(
        self: &Arc<Self>,
        vm: &Vm,
        scope: &Scope,
    ) -> Result<Report, ToolError> {
        let this = Arc::clone(self);
        let reading = tokio::task::spawn_blocking(move || {
            let warnings = this.instruct(&this.project.instructions());
            let lines = warnings.into_iter().chain(this.project.decide_again());
            (lines.collect::<Vec<String>>(), this.files())
        });
        let read = reading.await;
        let (lines, files) = read.map_err(|error| ToolError::internal(error.to_string()))?;
        for line in lines {
            self.dispatch()?.services().sink.log(Level::Warn, line);
        }
        let files = files.map_err(|error| match error {
            Error::Tool(error) => error,
            error => ToolError::new(Kind::Failed, error.to_string()),
        })?;
        let enforce = Box::new(|_: &Policed, _: &Report| Ok(()));
        let guards = guarding::guards(&files);
        let loaded = vm
            .load(scope, crate::tools::shipped(), files, enforce)
            .await?;
        self.note_hooks(&loaded.report, &guards);
        self.complain(&loaded.report)?;
        self.tell_of_idle(&loaded)?;
        let report = loaded.report.clone();
        self.put_in_place(loaded)?;
        Ok(report)
    }

    /// Ends what was watched.
    ///
    /// # Errors
    /// `resource` when what a model changed cannot be recorded.
    pub(super) fn finish(&self) -> Result<(), ToolError> {
        self.marking
            .as_ref()
            .map_or(Ok(()), |marking| marking.finish())
    }

    fn dispatch(&self) -> Result<Arc<Dispatch>, ToolError> {
        self.dispatch.upgrade().ok_or_else(|| {
            ToolError::new(
                Kind::Unavailable,
                "the session has ended; nothing is loaded",
            )
        })
    }

    /// The files of all layers, weakest first.
    fn files(&self) -> Result<Vec<SourceFile>, Error> {
        let mut files = layers::shipped();
        if !self.options.no_config {
            let config = &self.paths.config;
            let shown = self.dispatch()?.services().files.name(config);
            files.extend(layers::of_user(config, &shown));
        }
        files.extend(self.project.files());
        for folder in &self.options.tools {
            files.extend(of_folder(folder)?);
        }
        Ok(Sources::of(files).files)
    }

    /// Whether a script may have a model act: not without the project's policy, nor a file that may hold hooks.
    ///
    /// # Errors
    /// `argument`, as a command in which a model acts says it.
    pub(super) fn lets_a_model_act(&self) -> Result<(), ToolError> {
        let unguarded = self.unguarded().clone();
        let guarded = self.project.is_guarded();
        let guarded = guarded.and(unguarded.map_or(Ok(()), Err));
        guarded.map_err(Error::into_tool_error)
    }

    /// The rules that hold whatever the files of the layers say.
    pub(super) fn base(&self) -> Rules {
        self.base
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Puts the rules of the instruction files, read anew, in the place of those before. Where some of what
    /// is written does not hold, what held before holds too. What there is to warn about.
    fn instruct(&self, now: &Instructions) -> Vec<String> {
        let mut base = self.base.lock().unwrap_or_else(PoisonError::into_inner);
        if now.warnings.is_empty() {
            let is_old = |rule: &Rule| rule.source == Source::ProjectInstructions;
            base.rules.retain(|rule| !is_old(rule));
        }
        for rule in &now.rules {
            if !base.rules.contains(rule) {
                base.rules.push(rule.clone());
            }
        }
        let files = now.files.iter();
        let files = files.map(|file| file.to_string_lossy().into_owned());
        base.bounds.instructions = files.collect();
        now.warnings.clone()
    }

    /// Tells of what did not load.
    fn complain(&self, report: &Report) -> Result<(), ToolError> {
        let dispatch = self.dispatch()?;
        for problem in &report.problems {
            let line = problem.to_string();
            dispatch.services().sink.log(Level::Warn, line);
        }
        for file in &report.misplaced {
            let line = format!(
                "{file} is a module, and has the name of a policy; a policy lies in `tools/`"
            );
            dispatch.services().sink.log(Level::Warn, line);
        }
        Ok(())
    }

    /// Swaps in what was loaded, unless something newer is in place already.
    fn put_in_place(&self, loaded: Loaded) -> Result<(), ToolError> {
        self.dispatch()?.update(|generation| {
            // Under the same lock as the swap: two that end together keep their order.
            if self.newest.fetch_max(loaded.number, Ordering::Relaxed) <= loaded.number {
                install(generation, &self.base(), self.mode, loaded, &self.marking);
            }
        });
        Ok(())
    }

    /// Tells of what policies say about things that are not there.
    fn tell_of_idle(&self, loaded: &Loaded) -> Result<(), ToolError> {
        let sink = Arc::clone(&self.dispatch()?.services().sink);
        for line in idle::lines(&self.instructions.rules, loaded) {
            sink.log(Level::Warn, line);
        }
        Ok(())
    }

    /// Tells of rules that hardly say what was meant.
    fn tell_of_slips(&self, typed: &[Rule], loaded: &Loaded) -> Result<(), Error> {
        let dispatch = self.dispatch()?;
        let services = dispatch.services();
        let written = loaded.policy.rules.iter().chain(&self.instructions.rules);
        for (rules, level) in [
            (typed.iter().collect::<Vec<_>>(), Level::Warn),
            (written.collect(), Level::Debug),
        ] {
            slips::tell(rules.into_iter(), &services.files, &*services.sink, level);
        }
        Ok(())
    }

    /// Notes whether all files that may hold hooks are there: one that is not may have been the one that says no.
    /// Why no model may act then.
    fn note_hooks(&self, report: &Report, guards: &[String]) -> Option<Error> {
        let lost = guarding::lost(report, guards);
        self.unguarded().clone_from(&lost);
        lost
    }

    fn unguarded(&self) -> MutexGuard<'_, Option<Error>> {
        self.unguarded
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether each rule of the command line names something that is there.
    fn check_rules(&self, loaded: &Loaded) -> Result<(), Error> {
        let rules = self.base().rules;
        let rules: Vec<Rule> = rules.into_iter().filter(slips::is_typed).collect();
        known_rules(&rules, &loaded.tools, &loaded.policy.surfaces, "--")?;
        self.tell_of_slips(&rules, loaded)
    }
}

/// Whether there is the profile that was named where the program was started.
///
/// # Errors
/// `failed`, with the nearest name.
pub(super) fn is_there(profile: Option<&str>, policy: &Policed) -> Result<(), ToolError> {
    let found = profile.map_or(Ok(()), |name| policy.profiles.find(name).map(drop));
    found.map_err(|error| {
        let message = format!("--profile: {}", error.message);
        ToolError {
            kind: Kind::Failed,
            message,
            ..error
        }
    })
}

/// Puts what was loaded in the place of what was loaded before; what the running script has registered
/// stays. The hooks of `marking` come first.
pub(super) fn install(
    generation: &mut Generation,
    base: &Rules,
    mode: Chosen,
    loaded: Loaded,
    marking: &Option<Arc<Marking>>,
) {
    let scripts = generation.tools.iter();
    let scripts = scripts.filter(|tool| tool.origin().layer() == Layer::Script);
    let mut tools = loaded.tools;
    tools.extend(scripts.cloned());
    let hooks = std::mem::take(&mut generation.hooks).into_iter();
    let scripts = hooks.filter(|hook| hook.layer() == Layer::Script);
    let watch = marking.iter().flat_map(Marking::hooks);
    generation.hooks = watch.chain(loaded.hooks).chain(scripts).collect();
    generation.tools = tools;
    let scripts = std::mem::replace(&mut generation.commands, loaded.commands);
    let scripts = scripts.iter();
    let scripts = scripts.filter(|one| one.spec().origin.layer() == Layer::Script);
    scripts.for_each(|one| drop(generation.commands.insert(Arc::clone(one))));
    govern(generation, base, mode, &loaded.policy);
}

/// Puts `policy`, and the rules of `base` over it, in force.
pub(super) fn govern(generation: &mut Generation, base: &Rules, mode: Chosen, policy: &Policed) {
    let mut rules = base.clone();
    rules.modes = mode.over(policy);
    rules.fixed = mode.fixed(policy);
    rules.modes_said = mode.said(policy);
    rules.functions = policy.functions.clone();
    rules.classifier = policy.classifier.clone();
    rules.rules.splice(0..0, policy.rules.iter().cloned());
    rules.limits = policy.surfaces.limits();
    rules.aliases = Arc::new(aliases(&generation.tools));
    resolve_aliases(&mut rules.rules, &rules.aliases);
    rules.profiles = policy.profiles.rules();
    for own in rules.profiles.values_mut() {
        resolve_aliases(own, &rules.aliases);
    }
    generation.policy = Arc::new(rules);
    generation.truncation = policy.truncation.clone();
    generation.redaction = policy.redaction.clone();
    generation.replacers = policy.replacers.clone();
    generation.surfaces = policy.surfaces.clone();
    generation.models = policy.models.clone();
    generation.profiles = policy.profiles.clone();
}

fn of_folder(folder: &Path) -> Result<Vec<SourceFile>, Error> {
    let files = layers::of_folder(folder, &folder.display().to_string());
    files.map_err(|error| Error::usage(error.message, "name a folder of Lua files after --tools"))
}
