//! What a turn begins with: the words of the command line, and what is piped in.
//!
//! A pipe that stays open and says nothing does not hold up who gave a prompt.

use std::io::{self, IsTerminal as _, Read as _};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::chat::{Image, Part};
use crate::error::{Error, ToolError};
use crate::tool::{Level, Sink};

/// How long a pipe may say nothing where there is a prompt.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many bytes of what is piped in a model gets.
const MOST_BYTES: usize = 1 << 20;

/// What was given.
pub(super) struct Input {
    /// The words.
    pub(super) prompt: String,
    /// What was piped in beside them.
    pub(super) piped: Option<Piped>,
}

/// What was piped in.
pub(super) enum Piped {
    /// Text, or what was read as such.
    Text(String),
    /// An image.
    Image(Image),
}

/// Reads both.
///
/// # Errors
/// Usage: there are no words at all; `failed` where standard input cannot be read.
pub(super) async fn read(prompt: Option<&str>, sink: &Arc<dyn Sink>) -> Result<Input, Error> {
    let prompt = prompt.filter(|prompt| !prompt.trim().is_empty());
    let is_piped = !io::stdin().is_terminal();
    let Some(words) = prompt.filter(|prompt| *prompt != "-") else {
        let is_asked = prompt.is_some() || is_piped;
        let all = if is_asked { whole(None).await? } else { None };
        let prompt = all.filter(|bytes| Image::kind_of(bytes).is_none());
        let prompt = prompt.map(|bytes| as_text(&bytes));
        let prompt = prompt.filter(|text| !text.trim().is_empty());
        return Ok(Input {
            prompt: prompt.ok_or_else(nothing)?,
            piped: None,
        });
    };
    let piped = match is_piped {
        true => whole(Some(PATIENCE)).await?,
        false => Some(Vec::new()),
    };
    if piped.is_none() {
        let line = "nothing came from standard input for 5 s, so the prompt stands alone; `</dev/null` saves the wait";
        sink.log(Level::Warn, line.to_owned());
    }
    Ok(Input {
        prompt: words.to_owned(),
        piped: piped.map(|bytes| as_piped(&bytes)).transpose()?.flatten(),
    })
}

/// What the bytes are; `None` where they say nothing.
fn as_piped(bytes: &[u8]) -> Result<Option<Piped>, Error> {
    let Some(kind) = Image::kind_of(bytes) else {
        let text = as_text(bytes);
        return Ok((!text.trim().is_empty()).then_some(Piped::Text(text)));
    };
    match Image::excess(bytes.len()) {
        None => Ok(Some(Piped::Image(Image::new(kind, bytes)))),
        Some(excess) => Err(Error::usage(
            format!("what is piped in {excess}"),
            "pipe in a smaller copy of it",
        )),
    }
}

/// The parts of the message.
pub(super) fn parts(prompt: &str, piped: Option<Piped>) -> Vec<Part> {
    match piped {
        None => vec![Part::text(prompt)],
        Some(Piped::Image(image)) => vec![Part::text(prompt), Part::Image(image)],
        Some(Piped::Text(text)) => vec![Part::text(format!(
            "{prompt}\n\n<stdin>\n{}\n</stdin>",
            text.trim_end()
        ))],
    }
}

fn nothing() -> Error {
    Error::usage(
        "there is nothing to ask",
        "agent run \"what to do\"; what is piped in is added to it, and `-` reads all of it from standard input",
    )
}

/// All of standard input; `None` where nothing came in time. Once something came, it is read to its end.
async fn whole(patience: Option<Duration>) -> Result<Option<Vec<u8>>, Error> {
    let read = tokio::task::spawn_blocking(move || {
        if let Some(patience) = patience
            && !is_ready(patience)
        {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    });
    let read: io::Result<Option<Vec<u8>>> = match read.await {
        Ok(read) => read,
        Err(_) => Ok(None),
    };
    Ok(read.map_err(|error| ToolError::from_io(&error, "read", "standard input"))?)
}

/// Whether a byte, or the end, comes in time.
fn is_ready(patience: Duration) -> bool {
    let stdin = io::stdin();
    let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
    let time = Timespec {
        tv_sec: i64::try_from(patience.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(patience.subsec_nanos()),
    };
    // Where it cannot be waited for, reading says why.
    poll(&mut watched, Some(&time)).map_or(true, |ready| ready > 0)
}

fn as_text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    if text.len() <= MOST_BYTES {
        return text.into_owned();
    }
    let half = MOST_BYTES / 2;
    let (head, tail) = (
        crate::text::head_bytes(&text, half),
        crate::text::tail_bytes(&text, half),
    );
    format!(
        "{head}\n[… {} bytes are left out …]\n{tail}",
        text.len() - head.len() - tail.len()
    )
}
