//! One call while its arguments come in: in pieces, at once, or both, sometimes more than once.
//!
//! What the pieces mean is decided when they are all there. Nothing is ever mended into arguments that the
//! model did not write: either they can be read in one way, or they stay as they came.

use std::borrow::Cow;

use crate::chat::arguments::is_object;
use crate::chat::{Arguments, Call, Opaque};

/// A call under way.
#[derive(Debug)]
pub(super) struct Open {
    /// Its id in the conversation.
    pub(super) id: String,
    /// Its tool.
    pub(super) tool: String,
    /// The id the provider gave it.
    given: Option<String>,
    opaque: Option<Opaque>,
    pieces: Vec<String>,
    whole: Option<String>,
    state: State,
    /// The call was begun again under no id: what follows says whether it is another.
    begun_again: bool,
}

#[derive(Debug, PartialEq)]
enum State {
    Running,
    Closed,
    Settled(Option<Call>),
}

impl Open {
    pub(super) fn new(
        id: String,
        given: Option<String>,
        tool: String,
        opaque: Option<Opaque>,
    ) -> Open {
        Open {
            id,
            tool,
            given,
            opaque,
            pieces: Vec::new(),
            whole: None,
            state: State::Running,
            begun_again: false,
        }
    }

    /// Whether a beginning under this call's key is this call told again, and not another call.
    pub(super) fn is_told_again(&self, id: Option<&str>, tool: &str) -> bool {
        let same_tool = tool.is_empty() || self.tool.is_empty() || self.tool == tool;
        let same_id = match (id, self.given.as_deref()) {
            (Some(id), Some(given)) => id == given,
            (Some(_), None) => self.is_pending() && !self.is_whole(),
            (None, _) => true,
        };
        same_tool && same_id
    }

    pub(super) fn told_again(&mut self, tool: String, opaque: Option<Opaque>, without_id: bool) {
        self.begun_again = without_id;
        if self.is_pending() {
            if self.tool.is_empty() {
                self.tool = tool;
            }
            self.opaque = self.opaque.take().or(opaque);
        }
    }

    /// The tool of another call that `text` belongs to, where this call is whole, began again, and `text` is
    /// not its own arguments once more.
    pub(super) fn follows(&mut self, text: &str) -> Option<String> {
        let began = std::mem::take(&mut self.begun_again);
        if !began || !text.trim_start().starts_with('{') {
            return None;
        }
        let own = self.written();
        (is_full(&own) && text.trim() != own.trim()).then(|| self.tool.clone())
    }

    pub(super) fn add(&mut self, text: String) {
        if self.is_pending() {
            self.pieces.push(text);
        }
    }

    pub(super) fn set(&mut self, text: String) {
        if self.is_pending() {
            self.whole = Some(text);
        }
    }

    pub(super) fn takes(&mut self, id: &str) -> bool {
        let takes = self.is_pending() && self.given.is_none();
        if takes {
            self.given = Some(id.to_owned());
            self.id = id.to_owned();
        }
        takes
    }

    pub(super) fn close(&mut self) {
        if self.state == State::Running {
            self.state = State::Closed;
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// Whether the call has not been handed out.
    pub(super) fn is_pending(&self) -> bool {
        !matches!(self.state, State::Settled(_))
    }

    /// Whether the arguments are an object that nothing can be added to. An empty one may be a beginning.
    pub(super) fn is_whole(&self) -> bool {
        is_full(&self.written())
    }

    /// The same, once the provider has said that the call is finished: an empty object that came as a whole is.
    pub(super) fn is_certain(&self) -> bool {
        self.is_whole() || self.whole.as_deref().is_some_and(is_object)
    }

    /// Whether `other` is this very call again: the provider's id, the tool and the arguments are the same.
    pub(super) fn is_same(&self, other: &Open) -> bool {
        self.given.is_some()
            && self.given == other.given
            && self.tool == other.tool
            && self.written() == other.written()
    }

    /// Hands the call out, or drops it where it only repeats another.
    pub(super) fn settle(&mut self, repeats: bool) -> Option<Call> {
        let call = (!repeats).then(|| self.call(false));
        self.state = State::Settled(call.clone());
        call
    }

    /// The call as it is kept: as it was handed out, else as incomplete.
    pub(super) fn into_call(self) -> Option<Call> {
        match self.state {
            State::Settled(call) => call,
            State::Running | State::Closed => Some(self.call(true)),
        }
    }

    fn call(&self, incomplete: bool) -> Call {
        let written = self.written().into_owned();
        Call {
            id: self.id.clone(),
            tool: self.tool.clone(),
            arguments: Arguments::new(written),
            incomplete,
            opaque: self.opaque.clone(),
        }
    }

    /// The arguments as far as they are known.
    fn written(&self) -> Cow<'_, str> {
        let joined = joined(&self.pieces);
        match &self.whole {
            Some(whole) if is_full(whole) || joined.trim().is_empty() => Cow::Borrowed(whole),
            Some(whole) if !is_full(&joined) && !whole.trim().is_empty() => Cow::Borrowed(whole),
            _ => joined,
        }
    }
}

/// What pieces mean together: their text; or, where that is no object, what was sent over again (after a
/// place-holder, or all of it more than once).
fn joined(pieces: &[String]) -> Cow<'_, str> {
    let [.., last] = pieces else {
        return Cow::Borrowed("");
    };
    if let [one] = pieces {
        return Cow::Borrowed(one);
    }
    let text = pieces.concat();
    if is_object(&text) {
        return Cow::Owned(text);
    }
    let is_early = |piece: &String| {
        let piece = piece.trim();
        matches!(piece, "" | "{}" | "null") || piece == last.trim()
    };
    if is_object(last) && pieces.iter().all(is_early) {
        return Cow::Borrowed(last);
    }
    for held in ["{}", "null"] {
        if let Some(rest) = text.trim_start().strip_prefix(held)
            && is_object(rest)
        {
            return Cow::Owned(rest.to_owned());
        }
    }
    let half = text.split_at_checked(text.len() / 2);
    match half {
        Some((first, second)) if first == second && is_object(first) => {
            Cow::Owned(first.to_owned())
        }
        _ => Cow::Owned(text),
    }
}

/// Whether `text` is a whole object with something in it.
fn is_full(text: &str) -> bool {
    let inside = text.trim().strip_prefix('{');
    inside.is_some_and(|inside| inside.trim_start() != "}") && is_object(text)
}
