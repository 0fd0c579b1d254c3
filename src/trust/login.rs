//! The login session that a process belongs to: its POSIX session, told apart from every later one that
//! may get the same number.
//!
//! It ends with the shell that leads it. A command that a model runs is in a session of its own.

use std::fs;

use crate::store::Hash;

/// One login session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    leader: i32,
    /// Boot, number of the leader, and when it started.
    words: String,
}

impl Login {
    /// The session of this process; `None` where its leader is gone or not to be seen from here: in a
    /// container it is often a process outside, whose number reads as 0.
    pub fn of_process() -> Option<Login> {
        Login::led_by(session(&fs::read_to_string("/proc/self/stat").ok()?)?)
    }

    pub(super) fn led_by(leader: i32) -> Option<Login> {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let stat = fs::read_to_string(format!("/proc/{leader}/stat")).ok()?;
        let start = started(&stat)?;
        let words = format!("{} {leader} {start}", boot.trim());
        Some(Login { leader, words })
    }

    /// The session that `words` name, if it is still there.
    pub(super) fn alive(words: &str) -> Option<Login> {
        let leader = words.split(' ').nth(1)?.parse().ok()?;
        Login::led_by(leader).filter(|login| login.words == words)
    }

    /// A session as if this process led it.
    #[cfg(test)]
    pub(super) fn of_itself() -> Option<Login> {
        Login::led_by(i32::try_from(std::process::id()).ok()?)
    }

    /// What it is written as.
    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// A short name for it, of letters and digits.
    pub(super) fn key(&self) -> String {
        Hash::of(self.words.as_bytes()).to_string()[..16].to_owned()
    }
}

/// Fields 3 and on of a `/proc/PID/stat` (proc(5)). The name in parentheses before them may hold anything,
/// parentheses too.
fn fields(stat: &str) -> Option<impl Iterator<Item = &str>> {
    let (_, fields) = stat.rsplit_once(')')?;
    Some(fields.split_ascii_whitespace())
}

/// The number of the session (field 6); `None` for 0, a leader in another pid namespace.
fn session(stat: &str) -> Option<i32> {
    let leader = fields(stat)?.nth(3)?.parse().ok()?;
    (leader > 0).then_some(leader)
}

/// When the process started, in ticks since boot (field 22); `None` when it is dead.
fn started(stat: &str) -> Option<u64> {
    let mut fields = fields(stat)?;
    let state = fields.next()?;
    if matches!(state, "Z" | "X" | "x") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_same_for_as_long_as_its_leader_lives() {
        let mut leader = std::process::Command::new("sleep")
            .arg("300")
            .spawn()
            .unwrap();
        let login = Login::led_by(i32::try_from(leader.id()).unwrap()).unwrap();
        assert_eq!(Login::alive(login.words()), Some(login.clone()));
        assert_eq!(login.key().len(), 16);
        leader.kill().unwrap();
        leader.wait().unwrap();
        assert_eq!(Login::alive(login.words()), None);
        let other = login.words().replace(' ', " 1");
        assert_eq!(Login::alive(&other), None);
        assert_eq!(Login::alive(""), None);
        assert_eq!(Login::alive("x y z"), None);
    }

    /// As the kernel tells it by another way: 0 where the leader is in another pid namespace.
    #[test]
    fn is_that_of_the_process_that_leads_ours() {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("NSsid:"));
        let ids = line.unwrap().split_ascii_whitespace();
        let leader: i32 = ids.last().unwrap().parse().unwrap();
        assert_eq!(Login::of_process(), Login::led_by(leader));
    }

    #[test]
    fn the_start_is_found_behind_any_name() {
        let stat = "12 (a ) b) S 1 12 13 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 9 9";
        assert_eq!(session(stat), Some(13));
        assert_eq!(session(&stat.replace(" 13 ", " 0 ")), None);
        assert_eq!(session("12 (x) S 1"), None);
        assert_eq!(started(stat), Some(98765));
        assert_eq!(started(&stat.replace(") S ", ") Z ")), None);
        assert_eq!(started("12 (x) S"), None);
    }

    #[test]
    fn our_own_start_can_be_read() {
        let own = Login::led_by(i32::try_from(std::process::id()).unwrap());
        let own = own.expect("this process lives");
        assert_eq!(Login::alive(own.words()), Some(own));
    }
}
