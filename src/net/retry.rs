//! Whether a request that failed is sent again, and when. Pure: the time and the chance are handed in.
//!
//! The caller asks only before the first byte of an answer was used; from then on nothing is sent again.

use std::fmt;
use std::time::{Duration, SystemTime};

use super::NetErrorKind;

/// The statuses after which the same request may succeed a little later.
const STATUSES: [u16; 7] = [408, 429, 500, 502, 503, 504, 529];

/// How often a request is sent, and how long it is waited in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How often it is sent at most, the first time included.
    pub attempts: u32,
    /// The longest wait after the first attempt; it doubles with each.
    pub base: Duration,
    /// The longest wait of our own choosing.
    pub cap: Duration,
    /// The longest wait that a server may ask for.
    pub patience: Duration,
}

/// How a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retried {
    /// The server answered with this status.
    Status(u16),
    /// No answer came.
    Broken(NetErrorKind),
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Send it again after this long.
    Wait(Duration),
    /// Leave it.
    GiveUp(Enough),
}

/// Why a request is not sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enough {
    /// It would fail in the same way.
    Final,
    /// It was sent this often.
    Attempts(u32),
    /// The server asks to wait until then, which is too long.
    Until(SystemTime),
}

impl Default for Retry {
    fn default() -> Retry {
        Retry {
            attempts: 5,
            base: Duration::from_secs(1),
            cap: Duration::from_secs(30),
            patience: Duration::from_secs(120),
        }
    }
}

impl Retry {
    /// What to do after `attempt` (from 1) failed, at `now`; `retry_after` is the header of the answer, and
    /// `chance` a random number from 0 to 1.
    pub fn next(
        &self,
        attempt: u32,
        failure: Retried,
        retry_after: Option<&str>,
        now: SystemTime,
        chance: f64,
    ) -> Decision {
        if !failure.is_transient() {
            return Decision::GiveUp(Enough::Final);
        }
        let asked = retry_after.and_then(|value| asked(value, now));
        if let Some(asked) = asked.filter(|asked| *asked > self.patience) {
            let until = now.checked_add(asked).unwrap_or(now);
            return Decision::GiveUp(Enough::Until(until));
        }
        if attempt >= self.attempts {
            return Decision::GiveUp(Enough::Attempts(attempt));
        }
        Decision::Wait(self.backoff(attempt, chance).max(asked.unwrap_or_default()))
    }

    /// A random part of a wait that doubles with each attempt: clients that failed together do not come back together.
    fn backoff(&self, attempt: u32, chance: f64) -> Duration {
        let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1));
        let longest = self.base.saturating_mul(doubled).min(self.cap);
        let seconds = longest.as_secs_f64() * chance.clamp(0.0, 1.0);
        Duration::try_from_secs_f64(seconds).unwrap_or(longest)
    }
}

impl Retried {
    /// Whether the same request may succeed a little later.
    pub fn is_transient(self) -> bool {
        match self {
            Retried::Status(status) => STATUSES.contains(&status),
            Retried::Broken(kind) => kind.is_transient(),
        }
    }
}

/// How long a `Retry-After` asks to wait: seconds, or an HTTP date; `None` where it is neither.
fn asked(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return (seconds >= 0.0)
            .then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    Some(until.duration_since(now).unwrap_or_default())
}

impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Enough::Final => f.write_str("sending it again would not help"),
            Enough::Attempts(attempts) => write!(f, "it was sent {attempts} times"),
            Enough::Until(until) => write!(
                f,
                "the provider asks to wait longer than a request waits; try again after {}",
                httpdate::fmt_http_date(*until)
            ),
        }
    }
}
