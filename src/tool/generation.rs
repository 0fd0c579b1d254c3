//! Tools, hooks and policy as one snapshot. A call takes it once and ends with what it began with.
//!
//! Names lead to tools, never to code: there is no way around the door from here.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{
    Commands, Hook, Origin, Plan, Point, Profiles, Redaction, Replacers, Scope, Surfaces, Terms,
    Tool, Truncation,
};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::model::Models;
use crate::permission::{Caller, Effect, Group, Mode, Modes, Rule, Subject, Verdict};
use crate::text::{nearest, offer};

/// What dispatch holds: swapped as one, so that a reload is atomic.
#[derive(Clone)]
pub struct Generation {
    /// The tools by id and alias.
    pub tools: Registry,
    /// The hooks, in the order they run: [`Generation::add_hook`] keeps it.
    pub hooks: Vec<Arc<dyn Hook>>,
    /// What judges a planned call.
    pub policy: Arc<dyn Policy>,
    /// The commands that a person runs by name.
    pub commands: Commands,
    /// How much of a result a model gets.
    pub truncation: Truncation,
    /// What a model never sees.
    pub redaction: Redaction,
    /// How an edit finds its place.
    pub replacers: Replacers,
    /// The groups of tools, and which of them are there.
    pub surfaces: Surfaces,
    /// The profiles that calls may be made under.
    pub profiles: Profiles,
    /// The providers of language models, and which model is meant where none is named.
    pub models: Models,
}

impl Generation {
    /// These tools under this policy; nothing else is said.
    pub fn new(tools: Registry, policy: Arc<dyn Policy>) -> Generation {
        Generation {
            tools,
            hooks: Vec::new(),
            policy,
            truncation: Truncation::default(),
            redaction: Redaction::default(),
            replacers: Replacers::default(),
            surfaces: Surfaces::default(),
            profiles: Profiles::default(),
            models: Models::default(),
            commands: Commands::default(),
        }
    }

    /// Adds a hook: behind those of its own layer and of weaker ones, before those of stronger ones.
    pub fn add_hook(&mut self, hook: Arc<dyn Hook>) {
        let layer = hook.layer();
        let place = self.hooks.partition_point(|other| other.layer() <= layer);
        self.hooks.insert(place, hook);
    }

    /// Takes the hook `id` off. Calls that are open still meet it.
    pub fn remove_hook(&mut self, id: u64) {
        self.hooks.retain(|hook| hook.id() != id);
    }

    /// The name of the surface that a tool belongs to.
    pub fn surface_of<'a>(&'a self, tool: &'a dyn Tool) -> &'a str {
        self.surfaces.name_of(tool.spec())
    }

    /// The rule that denies `tool` in `scope`, whatever it is called with.
    pub fn denied(&self, scope: &Scope, tool: &dyn Tool) -> Option<Rule> {
        let spec = tool.spec();
        let own = self.surfaces.name_of(spec);
        let [kind, declared] = [own, &spec.surface].map(|name| format!("{name}.{}", spec.effect));
        let mut names = vec![tool.id()];
        // A command that only reads is not denied with those that do more.
        let is_steady = tool.is_steady() && spec.effect != Effect::Run;
        if is_steady {
            names.extend([kind.as_str(), declared.as_str()]);
        }
        let is_shipped = spec.origin.layer() == Layer::Shipped;
        let group = match (is_shipped, spec.surface.as_str(), spec.effect) {
            (true, "file", Effect::Read) => Some(Group::Read),
            (true, "file", Effect::Write) => Some(Group::Edit),
            (_, _, Effect::Network) if is_steady => Some(Group::Network),
            _ => None,
        };
        names.extend(group.as_ref().map(Group::as_str));
        self.policy.denies(scope, &names)
    }

    /// The hooks at `point`, in the order they run.
    pub fn hooks_at(&self, point: Point) -> impl Iterator<Item = &Arc<dyn Hook>> {
        self.hooks.iter().filter(move |hook| hook.point() == point)
    }
}

/// The tools, in the order they are listed, and the names they answer to.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Vec<Arc<dyn Tool>>,
    names: BTreeMap<String, usize>,
    /// Those whose place another of the same id has taken, by id, weakest first.
    beneath: BTreeMap<String, Vec<Arc<dyn Tool>>>,
}

impl Registry {
    /// Adds a tool, or puts it in the place of the one with the same id, which is returned.
    pub fn insert(&mut self, tool: Arc<dyn Tool>) -> Option<Arc<dyn Tool>> {
        let id = tool.id().to_owned();
        let known = self
            .names
            .get(&id)
            .copied()
            .filter(|&at| self.tools[at].id() == id);
        let (at, shadowed) = match known {
            Some(at) => {
                let shadowed = std::mem::replace(&mut self.tools[at], tool);
                // Who defines a tool again means the new one alone.
                if shadowed.origin() != self.tools[at].origin() {
                    let beneath = self.beneath.entry(id.clone()).or_default();
                    beneath.push(Arc::clone(&shadowed));
                }
                (at, Some(shadowed))
            }
            None => {
                self.tools.push(tool);
                (self.tools.len() - 1, None)
            }
        };
        for alias in self.tools[at].aliases() {
            self.names.entry(alias.to_owned()).or_insert(at);
        }
        self.names.insert(id, at);
        shadowed
    }

    /// Where the tools came from whose place the one called `id` has taken, the last one first.
    pub fn shadowed_by(&self, id: &str) -> impl Iterator<Item = &Origin> {
        let beneath = self.beneath.get(id).into_iter().flatten().rev();
        beneath.map(|tool| tool.origin())
    }

    /// The usable tool called `id` that one from `origin` takes, or has taken, the place of.
    pub fn beneath(&self, id: &str, origin: &Origin) -> Option<&Arc<dyn Tool>> {
        let there = self.get(id).filter(|tool| tool.id() == id);
        let beneath = self.beneath.get(id).into_iter().flatten().rev();
        let mut all = there.into_iter().chain(beneath);
        all.find(|tool| tool.origin() != origin && tool.usable().is_ok())
    }

    /// The tool that answers to `name`, by id or alias.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.names.get(name).map(|&at| &self.tools[at])
    }

    /// The tool that answers to `name`.
    ///
    /// # Errors
    /// `not_found` with the nearest name and the list of what is there.
    pub fn find(&self, name: &str) -> Result<&Arc<dyn Tool>, ToolError> {
        self.get(name).ok_or_else(|| {
            let near = nearest(name, self.names.keys().map(String::as_str));
            let near = near.and_then(|near| self.get(near)).map(|tool| tool.id());
            let ids: Vec<&str> = self.listed().map(|tool| tool.id()).collect();
            let list = format!("the tools are: {}", ids.join(", "));
            ToolError::unknown(Kind::NotFound, "tool", name, near, &list)
        })
    }

    /// The shipped tool that answers to `name`, whatever has taken its place since.
    ///
    /// # Errors
    /// `not_found` with the nearest name and the list of what is there.
    pub fn find_shipped(&self, name: &str) -> Result<&Arc<dyn Tool>, ToolError> {
        let beneath = self.get(name).map(|tool| tool.id());
        let beneath = beneath.and_then(|id| self.beneath.get(id));
        let mut all = beneath.into_iter().flatten().chain(self.get(name));
        let shipped = all.find(|tool| *tool.origin() == Origin::Shipped);
        shipped.ok_or_else(|| {
            let beneath = self.beneath.values().flatten();
            let shipped = beneath
                .chain(&self.tools)
                .filter(|tool| *tool.origin() == Origin::Shipped && tool.is_listed());
            let mut ids: Vec<&str> = shipped.map(|tool| tool.id()).collect();
            ids.sort_unstable();
            ToolError::not_found(format!("there is no shipped tool `{name}`")).with_hint(offer(
                name,
                "shipped tools",
                ids,
            ))
        })
    }

    /// The other names tools answer to, each with the id it leads to.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        let named = self.names.iter();
        named
            .map(|(name, &at)| (name.as_str(), self.tools[at].id()))
            .filter(|(name, id)| name != id)
    }

    /// Puts `change` of every definition of the tool `id` in its place: of the one that is in place, and of
    /// those whose place it has taken.
    pub fn change(&mut self, id: &str, change: impl Fn(&Arc<dyn Tool>) -> Arc<dyn Tool>) {
        let beneath = self.beneath.get_mut(id).into_iter().flatten();
        let in_place = self.tools.iter_mut().filter(|tool| tool.id() == id);
        for tool in beneath.chain(in_place) {
            *tool = change(tool);
        }
    }

    /// Adds several tools, as [`Registry::insert`] does one.
    pub fn extend(&mut self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) {
        for tool in tools {
            self.insert(tool);
        }
    }

    /// Those tools, in order, that lists name.
    pub fn listed(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.iter().filter(|tool| tool.is_listed())
    }

    /// The tools, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.iter()
    }
}

/// What a policy judges: one planned call.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The tool's id.
    pub tool: &'a str,
    /// The surface it belongs to.
    pub surface: &'a str,
    /// The surface that it names itself.
    pub declared: &'a str,
    /// What it would do.
    pub plan: &'a Plan,
    /// On whose behalf.
    pub caller: Caller,
    /// The profile that it is made under.
    pub profile: Option<&'a str>,
    /// What was laid down for the model that makes it.
    pub terms: Option<&'a Terms>,
    /// Whether the session is planning.
    pub is_planning: bool,
    /// The arguments, decoded.
    pub args: &'a Data,
    /// What the person approved beside the rules of the policy.
    pub approved: &'a [Rule],
    /// Why no classifier is asked about it, where that is so.
    pub unclassified: Option<&'a str>,
}

/// What decides whether a planned call may run.
pub trait Policy: Send + Sync {
    /// The verdict, with its trace. Changes nothing and asks nobody.
    fn judge<'a>(&'a self, scope: &'a Scope, facts: &'a Facts<'a>) -> BoxFuture<'a, Verdict>;

    /// The rules it judges by, of all sources. Within one source their order counts.
    fn rules(&self) -> &[Rule] {
        &[]
    }

    /// The modes it judges in.
    fn modes(&self) -> Modes {
        Modes::default()
    }

    /// Who names which mode, the weakest first: a file, an option, a variable. Not all need hold.
    fn modes_said(&self) -> &[(Mode, String)] {
        &[]
    }

    /// The narrowest rules that would allow a call which is asked about, as `--allow` takes them. Empty
    /// where no narrow rule would.
    fn lifting(&self, facts: &Facts<'_>) -> Vec<String> {
        let _ = facts;
        Vec::new()
    }

    /// The rules that a yes for good to a call would be which is asked about. Empty where none may be offered.
    fn keeping(&self, facts: &Facts<'_>) -> Vec<String> {
        let _ = facts;
        Vec::new()
    }

    /// The rule that denies, in `scope`, whatever is called under one of `names`, which every call of a tool has.
    fn denies(&self, scope: &Scope, names: &[&str]) -> Option<Rule> {
        let (_, _) = (scope, names);
        None
    }

    /// What `tool`, of the surface it belongs to and the one it names itself, must leave alone of the many
    /// things below a folder when it is called in `scope`: whether a rule forbids, or asks about, reading (or
    /// under any other effect: changing) one of them. `None` when no rule could. What comes back may wait for
    /// functions of a policy, so it is for threads that may block.
    fn withholds(
        &self,
        scope: &Scope,
        tool: &str,
        surfaces: [&str; 2],
        effect: Effect,
    ) -> Option<Withholds> {
        let (_, _, _, _) = (scope, tool, surfaces, effect);
        None
    }
}

/// Whether a subject is forbidden or asked about.
pub type Withholds = Box<dyn Fn(&Subject) -> bool + Send + Sync>;
