//! `truncation.lua`: how much of a result a model gets, by tool; numbers, or a function of the call and the text.
//!
//! A function only computes, within a second, and sees texts of up to 2 MB. One that fails is logged, and
//! what the policy says without it holds.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use mlua::{Table, Value};

use crate::data::Data;
use crate::error::ToolError;
use crate::layers::Layer;
use crate::lua::clock;
use crate::lua::current::{Current, Voice};
use crate::lua::entries::Entry;
use crate::lua::fields::Fields;
use crate::lua::hooks::place;
use crate::lua::short::{self, wrong};
use crate::lua::state::State;
use crate::lua::vm::Vm;
use crate::text::Keep;
use crate::tool::{Allowance, Measure, Scope, Truncation};

/// How long a function may take.
const LIMIT: Duration = Duration::from_secs(1);

/// The policy of `table`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(state: &State, table: &Table, layer: Layer) -> Result<Truncation, ToolError> {
    let mut truncation = Truncation::default();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let Value::String(name) = &key else {
            return Err(wrong("truncation", "the ids of tools as keys", &key));
        };
        let name = name.to_string_lossy();
        let path = format!("truncation.{name}");
        match value {
            Value::Table(table) if name == "default" => {
                truncation.default = allowance(&table, &path)?;
            }
            Value::Table(table) => {
                truncation.tools.insert(name, allowance(&table, &path)?);
            }
            Value::Function(function) if name != "default" => {
                let function = LuaMeasure {
                    name: place(&state.lua, &function),
                    entry: state.host.entries.keep(function, &state.host.vm),
                    vm: state.host.vm.clone(),
                    layer,
                };
                truncation.asked.insert(name, Arc::new(function));
            }
            other if name == "default" => return Err(wrong(&path, "a table", &other)),
            other => return Err(wrong(&path, "a table or a function", &other)),
        }
    }
    Ok(truncation)
}

/// `{ lines =, bytes =, keep = }`.
fn allowance(table: &Table, path: &str) -> Result<Allowance, ToolError> {
    let fields = Fields::of(table, path, &["lines", "bytes", "keep"])?;
    let keep = match fields.text("keep")?.as_deref() {
        None => None,
        Some("head") => Some(Keep::Head),
        Some("tail") => Some(Keep::Tail),
        Some("both") => Some(Keep::Both),
        Some(other) => {
            let message = format!("{path}.keep: expected `head`, `tail` or `both`, got `{other}`");
            return Err(ToolError::argument(message));
        }
    };
    Ok(Allowance {
        lines: fields.count("lines")?,
        bytes: fields.count("bytes")?,
        keep,
    })
}

/// A function of a policy file.
struct LuaMeasure {
    name: String,
    entry: Entry,
    vm: Vm,
    layer: Layer,
}

impl Measure for LuaMeasure {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn measure<'a>(
        &'a self,
        scope: &'a Scope,
        call: Data,
        text: &'a str,
    ) -> BoxFuture<'a, Result<Option<Allowance>, ToolError>> {
        let (entry, name, text) = (self.entry.clone(), self.name.clone(), text.to_owned());
        let voice = Voice::Log(self.name.clone(), self.layer);
        let job = self.vm.job(scope, voice, move |state| async move {
            let what = format!("the truncation function {name}");
            let current = Current::get()?.block()?.within_pure(&what);
            let args = [call, Data::Text(text)];
            let work = state.first(&entry, &args);
            let done = clock::within(&state.host, current, LIMIT, work).await;
            match done.unwrap_or_else(|| Err(clock::timeout(&what, LIMIT)))? {
                Value::Nil => Ok(None),
                Value::Table(table) => allowance(&table, "it returned").map(Some),
                other => {
                    let found = short::shape(&other);
                    let message =
                        format!("{what} returns a table or nothing, and this was {found}");
                    Err(ToolError::argument(message))
                }
            }
        });
        Box::pin(job)
    }
}
