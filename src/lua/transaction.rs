//! `agent.transaction(fn)`: what calls inside it change stands when `fn` returns, and is put back when it does not.
//!
//! Whatever ends it early, an error, Ctrl-C, a limit around it, `os.exit`, the files are as before by the time
//! the script, or the shell, goes on. Work on files happens on a thread of its own.

use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mlua::{Lua, Table, Value};

use super::current::Current;
use super::host::Host;
use super::raise::{self, Caught, Failure};
use super::short::wrong;
use super::{convert, waiting};
use crate::data::Data;
use crate::error::ToolError;
use crate::files::{Action, Change, net};
use crate::tool::{Guard, Guarded, Level, Services, Transaction};

/// Puts `agent.transaction` into `agent`.
///
/// # Errors
/// What Lua says when memory runs out.
pub(super) fn install(lua: &Lua, agent: &Table, host: &Rc<Host>) -> mlua::Result<()> {
    let host = Rc::clone(host);
    let begin = move |lua: &Lua, body| transaction(lua, &host, body);
    let function = waiting::function(lua, "agent.transaction", begin)?;
    agent.set("transaction", function)
}

fn transaction(
    lua: &Lua,
    host: &Rc<Host>,
    body: Value,
) -> Result<impl Future<Output = Result<Table, Failure>> + use<>, Failure> {
    let Value::Function(body) = body else {
        return Err(wrong("agent.transaction: argument 1 (fn)", "a function", &body).into());
    };
    let current = Current::get()?;
    current.refuse_if_pure("agent.transaction")?;
    let whole = Transaction::begin(current.scope().transaction())?;
    let block = current.block_of(|scope| scope.within(Arc::clone(&whole)));
    // Without a block nothing can be changed, and the transaction around this one need not wait for it.
    let files = Arc::clone(&host.services.files);
    let block = block.inspect_err(|_| drop(whole.end().map(|()| whole.changes(&files))))?;
    let node = Arc::clone(block.scope().node());
    let scope = block.scope().clone();
    let raised = Arc::new(AtomicBool::new(false));
    let _until_it_ends = node.adopt(putting_back(&whole, &host.services, &block, &raised));
    let guard = Guard::new(Arc::clone(&node));
    let lua = lua.clone();
    Ok(Guarded::new(guard, async move {
        match block.around(raise::run(&lua, &body, ())).await {
            Ok(mut values) => {
                whole.end()?;
                // What was left running in it ends first, or it would be waited for.
                node.close();
                let ended = tokio::task::spawn_blocking(move || told(whole.changes(&files)));
                let change = ended.await.map_err(|_| ToolError::cancelled())?;
                let table = convert::to_lua(&lua, &change)?;
                let Value::Table(table) = table else {
                    return Err(ToolError::internal("a transaction without a result").into());
                };
                table.raw_set("value", values.pop_front().unwrap_or_default())?;
                Ok(table)
            }
            Err(caught) => {
                raised.store(true, Ordering::Release);
                node.close();
                scope.settled().await;
                Err(with(&lua, caught, &whole))
            }
        }
    }))
}

/// What puts everything back when the block is closed while the transaction is open.
fn putting_back(
    whole: &Arc<Transaction>,
    services: &Arc<Services>,
    block: &Current,
    raised: &Arc<AtomicBool>,
) -> impl FnOnce() + Send + use<> {
    let (whole, services) = (Arc::clone(whole), Arc::clone(services));
    let (unsettled, raised) = (Arc::clone(block.scope().unsettled()), Arc::clone(raised));
    move || {
        if !whole.is_open() {
            return;
        }
        unsettled.run(move || {
            whole.put_back(&services.files, &services.ledger);
            // Where an error is raised, it says so itself.
            if raised.load(Ordering::Acquire) {
                return;
            }
            if let Some(line) = whole.not_put_back() {
                services.sink.log(Level::Warn, line);
            }
        });
    }
}

/// What `fn` raised, as it is; with what could not be put back, if anything.
fn with(lua: &Lua, caught: Caught, whole: &Transaction) -> Failure {
    if whole.not_put_back().is_none() || caught.exit.is_some() {
        return caught.into();
    }
    let error = whole.told(caught.error.clone());
    raise::instead(lua, &caught, &error)
}

/// The changes that stand, as a script gets them.
fn told(changes: Vec<Change>) -> Data {
    let (mut diff, mut additions, mut deletions) = (String::new(), 0, 0);
    let mut files = Vec::new();
    for change in net(&changes) {
        let part = change.diff();
        diff.push_str(&part.text);
        additions += part.additions;
        deletions += part.deletions;
        let mut file = vec![
            ("path", Data::from(change.place.display.as_str())),
            ("action", change.action.as_str().into()),
            ("additions", part.additions.into()),
            ("deletions", part.deletions.into()),
        ];
        if let Action::Move { to } = &change.action {
            file.push(("moved_to", to.display.as_str().into()));
        }
        let file = file
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        files.push(Data::Map(file.collect()));
    }
    Data::map([
        ("diff", diff.into()),
        ("files", Data::List(files)),
        ("additions", additions.into()),
        ("deletions", deletions.into()),
    ])
}
