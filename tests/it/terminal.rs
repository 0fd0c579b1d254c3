//! The program in a real terminal: keys go in, a screen comes out.
//!
//! The screen is what was written, without colours and cursor moves: enough to wait for a word and
//! to see that nothing foreign got through.

use std::io::Write;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use regex::Regex;

use crate::program::Program;
use crate::running::{Captured, until};

/// A terminal of 24 rows and 80 columns with one program in it.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Captured,
    child: Box<dyn Child + Send + Sync>,
    patience: Duration,
}

impl Terminal {
    /// Starts `program` in a new terminal.
    pub(crate) fn open(program: &Program, args: &[&str]) -> Terminal {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(program.executable());
        command.args(args);
        command.cwd(program.at("."));
        command.env_clear();
        for (name, value) in program.environment() {
            command.env(name, value);
        }
        command.env("TERM", "xterm-256color");
        Terminal {
            child: pair
                .slave
                .spawn_command(command)
                .expect("the program starts"),
            output: Captured::from(pair.master.try_clone_reader().expect("its output")),
            keys: pair.master.take_writer().expect("its keyboard"),
            master: pair.master,
            patience: program.patience(),
        }
    }

    /// Types `keys`; `\r` is Enter, `\x03` Ctrl-C.
    pub(crate) fn send(&mut self, keys: &str) {
        let sent = self.keys.write_all(keys.as_bytes());
        sent.and_then(|()| self.keys.flush())
            .expect("the terminal takes keys");
    }

    /// Waits until `text` is on the screen.
    pub(crate) fn wait_for(&self, text: &str) {
        let deadline = Instant::now() + self.patience;
        let seen = self.output.wait(deadline, |raw| plain(raw).contains(text));
        assert!(seen, "{text:?} never came:\n{}", self.screen());
    }

    /// Everything written so far, without escape sequences.
    pub(crate) fn screen(&self) -> String {
        plain(&self.output.text())
    }

    /// Everything written so far, to the byte.
    pub(crate) fn raw(&self) -> String {
        self.output.text()
    }

    /// Whether what is typed is shown and read by lines, as a shell expects to find it.
    pub(crate) fn is_restored(&self) -> bool {
        let modes = self.master.get_termios().expect("the terminal's modes");
        let text = format!("{:?}", modes.local_flags);
        text.contains("ECHO") && text.contains("ICANON")
    }

    /// Waits for the end, and for what was written until then; the exit code.
    pub(crate) fn exit_code(&mut self) -> u32 {
        let mut code = None;
        until(self.patience, || {
            let status = self.child.try_wait().expect("a child can be waited for");
            code = status.map(|status| status.exit_code());
            code.is_some()
        });
        // What it wrote last may still be on its way; who it left behind may hold the terminal open.
        self.output
            .wait_end(Instant::now() + Duration::from_secs(1));
        code.unwrap_or_else(|| panic!("did not end in time:\n{}", self.screen()))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Already ended in most tests; in a failing one it must not outlive the test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `raw` without escape sequences, and with plain line ends.
fn plain(raw: &str) -> String {
    let escape =
        r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]";
    let escapes = Regex::new(escape).expect("a fixed pattern");
    escapes.replace_all(raw, "").replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_in_and_a_screen_comes_out() {
        let program = Program::of("/bin/bash");
        let script = "printf '\\e[1;32mname?\\e[0m '; read name; echo \"hello $name\"; exit 3";
        let mut terminal = Terminal::open(&program, &["-c", script]);
        terminal.wait_for("name? ");
        terminal.send("world\r");
        terminal.wait_for("hello world\n");
        assert_eq!(terminal.exit_code(), 3);
        assert!(terminal.raw().contains("\x1b[1;32m") && !terminal.screen().contains('\x1b'));
        assert!(terminal.is_restored());
    }

    #[test]
    fn a_terminal_left_in_disorder_is_noticed() {
        let program = Program::of("/bin/bash");
        let mut terminal = Terminal::open(&program, &["-c", "stty raw -echo"]);
        assert_eq!(terminal.exit_code(), 0);
        assert!(!terminal.is_restored());
    }
}
