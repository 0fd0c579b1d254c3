//! Runs the real program in a workspace, a home and an environment of its own.
//!
//! Strict by nature: an exit code that nobody asserted must be 0, output that nobody mentioned must
//! be empty, a run must end in time, and no process may be left when a test is over.

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::running::{Ran, Running, until};

/// How long a run may take unless the test says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// The program and the world it runs in; the world goes when this is dropped.
pub(crate) struct Program {
    world: TempDir,
    executable: PathBuf,
    environment: Vec<(String, OsString)>,
    stdin: Vec<u8>,
    patience: Duration,
}

impl Program {
    /// The program in an empty workspace, with an empty home and nothing configured.
    pub(crate) fn new() -> Program {
        Program::of(env!("CARGO_BIN_EXE_agent"))
    }

    /// Any executable in such a world.
    pub(crate) fn of(executable: &str) -> Program {
        let world = tempfile::tempdir().expect("a temporary folder");
        for folder in ["workspace", "home", "config", "state", "tmp"] {
            fs::create_dir(world.path().join(folder)).expect("a folder in it");
        }
        Program {
            environment: environment(world.path()),
            world,
            executable: executable.into(),
            stdin: Vec::new(),
            patience: PATIENCE,
        }
    }

    /// Puts a file into the workspace, with its folders.
    pub(crate) fn file(self, path: &str, content: impl AsRef<[u8]>) -> Program {
        self.write(path, content);
        self
    }

    /// The same, in the middle of a test.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).expect("its folder can be made");
        fs::write(path, content).expect("it can be written");
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Program {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// What the program finds on its standard input; without it, nothing.
    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Program {
        self.stdin = bytes.into();
        self
    }

    /// How long a run may take.
    pub(crate) fn within(mut self, seconds: u64) -> Program {
        self.patience = Duration::from_secs(seconds);
        self
    }

    /// Where `path` of the workspace lies; `../config/x` is in the folder of the configuration.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.world.path().join("workspace").join(path)
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.spawn(args).wait()
    }

    /// Runs it below bash, which does `setup` first: `ulimit -f 8`.
    pub(crate) fn run_after(&self, setup: &str, args: &[&str]) -> Ran {
        self.spawn_after(setup, args).wait()
    }

    /// Starts it below bash, which does `setup` first.
    pub(crate) fn spawn_after(&self, setup: &str, args: &[&str]) -> Running {
        let mut command = Command::new("bash");
        command.args(["-c", &format!("{setup}; exec \"$@\""), "bash"]);
        command.arg(&self.executable);
        self.start(command, args)
    }

    /// Starts it, for a test that talks to it while it runs.
    pub(crate) fn spawn(&self, args: &[&str]) -> Running {
        self.start(Command::new(&self.executable), args)
    }

    pub(crate) fn executable(&self) -> &Path {
        &self.executable
    }

    pub(crate) fn environment(&self) -> &[(String, OsString)] {
        &self.environment
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// The processes of this world that still run, as `id command`.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = format!("HOME={}", self.world.path().join("home").display());
        let entries = fs::read_dir("/proc").expect("/proc is mounted").flatten();
        let marked = entries.filter(|entry| {
            let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
            environ
                .split(|byte| *byte == 0)
                .any(|variable| variable == mark.as_bytes())
        });
        marked
            .map(|entry| {
                let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                let line = String::from_utf8_lossy(&line).replace('\0', " ");
                format!("{} {line}", entry.file_name().display())
            })
            .collect()
    }

    fn start(&self, mut command: Command, args: &[&str]) -> Running {
        command
            .args(args)
            .current_dir(self.at("."))
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe to it");
        let bytes = self.stdin.clone();
        // A program may end without reading all of it: a broken pipe is its right.
        thread::spawn(move || input.write_all(&bytes));
        Running::new(child, &args.join(" "), Instant::now() + self.patience)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if until(Duration::from_secs(5), || self.processes().is_empty()) {
            return;
        }
        let left = self.processes();
        for process in &left {
            let id = process.split(' ').next().and_then(|id| id.parse().ok());
            if let Some(id) = id.and_then(Pid::from_raw) {
                let _ = kill_process(id, Signal::KILL);
            }
        }
        if !thread::panicking() {
            panic!("still running after the test: {left:?}");
        }
    }
}

/// A clean environment: what a shell would have, the toolchain, and every folder in `world`.
fn environment(world: &Path) -> Vec<(String, OsString)> {
    let mut environment: Vec<(String, OsString)> = [
        ("HOME", "home"),
        ("XDG_CONFIG_HOME", "home/.config"),
        ("XDG_STATE_HOME", "home/.local/state"),
        ("XDG_DATA_HOME", "home/.local/share"),
        ("XDG_CACHE_HOME", "home/.cache"),
        ("AGENT_CONFIG_DIR", "config"),
        ("AGENT_STATE_DIR", "state"),
        ("TMPDIR", "tmp"),
    ]
    .map(|(name, folder)| (name.to_owned(), world.join(folder).into_os_string()))
    .into();
    let mut pass = |name: &str, fallback: Option<OsString>| {
        let value = std::env::var_os(name).or(fallback);
        environment.extend(value.map(|value| (name.to_owned(), value)));
    };
    let home = std::env::home_dir();
    let in_home = |folder: &str| home.as_ref().map(|home| home.join(folder).into_os_string());
    pass("PATH", None);
    pass("CARGO_HOME", in_home(".cargo"));
    pass("RUSTUP_HOME", in_home(".rustup"));
    pass("RUSTUP_TOOLCHAIN", None);
    environment.push(("LANG".into(), "C.UTF-8".into()));
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bash() -> Program {
        Program::of("/bin/bash")
    }

    #[test]
    fn stands_for_the_program_that_was_just_built() {
        assert!(Program::new().executable().ends_with("agent"));
        assert!(Program::new().executable().is_file());
    }

    #[test]
    fn runs_in_a_world_of_its_own() {
        let program = bash()
            .file("sub/a.txt", "in it")
            .env("EXTRA", "more")
            .stdin("typed");
        program
            .run(&[
                "-c",
                "cat sub/a.txt -; echo \" $EXTRA\"; echo noise >&2; cp sub/a.txt b; exit 7",
            ])
            .exits(7)
            .prints("in ittyped more\n")
            .says("noise");
        assert_eq!(
            (program.text("b"), program.bytes("b").len()),
            ("in it".to_owned(), 5)
        );
        program
            .run(&["-c", "echo ${HOME##*/} ${USER-none}"])
            .prints_part("home none");
        program
            .run_after("cd sub", &["-c", "printf '{\"version\":1}\\n'"])
            .json();
    }

    #[test]
    #[should_panic(expected = "output that nobody mentioned")]
    fn output_that_nobody_mentioned_fails_the_test() {
        bash().run(&["-c", "echo surprise >&2"]).prints("");
    }

    #[test]
    #[should_panic(expected = "exit 3, not 0")]
    fn an_exit_code_that_nobody_asserted_must_be_zero() {
        bash().run(&["-c", "exit 3"]).prints("");
    }

    #[test]
    #[should_panic(expected = "did not end in time")]
    fn a_run_that_hangs_is_ended_and_fails() {
        bash().within(1).run(&["-c", "exec sleep 300"]);
    }

    #[test]
    #[should_panic(expected = "still running after the test")]
    fn a_process_left_behind_fails_the_test() {
        bash().run(&["-c", "setsid -f sleep 300 <&- >&- 2>&-"]);
    }

    #[test]
    fn signals_reach_a_running_program() {
        let program = bash();
        let running = program.spawn(&["-c", "echo ready >&2; exec sleep 300"]);
        running.wait_for("ready");
        until(PATIENCE, || {
            program.processes().iter().any(|p| p.contains("sleep"))
        });
        let asked = Instant::now();
        running.signal(Signal::INT);
        let ran = running.wait();
        ran.exits(-2).says("ready");
        assert!(ran.ended > asked && ran.took > ran.ended - asked);
    }
}
