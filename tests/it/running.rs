//! A process while it runs, and what it left when it ended.
//!
//! Waiting is for an event with a deadline, never for a time; what was seen so far is in every
//! failure.

use std::cell::Cell;
use std::io::Read;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Asks again and again until `question` holds, but no longer than `limit`; whether it held.
pub(crate) fn until(limit: Duration, mut question: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    while !question() {
        if Instant::now() > deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// How often a test of something that may be a race is repeated: `AGENT_TEST_N`, else 3 times.
pub(crate) fn times() -> usize {
    let set = std::env::var("AGENT_TEST_N").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// How many cases a property test tries: `AGENT_TEST_CASES`, else `PROPTEST_CASES`, else 64.
pub(crate) fn cases() -> u32 {
    let variables = ["AGENT_TEST_CASES", "PROPTEST_CASES"].into_iter();
    let set = variables.filter_map(|name| std::env::var(name).ok());
    let mut counts = set.filter_map(|count| count.parse().ok());
    counts.next().unwrap_or(64)
}

/// What this machine cannot try fails, unless `AGENT_ALLOW_SKIPS=1` says that it may be left out.
pub(crate) fn skipped(why: &str) {
    let allowed = std::env::var("AGENT_ALLOW_SKIPS").is_ok_and(|value| value == "1");
    assert!(allowed, "{why}; AGENT_ALLOW_SKIPS=1 passes over it");
    println!("SKIPPED: {why}");
}

/// What has come out of a pipe or a terminal so far.
#[derive(Clone)]
pub(crate) struct Captured(Arc<(Mutex<Stream>, Condvar)>);

#[derive(Default)]
struct Stream {
    bytes: Vec<u8>,
    ended: bool,
}

impl Captured {
    /// Collects everything that `source` gives, in a thread of its own.
    pub(crate) fn from(mut source: impl Read + Send + 'static) -> Captured {
        let captured = Captured(Arc::default());
        let shared = captured.clone();
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            loop {
                let read = source.read(&mut buffer).unwrap_or(0);
                let (stream, changed) = &*shared.0;
                let mut stream = stream.lock().expect("nobody panics while holding it");
                stream.bytes.extend_from_slice(&buffer[..read]);
                stream.ended = read == 0;
                changed.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        captured
    }

    /// All so far, as text.
    pub(crate) fn text(&self) -> String {
        let stream = self.0.0.lock().expect("nobody panics while holding it");
        String::from_utf8_lossy(&stream.bytes).into_owned()
    }

    /// Waits until the text so far is as wanted; whether it was before `deadline`.
    pub(crate) fn wait(&self, deadline: Instant, wanted: impl Fn(&str) -> bool) -> bool {
        self.wait_stream(deadline, |s| wanted(&String::from_utf8_lossy(&s.bytes)))
    }

    /// Waits for the end of the stream; whether it came before `deadline`.
    pub(crate) fn wait_end(&self, deadline: Instant) -> bool {
        self.wait_stream(deadline, |stream| stream.ended)
    }

    fn wait_stream(&self, deadline: Instant, wanted: impl Fn(&Stream) -> bool) -> bool {
        let (stream, changed) = &*self.0;
        let stream = stream.lock().expect("nobody panics while holding it");
        let left = deadline.saturating_duration_since(Instant::now());
        let (stream, _) = changed
            .wait_timeout_while(stream, left, |stream| !wanted(stream) && !stream.ended)
            .expect("nobody panics while holding it");
        wanted(&stream)
    }
}

/// A program that was started and has not been waited for.
pub(crate) struct Running {
    command: String,
    pid: Pid,
    stdout: Captured,
    stderr: Captured,
    ended: Receiver<(ExitStatus, Instant)>,
    started: Instant,
    deadline: Instant,
}

impl Running {
    pub(crate) fn new(mut child: Child, command: &str, deadline: Instant) -> Running {
        let stdout = Captured::from(child.stdout.take().expect("a pipe from it"));
        let stderr = Captured::from(child.stderr.take().expect("a pipe from it"));
        let pid = Pid::from_child(&child);
        let (tell, ended) = mpsc::channel();
        thread::spawn(move || {
            let status = child.wait().expect("a child can be waited for");
            tell.send((status, Instant::now()))
        });
        Running {
            command: command.to_owned(),
            pid,
            stdout,
            stderr,
            ended,
            started: Instant::now(),
            deadline,
        }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).expect("it still runs");
    }

    /// The same where it may be over; whether it still ran.
    pub(crate) fn reaches(&self, signal: Signal) -> bool {
        kill_process(self.pid, signal).is_ok()
    }

    /// Waits until `text` has come out on standard error.
    pub(crate) fn wait_for(&self, text: &str) {
        if !self.stderr.wait(self.deadline, |seen| seen.contains(text)) {
            let _ = kill_process(self.pid, Signal::KILL);
            panic!("never said {text:?}: {}", self.seen());
        }
    }

    /// Waits for the end, and for the end of its output.
    pub(crate) fn wait(self) -> Ran {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let Ok((status, end)) = self.ended.recv_timeout(left) else {
            let _ = kill_process(self.pid, Signal::KILL);
            panic!("did not end in time: {}", self.seen());
        };
        let grace = Instant::now() + Duration::from_secs(5);
        for pipe in [&self.stdout, &self.stderr] {
            assert!(
                pipe.wait_end(grace),
                "a child holds its output: {}",
                self.seen()
            );
        }
        Ran {
            code: status
                .code()
                .unwrap_or_else(|| -status.signal().unwrap_or(0)),
            stdout: self.stdout.text(),
            stderr: self.stderr.text(),
            command: self.command,
            ended: end,
            took: end - self.started,
            mentioned: Default::default(),
        }
    }

    fn seen(&self) -> String {
        show(&self.command, &self.stdout.text(), &self.stderr.text())
    }
}

/// What a run left: exit code (a signal as its negative number), output, time.
pub(crate) struct Ran {
    command: String,
    code: i32,
    stdout: String,
    stderr: String,
    /// When it ended.
    pub(crate) ended: Instant,
    /// How long it ran.
    pub(crate) took: Duration,
    mentioned: Mentioned,
}

#[derive(Default)]
struct Mentioned {
    code: Cell<bool>,
    stdout: Cell<bool>,
    stderr: Cell<bool>,
}

impl Ran {
    pub(crate) fn exits(&self, code: i32) -> &Ran {
        self.mentioned.code.set(true);
        assert!(self.code == code, "exit {}, not {code}: {self}", self.code);
        self
    }

    /// The exit code, where a test has to look at it.
    pub(crate) fn code(&self) -> i32 {
        self.mentioned.code.set(true);
        self.code
    }

    /// Standard output is exactly `text`.
    pub(crate) fn prints(&self, text: &str) -> &Ran {
        assert!(
            self.stdout() == text,
            "did not print exactly {text:?}: {self}"
        );
        self
    }

    /// Standard output holds `text`.
    pub(crate) fn prints_part(&self, text: &str) -> &Ran {
        assert!(
            self.stdout().contains(text),
            "did not print {text:?}: {self}"
        );
        self
    }

    /// Standard error holds `text`.
    pub(crate) fn says(&self, text: &str) -> &Ran {
        assert!(self.stderr().contains(text), "did not say {text:?}: {self}");
        self
    }

    pub(crate) fn stdout(&self) -> &str {
        self.mentioned.stdout.set(true);
        &self.stdout
    }

    pub(crate) fn stderr(&self) -> &str {
        self.mentioned.stderr.set(true);
        &self.stderr
    }

    /// Standard output as the one compact line of JSON that it must be.
    pub(crate) fn json(&self) -> Value {
        let lines = self.json_lines();
        assert!(lines.len() == 1, "not exactly one line: {self}");
        lines.into_iter().next().unwrap_or_default()
    }

    /// Standard output as lines of compact JSON, each with the version.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        assert!(
            self.stdout().ends_with('\n'),
            "the last line has no end: {self}"
        );
        let parse = |line: &str| {
            let value: Value = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("no JSON ({error}) in {line:?}: {self}"));
            assert!(value.to_string().len() == line.len(), "not compact: {self}");
            value
        };
        let lines: Vec<Value> = self.stdout.lines().map(parse).collect();
        let last = lines.last().and_then(|line| line.get("version"));
        assert!(last == Some(&Value::from(1)), "no \"version\":1: {self}");
        lines
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = show(&self.command, &self.stdout, &self.stderr);
        write!(f, "exit {} of {shown}", self.code)
    }
}

impl Drop for Ran {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        let Mentioned {
            code,
            stdout,
            stderr,
        } = &self.mentioned;
        if !code.get() {
            self.exits(0);
        }
        let quiet =
            (stdout.get() || self.stdout.is_empty()) && (stderr.get() || self.stderr.is_empty());
        assert!(quiet, "output that nobody mentioned: {self}");
    }
}

fn show(command: &str, stdout: &str, stderr: &str) -> String {
    format!("`{command}`\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n---")
}
