//! `ctx`, the second argument of a tool's functions: who calls, and ways to say what is going on.
//!
//! Called with dots: `ctx.update{ title = … }`. It means nothing once its call has ended.

use std::future::Future;

use mlua::{
    AnyUserData, Function, Lua, LuaString, MetaMethod, Table, UserData, UserDataMethods, Value,
};

use crate::error::ToolError;
use crate::lua::raise::{self, Failure};
use crate::lua::{convert, short, waiting};
use crate::text::suggestion;
use crate::tool::{Context, Plan, Scope, Work};

/// The fields of `ctx`.
const FIELDS: [&str; 9] = [
    "call",
    "caller",
    "permit",
    "plan",
    "progress",
    "session",
    "tool",
    "update",
    "workspace",
];

/// The registry entry of the function that makes `ctx.permit`.
const PERMITTING: &str = "agent.permitting";

/// The context of one call, for Lua.
pub(super) struct ToolContext {
    context: Context,
    plan: Option<Plan>,
}

impl ToolContext {
    /// `context`, and what was planned, where that is known.
    pub(super) fn new(context: Context, plan: Option<Plan>) -> ToolContext {
        ToolContext { context, plan }
    }

    /// The scope of the call.
    pub(super) fn scope(&self) -> &Scope {
        &self.context.scope
    }

    fn field(&self, lua: &Lua, context: AnyUserData, name: &str) -> mlua::Result<Value> {
        match name {
            "call" => text(lua, &self.context.call.to_string()),
            "caller" => text(lua, self.context.caller().as_str()),
            "tool" => text(lua, &self.context.tool),
            "session" => text(lua, self.context.services.session.as_str()),
            "workspace" => {
                let root = self.context.services.files.workspace().to_string_lossy();
                text(lua, &root)
            }
            "plan" => match &self.plan {
                Some(Plan {
                    work: Work::Data(data),
                    ..
                }) => convert::to_lua(lua, data),
                _ => Ok(Value::Nil),
            },
            "update" => update(lua, self.context.clone()).map(Value::Function),
            "progress" => progress(lua, self.context.clone()).map(Value::Function),
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
    if context.scope.node().is_closed() {
        return Err(ToolError::cancelled().into());
    }
    let subject = super::subject(name, subject.clone());
    let reason = reason.clone().unwrap_or_default();
    Ok(async move { Ok(context.permit(subject, &reason).await?) })
}
