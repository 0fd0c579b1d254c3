//! The hooks around a session: at its start, once everything is loaded, and at its end, however it ends.
//!
//! They can delay it and never fail it. What was interrupted does not wait long for them.

use std::sync::Arc;
use std::time::Duration;

use super::session::Session;
use crate::data::{Data, Map};
use crate::error::{Error, Exit, Kind, ToolError};
use crate::tool::{Guard, Level, Point, Scope};

/// What all hooks at the end get, once somebody wants to be gone. Shorter than what the process itself gets.
const HURRY: Duration = Duration::from_millis(700);

/// Calls the hooks at `session.start`.
pub(super) async fn start(session: &Session, command: &str) {
    if !session.dispatch.hears(Point::SessionStart) {
        return;
    }
    let Ok(scope) = session.scope() else { return };
    let event = Map::from([("command".to_owned(), command.into())]);
    fire(session, &scope, Point::SessionStart, event).await;
}

/// Calls the hooks at `session.end`. They run beside what has been ended, in a scope of their own.
pub(super) async fn end(session: &Session, command: &str, result: &Result<Exit, Error>) {
    if !session.dispatch.hears(Point::SessionEnd) {
        return;
    }
    let exit = match (session.ending.cause(), result) {
        (Some(cause), _) => cause,
        (None, Ok(exit)) => *exit,
        (None, Err(error)) => error.exit(),
    };
    let event = Map::from([
        ("command".to_owned(), command.into()),
        ("exit".to_owned(), Data::from(exit.code())),
    ]);
    let profile = session.options.profile.as_deref();
    let scope = Scope::root_under(session.options.caller(), profile);
    let _guard = Guard::new(Arc::clone(scope.node()));
    let hurried = async {
        session.root.node().closed().await;
        tokio::time::sleep(HURRY).await;
    };
    tokio::select! {
        () = fire(session, &scope, Point::SessionEnd, event) => {}
        () = hurried => {
            let line = "the hooks at session.end were not done in time and were ended";
            session.services.sink.log(Level::Warn, line.to_owned());
        }
    }
}

async fn fire(session: &Session, scope: &Scope, point: Point, event: Map) {
    let failed = |error: ToolError| {
        if error.kind != Kind::Cancelled {
            let sink = &session.services.sink;
            sink.log(Level::Warn, format!("{}: {error}", point.as_str()));
        }
    };
    let fired = session.dispatch.fire(scope, point, event).await;
    fired.map_or_else(failed, |_| ());
}
