//! A tool as its file writes it, and as dispatch sees it. One adapter stands between.
//!
//! A tool file holds no lock, no state and no check of permission; the adapter adds none.

use std::future::{Future, ready};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{
    Arguments, Case, Context, Example, Origin, Outcome, Output, Plan, Scope, Services, Span, Spec,
};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::Effect;
use crate::schema::{self, Parameters};

/// A question to a tool that may take its time.
pub type Asked<'a> = BoxFuture<'a, Result<(), ToolError>>;

/// A tool as dispatch sees it: a declaration, and a way to bind arguments to it.
pub trait Tool: Send + Sync {
    /// The name it is called by. Cheap: does not build the declaration.
    fn id(&self) -> &str;

    /// Other names it answers to.
    fn aliases(&self) -> Vec<&str>;

    /// Its declaration, built on first use.
    fn spec(&self) -> &Spec;

    /// Whether lists name it, and models are offered it. What is in no list can be called all the same.
    fn is_listed(&self) -> bool {
        true
    }

    /// Whether each of its calls has the effect that it declares; else that is what a call does at most.
    fn is_steady(&self) -> bool {
        true
    }

    /// Where it was defined. Cheap: does not build the declaration.
    fn origin(&self) -> &Origin {
        &self.spec().origin
    }

    /// Whether it can be called here and now.
    ///
    /// # Errors
    /// `unavailable`, with the reason.
    fn usable(&self) -> Result<(), ToolError> {
        Ok(())
    }

    /// Whether it is offered in this scope: asked when definitions are needed. Nothing is asked of a tool
    /// that is always there.
    ///
    /// # Errors (of the future)
    /// `unavailable`, with the reason.
    fn offered<'a>(&'a self, scope: &'a Scope, services: &'a Arc<Services>) -> Option<Asked<'a>> {
        let (_, _) = (scope, services);
        None
    }

    /// What must be done once, before the first call that may run does.
    ///
    /// # Errors (of the future)
    /// `unavailable`, with the reason.
    fn ready<'a>(&'a self, context: &'a Context) -> Option<Asked<'a>> {
        let _ = context;
        None
    }

    /// How a failure of one of its calls reads, where the tool has a say in it. The kind stays.
    fn told<'a>(
        &'a self,
        error: &ToolError,
        context: &'a Context,
    ) -> Option<BoxFuture<'a, ToolError>> {
        let (_, _) = (error, context);
        None
    }

    /// A result as a person sees it, `width` columns wide, where the tool has a form for it.
    ///
    /// # Errors (of the future)
    /// What the tool's own code raises.
    fn shown<'a>(
        &'a self,
        output: &Output,
        width: usize,
        scope: &Scope,
    ) -> Option<BoxFuture<'a, Result<Vec<Span>, ToolError>>> {
        let (_, _, _) = (output, width, scope);
        None
    }

    /// Whether it has a form of its own for a person.
    fn has_form(&self) -> bool {
        false
    }

    /// What a call with these arguments would be about, for whoever asks what rules say of it. Some of
    /// them may be missing, no file need be there, and nothing is changed.
    ///
    /// # Errors (of the future)
    /// `argument` where what is missing would have to be known; what planning says.
    fn foresee<'a>(
        &'a self,
        args: &'a Arc<Data>,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Plan, ToolError>> {
        Box::pin(async move { self.bind(args)?.plan(context).await })
    }

    /// What a call with these arguments is about, told without a look into a file: what is judged where no plan
    /// of it can be made. `None`: only a plan says it, or it is about nothing that could be told of.
    ///
    /// # Errors (of the future)
    /// `argument` for what can be no path.
    fn about<'a>(
        &'a self,
        args: &'a Arc<Data>,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Option<Plan>, ToolError>> {
        let (_, _) = (args, context);
        Box::pin(ready(Ok(None)))
    }

    /// The calls that a call with these arguments would make for who makes it, by name, as far as that can be told.
    fn makes(&self, arguments: &Arguments) -> Vec<(String, Arguments)> {
        let _ = arguments;
        Vec::new()
    }

    /// Decodes arguments that are complete (names known, defaults filled).
    ///
    /// # Errors
    /// `argument`, with the path of the value that is wrong.
    fn bind(&self, args: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError>;
}

/// A tool with its arguments inside.
pub trait Bound: Send + Sync {
    /// Computes what the call would do. Changes nothing; may run again.
    fn plan<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<Plan, ToolError>>;

    /// Does it. The plan is the one that was judged.
    fn execute<'a>(&'a self, plan: Plan, context: &'a Context) -> BoxFuture<'a, Outcome>;
}

/// A shipped tool: one file, one type. What it declares stands first, what it does last.
pub trait Typed: Send + Sync + 'static {
    /// The name it is called by.
    const ID: &'static str;
    /// The group of tools it belongs to.
    const SURFACE: &'static str;
    /// The most it does.
    const EFFECT: Effect;
    /// What the model reads.
    const DESCRIPTION: &'static str;
    /// Other names it answers to, such as those of other systems.
    const ALIASES: &'static [&'static str] = &[];
    /// Other names for its parameters: (theirs, ours).
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[];
    /// How long one call may run. Not for tools that change files: a commit is never cut short.
    const TIMEOUT: Option<Duration> = None;
    /// Whether calls of the same session find something else behind it, though nothing outside of the session is
    /// changed: no neighbour runs beside it.
    const STANDS_ALONE: bool = false;
    /// Whether lists name it, and models are offered it.
    const IS_LISTED: bool = true;
    /// Facts that only some of its results have. One that no result has is an error in Lua.
    const FIELDS: &'static [&'static str] = &[];
    /// Examples that the test suite runs.
    const EXAMPLES: &'static [Example] = &[];

    /// Its arguments; doc comments are the descriptions, field order the order of positionals.
    type Args: DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// Whether it is offered in this scope. Asked for every call, so it looks at what is there and at nothing else.
    ///
    /// # Errors
    /// `unavailable`, with the reason.
    fn offered(scope: &Scope, services: &Services) -> Result<(), ToolError> {
        let (_, _) = (scope, services);
        Ok(())
    }

    /// Computes what the call would do. Changes nothing; may run again.
    fn plan(
        args: &Self::Args,
        context: &Context,
    ) -> impl Future<Output = Result<Plan, ToolError>> + Send;

    /// What a call is about, told from arguments that may lack something and without a look into a file:
    /// asked where no plan can be made. A tool whose plan looks at files says it, so that a failure tells
    /// nothing of them to who may not know it. May block. `None`: only a plan says it.
    ///
    /// # Errors
    /// `argument` for what can be no path.
    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        let (_, _) = (args, context);
        Ok(None)
    }

    /// The calls that a call with these arguments would make for who makes it, by name. Asked of calls that are not
    /// judged yet, so nothing has checked what they say.
    fn makes(args: &Data) -> Vec<(String, Arguments)> {
        let _ = args;
        Vec::new()
    }

    /// Does it.
    fn execute(
        args: &Self::Args,
        plan: Plan,
        context: &Context,
    ) -> impl Future<Output = Outcome> + Send;
}

/// Makes a [`Typed`] tool a [`Tool`].
pub struct Shipped<T> {
    spec: OnceLock<Spec>,
    tool: PhantomData<fn() -> T>,
}

impl<T: Typed> Shipped<T> {
    /// The tool, ready for a registry.
    pub fn tool() -> Arc<dyn Tool> {
        Arc::new(Shipped::<T> {
            spec: OnceLock::new(),
            tool: PhantomData,
        })
    }
}

impl<T: Typed> Tool for Shipped<T> {
    fn id(&self) -> &str {
        T::ID
    }

    fn aliases(&self) -> Vec<&str> {
        T::ALIASES.to_vec()
    }

    fn origin(&self) -> &Origin {
        &Origin::Shipped
    }

    fn is_listed(&self) -> bool {
        T::IS_LISTED
    }

    fn offered<'a>(&'a self, scope: &'a Scope, services: &'a Arc<Services>) -> Option<Asked<'a>> {
        let error = T::offered(scope, services).err()?;
        let message = format!("the tool `{}` is not available: {}", T::ID, error.message);
        Some(Box::pin(ready(Err(ToolError { message, ..error }))))
    }

    fn spec(&self) -> &Spec {
        self.spec.get_or_init(|| Spec {
            id: T::ID.to_owned(),
            display_name: None,
            hint: None,
            surface: T::SURFACE.to_owned(),
            effect: T::EFFECT,
            description: T::DESCRIPTION.to_owned(),
            parameters: Parameters::from_schemars(schemars::schema_for!(T::Args)),
            parameter_aliases: T::PARAMETER_ALIASES
                .iter()
                .map(|(theirs, ours)| ((*theirs).to_owned(), (*ours).to_owned()))
                .collect(),
            timeout: T::TIMEOUT,
            polls: false,
            stands_alone: T::STANDS_ALONE,
            fields: T::FIELDS,
            examples: T::EXAMPLES.iter().map(Case::from).collect(),
            origin: Origin::Shipped,
        })
    }

    fn foresee<'a>(
        &'a self,
        args: &'a Arc<Data>,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Plan, ToolError>> {
        Box::pin(async move {
            let planned = match self.bind(args) {
                Ok(bound) => bound.plan(context).await,
                Err(error) => Err(error),
            };
            let error = match planned {
                Ok(plan) => return Ok(plan),
                Err(error) if error.kind == Kind::Cancelled => return Err(error),
                Err(error) => error,
            };
            self.about(args, context).await?.ok_or(error)
        })
    }

    fn about<'a>(
        &'a self,
        args: &'a Arc<Data>,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Option<Plan>, ToolError>> {
        let (args, inner) = (Arc::clone(args), context.clone());
        Box::pin(async move { context.blocking(move || T::foresee(&args, &inner)).await })
    }

    fn makes(&self, arguments: &Arguments) -> Vec<(String, Arguments)> {
        let args = arguments.by_name();
        let args = args.and_then(|args| self.spec().given(args).ok());
        args.map_or_else(Vec::new, |args| T::makes(&args))
    }

    fn bind(&self, args: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        let args = schema::decode::<T::Args>(args)?;
        Ok(Box::new(WithArgs::<T>(args)))
    }
}

struct WithArgs<T: Typed>(T::Args);

impl<T: Typed> Bound for WithArgs<T> {
    fn plan<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<Plan, ToolError>> {
        Box::pin(T::plan(&self.0, context))
    }

    fn execute<'a>(&'a self, plan: Plan, context: &'a Context) -> BoxFuture<'a, Outcome> {
        Box::pin(T::execute(&self.0, plan, context))
    }
}
