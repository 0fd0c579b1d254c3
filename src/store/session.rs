//! The name of a session: when it began, then chance. A child's name begins with its parent's.
//!
//! Names sort by time, are safe as file names, and say which tree they belong to without a look at
//! the disk. A name read from outside is checked: nothing but this exact shape passes.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use super::random::{is_token, token};
use crate::error::ToolError;

/// Digits of chance in a root's name and in each child's part.
const ROOT_DIGITS: usize = 12;
const CHILD_DIGITS: usize = 8;
/// How deep a tree may be; it bounds the length of a name.
const DEPTH: usize = 16;

/// `20261130T191500123-4f2a9c1b0d3e` (UTC, milliseconds), and `….1a2b3c4d` for each step down the tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(String);

impl SessionId {
    /// A new root that begins at `now`.
    ///
    /// # Errors
    /// `resource` when the system gives no chance.
    pub fn new(now: SystemTime) -> Result<SessionId, ToolError> {
        let chance = token()?;
        Ok(SessionId(format!(
            "{}-{}",
            stamp(now),
            &chance[..ROOT_DIGITS]
        )))
    }

    /// A new child of this session.
    ///
    /// # Errors
    /// `argument` when the tree is too deep; `resource` when the system gives no chance.
    pub fn child(&self) -> Result<SessionId, ToolError> {
        if self.0.split('.').count() > DEPTH {
            return Err(ToolError::argument(format!(
                "sessions nest at most {DEPTH} deep"
            )));
        }
        Ok(SessionId(format!(
            "{}.{}",
            self.0,
            &token()?[..CHILD_DIGITS]
        )))
    }

    /// The session this one was started by.
    pub fn parent(&self) -> Option<SessionId> {
        let (parent, _) = self.0.rsplit_once('.')?;
        Some(SessionId(parent.to_owned()))
    }

    /// The session at the top of this one's tree; itself, if it has no parent.
    pub fn root(&self) -> SessionId {
        let root = self.0.split('.').next().unwrap_or(&self.0);
        SessionId(root.to_owned())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SessionId {
    type Err = ToolError;

    fn from_str(text: &str) -> Result<SessionId, ToolError> {
        let mut parts = text.split('.');
        let root = parts.next().unwrap_or_default();
        let children: Vec<&str> = parts.collect();
        let sound = is_root(root)
            && children.len() <= DEPTH
            && children.iter().all(|part| is_token(part, CHILD_DIGITS));
        if sound {
            return Ok(SessionId(text.to_owned()));
        }
        Err(ToolError::argument("not the id of a session")
            .with_hint("`agent session list` shows the ids; `last` names the newest"))
    }
}

fn is_root(text: &str) -> bool {
    let Some((stamp, chance)) = text.split_once('-') else {
        return false;
    };
    let Some((day, time)) = stamp.split_once('T') else {
        return false;
    };
    let digits =
        |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(day, 8) && digits(time, 9) && is_token(chance, ROOT_DIGITS)
}

/// `20261130T191500123` in UTC. Times before 1970 or after 9999 are taken as the nearest that fits.
pub fn stamp(now: SystemTime) -> String {
    const LAST: u128 = 253_402_300_799_999;
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = since.as_millis().min(LAST) as i64;
    let (day, milli) = (millis / 86_400_000, millis % 86_400_000);
    let (year, month, date) = civil(day);
    let (hour, minute, second) = (milli / 3_600_000, milli / 60_000 % 60, milli / 1000 % 60);
    let milli = milli % 1000;
    format!("{year:04}{month:02}{date:02}T{hour:02}{minute:02}{second:02}{milli:03}")
}

/// `2026-11-30T19:15:00.123Z`, of the same times.
pub fn moment(now: SystemTime) -> String {
    let digits = stamp(now);
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-{}T{}:{}:{}.{}Z",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(9, 11),
        part(11, 13),
        part(13, 15),
        part(15, 18)
    )
}

/// Year, month, day of a count of days since 1970-01-01 (not negative), in the Gregorian calendar.
fn civil(days: i64) -> (i64, i64, i64) {
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut rest) = (1970, days);
    while rest >= 365 + i64::from(leap(year)) {
        rest -= 365 + i64::from(leap(year));
        year += 1;
    }
    let february = 28 + i64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn says_when_it_began() {
        for (seconds, wanted) in [
            (0, "19700101T000000000-"),
            (951_782_400, "20000229T000000000-"),
            (1_796_066_100, "20261130T191500000-"),
            (4_107_542_399, "21000228T235959000-"),
            (4_107_542_400, "21000301T000000000-"),
        ] {
            let id = SessionId::new(at(seconds)).unwrap();
            assert!(id.as_str().starts_with(wanted), "{id} {wanted}");
        }
        assert!(
            SessionId::new(at(u64::MAX >> 2))
                .unwrap()
                .as_str()
                .starts_with("99991231T")
        );
    }

    #[test]
    fn sorts_by_time_and_differs_by_chance() {
        let ids: Vec<_> = (0..200)
            .map(|n| SessionId::new(at(1_800_000_000) + Duration::from_millis(n)).unwrap())
            .collect();
        assert!(ids.is_sorted());
        assert_ne!(
            SessionId::new(at(5)).unwrap(),
            SessionId::new(at(5)).unwrap()
        );
    }

    #[test]
    fn a_child_knows_its_tree() {
        let root = SessionId::new(at(7)).unwrap();
        let child = root.child().unwrap();
        let grandchild = child.child().unwrap();
        assert_eq!(grandchild.root(), root);
        assert_eq!(grandchild.parent(), Some(child));
        assert_eq!((root.root(), root.parent()), (root.clone(), None));
        assert_eq!(grandchild.to_string().parse(), Ok(grandchild));
        let mut deep = root;
        while let Ok(next) = deep.child() {
            deep = next;
        }
        assert_eq!(deep.as_str().parse(), Ok(deep));
    }

    #[test]
    fn refuses_a_name_that_could_be_a_path() {
        let good = SessionId::new(at(7)).unwrap().to_string();
        assert!(good.parse::<SessionId>().is_ok());
        for wrong in [
            String::new(),
            "..".into(),
            "/etc/passwd".into(),
            format!("../{good}"),
            format!("{good}."),
            format!("{good}./x"),
            format!("{good}\0"),
            good.to_uppercase(),
            good.replace('T', "t"),
        ] {
            assert!(wrong.parse::<SessionId>().is_err(), "{wrong}");
        }
    }
}
