//! `ctx`, the second argument of a tool's functions: who calls, and ways to say what is going on.
//!
//! Called with dots: `ctx.update{ title = … }`. It means nothing once its call has ended.

use std::future::Future;
use std::rc::Weak;
use std::sync::{Arc, OnceLock};

use mlua::{
    AnyUserData, Function, Lua, LuaString, MetaMethod, Table, UserData, UserDataMethods, Value,
};

use crate::data::Data;
use crate::error::ToolError;
use crate::lua::api::log;
use crate::lua::current::Current;
use crate::lua::entries::Entry;
use crate::lua::host::Host;
use crate::lua::raise::{self, Failure};
use crate::lua::{convert, short, waiting};
use crate::text::suggestion;
use crate::tool::{Context, Plan, Scope, Stream, Work};

/// The fields of `ctx`.
pub(in crate::lua) const FIELDS: [&str; 19] = [
    "call",
    "caller",
    "cancelled",
    "extra",
    "log",
    "messages",
    "output",
    "parent",
    "permit",
    "plan",
    "profile",
    "progress",
    "services",
    "session",
    "surface",
    "tool",
    "turn",
    "update",
    "workspace",
];

/// The registry entry of the function that makes `ctx.permit`.
const PERMITTING: &str = "agent.permitting";

/// A table that the functions of one tool share during one call.
pub(super) type Extra = Arc<OnceLock<Entry>>;

/// The context of one call, for Lua.
pub(super) struct ToolContext {
    context: Context,
    plan: Option<Plan>,
    extra: Extra,
}

impl ToolContext {
    /// `context`, and what was planned, where that is known.
    pub(super) fn new(context: Context, plan: Option<Plan>, extra: Extra) -> ToolContext {
        ToolContext {
            context,
            plan,
            extra,
        }
    }

    /// The scope of the call.
    pub(super) fn scope(&self) -> &Scope {
        &self.context.scope
    }

    fn field(&self, lua: &Lua, context: AnyUserData, name: &str) -> mlua::Result<Value> {
        match name {
            "call" => text(lua, &self.context.call.to_string()),
            "parent" => match self.context.scope.calls().nth(1) {
                Some(parent) => text(lua, &parent.to_string()),
                None => Ok(Value::Nil),
            },
            "caller" => text(lua, self.context.caller().as_str()),
            "tool" => text(lua, &self.context.tool),
            "session" => text(lua, self.context.services.session.as_str()),
            "workspace" => {
                let root = self.context.services.files.workspace().to_string_lossy();
                text(lua, &root)
            }
            "surface" => convert::to_lua(lua, &surface(&self.context)),
            "profile" => match self.context.scope.profile() {
                Some(profile) => text(lua, profile),
                None => Ok(Value::Nil),
            },
            // It belongs to a model's turn, and nobody takes turns here yet.
            "turn" => Ok(Value::Nil),
            "messages" => {
                let list = lua.create_table()?;
                convert::mark_list(lua, &list)?;
                Ok(Value::Table(list))
            }
            "extra" => self.extra(lua).map(Value::Table),
            "services" => services(lua).map(Value::Table),
            "plan" => match &self.plan {
                Some(Plan {
                    work: Work::Data(data),
                    ..
                }) => convert::to_lua(lua, data),
                _ => Ok(Value::Nil),
            },
            "update" => update(lua, self.context.clone()).map(Value::Function),
            "progress" => progress(lua, self.context.clone()).map(Value::Function),
            "output" => output(lua, self.context.clone()).map(Value::Function),
            "log" => log(lua, self.context.clone()).map(Value::Function),
            "cancelled" => {
                let node = Arc::clone(self.context.scope.node());
                let asked = lua.create_function(move |_, ()| Ok(node.is_closed()))?;
                Ok(Value::Function(asked))
            }
            "permit" => lua
                .named_registry_value::<Function>(PERMITTING)?
                .call(context),
            other => {
                let near = suggestion(other, FIELDS);
                let list = format!("ctx has: {}", FIELDS.join(", "));
                let error = ToolError::not_found(format!("there is no `ctx.{other}`"));
                let error = error.with_hint(format!("{near} {list}").trim_start());
                Err(raise::raise(lua, error, None))
            }
        }
    }

    /// The table that the functions of the tool share during this call; made when it is first asked for.
    fn extra(&self, lua: &Lua) -> mlua::Result<Table> {
        let known = lua.app_data_ref::<Weak<Host>>();
        let Some(host) = known.and_then(|host| host.upgrade()) else {
            return Err(mlua::Error::runtime("the state has no host"));
        };
        let external = mlua::Error::external;
        if let Some(entry) = self.extra.get() {
            return host.entries.table(entry).map_err(external);
        }
        let table = lua.create_table()?;
        let entry = host.entries.keep_table(table.clone(), &host.vm);
        let _nobody_was_faster = self.extra.set(entry);
        Ok(table)
    }
}

/// The surface that the tool belongs to: `{ name, description, params }`.
fn surface(context: &Context) -> Data {
    let generation = &context.generation;
    let spec = context.running.spec();
    let said = generation.surfaces.of(spec).cloned().unwrap_or_default();
    Data::map([
        ("name", generation.surfaces.name_of(spec).into()),
        ("description", said.describe().into()),
        ("params", Data::Map(said.params.into_iter().collect())),
    ])
}

impl UserData for ToolContext {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        let index = |lua: &Lua, (this, name): (AnyUserData, LuaString)| {
            let name = name.to_string_lossy();
            this.borrow::<ToolContext>()?
                .field(lua, this.clone(), &name)
        };
        methods.add_meta_function(MetaMethod::Index, index);
    }
}

fn text(lua: &Lua, text: &str) -> mlua::Result<Value> {
    lua.create_string(text).map(Value::String)
}

/// The ways to everything else, so that a test of a tool's function can give others.
fn services(lua: &Lua) -> mlua::Result<Table> {
    let services = lua.create_table()?;
    for name in ["tools", "agent"] {
        services.raw_set(name, lua.globals().raw_get::<Value>(name)?)?;
    }
    Ok(services)
}

/// `ctx.update{ title, metadata }`: what the call is doing now.
fn update(lua: &Lua, context: Context) -> mlua::Result<Function> {
    lua.create_function(move |lua, options: Table| {
        short::only(&options, "ctx.update", &["title", "metadata"])
            .map_err(|error| raise::raise(lua, error, None))?;
        let title: Option<String> = options.get("title")?;
        let metadata = convert::to_data_named(&options.get("metadata")?, "metadata")
            .map_err(|error| raise::raise(lua, error, None))?;
        context.update(title.unwrap_or_default(), metadata);
        Ok(())
    })
}

/// `ctx.progress(done, total, text)`: how far the call is.
fn progress(lua: &Lua, context: Context) -> mlua::Result<Function> {
    lua.create_function(
        move |_, (done, total, text): (u64, Option<u64>, Option<String>)| {
            context.progress(done, total, text.unwrap_or_default());
            Ok(())
        },
    )
}

/// `ctx.output(text)`: a piece of what the call gives, while it runs.
fn output(lua: &Lua, context: Context) -> mlua::Result<Function> {
    lua.create_function(move |_, text: LuaString| {
        context.output(Stream::Stdout, &text.as_bytes());
        Ok(())
    })
}

/// `ctx.log(text, level)`: a line of the log, under the name of the tool.
fn log(lua: &Lua, context: Context) -> mlua::Result<Function> {
    lua.create_function(move |lua, (said, level): (Value, Option<LuaString>)| {
        let level = log::level("ctx.log", level.as_ref())
            .map_err(|error| raise::raise(lua, error, None))?;
        let line = format!("{}: {}", context.tool, said.to_string()?);
        context.services.sink.log(level, line);
        Ok(())
    })
}

/// What `ctx.permit(name, subject, reason)` asks: one more permission in the middle of the call.
type Asked = (AnyUserData, String, String, Option<String>);

/// Prepares `ctx.permit`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(in crate::lua) fn install(lua: &Lua, private: &Table) -> mlua::Result<()> {
    let permit = lua.create_async_function(|lua, asked: Asked| {
        let begun = begin(&asked);
        async move { raise::outcome(&lua, waiting::finish(begun).await, None) }
    })?;
    private.set("permit", permit)?;
    let permitting: Function = private.get("permitting")?;
    lua.set_named_registry_value(PERMITTING, permitting)
}

fn begin(
    (context, name, subject, reason): &Asked,
) -> Result<impl Future<Output = Result<(), Failure>> + use<>, Failure> {
    let context = context.borrow::<ToolContext>()?.context.clone();
    Current::get()?.refuse_if_pure("ctx.permit")?;
    if context.scope.node().is_closed() {
        return Err(ToolError::cancelled().into());
    }
    let subject = super::subject(name, subject.clone());
    let reason = reason.clone().unwrap_or_default();
    Ok(async move { Ok(context.permit(subject, &reason).await?) })
}
