//! How a tool's failures read, and how its results look to a person: `hint`, `format_error`, `render`.
//!
//! Neither changes what happened: a failure keeps its kind, a result its facts. Where a function raises, the plain
//! form stands.

use futures_util::future::{BoxFuture, ready};
use mlua::{Table, Value};

use super::Parts;
use super::asking::Question;
use crate::data::Data;
use crate::error::ToolError;
use crate::lua::entries::Entry;
use crate::lua::fields::Fields;
use crate::lua::results::Shapes;
use crate::lua::short::wrong;
use crate::lua::state::State;
use crate::lua::{convert, raise};
use crate::text::suggestion;
use crate::tool::{Context, Level, Output, Scope, Span, Style};

impl Parts {
    /// A failure in the tool's own words; nothing where it has none.
    pub(super) fn told<'a>(
        &'a self,
        error: &ToolError,
        context: &'a Context,
    ) -> Option<BoxFuture<'a, ToolError>> {
        let mut told = error.clone();
        if told.hint.is_none() {
            told.hint.clone_from(&self.spec.hint);
        }
        let Some(entry) = self.format_error.clone() else {
            self.spec.hint.as_ref()?;
            return Some(Box::pin(ready(told)));
        };
        let (id, given) = (self.spec.id.clone(), told.clone());
        let job = self
            .vm
            .job(&context.scope, self.voice(), move |state| async move {
                format(&state, &entry, &id, given).await
            });
        Some(Box::pin(async move {
            job.await.unwrap_or_else(|failed| {
                let id = &self.spec.id;
                let line = format!("`format_error` of `{id}` was passed over: {failed}");
                context.services.sink.log(Level::Warn, line);
                told
            })
        }))
    }

    /// A result as a person sees it; nothing where the tool has no form for it.
    pub(super) fn shown<'a>(
        &'a self,
        output: &Output,
        width: usize,
        scope: &Scope,
    ) -> Option<BoxFuture<'a, Result<Vec<Span>, ToolError>>> {
        let entry = self.render.clone()?;
        let (output, id) = (output.clone(), self.spec.id.clone());
        let job = self.vm.job(scope, self.voice(), move |state| async move {
            let function = state.host.entries.get(&entry)?;
            let begin = || {
                Shapes::default()
                    .of(&state.lua, None)?
                    .result(&state.lua, output)
            };
            let result = begin().map_err(|error| state.told(&error))?;
            let what = format!("`render` of `{id}`");
            let limit = state.host.vm.shared().settings.asked;
            let question = Question::new(&*what, limit).pure();
            let asked = question.ask(&state.lua, &state.host, &function, (result, width));
            let mut returned = asked.await.map_err(|caught| question.failed(caught))?;
            let returned = returned.pop_front().unwrap_or_default();
            spans(&returned, &what)
        });
        Some(Box::pin(job))
    }
}

/// What `format_error` makes of `error`: a text, or a table with `message`, `hint`, `detail`.
async fn format(
    state: &State,
    entry: &Entry,
    id: &str,
    error: ToolError,
) -> Result<ToolError, ToolError> {
    let function = state.host.entries.get(entry)?;
    let table = raise::table(&state.lua, &error, Some(id));
    let table = table.map_err(|error| state.told(&error))?;
    let limit = state.host.vm.shared().settings.asked;
    let question = Question::new("it", limit).pure();
    let asked = question.ask(&state.lua, &state.host, &function, table);
    let mut returned = asked.await.map_err(|caught| question.failed(caught))?;
    match returned.pop_front().unwrap_or_default() {
        Value::Nil => Ok(error),
        Value::String(message) => Ok(ToolError {
            message: message.to_string_lossy(),
            ..error
        }),
        Value::Table(table) => rewritten(&table, error),
        other => Err(wrong("what it returns", "text or a table", &other)),
    }
}

fn rewritten(table: &Table, error: ToolError) -> Result<ToolError, ToolError> {
    let names = ["kind", "tool", "message", "hint", "detail"];
    let fields = Fields::alone(table, "what it returns", &names)?;
    let message = fields.text("message")?;
    let hint = fields.text("hint")?;
    let mut told = ToolError {
        message: message.unwrap_or_else(|| error.message.clone()),
        hint: hint.or_else(|| error.hint.clone()),
        ..error
    };
    let detail = fields.value("detail")?;
    if let Data::Map(facts) = convert::to_data_named(&detail, "detail")? {
        for (name, fact) in &facts {
            let fact = serde_json::to_value(fact);
            let fact = fact.map_err(|error| ToolError::argument(error.to_string()))?;
            told = told.with_detail(name, fact);
        }
    }
    Ok(told)
}

/// The spans in what `render` returned: a text, or a list of `{ text, style? }`.
fn spans(returned: &Value, what: &str) -> Result<Vec<Span>, ToolError> {
    let list = match returned {
        Value::String(_) => return Ok(vec![span(returned, what)?]),
        Value::Table(list) => list,
        other => return Err(wrong(what, "a list of { text, style }", other)),
    };
    let items = list.sequence_values::<Value>().enumerate();
    items
        .map(|(at, item)| {
            let item = item.map_err(|error| ToolError::internal(error.to_string()))?;
            span(&item, &format!("{what}, span {}", at + 1))
        })
        .collect()
}

fn span(item: &Value, what: &str) -> Result<Span, ToolError> {
    let (text, style) = match item {
        Value::String(text) => (text.to_string_lossy(), None),
        Value::Table(table) => {
            let fields = Fields::beside(table, what, &["1", "2", "text", "style"])?;
            let text = fields.text_or_place("text", 1)?.unwrap_or_default();
            (text, fields.text_or_place("style", 2)?)
        }
        other => return Err(wrong(what, "{ text, style }", other)),
    };
    let Some(word) = style else {
        let style = Style::Plain;
        return Ok(Span { text, style });
    };
    let known = Style::ALL.into_iter().find(|(name, _)| *name == word);
    let (_, style) = known.ok_or_else(|| {
        let names = Style::ALL.map(|(name, _)| name);
        let hint = format!(
            "{} the styles are: {}",
            suggestion(&word, names),
            names.join(", ")
        );
        ToolError::argument(format!("{what}: there is no style `{word}`"))
            .with_hint(hint.trim_start())
    })?;
    Ok(Span { text, style })
}
