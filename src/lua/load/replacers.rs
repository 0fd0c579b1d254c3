//! What `replacers.lua` says, read: the policy of edits, its numbers, and the chain with its functions.
//!
//! A function is asked on the vm, under a time limit and without tools. What it returns is checked before
//! anything is done with it; where it fails the edit is refused.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use mlua::{Function, Table, Value};

use crate::data::Data;
use crate::edit::{Chain, Found, Policy, Replacer, Step, Thresholds, in_order};
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::lua::clock;
use crate::lua::current::{Current, Voice};
use crate::lua::entries::Entry;
use crate::lua::fields::{Fields, items};
use crate::lua::hooks::place;
use crate::lua::short::{shape, wrong};
use crate::lua::state::State;
use crate::lua::vm::Vm;
use crate::text::suggestion;
use crate::tool::{Find, Replacers, Scope};

/// How long a function may take.
const LIMIT: Duration = Duration::from_secs(1);

/// The numbers that a policy may give, and whether each is at most 1.
const NUMBERS: [(&str, bool); 5] = [
    ("block_anchor", true),
    ("context_aware", true),
    ("larger", false),
    ("block_anchor_single", true),
    ("block_anchor_several", true),
];

/// The policy of `table`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(state: &State, table: &Table, layer: Layer) -> Result<Replacers, ToolError> {
    let fields = Fields::of(table, "replacers", &["policy", "thresholds", "chain"])?;
    let mut replacers = Replacers::default();
    replacers.chain.policy = match fields.text("policy")?.as_deref() {
        None | Some("safe") => Policy::Safe,
        Some("opencode") => Policy::Opencode,
        Some(other) => {
            let message = format!("replacers.policy: expected `safe` or `opencode`, got `{other}`");
            return Err(ToolError::argument(message));
        }
    };
    if let Some(given) = fields.table("thresholds")? {
        replacers.chain.thresholds = thresholds(&given)?;
    }
    if let Some(list) = fields.table("chain")? {
        chain(state, &list, layer, &mut replacers)?;
    }
    Ok(replacers)
}

fn thresholds(table: &Table) -> Result<Thresholds, ToolError> {
    let path = "replacers.thresholds";
    let fields = Fields::of(table, path, &NUMBERS.map(|(name, _)| name))?;
    let mut thresholds = Thresholds::default();
    for (name, is_part) in NUMBERS {
        let value = fields.value(name)?;
        if value.is_nil() {
            continue;
        }
        let fits = |number: &f64| match is_part {
            true => (0.0..=1.0).contains(number),
            false => (1.0..=1000.0).contains(number),
        };
        let expected = match is_part {
            true => "a number from 0 to 1",
            false => "a number from 1 to 1000",
        };
        let Some(number) = number(&value).filter(fits) else {
            return Err(wrong(&fields.at(name), expected, &value));
        };
        *field(&mut thresholds, name) = number;
    }
    Ok(thresholds)
}

/// A number, whole or not.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

fn field<'a>(thresholds: &'a mut Thresholds, name: &str) -> &'a mut f64 {
    match name {
        "block_anchor" => &mut thresholds.block_anchor,
        "context_aware" => &mut thresholds.context_aware,
        "larger" => &mut thresholds.larger,
        "block_anchor_single" => &mut thresholds.block_anchor_single,
        _ => &mut thresholds.block_anchor_several,
    }
}

fn chain(
    state: &State,
    list: &Table,
    layer: Layer,
    replacers: &mut Replacers,
) -> Result<(), ToolError> {
    let mut steps: Vec<Step> = Vec::new();
    for (at, item) in items(list, "replacers.chain")?.iter().enumerate() {
        let path = format!("replacers.chain[{}]", at + 1);
        let step = match item {
            Value::String(name) => shipped(&name.to_string_lossy(), &path)?,
            Value::Table(pair) => {
                let (name, function) = own(pair, item, &path)?;
                let function: Arc<dyn Find> = Arc::new(LuaFind {
                    name: place(&state.lua, &function),
                    entry: state.host.entries.keep(function, &state.host.vm),
                    vm: state.host.vm.clone(),
                    layer,
                });
                replacers.functions.insert(name.clone(), function);
                Step::Own(name)
            }
            other => return Err(wrong(&path, "a name or { \"name\", function }", other)),
        };
        if steps.iter().any(|other| other.name() == step.name()) {
            let message = format!("{path}: `{}` is in the chain already", step.name());
            return Err(ToolError::argument(message));
        }
        steps.push(step);
    }
    if steps.is_empty() {
        let message = "replacers.chain is empty, so no edit could find its place";
        return Err(ToolError::argument(message).with_hint("name at least `simple`"));
    }
    replacers.chain.steps = steps;
    Ok(())
}

fn shipped(name: &str, path: &str) -> Result<Step, ToolError> {
    let found = Replacer::named(name).map(Step::Shipped);
    found.ok_or_else(|| {
        let names = Replacer::ALL.map(Replacer::as_str);
        ToolError::argument(format!("{path}: there is no replacer `{name}`"))
            .with_hint(suggestion(name, names))
    })
}

/// `{ "name", function }`.
fn own(pair: &Table, item: &Value, path: &str) -> Result<(String, Function), ToolError> {
    let form = "{ \"name\", function }";
    let (Ok(Value::String(name)), Ok(Value::Function(function)), 2) =
        (pair.raw_get(1), pair.raw_get(2), pair.raw_len())
    else {
        return Err(wrong(path, form, item));
    };
    let name = name.to_string_lossy();
    if Replacer::named(&name).is_some() || name.is_empty() {
        let message = format!("{path}: `{name}` is no name for a replacer of your own");
        return Err(ToolError::argument(message).with_hint("give it one that no replacer has"));
    }
    Ok((name, function))
}

/// Whether `chain` holds an edit to all that `below` does.
///
/// # Errors
/// `argument` with the first thing that it would loosen.
pub(super) fn tightens(below: &Chain, chain: &Chain) -> Result<(), ToolError> {
    let loosens = |what: String| {
        let message = format!("{what}: a project may make edits stricter, and not looser");
        Err(ToolError::argument(message)
            .with_hint("move it to `tools/replacers.lua` of your own configuration"))
    };
    if below.policy == Policy::Safe && chain.policy == Policy::Opencode {
        return loosens("replacers.policy: `opencode` where `safe` holds".to_owned());
    }
    let (mut was, mut is) = (below.thresholds, chain.thresholds);
    for (name, is_part) in NUMBERS {
        let (was, is) = (*field(&mut was, name), *field(&mut is, name));
        if (is_part && is < was) || (!is_part && is > was) {
            return loosens(format!(
                "replacers.thresholds.{name}: {is} where {was} holds"
            ));
        }
    }
    let added = chain
        .steps
        .iter()
        .find(|step| matches!(step, Step::Shipped(_)) && !below.steps.contains(step));
    match added {
        Some(step) => loosens(format!("replacers.chain: `{}`, which is off", step.name())),
        None => Ok(()),
    }
}

/// A function of a policy file.
struct LuaFind {
    name: String,
    entry: Entry,
    vm: Vm,
    layer: Layer,
}

impl Find for LuaFind {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn find<'a>(
        &'a self,
        scope: &'a Scope,
        text: &'a str,
        old: &'a str,
    ) -> BoxFuture<'a, Result<Vec<Found>, ToolError>> {
        let what = format!("the replacer at {}", self.name);
        let (entry, text, old) = (self.entry.clone(), text.to_owned(), old.to_owned());
        let voice = Voice::Log(self.name.clone(), self.layer);
        let name = what.clone();
        let job = self.vm.job(scope, voice, move |state| async move {
            let current = Current::get()?.block()?.within_pure(&what);
            let args = [Data::Text(text.clone()), Data::Text(old)];
            let work = state.first(&entry, &args);
            let done = clock::within(&state.host, current, LIMIT, work).await;
            match done.unwrap_or_else(|| Err(clock::timeout(&what, LIMIT)))? {
                Value::Nil => Ok(Vec::new()),
                Value::Table(list) => places(&list, &text).map_err(ToolError::argument),
                other => Err(ToolError::argument(format!(
                    "it returned {}: expected a list of {{ first, last, score }}",
                    shape(&other)
                ))),
            }
        });
        Box::pin(async move {
            job.await.map_err(|error| match error.kind {
                Kind::Cancelled => error,
                _ => ToolError::new(Kind::Failed, format!("{name}: {}", error.message)).with_hint(
                    "nothing was changed; mend the function, or take it out of the chain of `replacers.lua`",
                ),
            })
        })
    }
}

/// The places in what a function returned.
fn places(list: &Table, text: &str) -> Result<Vec<Found>, String> {
    let all = items(list, "it returned").map_err(|error| error.message)?;
    let each = all.iter().enumerate().map(|(at, item)| {
        let form = || {
            format!(
                "it returned {} as item {}: expected {{ first, last, score }}, positions as whole numbers",
                shape(item),
                at + 1
            )
        };
        let Value::Table(place) = item else {
            return Err(form());
        };
        let part = |part: usize| place.raw_get::<Value>(part).unwrap_or(Value::Nil);
        let score = match part(3) {
            Value::Nil => Some(1.0),
            other => number(&other),
        };
        let (first, last) = (part(1).as_i64(), part(2).as_i64());
        let (Some(first), Some(last), Some(score)) = (first, last, score) else {
            return Err(form());
        };
        let position = |at: i64| usize::try_from(at).unwrap_or(0);
        let start = position(first).checked_sub(1);
        let start = start.ok_or_else(|| {
            format!("{{ {first}, {last} }} is no place: positions count from 1")
        })?;
        Ok(Found {
            span: start..position(last),
            score,
        })
    });
    in_order(text, each.collect::<Result<_, _>>()?)
}
