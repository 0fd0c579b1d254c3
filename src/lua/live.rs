//! Live output: what a call says while it runs, handed to a function of the script, in order, on the vm thread.
//!
//! The call does not wait for the function: output that comes meanwhile is joined, and beyond a bound the oldest is
//! dropped and counted. The call returns after the function has seen all that is left, and never before.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use mlua::{Function, Lua, MultiValue, Table};
use tokio::sync::Notify;

use super::convert;
use super::raise::{self, Failure};
use crate::data::Data;
use crate::error::ToolError;
use crate::tool::{Event, Outcome, Scope, Sink, Stream};

/// How much output waits for the function, in bytes.
const BYTES: usize = 1 << 20;

/// How many things wait for it.
const PIECES: usize = 256;

/// What a call has said and its function has not seen.
#[derive(Default)]
pub(super) struct Feed {
    waiting: Mutex<Waiting>,
    more: Notify,
}

#[derive(Default)]
struct Waiting {
    pieces: VecDeque<Piece>,
    bytes: usize,
    /// Bytes of output that were dropped since the last piece was taken.
    lost: usize,
    is_over: bool,
}

enum Piece {
    Output {
        stream: Stream,
        text: String,
    },
    Update {
        title: String,
        metadata: Data,
    },
    Progress {
        done: u64,
        total: Option<u64>,
        text: String,
    },
}

impl Sink for Feed {
    fn emit(&self, event: Event) {
        let mut waiting = self.lock();
        match event {
            Event::Output { stream, text, .. } => waiting.output(stream, text),
            Event::Updated {
                title, metadata, ..
            } => {
                // The newest word is the one that counts.
                if let Some(Piece::Update { .. }) = waiting.pieces.back() {
                    waiting.pieces.pop_back();
                }
                waiting.push(Piece::Update { title, metadata });
            }
            Event::Progress {
                done, total, text, ..
            } => {
                if let Some(Piece::Progress { .. }) = waiting.pieces.back() {
                    waiting.pieces.pop_back();
                }
                waiting.push(Piece::Progress { done, total, text });
            }
            _ => return,
        }
        drop(waiting);
        self.more.notify_one();
    }
}

impl Waiting {
    fn output(&mut self, stream: Stream, text: String) {
        self.bytes += text.len();
        match self.pieces.back_mut() {
            Some(Piece::Output {
                stream: last,
                text: so_far,
            }) if *last == stream => {
                so_far.push_str(&text);
            }
            _ => self.push(Piece::Output { stream, text }),
        }
        while self.bytes > BYTES {
            self.drop_oldest();
        }
    }

    fn push(&mut self, piece: Piece) {
        if self.pieces.len() == PIECES {
            let oldest = self.pieces.pop_front();
            oldest.iter().for_each(|piece| self.forget(piece));
        }
        self.pieces.push_back(piece);
    }

    /// Drops output until there is room again: half of the piece that has waited longest, by whole characters.
    fn drop_oldest(&mut self) {
        let output = |piece: &&mut Piece| matches!(piece, Piece::Output { .. });
        let Some(Piece::Output { text, .. }) = self.pieces.iter_mut().find(output) else {
            self.bytes = 0;
            return;
        };
        let mut cut = text.len().div_ceil(2);
        while !text.is_char_boundary(cut) {
            cut += 1;
        }
        text.drain(..cut);
        let is_empty = text.is_empty();
        self.lost += cut;
        self.bytes -= cut;
        if is_empty {
            self.pieces
                .retain(|piece| !matches!(piece, Piece::Output { text, .. } if text.is_empty()));
        }
    }

    fn forget(&mut self, piece: &Piece) {
        if let Piece::Output { text, .. } = piece {
            self.bytes -= text.len();
            self.lost += text.len();
        }
    }
}

impl Feed {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.lock().is_over = true;
        self.more.notify_one();
    }

    /// The next piece and how many bytes were dropped before it; none when the call is over and all was seen.
    async fn next(&self) -> Option<(Piece, usize)> {
        loop {
            let more = self.more.notified();
            {
                let mut waiting = self.lock();
                if let Some(piece) = waiting.pieces.pop_front() {
                    if let Piece::Output { text, .. } = &piece {
                        waiting.bytes -= text.len();
                    }
                    return Some((piece, std::mem::take(&mut waiting.lost)));
                }
                if waiting.is_over {
                    return None;
                }
            }
            more.await;
        }
    }
}

/// The scope of a call whose words go to `feed`.
///
/// # Errors
/// `cancelled` when `scope` has ended.
pub(super) fn scope(scope: &Scope, feed: &Arc<Feed>) -> Result<Scope, ToolError> {
    scope.heard(Arc::clone(feed) as Arc<dyn Sink>)
}

/// Drives `call`, and beside it `function` with what the call says. A failure of the function ends the call,
/// and is raised.
///
/// # Errors
/// What the call or the function ends with.
pub(super) async fn drive(
    lua: &Lua,
    feed: &Feed,
    function: &Function,
    call: impl Future<Output = Outcome>,
) -> Result<crate::tool::Output, Failure> {
    let told = async {
        while let Some((piece, lost)) = feed.next().await {
            let event = event(lua, piece, lost)?;
            let _ignored: MultiValue = raise::run(lua, function, event).await?;
        }
        Ok::<(), Failure>(())
    };
    let (mut told, mut call) = (pin!(told), Box::pin(call));
    let early = poll_fn(|context| {
        // The call first: what it says in this turn is seen in this turn.
        if let Poll::Ready(outcome) = call.as_mut().poll(context) {
            return Poll::Ready(Ok(outcome));
        }
        match told.as_mut().poll(context) {
            Poll::Ready(Err(failure)) => Poll::Ready(Err(failure)),
            _ => Poll::Pending,
        }
    })
    .await;
    let outcome = match early {
        Ok(outcome) => outcome,
        Err(failure) => {
            // Dropping it ends what it began, before the failure goes on.
            drop(call);
            return Err(failure);
        }
    };
    feed.end();
    told.await?;
    Ok(outcome?)
}

/// What the function gets.
fn event(lua: &Lua, piece: Piece, lost: usize) -> mlua::Result<Table> {
    let event = lua.create_table()?;
    match piece {
        Piece::Output { stream, text } => {
            event.raw_set("kind", "output")?;
            event.raw_set("stream", stream.as_str())?;
            event.raw_set("text", text)?;
        }
        Piece::Update { title, metadata } => {
            event.raw_set("kind", "update")?;
            event.raw_set("title", title)?;
            event.raw_set("metadata", convert::to_lua(lua, &metadata)?)?;
        }
        Piece::Progress { done, total, text } => {
            event.raw_set("kind", "progress")?;
            event.raw_set("done", done)?;
            event.raw_set("total", total)?;
            event.raw_set("text", text)?;
        }
    }
    if lost > 0 {
        event.raw_set("lost", lost)?;
    }
    Ok(event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::CallId;

    fn output(feed: &Feed, stream: Stream, text: &str) {
        feed.emit(Event::Output {
            call: CallId(1),
            stream,
            text: text.to_owned(),
        });
    }

    fn progress(feed: &Feed, done: u64) {
        feed.emit(Event::Progress {
            call: None,
            done,
            total: None,
            text: String::new(),
        });
    }

    async fn all(feed: &Feed) -> (Vec<String>, usize) {
        feed.end();
        let (mut seen, mut gone) = (Vec::new(), 0);
        while let Some((piece, lost)) = feed.next().await {
            gone += lost;
            seen.push(match piece {
                Piece::Output { stream, text } => format!("{} {text}", stream.as_str()),
                Piece::Update { title, .. } => format!("update {title}"),
                Piece::Progress { done, .. } => format!("progress {done}"),
            });
        }
        (seen, gone)
    }

    #[tokio::test]
    async fn output_is_joined_and_only_the_newest_progress_waits() {
        let feed = Feed::default();
        output(&feed, Stream::Stdout, "a");
        output(&feed, Stream::Stdout, "b");
        output(&feed, Stream::Stderr, "c");
        progress(&feed, 1);
        progress(&feed, 2);
        output(&feed, Stream::Stderr, "d");
        let (seen, lost) = all(&feed).await;
        assert_eq!(seen, ["stdout ab", "stderr c", "progress 2", "stderr d"]);
        assert_eq!(lost, 0);
    }

    #[tokio::test]
    async fn what_nobody_takes_is_bounded_and_the_newest_stays() {
        let feed = Feed::default();
        let line = "ä".repeat(10_000);
        for _ in 0..500 {
            output(&feed, Stream::Stdout, &line);
        }
        output(&feed, Stream::Stdout, "the end");
        let (seen, lost) = all(&feed).await;
        let kept: usize = seen.iter().map(|text| text.len() - "stdout ".len()).sum();
        assert!(kept <= BYTES && kept > BYTES / 4, "{kept}");
        assert_eq!(kept + lost, 500 * line.len() + "the end".len());
        assert!(seen.last().unwrap().ends_with("the end"));

        let feed = Feed::default();
        for at in 0..1000 {
            output(&feed, Stream::Stdout, "x");
            progress(&feed, at);
        }
        assert_eq!(all(&feed).await.0.len(), PIECES);
    }
}
