//! A tool whose work is done by another: by a mock, or by nobody. It declares, plans and is judged as the tool itself,
//! so nothing but the work differs from a call of that tool.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{BoxFuture, ready};

use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::lua::convert;
use crate::lua::current::Voice;
use crate::lua::entries::Entry;
use crate::lua::tool::{output, told};
use crate::lua::vm::Vm;
use crate::permission::Effect;
use crate::tool::{
    Arguments, Asked, Bound, Context, Outcome, Output, Plan, Registry, Scope, Services, Span, Spec,
    Tool,
};

/// The tools of `registry`, for tests: what `mocks` holds answers for them, and what runs programs or uses the
/// network does nothing without.
pub fn fenced(registry: &Registry, mocks: &Mocks) -> Registry {
    let mut fenced = Registry::default();
    fenced.extend(registry.iter().map(|tool| {
        let is_refused = tool.spec().effect >= Effect::Run;
        Arc::new(StandIn {
            tool: Arc::clone(tool),
            mocks: mocks.clone(),
            is_refused,
        }) as Arc<dyn Tool>
    }));
    fenced
}

/// The mocks that are on now, by the id of the tool; of several the last one answers.
#[derive(Clone, Default)]
pub struct Mocks(Arc<Mutex<HashMap<String, Vec<Arc<Answer>>>>>);

impl Mocks {
    /// Puts a mock on.
    pub(super) fn put(&self, id: &str, answer: Arc<Answer>) {
        self.lock().entry(id.to_owned()).or_default().push(answer);
    }

    /// Takes one mock off. Again, it does nothing.
    pub(super) fn take_off(&self, id: &str, answer: &Arc<Answer>) {
        if let Some(answers) = self.lock().get_mut(id) {
            answers.retain(|other| !Arc::ptr_eq(other, answer));
        }
    }

    /// Takes all mocks off.
    pub(super) fn clear(&self) {
        let gone = std::mem::take(&mut *self.lock());
        drop(gone);
    }

    fn of(&self, id: &str) -> Option<Arc<Answer>> {
        self.lock().get(id)?.last().cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<Arc<Answer>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The Lua function that answers for a tool.
pub(super) struct Answer {
    entry: Entry,
    vm: Vm,
}

impl Answer {
    pub(super) fn new(entry: Entry, vm: Vm) -> Answer {
        Answer { entry, vm }
    }
}

/// What stands in the place of a tool.
pub(super) struct StandIn {
    tool: Arc<dyn Tool>,
    mocks: Mocks,
    is_refused: bool,
}

impl StandIn {
    /// `tool`, for which `mocks` may answer.
    pub(super) fn new(tool: Arc<dyn Tool>, mocks: Mocks) -> StandIn {
        StandIn {
            tool,
            mocks,
            is_refused: false,
        }
    }
}

impl Tool for StandIn {
    fn id(&self) -> &str {
        self.tool.id()
    }

    fn aliases(&self) -> Vec<&str> {
        self.tool.aliases()
    }

    fn spec(&self) -> &Spec {
        self.tool.spec()
    }

    fn is_listed(&self) -> bool {
        self.tool.is_listed()
    }

    fn makes(&self, arguments: &Arguments) -> Vec<(String, Arguments)> {
        self.tool.makes(arguments)
    }

    fn usable(&self) -> Result<(), ToolError> {
        self.tool.usable()
    }

    fn offered<'a>(&'a self, scope: &'a Scope, services: &'a Arc<Services>) -> Option<Asked<'a>> {
        self.tool.offered(scope, services)
    }

    fn foresee<'a>(
        &'a self,
        args: &'a Arc<Data>,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Plan, ToolError>> {
        self.tool.foresee(args, context)
    }

    fn about<'a>(
        &'a self,
        args: &'a Arc<Data>,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Option<Plan>, ToolError>> {
        self.tool.about(args, context)
    }

    /// What a mock answers for needs nothing to be made ready.
    fn ready<'a>(&'a self, context: &'a Context) -> Option<Asked<'a>> {
        let is_its_own = !self.is_refused && self.mocks.of(self.tool.id()).is_none();
        is_its_own.then(|| self.tool.ready(context)).flatten()
    }

    fn told<'a>(
        &'a self,
        error: &ToolError,
        context: &'a Context,
    ) -> Option<BoxFuture<'a, ToolError>> {
        self.tool.told(error, context)
    }

    fn shown<'a>(
        &'a self,
        output: &Output,
        width: usize,
        scope: &Scope,
    ) -> Option<BoxFuture<'a, Result<Vec<Span>, ToolError>>> {
        self.tool.shown(output, width, scope)
    }

    fn has_form(&self) -> bool {
        self.tool.has_form()
    }

    fn bind(&self, args: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        Ok(Box::new(Call {
            bound: self.tool.bind(args)?,
            id: self.tool.id().to_owned(),
            args: Arc::clone(args),
            mocks: self.mocks.clone(),
            is_refused: self.is_refused,
        }))
    }
}

/// One call of it.
struct Call {
    bound: Box<dyn Bound>,
    id: String,
    args: Arc<Data>,
    mocks: Mocks,
    is_refused: bool,
}

impl Bound for Call {
    fn plan<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<Plan, ToolError>> {
        self.bound.plan(context)
    }

    fn execute<'a>(&'a self, plan: Plan, context: &'a Context) -> BoxFuture<'a, Outcome> {
        match self.mocks.of(&self.id) {
            Some(answer) => self.ask(&answer, context),
            None if self.is_refused => Box::pin(ready(Err(refused(&self.id)))),
            None => self.bound.execute(plan, context),
        }
    }
}

impl Call {
    fn ask(&self, answer: &Answer, context: &Context) -> BoxFuture<'static, Outcome> {
        let (entry, args, id) = (
            answer.entry.clone(),
            Arc::clone(&self.args),
            self.id.clone(),
        );
        let voice = Voice::Log(format!("the mock of {id}"), Layer::Script);
        Box::pin(
            answer
                .vm
                .job(&context.scope, voice, move |state| async move {
                    let function = state.host.entries.get(&entry)?;
                    let args =
                        convert::to_lua(&state.lua, &args).map_err(|error| state.told(&error))?;
                    let mut results = state.call(&function, args).await.map_err(told)?;
                    output::read(&id, results.pop_front().unwrap_or_default())
                }),
        )
    }
}

fn refused(id: &str) -> ToolError {
    ToolError::new(
        Kind::Denied,
        format!("commands and the network are denied in tests, and `{id}` is not mocked"),
    )
    .with_hint(format!("mock(\"{id}\", …) says what it answers"))
}
