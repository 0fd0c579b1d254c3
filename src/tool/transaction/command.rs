//! A command that runs in a transaction: what it changes of the files that the transaction holds is the transaction's.
//!
//! Where no transaction is, nothing is looked at. It starts no command itself, and ends none.

use std::future::Future;
use std::sync::Arc;

use crate::error::ToolError;
use crate::tool::{Scope, Services};

/// Runs a command of `tool`, which `run` is, in `scope`. What ends the command early is adopted there by `run`, so that
/// it has been ended when what it did is looked at.
///
/// # Errors
/// `cancelled` when a transaction around it has ended.
pub async fn in_transaction<T>(
    scope: &Scope,
    services: &Arc<Services>,
    tool: &str,
    run: impl Future<Output = T>,
) -> Result<T, ToolError> {
    let Some(transaction) = scope.transaction() else {
        return Ok(run.await);
    };
    let (transaction, files) = (Arc::clone(transaction), Arc::clone(&services.files));
    let (begun, within, tool) = (Arc::clone(&transaction), scope.clone(), tool.to_owned());
    let looks = Arc::clone(&files);
    let begin = move || {
        let id = begun.begin_command(&tool, &looks)?;
        let unsettled = Arc::clone(within.unsettled());
        let late = move || unsettled.run(move || begun.end_command(id, &looks));
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
