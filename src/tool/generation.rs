//! Tools, hooks and policy as one snapshot. A call takes it once and ends with what it began with.
//!
//! Names lead to tools, never to code: there is no way around the door from here.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{Commands, Origin, Plan, Scope, Tool};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Caller, Effect, Subject, Verdict};
use crate::text::{nearest, suggestion};

/// What dispatch holds: swapped as one, so that a reload is atomic.
#[derive(Clone)]
pub struct Generation {
    /// The tools by id and alias.
    pub tools: Registry,
    /// The hooks, in the order they run.
    pub hooks: Vec<Arc<dyn Hook>>,
    /// What judges a planned call.
    pub policy: Arc<dyn Policy>,
    /// The commands that a person runs by name.
    pub commands: Commands,
}

/// The tools, in the order they are listed, and the names they answer to.
#[derive(Clone, Default)]
pub struct Registry {
    tools: Vec<Arc<dyn Tool>>,
    names: BTreeMap<String, usize>,
    shadowed: BTreeMap<String, Origin>,
    shipped: BTreeMap<String, Arc<dyn Tool>>,
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
                let origin = shadowed.spec().origin.clone();
                if origin == Origin::Shipped {
                    self.shipped.insert(id.clone(), Arc::clone(&shadowed));
                }
                self.shadowed.insert(id.clone(), origin);
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

    /// Where the tool came from whose place the one called `id` has taken.
    pub fn shadowed_by(&self, id: &str) -> Option<&Origin> {
        self.shadowed.get(id)
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
            let ids: Vec<&str> = self.iter().map(|tool| tool.id()).collect();
            let list = format!("the tools are: {}", ids.join(", "));
            ToolError::unknown(Kind::NotFound, "tool", name, near, &list)
        })
    }

    /// The shipped tool that answers to `name`, whatever has taken its place since.
    ///
    /// # Errors
    /// `not_found` with the nearest name and the list of what is there.
    pub fn find_shipped(&self, name: &str) -> Result<&Arc<dyn Tool>, ToolError> {
        let now = self
            .get(name)
            .filter(|tool| tool.spec().origin == Origin::Shipped);
        let shipped = self.shipped.get(name).or(now);
        shipped.ok_or_else(|| {
            let ids = self.shipped.keys().map(String::as_str);
            let ids = ids.chain(self.names.keys().map(String::as_str));
            ToolError::not_found(format!("there is no shipped tool `{name}`"))
                .with_hint(suggestion(name, ids))
        })
    }

    /// The other names tools answer to, each with the id it leads to.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        let named = self.names.iter();
        named
            .map(|(name, &at)| (name.as_str(), self.tools[at].id()))
            .filter(|(name, id)| name != id)
    }

    /// The tools, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.iter()
    }
}

/// Where a hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// After decoding, before the plan: may rewrite the arguments, refuse, or ask.
    ToolBefore,
    /// After the tool has run: may rewrite the result.
    ToolAfter,
}

impl Point {
    /// Every point, by the name it is registered under.
    pub const ALL: [(&'static str, Point); 2] = [
        ("tool.before", Point::ToolBefore),
        ("tool.after", Point::ToolAfter),
    ];
}

/// What a hook says.
#[derive(Clone, Debug, Default)]
pub struct HookReply {
    /// The event as the hook left it.
    pub event: Data,
    /// A tightening, with its reason: only `ask` and `deny` count.
    pub verdict: Option<(Action, String)>,
}

/// Something that looks at every call.
pub trait Hook: Send + Sync {
    /// A number that is this hook's alone: it does not fire for calls that it causes itself.
    fn id(&self) -> u64;

    /// Where it is called.
    fn point(&self) -> Point;

    /// What a message calls it: a file and line.
    fn name(&self) -> String;

    /// Looks at one event: `{ tool, args, caller, call }` before, and `{ …, output, title,
    /// metadata }` after. Failing before a call refuses it; failing after is logged.
    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>>;
}

/// What a policy judges: one planned call.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The tool's id.
    pub tool: &'a str,
    /// The surface it belongs to.
    pub surface: &'a str,
    /// What it would do.
    pub plan: &'a Plan,
    /// On whose behalf.
    pub caller: Caller,
    /// The arguments, decoded.
    pub args: &'a Data,
}

/// What decides whether a planned call may run.
pub trait Policy: Send + Sync {
    /// The verdict, with its trace. Changes nothing and asks nobody.
    fn judge<'a>(&'a self, scope: &'a Scope, facts: &'a Facts<'a>) -> BoxFuture<'a, Verdict>;

    /// The narrowest rules that would allow a call which is asked about, as `--allow` takes them. Empty
    /// where no narrow rule would.
    fn lifting(&self, facts: &Facts<'_>) -> Vec<String> {
        let _ = facts;
        Vec::new()
    }

    /// What `tool` must leave alone of the many things below a folder: whether a rule forbids, or asks
    /// about, reading (or under any other effect: changing) one of them. `None` when no rule could.
    fn withholds(
        &self,
        tool: &str,
        surface: &str,
        caller: Caller,
        effect: Effect,
    ) -> Option<Withholds> {
        let (_, _, _, _) = (tool, surface, caller, effect);
        None
    }
}

/// Whether a subject is forbidden or asked about.
pub type Withholds = Box<dyn Fn(&Subject) -> bool + Send + Sync>;
