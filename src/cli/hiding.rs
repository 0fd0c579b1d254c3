//! Secrets in what is told on the way, where it is told to a model: hidden as in the result that follows.
//!
//! Output that arrives in pieces is held back to the end of its line, since a secret may go on with the next.
//! What a call hid by itself stays as it is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::gate::Dispatch;
use crate::process::Stream;
use crate::redact::{self, Reach, Redactor};
use crate::tool::{CallId, Event, Gate as _, hidden};

/// What hides them: the rules that are in force.
pub(super) struct Hiding {
    dispatch: Weak<Dispatch>,
    /// What running commands wrote and was not told yet.
    held: Mutex<BTreeMap<(CallId, Stream), redact::Stream>>,
}

impl Hiding {
    /// By the rules of this door.
    pub(super) fn of(dispatch: &Arc<Dispatch>) -> Hiding {
        Hiding {
            dispatch: Arc::downgrade(dispatch),
            held: Mutex::default(),
        }
    }

    /// Passes `event` on to `tell` without secrets; before the end of a call, what was held back of it.
    pub(super) fn hide(&self, mut event: Event, tell: impl Fn(Event)) {
        // Without a door there are no calls any more, and so no output of theirs.
        let Some(dispatch) = self.dispatch.upgrade() else {
            return tell(event);
        };
        let generation = dispatch.generation();
        let redactor = &generation.redaction.redactor(dispatch.services());
        let texts = match &mut event {
            Event::Log { text, .. } | Event::Progress { text, .. } => [Some(text), None],
            Event::Notified { title, text } => [Some(text), title.as_mut()],
            Event::Updated {
                title, metadata, ..
            } => {
                hidden::data(metadata, redactor);
                [Some(title), None]
            }
            Event::Output { call, stream, text } => {
                *text = self.passed(redactor, (*call, *stream), text);
                if text.is_empty() {
                    return;
                }
                [None, None]
            }
            Event::Finished { call, .. } => {
                self.rest_of(*call).into_iter().for_each(&tell);
                [None, None]
            }
            Event::Started { .. } => [None, None],
        };
        for text in texts.into_iter().flatten() {
            *text = redactor.redact(text, Reach::Log).into_owned();
        }
        tell(event);
    }

    /// What can be told of a stream when `text` has come.
    fn passed(&self, redactor: &Arc<Redactor>, of: (CallId, Stream), text: &str) -> String {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = || redact::Stream::new(redactor, Reach::Model);
        held.entry(of).or_insert_with(begin).push(text.as_bytes())
    }

    /// What was held back of the streams of a call.
    fn rest_of(&self, call: CallId) -> Vec<Event> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let streams = [Stream::Stdout, Stream::Stderr];
        let rest = streams.into_iter().filter_map(|stream| {
            let text = held.remove(&(call, stream))?.finish();
            (!text.is_empty()).then_some(Event::Output { call, stream, text })
        });
        rest.collect()
    }
}
