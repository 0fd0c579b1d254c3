//! One call of a Lua tool: its plan as data, and the run of its body.
//!
//! Effect, subjects and plan are asked in one job, and only where the tool has functions for them.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;

use futures_util::future::{BoxFuture, ready};
use mlua::{AnyUserData, Value};

use super::asking::{Question, WORKED};
use super::context::{Extra, ToolContext};
use super::{EffectOf, Parts, SubjectsOf, output, paths, record, subject};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::lua::current::Voice;
use crate::lua::entries::Entry;
use crate::lua::raise::Caught;
use crate::lua::state::State;
use crate::lua::{convert, hooks};
use crate::permission::{Effect, Subject};
use crate::tool::{Bound, Context, Outcome, Plan, Tool, Work};

/// A tool with its arguments.
pub(super) struct Call {
    pub(super) tool: Arc<Parts>,
    pub(super) args: Arc<Data>,
    /// What the functions of the tool share during the call.
    pub(super) extra: Extra,
}

impl Bound for Call {
    fn plan<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<Plan, ToolError>> {
        self.planned(context, Asked::Whole)
    }

    fn execute<'a>(&'a self, plan: Plan, context: &'a Context) -> BoxFuture<'a, Outcome> {
        let (tool, args) = (Arc::clone(&self.tool), Arc::clone(&self.args));
        let context = ToolContext::new(context.clone(), Some(plan), Arc::clone(&self.extra));
        let scope = match &tool.authority {
            Some(rules) => context.scope().under(Arc::clone(rules)),
            None => Ok(context.scope().clone()),
        };
        let scope = match scope {
            Ok(scope) => scope,
            Err(error) => return Box::pin(ready(Err(error))),
        };
        let job = self
            .tool
            .vm
            .job(&scope, self.tool.voice(), move |state| async move {
                let results = tool.execute(&state, &args, context).await?;
                let name = tool.spec.display_name.as_ref().unwrap_or(&tool.spec.id);
                output::read(name, results).map_err(|error| tool.at_execute(&state, error))
            });
        Box::pin(job)
    }
}

/// How much of a plan is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// All of it.
    Whole,
    /// What rules are matched against. The function `plan`, which may look at things, is not asked.
    Judged,
}

impl Call {
    /// What rules see of the call. Its arguments need not have been checked.
    ///
    /// # Errors
    /// What the functions of the tool raise.
    pub(super) async fn foresee(&self, context: &Context) -> Result<Plan, ToolError> {
        self.planned(context, Asked::Judged).await
    }

    fn planned<'a>(
        &'a self,
        context: &'a Context,
        asked: Asked,
    ) -> BoxFuture<'a, Result<Plan, ToolError>> {
        let paths = paths::given(&self.tool.spec.parameters, &self.args);
        let other = match &self.tool.subjects {
            SubjectsOf::As(other) => Some(other),
            _ => None,
        };
        match self.tool.plan_without_lua(&self.args, asked) {
            Some(plan) if paths.is_empty() && other.is_none() => Box::pin(ready(Ok(plan))),
            known => Box::pin(async move {
                let mut plan = match known {
                    Some(plan) => plan,
                    None => self.ask(context, asked).await?,
                };
                if let Some(other) = other {
                    plan.subjects
                        .extend(self.seen_as(other, context, asked).await?);
                }
                for subject in paths::subjects(paths, plan.effect, context).await? {
                    if !plan.subjects.contains(&subject) {
                        plan.subjects.push(subject);
                    }
                }
                Ok(plan)
            }),
        }
    }

    /// What rules see of a call of `other` with these arguments; the whole arguments where it could not be
    /// called with them. Who only asks what a call would be about may leave some of them out.
    async fn seen_as(
        &self,
        other: &Arc<dyn Tool>,
        context: &Context,
        asked: Asked,
    ) -> Result<Vec<Subject>, ToolError> {
        let args = match asked {
            Asked::Judged => other.spec().own_given(&self.args),
            Asked::Whole => other.spec().own(&self.args),
        };
        let planned = match args {
            Ok(args) => other.foresee(&Arc::new(args), context).await,
            Err(error) => Err(error),
        };
        match planned {
            Ok(plan) => Ok(plan.subjects),
            Err(error) if error.kind == Kind::Cancelled => Err(error),
            Err(_) => Ok(vec![self.tool.whole(&self.args)]),
        }
    }

    /// The plan, where a function of the tool has a say in it.
    fn ask(
        &self,
        context: &Context,
        asked: Asked,
    ) -> impl Future<Output = Result<Plan, ToolError>> + Send + use<> {
        let (tool, args) = (Arc::clone(&self.tool), Arc::clone(&self.args));
        let (call, extra) = (context.clone(), Arc::clone(&self.extra));
        let job = move |state| async move { tool.plan(&state, args, call, extra, asked).await };
        self.tool.vm.job(&context.scope, self.tool.voice(), job)
    }
}

impl Parts {
    /// `error` about what `execute` returned, with the place of that function.
    fn at_execute(&self, state: &State, error: ToolError) -> ToolError {
        let function = state.host.entries.get(&self.execute);
        match function {
            Ok(function) => {
                let place = hooks::place(&state.lua, &function);
                let message = format!("{} (`execute` at {place})", error.message);
                ToolError { message, ..error }
            }
            Err(_) => error,
        }
    }

    pub(super) fn voice(&self) -> Voice {
        Voice::Log(self.spec.id.clone(), self.spec.origin.layer())
    }

    /// The plan, where no function has a say in it.
    fn plan_without_lua(&self, args: &Data, asked: Asked) -> Option<Plan> {
        let EffectOf::Always(effect) = self.effect else {
            return None;
        };
        let subjects = match &self.subjects {
            SubjectsOf::All => vec![self.whole(args)],
            SubjectsOf::Named(names) => self.named(names, args),
            SubjectsOf::As(_) => Vec::new(),
            SubjectsOf::Asked(_) => return None,
        };
        let work = Work::None;
        let is_known = asked == Asked::Judged || self.plan.is_none();
        is_known.then_some(Plan {
            effect,
            subjects,
            work,
            note: Data::Null,
        })
    }

    async fn plan(
        &self,
        state: &Rc<State>,
        args: Arc<Data>,
        context: Context,
        extra: Extra,
        wanted: Asked,
    ) -> Result<Plan, ToolError> {
        let asked = |entry, what| {
            let context = ToolContext::new(context.clone(), None, Arc::clone(&extra));
            self.data(state, entry, &args, context, what)
        };
        let effect = match &self.effect {
            EffectOf::Always(effect) => *effect,
            EffectOf::Asked(entry) => as_effect(&asked(entry, "effect").await?)?,
        };
        let subjects = match &self.subjects {
            SubjectsOf::All => vec![self.whole(&args)],
            SubjectsOf::Named(names) => self.named(names, &args),
            SubjectsOf::As(_) => Vec::new(),
            SubjectsOf::Asked(entry) => self.given(&asked(entry, "subjects").await?)?,
        };
        let work = match self.plan.as_ref().filter(|_| wanted == Asked::Whole) {
            None => Work::None,
            Some(entry) => Work::Data(asked(entry, "plan").await?),
        };
        Ok(Plan {
            effect,
            subjects,
            work,
            note: Data::Null,
        })
    }

    async fn data(
        &self,
        state: &Rc<State>,
        entry: &Entry,
        args: &Arc<Data>,
        context: ToolContext,
        what: &str,
    ) -> Result<Data, ToolError> {
        let function = state.host.entries.get(entry)?;
        let given = given(state, args, context).map_err(|error| state.told(&error))?;
        let question = self.question(what);
        let asked = question.ask(&state.lua, &state.host, &function, given);
        let mut results = asked.await.map_err(|caught| question.said(caught))?;
        convert::to_data_named(&results.pop_front().unwrap_or_default(), what)
    }

    /// The question to the function `what`. A plan may look at things; all else only computes.
    fn question(&self, what: &str) -> Question {
        let name = format!("`{what}` of `{}`", self.spec.id);
        match what {
            "plan" => Question::new(name, self.spec.timeout.unwrap_or(WORKED)),
            _ => Question::new(name, self.vm.shared().settings.asked).pure(),
        }
    }

    /// What the body of the tool returns.
    async fn execute(
        &self,
        state: &State,
        args: &Data,
        context: ToolContext,
    ) -> Result<Value, ToolError> {
        let function = state.host.entries.get(&self.execute)?;
        let given = given(state, args, context).map_err(|error| state.told(&error))?;
        let results = state.call(&function, given).await;
        Ok(results.map_err(told)?.pop_front().unwrap_or_default())
    }

    fn whole(&self, args: &Data) -> Subject {
        self.subject(serde_json::to_string(args).unwrap_or_default())
    }

    /// The values of the parameters `names`; those that are not given are no subject, and paths are one
    /// in any case.
    fn named(&self, names: &[String], args: &Data) -> Vec<Subject> {
        let names = names.iter();
        let words = names.filter(|name| !self.spec.parameters.is_path(name));
        let values = words.filter_map(|name| args.get(name));
        values
            .flat_map(|value| match value {
                Data::List(items) => items.iter().map(as_text).collect(),
                Data::Null => Vec::new(),
                other => vec![as_text(other)],
            })
            .map(|text| self.subject(text))
            .collect()
    }

    /// What a function for subjects says: a text, or a list of them.
    fn given(&self, said: &Data) -> Result<Vec<Subject>, ToolError> {
        match said {
            Data::Text(text) => Ok(vec![self.subject(text.clone())]),
            Data::List(items) if items.iter().all(|item| item.as_str().is_some()) => Ok(items
                .iter()
                .map(|item| self.subject(as_text(item)))
                .collect()),
            other => {
                let message = format!(
                    "subjects: expected text or a list of texts, got {}",
                    other.shape()
                );
                Err(ToolError::argument(message))
            }
        }
    }

    fn subject(&self, text: String) -> Subject {
        subject(&self.spec.id, text)
    }
}

/// What a function of the tool gets: the arguments, and `ctx`.
fn given(state: &State, args: &Data, context: ToolContext) -> mlua::Result<(Value, AnyUserData)> {
    let args = convert::to_lua(&state.lua, args)?;
    Ok((args, state.lua.create_userdata(context)?))
}

/// What the caller of the tool is told. A failure of the code itself says its line; one that was
/// raised on purpose, as a table, says what its author wrote.
pub(in crate::lua) fn told(caught: Caught) -> ToolError {
    let Caught {
        error,
        position: Some(position),
        value,
        ..
    } = caught
    else {
        return caught.error;
    };
    match *value {
        Value::Table(_) => error,
        _ => ToolError {
            message: format!("{position}: {}", error.message),
            ..error
        },
    }
}

fn as_effect(said: &Data) -> Result<Effect, ToolError> {
    match said.as_str() {
        Some(word) => record::effect(word),
        None => Err(ToolError::argument(format!(
            "effect: expected a word, got {}",
            said.shape()
        ))),
    }
}

fn as_text(data: &Data) -> String {
    match data {
        Data::Text(text) => text.clone(),
        Data::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}
