//! The count hook: stops Lua that is not wanted any more, and makes room for other jobs.
//!
//! It looks every thousand instructions. Lua that is not wanted yields, and its job drops it. Where a
//! function in C stands in between and Lua cannot yield, it raises, at every look, so that no loop around
//! `pcall` survives. What it raises is a plain text: the token says what happened, not the text.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

use mlua::{HookTriggers, Lua, VmState};

use super::current;
use super::host::Host;
use super::raise;

/// How often it looks, in instructions.
const EVERY: u32 = 1000;

/// How long Lua runs before others get a turn.
const SLICE: Duration = Duration::from_millis(1);

/// How long Lua has run without a pause, and whether the hook has just made one.
pub(super) struct Pulse {
    since: Cell<Instant>,
    cut: Cell<bool>,
    ending: Cell<bool>,
    watched: Cell<bool>,
    place: RefCell<Option<String>>,
}

impl Pulse {
    /// A pulse that begins now.
    pub(super) fn new() -> Pulse {
        Pulse {
            since: Cell::new(Instant::now()),
            cut: Cell::new(false),
            ending: Cell::new(false),
            watched: Cell::new(false),
            place: RefCell::default(),
        }
    }

    /// From now on the line is noted at which Lua is cut, until [`Pulse::place`] is asked for.
    pub(super) fn watch(&self) {
        self.watched.set(true);
        self.place.take();
    }

    /// The line at which Lua was cut last: `init.lua:3`.
    pub(super) fn place(&self) -> Option<String> {
        self.watched.set(false);
        self.place.take()
    }

    /// A turn begins.
    pub(super) fn begin(&self) {
        self.since.set(Instant::now());
        self.ending.set(false);
    }

    /// Whether the hook has cut in since this was asked last.
    pub(super) fn took_slice(&self) -> bool {
        self.cut.take()
    }

    /// Asks Lua to pause, where it can.
    fn pause(&self) -> VmState {
        self.cut.set(true);
        VmState::Yield
    }

    fn is_over(&self) -> bool {
        self.since.get().elapsed() >= SLICE
    }
}

/// How often the hook has made Lua pause, in one state.
#[derive(Clone, Default)]
struct Pauses(Rc<Cell<usize>>);

/// `work`, which runs Lua, looked at once more after every pause. The hook may cut in between the binding's
/// look at a future and the wait for it: what the future was woken by meanwhile has woken nobody.
pub(super) async fn awake<T>(lua: &Lua, work: impl Future<Output = T>) -> T {
    let pauses = lua.app_data_ref::<Pauses>();
    let pauses = pauses.map(|pauses| pauses.clone()).unwrap_or_default();
    let (mut work, mut has_paused) = (pin!(work), false);
    poll_fn(move |context| {
        let before = pauses.0.get();
        let polled = work.as_mut().poll(context);
        let pauses_now = pauses.0.get() != before;
        if has_paused && !pauses_now && polled.is_pending() {
            context.waker().wake_by_ref();
        }
        has_paused = pauses_now;
        polled
    })
    .await
}

/// Sets the hook for all coroutines of `lua`.
///
/// # Errors
/// What Lua says.
pub(super) fn install(lua: &Lua, host: &Rc<Host>) -> mlua::Result<()> {
    let (host, pauses) = (Rc::downgrade(host), Pauses::default());
    lua.set_app_data(pauses.clone());
    let pause = move |host: &Host| {
        pauses.0.set(pauses.0.get().wrapping_add(1));
        Ok(host.pulse.pause())
    };
    let triggers = HookTriggers::new().every_nth_instruction(EVERY);
    lua.set_global_hook(triggers, move |lua, _| {
        let Some(host) = host.upgrade() else {
            return Ok(VmState::Continue);
        };
        if host.is_stopped() || current::is_cancelled() {
            // The binding's way to raise from a hook runs the `<close>` handlers of the function that
            // was cut, with the hook off. So pause first, and raise only where that did not help.
            return match host.pulse.ending.replace(true) {
                false => pause(&host),
                true => Err(mlua::Error::runtime("cancelled")),
            };
        }
        match host.pulse.is_over() {
            true => {
                current::wind_clocks();
                if host.pulse.watched.get() {
                    *host.pulse.place.borrow_mut() = raise::user_line(lua);
                }
                pause(&host)
            }
            false => Ok(VmState::Continue),
        }
    })
}
