//! Reading a tool's record: every field checked, what is missing filled with the careful choice.
//!
//! An effect that is not declared is `write`; subjects that are not declared are the whole arguments.

use std::sync::Arc;

use mlua::{Function, Table, Value};

use super::{EffectOf, LuaTool, Parts, SubjectsOf};
use crate::error::{Kind, ToolError};
use crate::lua::host::Host;
use crate::lua::short::{self, wrong};
use crate::permission::Effect;
use crate::schema::Checker;
use crate::text::suggestion;
use crate::tool::{Origin, Spec};

/// The fields of a record.
const FIELDS: [&str; 8] = [
    "id",
    "description",
    "parameters",
    "surface",
    "effect",
    "subjects",
    "plan",
    "execute",
];

/// Fields that are documented and mean something: leaving them unread would do what nobody asked for.
const NOT_YET: [&str; 8] = [
    "enabled",
    "init",
    "format_error",
    "render",
    "display_name",
    "hint",
    "examples",
    "authority",
];

/// The surface of tools that name none.
const SURFACE: &str = "user";

/// The tool that `record` describes; its id is `default` where it names none.
///
/// # Errors
/// `argument` that says which field is wrong and what it takes.
pub(in crate::lua) fn read(
    host: &Host,
    record: &Table,
    default: Option<&str>,
    origin: Origin,
) -> Result<LuaTool, ToolError> {
    let record = Record { host, record };
    record.check_fields()?;
    let id = record.id(default)?;
    let surface = record
        .text("surface")?
        .unwrap_or_else(|| SURFACE.to_owned());
    let (effect, at_most) = record.effect()?;
    let spec = Spec {
        surface,
        effect: at_most,
        description: record.description(&id)?,
        parameters: short::parameters(&record.get("parameters")?)?,
        parameter_aliases: Vec::new(),
        timeout: None,
        fields: &[],
        examples: Vec::new(),
        origin,
        id,
    };
    let execute = record.function("execute")?.ok_or_else(|| {
        ToolError::argument("`execute` is missing").with_hint("execute = function(args, ctx) … end")
    })?;
    let plan = record.function("plan")?;
    let keep = |function| host.entries.keep(function, &host.vm);
    Ok(LuaTool(Arc::new(Parts {
        subjects: record.subjects(&spec)?,
        plan: plan.map(keep),
        execute: keep(execute),
        vm: host.vm.clone(),
        effect,
        checker: Checker::new(&spec.parameters),
        spec,
    })))
}

struct Record<'a> {
    host: &'a Host,
    record: &'a Table,
}

impl Record<'_> {
    fn check_fields(&self) -> Result<(), ToolError> {
        for name in NOT_YET {
            if !self.get(name)?.is_nil() {
                let message =
                    format!("the field `{name}` of a tool is not supported by this version");
                return Err(ToolError::new(Kind::Unavailable, message).with_hint("leave it out"));
            }
        }
        short::only(self.record, "a tool", &FIELDS)
    }

    fn id(&self, default: Option<&str>) -> Result<String, ToolError> {
        let id = self.text("id")?.or_else(|| default.map(str::to_owned));
        let id =
            id.ok_or_else(|| ToolError::argument("`id` is missing").with_hint("id = \"name\""))?;
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if id.is_empty() || id.len() > 64 || !id.chars().all(fits) {
            return Err(
                ToolError::argument(format!("`{id}` cannot be the id of a tool"))
                    .with_hint("letters, digits, `_`, `-` and `.`, at most 64"),
            );
        }
        Ok(id)
    }

    /// What the model reads. A function is asked once, here.
    fn description(&self, id: &str) -> Result<String, ToolError> {
        match self.get("description")? {
            Value::Nil => Ok(id.to_owned()),
            Value::String(text) => Ok(text.to_string_lossy()),
            Value::Function(function) => function
                .call::<String>(())
                .map_err(|error| ToolError::argument(format!("description: {error}"))),
            other => Err(wrong("description", "text or a function", &other)),
        }
    }

    /// What a call does, and what it does at most.
    fn effect(&self) -> Result<(EffectOf, Effect), ToolError> {
        match self.get("effect")? {
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

    fn subjects(&self, spec: &Spec) -> Result<SubjectsOf, ToolError> {
        let names = match self.get("subjects")? {
            Value::Nil => return Ok(SubjectsOf::All),
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
                    "names of parameters or a function",
                    &other,
                ));
            }
        };
        for name in &names {
            if spec.parameters.get(name).is_none() {
                let near = suggestion(name, spec.parameters.names());
                let message = format!("subjects: there is no parameter `{name}`");
                return Err(ToolError::argument(message).with_hint(near));
            }
        }
        Ok(SubjectsOf::Named(names))
    }

    fn text(&self, name: &str) -> Result<Option<String>, ToolError> {
        match self.get(name)? {
            Value::Nil => Ok(None),
            Value::String(text) => Ok(Some(text.to_string_lossy())),
            other => Err(wrong(name, "text", &other)),
        }
    }

    fn function(&self, name: &str) -> Result<Option<Function>, ToolError> {
        match self.get(name)? {
            Value::Nil => Ok(None),
            Value::Function(function) => Ok(Some(function)),
            other => Err(wrong(name, "a function", &other)),
        }
    }

    fn get(&self, name: &str) -> Result<Value, ToolError> {
        let value = self.record.raw_get(name);
        value.map_err(|error| ToolError::internal(error.to_string()))
    }
}

/// The effect that `word` names.
///
/// # Errors
/// `argument` with the words there are.
pub(super) fn effect(word: &str) -> Result<Effect, ToolError> {
    word.parse().map_err(|message: String| {
        ToolError::argument(message).with_hint(suggestion(word, Effect::ALL.map(Effect::as_str)))
    })
}
