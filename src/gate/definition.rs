//! What a tool is declared as once the hooks at `tool.definition` have seen it: for lists, for help, for the
//! check of arguments.
//!
//! Worked out on first use, once for each tool and generation; nothing of it outlives the generation. What
//! hooks say comes on top of what the tool itself checks: they can ask for more, never let more through.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use futures_util::future::{BoxFuture, join_all};
use tokio::sync::OnceCell;

use super::dispatch::Dispatch;
use super::fire::Firing;
use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::schema::{self, Checker, Parameters};
use crate::tool::{
    Bound, Context, Gate as _, Generation, Hook, Level, Point, Scope, Spec, Surface, Tool,
};

/// A tool's declaration as hooks have it.
pub(super) struct Definition {
    description: String,
    parameters: Parameters,
    checker: Checker,
}

impl Definition {
    /// What the tool itself says.
    fn declared(spec: &Spec) -> Definition {
        Definition {
            description: spec.description.clone(),
            parameters: spec.parameters.clone(),
            checker: Checker::new(&spec.parameters),
        }
    }

    /// What a hook gets to see.
    fn event(&self, spec: &Spec, surface: &str) -> Data {
        Data::map([
            ("tool", spec.id.as_str().into()),
            ("surface", surface.into()),
            ("description", self.description.as_str().into()),
            ("parameters", self.parameters.json_schema().clone().into()),
        ])
    }

    /// What becomes of it; nothing where nothing is changed.
    ///
    /// # Errors
    /// `argument` when its parameters are none, or none that the tool can be called with.
    fn changed(&self, spec: &Spec, changed: &Map) -> Result<Option<Definition>, ToolError> {
        if changed.is_empty() {
            return Ok(None);
        }
        let parameters = match changed.get("parameters") {
            None => self.parameters.clone(),
            Some(schema) => {
                let schema = serde_json::to_value(schema);
                let schema = schema.map_err(|error| ToolError::argument(error.to_string()))?;
                self.parameters.redefined(schema)?
            }
        };
        let own = &spec.parameters;
        let is_lost = |name: &&str| own.is_required(name) && parameters.get(name).is_none();
        if let Some(name) = own.names().find(is_lost) {
            let message = format!(
                "call.parameters: `{name}` is gone, and `{}` requires it",
                spec.id
            );
            return Err(ToolError::argument(message).with_hint("leave what is required"));
        }
        let checker = Checker::new(&parameters);
        checker.compile()?;
        let description = changed.get("description").and_then(Data::as_str);
        Ok(Some(Definition {
            description: description.unwrap_or(&self.description).to_owned(),
            parameters,
            checker,
        }))
    }
}

/// A tool, and what it is declared as.
pub struct Defined {
    /// The tool.
    pub tool: Arc<dyn Tool>,
    /// The surface it belongs to.
    pub surface: String,
    /// Why it is not offered here and now, if it is not.
    pub missing: Option<String>,
    definition: Option<Arc<Definition>>,
    bounds: Option<String>,
}

impl Defined {
    /// What the model reads: what the tool is for, and what its surface keeps it to.
    pub fn description(&self) -> Cow<'_, str> {
        let own = match &self.definition {
            Some(definition) => &definition.description,
            None => &self.tool.spec().description,
        };
        match &self.bounds {
            None => Cow::Borrowed(own),
            Some(bounds) => Cow::Owned(format!("{}\n{bounds}", own.trim_end())),
        }
    }

    /// What it takes.
    pub fn parameters(&self) -> &Parameters {
        match &self.definition {
            Some(definition) => &definition.parameters,
            None => &self.tool.spec().parameters,
        }
    }
}

/// A tool in the middle of a call, and what the call takes.
pub(super) struct Taken<'a> {
    pub(super) tool: &'a dyn Tool,
    definition: Option<Arc<Definition>>,
}

impl<'a> Taken<'a> {
    /// What `tool` itself declares.
    #[cfg(test)]
    pub(super) fn as_declared(tool: &'a dyn Tool) -> Taken<'a> {
        let definition = None;
        Taken { tool, definition }
    }

    /// What the call takes.
    pub(super) fn parameters(&self) -> &Parameters {
        match &self.definition {
            Some(definition) => &definition.parameters,
            None => &self.tool.spec().parameters,
        }
    }

    /// Arguments that are complete: names known, aliases resolved, defaults filled.
    ///
    /// # Errors
    /// `argument`.
    pub(super) fn complete(&self, args: Data) -> Result<Data, ToolError> {
        let aliases = &self.tool.spec().parameter_aliases;
        let args = schema::prepare(args, self.parameters(), aliases)?;
        if let Some(definition) = &self.definition {
            definition.checker.check(&args)?;
        }
        Ok(args)
    }

    /// The tool with those of the arguments that it declares itself.
    ///
    /// # Errors
    /// `argument`.
    pub(super) fn bind(&self, args: Data) -> Result<(Arc<Data>, Box<dyn Bound>), ToolError> {
        let args = Arc::new(args);
        let bound = match &self.definition {
            None => self.tool.bind(&args)?,
            Some(_) => self.tool.bind(&Arc::new(self.tool.spec().own(&args)?))?,
        };
        Ok((args, bound))
    }
}

type Cell = Arc<OnceCell<Option<Arc<Definition>>>>;

/// The tools of one generation that were asked for, each with what came of it.
type Cells = Vec<(Arc<dyn Tool>, Cell)>;

/// What the hook with this number said of the tool of this id: what it was given, what it changed.
type Last = HashMap<(u64, String), (Data, Map)>;

/// What has been worked out. What a hook said goes with it.
#[derive(Default)]
pub(super) struct Definitions {
    cells: Mutex<(Weak<Generation>, Cells)>,
    last: Mutex<Last>,
}

impl Definitions {
    /// What a call of `tool` takes.
    ///
    /// # Errors
    /// `cancelled`.
    pub(super) async fn taken<'a>(
        &self,
        tool: &'a Arc<dyn Tool>,
        context: &Context,
    ) -> Result<Taken<'a>, ToolError> {
        let firing = Firing::in_call(Point::ToolDefinition, &**tool, context);
        let definition = match firing.is_heard() {
            true => self.of(tool, &context.generation, firing).await?,
            false => None,
        };
        let tool = &**tool;
        Ok(Taken { tool, definition })
    }

    /// The definition of a tool, or nothing where its own stands.
    ///
    /// # Errors
    /// `cancelled`.
    async fn of(
        &self,
        tool: &Arc<dyn Tool>,
        generation: &Arc<Generation>,
        firing: Firing<'_>,
    ) -> Result<Option<Arc<Definition>>, ToolError> {
        let mut hooks = generation.hooks_at(Point::ToolDefinition);
        if hooks.any(|hook| firing.scope.is_inside_hook(hook.id())) {
            // What such a hook calls is not for all to see, and must not wait for itself.
            return self.ask(&**tool, firing).await;
        }
        let cell = self.cell(tool, generation);
        let definition = cell.get_or_try_init(|| self.ask(&**tool, firing)).await?;
        Ok(definition.clone())
    }

    fn cell(&self, tool: &Arc<dyn Tool>, generation: &Arc<Generation>) -> Cell {
        let mut held = lock(&self.cells);
        if !std::ptr::eq(held.0.as_ptr(), Arc::as_ptr(generation)) {
            *held = (Arc::downgrade(generation), Vec::new());
            let is_there = |id: u64| generation.hooks.iter().any(|hook| hook.id() == id);
            lock(&self.last).retain(|(hook, _), _| is_there(*hook));
        }
        let is_it = |(other, _): &&(Arc<dyn Tool>, Cell)| {
            std::ptr::addr_eq(Arc::as_ptr(other), Arc::as_ptr(tool))
        };
        if let Some((_, cell)) = held.1.iter().find(is_it) {
            return Arc::clone(cell);
        }
        let cell = Cell::default();
        held.1.push((Arc::clone(tool), Arc::clone(&cell)));
        cell
    }

    /// Asks all hooks, in order; nothing, where none changes anything.
    async fn ask(
        &self,
        tool: &dyn Tool,
        firing: Firing<'_>,
    ) -> Result<Option<Arc<Definition>>, ToolError> {
        let spec = tool.spec();
        let (mut now, mut is_changed) = (Definition::declared(spec), false);
        for hook in firing.hooks() {
            let event = Arc::new(now.event(spec, firing.generation.surface_of(tool)));
            let reply = firing.ask(hook, Arc::clone(&event)).await;
            let said =
                reply.and_then(|reply| Ok((now.changed(spec, &reply.changed)?, reply.changed)));
            let next = match said {
                Ok((next, changed)) => {
                    self.remember(&**hook, spec, &event, changed);
                    next
                }
                Err(error) => {
                    firing.failed(&**hook, error)?;
                    let last = self.last_of(&**hook, spec, &event, firing);
                    last.and_then(|changed| now.changed(spec, &changed).ok().flatten())
                }
            };
            is_changed |= next.is_some();
            now = next.unwrap_or(now);
        }
        Ok(is_changed.then(|| Arc::new(now)))
    }

    fn remember(&self, hook: &dyn Hook, spec: &Spec, event: &Data, changed: Map) {
        let key = (hook.id(), spec.id.clone());
        lock(&self.last).insert(key, (event.clone(), changed));
    }

    /// What a hook that fails now said when it was last asked the same: what it tightened stays so.
    fn last_of(
        &self,
        hook: &dyn Hook,
        spec: &Spec,
        event: &Data,
        firing: Firing<'_>,
    ) -> Option<Map> {
        let key = (hook.id(), spec.id.clone());
        let last = lock(&self.last).get(&key).cloned();
        let (_, changed) = last.filter(|(asked, _)| asked == event)?;
        let line = format!(
            "what the hook {} last said of `{}` still holds",
            hook.name(),
            spec.id
        );
        firing.sink.log(Level::Info, line);
        Some(changed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Dispatch {
    /// How much hooks have said that is kept in case they fail.
    #[cfg(test)]
    pub(crate) fn remembered(&self) -> usize {
        lock(&self.definitions.last).len()
    }

    /// The tool `id`, or every tool in order that is offered in `scope`, as hooks have it declared. All are worked out
    /// side by side.
    pub fn defined(
        &self,
        scope: &Scope,
        id: Option<&str>,
    ) -> BoxFuture<'static, Result<Vec<Defined>, ToolError>> {
        let (generation, scope) = (self.generation(), scope.clone());
        let id = id.map(str::to_owned);
        let (definitions, services) = (Arc::clone(&self.definitions), Arc::clone(&self.services));
        Box::pin(async move {
            let define = async |tool: &Arc<dyn Tool>| {
                let firing = Firing {
                    point: Point::ToolDefinition,
                    tool: Some(&**tool),
                    generation: &generation,
                    scope: &scope,
                    sink: &*services.sink,
                };
                let definition = match firing.is_heard() {
                    true => definitions.of(tool, &generation, firing).await?,
                    false => None,
                };
                let (spec, surfaces) = (tool.spec(), &generation.surfaces);
                let offered = match tool.offered(&scope, &services) {
                    Some(asked) => asked.await,
                    None => tool.usable(),
                };
                Ok(Defined {
                    missing: offered.err().map(|error| error.message),
                    surface: surfaces.name_of(spec).to_owned(),
                    bounds: surfaces.of(spec).and_then(Surface::bounds),
                    tool: Arc::clone(tool),
                    definition,
                })
            };
            let profile = scope.profile();
            profile
                .map(|name| generation.profiles.find(name))
                .transpose()?;
            let is_had = |tool: &dyn Tool| generation.usable_in(&scope, tool).is_ok();
            let is_named = |tool: &dyn Tool| match id.as_deref() {
                Some(id) => tool.id() == id,
                None => tool.is_listed(),
            };
            let wanted = |tool: &&Arc<dyn Tool>| is_named(&***tool) && is_had(&***tool);
            let all = join_all(generation.tools.iter().filter(wanted).map(define)).await;
            all.into_iter().collect()
        })
    }
}
