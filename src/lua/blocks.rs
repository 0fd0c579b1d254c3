//! `agent.all map limit sleep`: pieces of a script that run together or for a limited time.
//!
//! Each block has a scope of its own that ends with it: what it began and did not finish is ended, and
//! recorded, before the script goes on.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use mlua::{Function, Lua, MultiValue, Table, Value, Variadic};

use super::current::Current;
use super::fields::Fields;
use super::host::Host;
use super::raise::{self, Caught, Failure};
use super::short::wrong;
use super::{clock, convert, short, waiting};
use crate::error::ToolError;
use crate::tool::{Budget, Guard, Guarded};

/// How many functions of one `agent.map` run at a time, unless it says otherwise.
const CONCURRENCY: usize = 8;

/// Puts them into `agent`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let shared = Rc::clone(host);
    let all = waiting::function(lua, "agent.all", move |lua, functions| {
        all(lua, &shared, functions)
    })?;
    agent.set("all", all)?;
    let shared = Rc::clone(host);
    let map = waiting::function(lua, "agent.map", move |lua, args| map(lua, &shared, args))?;
    agent.set("map", map)?;
    let shared = Rc::clone(host);
    let limit = waiting::function(lua, "agent.limit", move |lua, args| {
        limit(lua, &shared, args)
    })?;
    agent.set("limit", limit)?;
    let sleep = waiting::function(lua, "agent.sleep", |_, seconds| sleep(&seconds))?;
    agent.set("sleep", sleep)
}

type Results = Result<MultiValue, Failure>;

/// All functions together: the first result of each, in order.
fn all(
    lua: &Lua,
    host: &Rc<Host>,
    functions: Variadic<Value>,
) -> Result<impl Future<Output = Results> + use<>, Failure> {
    let tasks: Result<Vec<Task>, ToolError> = functions
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let what = format!("agent.all: argument {}", at + 1);
            Ok((function(value, &what)?, MultiValue::new()))
        })
        .collect();
    let together = together(lua, host, tasks?, usize::MAX)?;
    Ok(async move { Ok(together.await?.into_iter().collect()) })
}

/// `fn(item, index)` for each item of a list: the first result of each, in order.
fn map(
    lua: &Lua,
    host: &Rc<Host>,
    (list, with, options): (Value, Value, Option<Table>),
) -> Result<impl Future<Output = Results> + use<>, Failure> {
    let list = table(&list, "agent.map: argument 1 (list)")?;
    let with = function(&with, "agent.map: argument 2 (fn)")?;
    let mut concurrency = CONCURRENCY;
    if let Some(options) = options {
        short::only(&options, "agent.map", &["concurrency"])?;
        concurrency = many(&options.get("concurrency")?)?;
    }
    let mut tasks = Vec::new();
    for (at, item) in list.sequence_values::<Value>().enumerate() {
        let index = i64::try_from(at + 1).unwrap_or(i64::MAX);
        tasks.push((
            with.clone(),
            MultiValue::from_vec(vec![item?, Value::Integer(index)]),
        ));
    }
    let (lua, together) = (lua.clone(), together(lua, host, tasks, concurrency)?);
    Ok(async move {
        let results = lua.create_sequence_from(together.await?)?;
        convert::mark_list(&lua, &results)?;
        Ok(MultiValue::from_vec(vec![Value::Table(results)]))
    })
}

/// `fn()` within a time, and within what may be spent on models.
fn limit(
    lua: &Lua,
    host: &Rc<Host>,
    (options, body): (Value, Value),
) -> Result<impl Future<Output = Results> + use<>, Failure> {
    let options = table(&options, "agent.limit: argument 1 (limits)")?;
    let body = function(&body, "agent.limit: argument 2 (fn)")?;
    let names = ["timeout", "max_steps", "max_tokens", "max_cost"];
    let fields = Fields::beside(&options, "agent.limit", &names)?;
    let limit = match fields.value("timeout")? {
        Value::Nil => None,
        limit => Some(seconds(&limit, "agent.limit: timeout")?),
    };
    let most = fields.most()?;
    if limit.is_none() && most.is_none() {
        return Err(ToolError::argument("agent.limit: no limit is given")
            .with_hint("agent.limit({ timeout = 60, max_cost = 0.5 }, fn)")
            .into());
    }
    let block = Current::get()?.block_of(|scope| match most.is_none() {
        true => scope.block(),
        false => scope.paying(Arc::new(Budget::new(most))),
    })?;
    let guard = Guard::new(Arc::clone(block.scope().node()));
    let (lua, host) = (lua.clone(), Rc::clone(host));
    Ok(Guarded::new(guard, async move {
        let work = raise::run(&lua, &body, ());
        let Some(limit) = limit else {
            return Ok(block.around(work).await?);
        };
        match clock::within(&host, block, limit, work).await {
            Some(results) => Ok(results?),
            None => Err(clock::timeout("the block", limit).into()),
        }
    }))
}

/// Waits.
fn sleep(time: &Value) -> Result<impl Future<Output = Results> + use<>, Failure> {
    let time = seconds(time, "agent.sleep")?;
    Current::get()?;
    Ok(async move {
        tokio::time::sleep(time).await;
        Ok(MultiValue::new())
    })
}

type Task = (Function, MultiValue);

/// Runs `tasks` in one block, at most `at_once` at a time. The first that fails ends the others.
fn together(
    lua: &Lua,
    host: &Rc<Host>,
    tasks: Vec<Task>,
    at_once: usize,
) -> Result<impl Future<Output = Result<Vec<Value>, Caught>> + use<>, ToolError> {
    let block = Current::get()?.block()?;
    let node = Arc::clone(block.scope().node());
    let guard = Guard::new(Arc::clone(&node));
    let scope = block.scope().clone();
    let (lua, host) = (lua.clone(), Rc::clone(host));
    let work = async move {
        let mut results = vec![Value::Nil; tasks.len()];
        let mut waiting = tasks.into_iter().enumerate();
        let begin = |(at, (function, args)): (usize, Task)| {
            let (lua, host) = (lua.clone(), Rc::clone(&host));
            async move {
                let run = raise::run(&lua, &function, args);
                (at, in_turns(&host, run).await)
            }
        };
        let mut running: FuturesUnordered<_> = waiting.by_ref().take(at_once).map(&begin).collect();
        while let Some((at, result)) = running.next().await {
            let mut returned = match result {
                Ok(returned) => returned,
                Err(caught) => {
                    node.close();
                    scope.settled().await;
                    return Err(caught);
                }
            };
            results[at] = returned.pop_front().unwrap_or_default();
            running.extend(waiting.next().map(&begin));
        }
        Ok(results)
    };
    Ok(Guarded::new(guard, block.around(work)))
}

/// `work`, with a turn of its own whenever another has used up the one they share.
async fn in_turns<T>(host: &Host, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let first = Cell::new(true);
    poll_fn(|context| {
        if !first.take() {
            host.pulse.begin();
        }
        work.as_mut().poll(context)
    })
    .await
}

fn function(value: &Value, what: &str) -> Result<Function, ToolError> {
    match value {
        Value::Function(function) => Ok(function.clone()),
        other => Err(wrong(what, "a function", other)),
    }
}

fn table(value: &Value, what: &str) -> Result<Table, ToolError> {
    match value {
        Value::Table(table) => Ok(table.clone()),
        other => Err(wrong(what, "a table", other)),
    }
}

/// A time in seconds.
///
/// # Errors
/// `argument` when it is none.
pub(super) fn seconds(value: &Value, what: &str) -> Result<Duration, ToolError> {
    let number = value
        .as_number()
        .or_else(|| value.as_integer().map(|whole| whole as f64));
    let time = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| wrong(what, "seconds, zero or more", value))
}

fn many(value: &Value) -> Result<usize, ToolError> {
    let what = "agent.map: concurrency";
    match value {
        Value::Nil => Ok(CONCURRENCY),
        value => match value.as_usize() {
            Some(many) if many > 0 => Ok(many),
            _ => Err(wrong(what, "a whole number above zero", value)),
        },
    }
}
