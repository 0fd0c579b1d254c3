//! Whether a request that failed is sent again, and when. Pure: the time and the chance are handed in.
//!
//! The caller asks only before the first byte of an answer was used; from then on nothing is sent again.

use std::fmt;
use std::time::{Duration, SystemTime};

use super::NetErrorKind;

/// The statuses after which the same request may succeed a little later.
const STATUSES: [u16; 7] = [408, 429, 500, 502, 503, 504, 529];

/// The longest wait that is told as a date: one beyond the year 9999 cannot be written.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

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
            let until = now.checked_add(asked.min(FOREVER)).unwrap_or(now);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Sun, 06 Nov 1994 08:49:37 GMT.
    const NOW: Duration = Duration::from_secs(784_111_777);

    fn now() -> SystemTime {
        SystemTime::UNIX_EPOCH + NOW
    }

    fn after(attempt: u32, retry_after: Option<&str>, chance: f64) -> Decision {
        let failure = Retried::Status(429);
        Retry::default().next(attempt, failure, retry_after, now(), chance)
    }

    fn wait(seconds: f64) -> Decision {
        Decision::Wait(Duration::from_secs_f64(seconds))
    }

    #[test]
    fn what_may_pass_is_sent_again_and_nothing_else() {
        let next = |failure| Retry::default().next(1, failure, None, now(), 0.5);
        for status in 100..600 {
            let again = matches!(status, 408 | 429 | 500 | 502 | 503 | 504 | 529);
            let is_wait = next(Retried::Status(status)) == wait(0.5);
            assert_eq!(is_wait, again, "{status}");
        }
        use NetErrorKind::*;
        for kind in [Reset, Timeout] {
            assert_eq!(next(Retried::Broken(kind)), wait(0.5), "{kind:?}");
        }
        for kind in [Dns, Refused, Tls, Proxy, Url, Header, Redirect, Body] {
            let left = Decision::GiveUp(Enough::Final);
            assert_eq!(next(Retried::Broken(kind)), left, "{kind:?}");
        }
    }

    #[test]
    fn waits_double_up_to_a_cap_and_chance_takes_a_part() {
        let patient = Retry {
            attempts: u32::MAX,
            ..Retry::default()
        };
        for (attempt, chance, seconds) in [
            (1, 1.0, 1.0),
            (2, 1.0, 2.0),
            (3, 1.0, 4.0),
            (3, 0.25, 1.0),
            (5, 1.0, 16.0),
            (6, 1.0, 30.0),
            (u32::MAX - 1, 1.0, 30.0),
            (4, 0.0, 0.0),
            (0, 1.0, 1.0),
            (1, 7.0, 1.0),
            (1, -1.0, 0.0),
            (1, f64::NAN, 1.0),
        ] {
            let failure = Retried::Status(503);
            let next = patient.next(attempt, failure, None, now(), chance);
            assert_eq!(next, wait(seconds), "{attempt} {chance}");
        }
    }

    #[test]
    fn the_last_attempt_is_the_last() {
        assert_eq!(after(4, None, 0.5), wait(4.0));
        let enough = Decision::GiveUp(Enough::Attempts(5));
        assert_eq!(after(5, None, 0.5), enough);
        assert_eq!(after(5, Some("1"), 0.5), enough);
        assert_eq!(Enough::Attempts(5).to_string(), "it was sent 5 times");
    }

    #[test]
    fn a_server_is_waited_for_as_long_as_it_asks() {
        for (asked, seconds) in [
            ("7", 7.0),
            (" 7 ", 7.0),
            ("0.75", 0.75),
            ("120", 120.0),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60.0),
            ("Sunday, 06-Nov-94 08:49:47 GMT", 10.0),
            ("Sun Nov  6 08:49:57 1994", 20.0),
        ] {
            assert_eq!(after(1, Some(asked), 0.5), wait(seconds), "{asked}");
        }
        for no_wait in [
            "0",
            "-3",
            "soon",
            "",
            "NaN",
            "Sun, 06 Nov 1994 08:49:30 GMT",
        ] {
            assert_eq!(after(1, Some(no_wait), 0.5), wait(0.5), "{no_wait}");
        }
        assert_eq!(
            after(4, Some("1"), 1.0),
            wait(8.0),
            "our own wait is longer"
        );
    }

    #[test]
    fn a_server_that_asks_for_too_long_is_left_with_the_time_it_named() {
        for (asked, seconds) in [
            ("121", 121),
            ("3600", 3600),
            ("Sun, 06 Nov 1994 08:59:37 GMT", 600),
        ] {
            let until = now() + Duration::from_secs(seconds);
            let left = Decision::GiveUp(Enough::Until(until));
            assert_eq!(after(1, Some(asked), 0.5), left, "{asked}");
        }
        let message = Enough::Until(now() + Duration::from_secs(600)).to_string();
        assert!(
            message.ends_with("try again after Sun, 06 Nov 1994 08:59:37 GMT"),
            "{message}"
        );
        for never in [
            "1e300",
            "inf",
            "99999999999999999999",
            "999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            let Decision::GiveUp(enough) = after(1, Some(never), 0.5) else {
                panic!("{never} is waited for");
            };
            assert!(!enough.to_string().is_empty(), "{never}");
        }
    }
}
