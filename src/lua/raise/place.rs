//! Where in the person's own code something happens: walks the Lua stack, and changes nothing.
//!
//! Frames of this program's Lua and of the binding are passed over; a position is `file:line`.

use mlua::Lua;

use super::OURS;
use crate::error::{Kind, ToolError};

/// How far down the stack is looked: enough for any real script, little for a runaway recursion.
const FRAMES: usize = 200;

/// Functions in C that can wait for what they call.
const WAITING: [&str; 2] = ["pcall", "xpcall"];

/// One function on the stack.
struct Frame {
    name: Option<String>,
    kind: FrameKind,
}

enum FrameKind {
    /// The person's own code, at `file:line`.
    User(String),
    /// The program's own Lua, or the binding's.
    Ours,
    /// A function in C or Rust.
    Native,
}

/// The line of the person's code that runs now: `script.lua:12`. None when none is on the stack.
pub(in crate::lua) fn user_line(lua: &Lua) -> Option<String> {
    frames(lua).find_map(|frame| match frame.kind {
        FrameKind::User(position) => Some(position),
        FrameKind::Ours | FrameKind::Native => None,
    })
}

/// Why `call` cannot be made here: a function in C stands around it that cannot wait.
pub(in crate::lua) fn not_here(lua: &Lua, call: &str) -> ToolError {
    let inside = match blocking_function(lua) {
        Some(name) => format!("`{name}`"),
        None => "a function that cannot wait (such as table.concat, tostring, load)".to_owned(),
    };
    ToolError::new(
        Kind::Unavailable,
        format!("`{call}` cannot be awaited inside {inside}"),
    )
    .with_hint("call it before, keep the result in a local, and use that inside")
}

/// As [`not_here`] for the call that is on the stack.
pub(super) fn cannot_wait(lua: &Lua) -> ToolError {
    let mut called = None;
    for frame in frames(lua) {
        if let FrameKind::User(_) = frame.kind {
            break;
        }
        called = frame.name;
    }
    not_here(lua, called.as_deref().unwrap_or("a call that waits"))
}

/// The first function in C below the person's code that cannot wait.
fn blocking_function(lua: &Lua) -> Option<String> {
    frames(lua)
        .skip_while(|frame| !matches!(frame.kind, FrameKind::User(_)))
        .find(|frame| {
            let waits = |name: &String| WAITING.contains(&name.as_str());
            matches!(frame.kind, FrameKind::Native) && !frame.name.as_ref().is_some_and(waits)
        })
        .and_then(|frame| frame.name)
}

fn frames(lua: &Lua) -> impl Iterator<Item = Frame> {
    (0..FRAMES).map_while(|level| {
        lua.inspect_stack(level, |debug| {
            let source = debug.source();
            let short = source.short_src.as_deref().unwrap_or_default();
            let kind = match debug.current_line() {
                _ if source.what == "C" => FrameKind::Native,
                _ if short == OURS.trim_start_matches('=') || short.starts_with("__mlua") => {
                    FrameKind::Ours
                }
                Some(line) => FrameKind::User(format!("{short}:{line}")),
                None => FrameKind::Ours,
            };
            Frame {
                name: debug.names().name.map(|name| name.into_owned()),
                kind,
            }
        })
    })
}
