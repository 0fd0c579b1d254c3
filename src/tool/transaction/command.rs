//! A command that runs in a transaction: what it changes of the files that the transaction holds is the transaction's.
//!
//! Where no transaction is, nothing is looked at. It starts no command itself.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::error::ToolError;
use crate::process::Group;
use crate::tool::{Scope, Services};

/// How long what is ended is waited for: the kernel takes away what was sent SIGKILL.
const DEATH: Duration = Duration::from_millis(500);

/// By which a command is ended, once it has begun.
#[derive(Clone, Default)]
pub struct Ending(Arc<OnceLock<Group>>);

impl Ending {
    /// The command is `group`.
    pub fn is(&self, group: &Group) {
        let _the_first_counts = self.0.set(group.clone());
    }

    /// Ends it and waits for its death; not for the thread of Lua.
    pub(super) fn now(&self) {
        if let Some(group) = self.0.get() {
            group.kill_and_wait(DEATH);
        }
    }
}

/// Runs a command of `tool`, which `run` is, in `scope`. Where it is cut short, it is ended by `ending`, so that it
/// changes nothing more when what it did is looked at.
///
/// # Errors
/// `cancelled` when a transaction around it has ended.
pub async fn in_transaction<T>(
    scope: &Scope,
    services: &Arc<Services>,
    (tool, ending): (&str, &Ending),
    run: impl Future<Output = T>,
) -> Result<T, ToolError> {
    let Some(transaction) = scope.transaction() else {
        return Ok(run.await);
    };
    let (transaction, files) = (Arc::clone(transaction), Arc::clone(&services.files));
    let (begun, within, tool) = (Arc::clone(&transaction), scope.clone(), tool.to_owned());
    let (looks, ending) = (Arc::clone(&files), ending.clone());
    let begin = move || {
        let id = begun.begin_command(&tool, &ending, &looks)?;
        let unsettled = Arc::clone(within.unsettled());
        let late = move || {
            unsettled.run(move || {
                ending.now();
                begun.end_command(id, &looks);
            });
        };
        Ok::<_, ToolError>((id, within.node().adopt(late)))
    };
    let (id, adopted) = blocking(begin).await??;
    let done = run.await;
    adopted.release();
    blocking(move || transaction.end_command(id, &files)).await?;
    Ok(done)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| ToolError::cancelled())
}
