//! Reading a tool's record: every field checked, what is missing filled with the careful choice.
//!
//! An effect that is not declared is `write`; subjects that are not declared are the whole arguments, and surface
//! and subjects of a tool that takes another's place are those of the other.

use std::sync::Arc;

use mlua::{Lua, Table, Value};

use super::asking::Question;
use super::{EffectOf, LuaTool, Parts, SubjectsOf};
use crate::error::ToolError;
use crate::lua::calls::Held;
use crate::lua::current::Current;
use crate::lua::fields::Fields;
use crate::lua::host::Host;
use crate::lua::short::{self, wrong};
use crate::permission::Effect;
use crate::schema::{Checker, Parameters};
use crate::text::offer;
use crate::tool::{Gate as _, Origin, Spec, Tool};

/// The fields of a record.
pub(in crate::lua) const FIELDS: [&str; 19] = [
    "id",
    "description",
    "parameters",
    "surface",
    "effect",
    "subjects",
    "plan",
    "execute",
    "enabled",
    "init",
    "format_error",
    "render",
    "display_name",
    "hint",
    "examples",
    "authority",
    "timeout",
    "polls",
    "aliases",
];

/// The surface of tools that name none.
const SURFACE: &str = "user";

/// The tool that `record` describes; its id is `default` where it names none.
///
/// # Errors
/// `argument` that says which field is wrong and what it takes.
pub(in crate::lua) async fn read(
    lua: &Lua,
    host: &Host,
    record: &Table,
    default: Option<&str>,
    origin: Origin,
) -> Result<LuaTool, ToolError> {
    let fields = Fields::alone(record, "a tool", &FIELDS)?;
    let record = Record { host, fields };
    let id = record.id(default)?;
    let shadowed = shadowed(host, &id, &origin)?;
    let surface = record.fields.text("surface")?.unwrap_or_else(|| {
        let surface = shadowed.as_ref().map(|tool| tool.spec().surface.clone());
        surface.unwrap_or_else(|| SURFACE.to_owned())
    });
    let (effect, at_most) = record.effect()?;
    let authority = record.authority(&origin)?;
    let spec = Spec {
        surface,
        effect: at_most,
        description: record.description(lua, &id).await?,
        display_name: record.fields.text("display_name")?,
        hint: record.fields.text("hint")?,
        parameters: short::parameters(&record.fields.value("parameters")?)?,
        parameter_aliases: Vec::new(),
        timeout: record.timeout()?,
        polls: record.fields.flag("polls")?.unwrap_or(false),
        stands_alone: false,
        fields: &[],
        examples: record.examples()?,
        origin,
        id,
    };
    let execute = record.fields.function("execute")?.ok_or_else(|| {
        ToolError::argument("`execute` is missing").with_hint("execute = function(args, ctx) … end")
    })?;
    let keep = |function| host.entries.keep(function, &host.vm);
    let init = record.fields.function("init")?.map(keep);
    Ok(LuaTool(Arc::new(Parts {
        subjects: record.subjects(&spec, shadowed)?,
        aliases: record.aliases()?,
        plan: record.fields.function("plan")?.map(keep),
        enabled: record.fields.function("enabled")?.map(keep),
        init: init.map(super::ready::Init::new),
        format_error: record.fields.function("format_error")?.map(keep),
        render: record.fields.function("render")?.map(keep),
        execute: keep(execute),
        vm: host.vm.clone(),
        effect,
        authority,
        checker: record.checker(&spec.parameters)?,
        spec,
    })))
}

/// The tool whose place the one called `id` takes.
fn shadowed(host: &Host, id: &str, origin: &Origin) -> Result<Option<Arc<dyn Tool>>, ToolError> {
    let current = Current::get()?;
    Ok(match current.draft() {
        Some(draft) => draft.beneath().beneath(id, origin).cloned(),
        None => {
            let generation = host.door()?.generation();
            generation.tools.beneath(id, origin).cloned()
        }
    })
}

/// A record that is read.
pub(super) struct Record<'a> {
    host: &'a Host,
    pub(super) fields: Fields,
}

impl Record<'_> {
    fn id(&self, default: Option<&str>) -> Result<String, ToolError> {
        let id = self
            .fields
            .text("id")?
            .or_else(|| default.map(str::to_owned));
        let id =
            id.ok_or_else(|| ToolError::argument("`id` is missing").with_hint("id = \"name\""))?;
        named(id)
    }

    /// What checks the arguments. A JSON Schema is compiled at once, for it may be broken; the short form
    /// never is.
    fn checker(&self, parameters: &Parameters) -> Result<Checker, ToolError> {
        let checker = Checker::new(parameters);
        let given = self.fields.value("parameters")?;
        let is_schema = given.as_table().is_some_and(|table| {
            let has = |name: &str| {
                table
                    .raw_get(name)
                    .is_ok_and(|value: Value| !value.is_nil())
            };
            has("properties") || has("$schema") || has("$ref")
        });
        if is_schema {
            checker.compile()?;
        }
        Ok(checker)
    }

    /// What the model reads. A function is asked once, here.
    async fn description(&self, lua: &Lua, id: &str) -> Result<String, ToolError> {
        match self.fields.value("description")? {
            Value::Nil => Ok(id.to_owned()),
            Value::String(text) => Ok(text.to_string_lossy()),
            Value::Function(function) => {
                let limit = self.host.vm.shared().settings.loading;
                let question = Question::new("`description`", limit);
                let said = question.ask(lua, self.host, &function, ()).await;
                let said = said.map_err(|caught| question.failed(caught))?;
                match said.front() {
                    Some(Value::String(text)) => Ok(text.to_string_lossy()),
                    other => {
                        let other = other.cloned().unwrap_or_default();
                        Err(wrong(
                            "description: what the function returns",
                            "text",
                            &other,
                        ))
                    }
                }
            }
            other => Err(wrong("description", "text or a function", &other)),
        }
    }

    /// What a call does, and what it does at most.
    fn effect(&self) -> Result<(EffectOf, Effect), ToolError> {
        match self.fields.value("effect")? {
            Value::Nil => Ok((EffectOf::Always(Effect::Write), Effect::Write)),
            Value::String(word) => {
                let effect = effect(&word.to_string_lossy())?;
                Ok((EffectOf::Always(effect), effect))
            }
            Value::Function(function) => {
                let entry = self.host.entries.keep(function, &self.host.vm);
                Ok((EffectOf::Asked(entry), Effect::Network))
            }
            other => Err(wrong(
                "effect",
                "a word or a function of the arguments",
                &other,
            )),
        }
    }

    /// What rules see of a call. A tool that says nothing of it is seen as the one whose place it takes.
    fn subjects(
        &self,
        spec: &Spec,
        shadowed: Option<Arc<dyn Tool>>,
    ) -> Result<SubjectsOf, ToolError> {
        let names = match self.fields.value("subjects")? {
            Value::Nil => return Ok(shadowed.map_or(SubjectsOf::All, SubjectsOf::As)),
            Value::UserData(given) if given.is::<Held>() => {
                let held = given.borrow::<Held>();
                let held = held.map_err(|error| ToolError::internal(error.to_string()))?;
                return Ok(SubjectsOf::As(Arc::clone(&held.0)));
            }
            Value::Function(function) => {
                let entry = self.host.entries.keep(function, &self.host.vm);
                return Ok(SubjectsOf::Asked(entry));
            }
            Value::String(name) => vec![name.to_string_lossy()],
            Value::Table(list) => list
                .sequence_values::<String>()
                .collect::<mlua::Result<_>>()
                .map_err(|error| ToolError::argument(format!("subjects: {error}")))?,
            other => {
                return Err(wrong(
                    "subjects",
                    "names of parameters, a function, or the subjects of a definition",
                    &other,
                ));
            }
        };
        for name in &names {
            if spec.parameters.get(name).is_none() {
                let near = offer(name, "parameters", spec.parameters.names());
                let message = format!("subjects: there is no parameter `{name}`");
                return Err(ToolError::argument(message).with_hint(near));
            }
        }
        Ok(SubjectsOf::Named(names))
    }
}

/// A name that a tool can bear.
///
/// # Errors
/// `argument` that says what such a name is made of.
pub(super) fn named(name: String) -> Result<String, ToolError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
        return Err(
            ToolError::argument(format!("`{name}` cannot be the id of a tool"))
                .with_hint("letters, digits, `_`, `-` and `.`, at most 64"),
        );
    }
    Ok(name)
}

/// The effect that `word` names.
///
/// # Errors
/// `argument` with the words there are.
pub(super) fn effect(word: &str) -> Result<Effect, ToolError> {
    word.parse().map_err(|message: String| {
        ToolError::argument(message).with_hint(offer(
            word,
            "effects",
            Effect::ALL.map(Effect::as_str),
        ))
    })
}
