//! `agent trust [DIR]`: shows what a project would load, and says yes to it or takes the yes back.
//!
//! Nothing of the project is run. The yes is to exactly what was shown: the bytes were read once. A
//! question is asked only where somebody can answer, and its default is no.

use std::io;
use std::os::fd::AsFd as _;
use std::path::PathBuf;

use rustix::termios::{QueueSelector, tcflush};
use serde_json::{Value, json};

use super::answer::Answer;
use super::args::Options;
use super::desk::{Typed, typed};
use super::screen::Piece;
use super::{session, terminal, trusting};
use crate::error::{Error, Exit};
use crate::layers::{Survey, survey};
use crate::permission::Caller;
use crate::store::{Paths, Workspace};
use crate::text::shell_word;
use crate::trust::{FileView, Standing, Trust, View, view};

/// What the command line wishes besides looking.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// Take the yes back.
    pub(super) forget: bool,
    /// Say yes to what no model changes, for the login session.
    pub(super) dev: bool,
}

/// A project that is looked at.
struct Desk {
    /// The folder as it was named, as a word of a command line; empty where none was.
    named: String,
    options: Options,
    answer: Answer,
    found: Survey,
    trust: Trust,
    dev: bool,
}

/// Shows the project of `folder` and does what is wished.
///
/// # Errors
/// Usage and configuration; `denied` for a model; `resource` when the yes cannot be recorded.
pub(super) fn run(
    mut options: Options,
    folder: Option<PathBuf>,
    wish: Wish,
) -> Result<Exit, Error> {
    let mut named = String::new();
    if let Some(folder) = folder {
        named = format!(" {}", shell_word(&folder.to_string_lossy()));
        let from = options.cwd.take().unwrap_or_default();
        options.cwd = Some(from.join(folder));
    }
    let answer = Answer::new(options.format());
    let cwd = session::enter(&options)?;
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    let workspace = Workspace::find(&cwd, home.map(PathBuf::from).as_deref())?;
    let paths = Paths::of_process(&cwd, &workspace)?;
    let desk = Desk {
        named,
        found: survey(&workspace),
        trust: Trust::new(&paths),
        dev: wish.dev,
        answer,
        options,
    };
    if wish.forget {
        return desk.forget();
    }
    if workspace.restricted {
        desk.answer
            .warn("this folder is no workspace, so nothing of it ever loads");
    }
    desk.look()
}

impl Desk {
    fn forget(&self) -> Result<Exit, Error> {
        trusting::refuse_model(&self.options)?;
        let forgotten = self.trust.forget(&self.found.root)?;
        if self.answer.is_machine() {
            let root = self.found.root.to_string_lossy();
            let fields = json!({ "ok": true, "root": root, "forgotten": forgotten });
            self.answer.document(fields);
        } else {
            self.answer.text(match forgotten {
                true => "the yes is taken back",
                false => "there was no yes to take back",
            });
        }
        Ok(self.answer.finish(Exit::Done))
    }

    fn look(&self) -> Result<Exit, Error> {
        if let Some(trouble) = self.trust.trouble(&self.found.root) {
            self.answer.warn(&trouble);
        }
        let last = self.trust.last(&self.found.root);
        let shown = view(&self.found, last.as_ref());
        let standing = self.trust.standing(&self.found);
        if !self.answer.is_machine() {
            self.answer.text(&shown.text(self.options.verbose > 0));
            if standing != Standing::Nothing {
                self.answer.text(words(standing));
            }
        }
        let is_settled = standing == Standing::Nothing || standing == Standing::Trusted;
        let said = match (&self.options.trust, is_settled && !self.dev) {
            (None, true) => false,
            _ => self.hears_yes()?,
        };
        if said {
            self.accept()?;
        }
        let exit = match is_settled || said {
            true => Exit::Done,
            false => Exit::Blocked,
        };
        if self.answer.is_machine() {
            let standing = if said {
                self.trust.standing(&self.found)
            } else {
                standing
            };
            self.answer.document(self.document(&shown, standing, exit));
        }
        Ok(self.answer.finish(exit))
    }

    /// Whether somebody says yes to what was shown: the digest, or a person at the terminal.
    fn hears_yes(&self) -> Result<bool, Error> {
        match self.options.trust.as_deref() {
            Some("") => {
                return Err(Error::usage(
                    "`agent trust` asks at the terminal, so --trust alone adds nothing",
                    format!(
                        "--trust={} says yes without a question",
                        self.found.digest()
                    ),
                ));
            }
            Some(digest) => {
                trusting::matches(digest, &self.found)?;
                trusting::refuse_model(&self.options)?;
                return Ok(true);
            }
            None => {}
        }
        let is_user = self.options.caller() == Caller::User;
        if is_user && terminal::is_attended() && !self.answer.is_machine() {
            let yes = self.ask()?;
            if !yes {
                self.answer.say("not trusted: nothing of it loads");
            }
            return Ok(yes);
        }
        let dev = if self.dev { " --dev" } else { "" };
        self.answer.say(&format!(
            "nobody is there to ask; `agent trust{}{dev} --trust={}` says yes to exactly this",
            self.named,
            self.found.digest()
        ));
        Ok(false)
    }

    fn accept(&self) -> Result<(), Error> {
        self.trust.accept(&self.found)?;
        if self.dev {
            self.trust.dev().begin(&self.found.root)?;
        }
        if !self.answer.is_machine() {
            self.answer.text(match self.dev {
                true => "trusted, and for this login session so is what no model changes",
                false => "trusted",
            });
        }
        Ok(())
    }

    /// Asks the person; the end of the input, and anything but yes, is a no.
    fn ask(&self) -> Result<bool, Error> {
        let question = match self.dev {
            true => {
                "trust all of this, and for this login session what no model changes? [y]es, [N]o: "
            }
            false => "trust all of this? [y]es, [N]o: ",
        };
        let outlet = self.answer.outlet();
        outlet.drain();
        let stdin = io::stdin();
        // What was typed before the question stood there is no answer to it.
        let _ = tcflush(stdin.as_fd(), QueueSelector::IFlush);
        outlet.write(Piece::Prompt, question.as_bytes());
        outlet.drain();
        match typed(&[], self.options.timeout) {
            Typed::Line(line) => {
                outlet.write(Piece::Answered, b"");
                Ok(matches!(line.trim(), "y" | "yes"))
            }
            Typed::End | Typed::Nothing => Ok(false),
            Typed::Late => Err(Error::Ended(Exit::Timeout)),
        }
    }

    fn document(&self, shown: &View, standing: Standing, exit: Exit) -> Value {
        let changed = standing == Standing::Untrusted { changed: true };
        let word = match standing {
            Standing::Nothing => "nothing",
            Standing::Trusted => "trusted",
            Standing::Untrusted { .. } => "untrusted",
        };
        let refused = shown.refused.iter();
        let refused = refused.map(|one| json!({ "path": one.shown, "why": one.why }));
        let flags = shown.flags.iter().map(|flag| {
            json!({ "path": flag.path, "line": flag.line, "what": flag.what, "text": flag.text })
        });
        json!({
            "ok": exit == Exit::Done,
            "root": shown.root,
            "digest": shown.digest,
            "standing": word,
            "changed": changed,
            "dev": self.trust.dev().is_active(&self.found.root),
            "files": shown.files.iter().map(file).collect::<Vec<Value>>(),
            "refused": refused.collect::<Vec<Value>>(),
            "power": flags.collect::<Vec<Value>>(),
        })
    }
}

fn file(file: &FileView) -> Value {
    json!({
        "path": file.path,
        "kind": file.what,
        "bytes": file.bytes,
        "hash": file.hash,
        "state": file.state.as_str(),
        "diff": file.diff,
    })
}

fn words(standing: Standing) -> &'static str {
    match standing {
        Standing::Nothing => "nothing to trust",
        Standing::Trusted => "trusted",
        Standing::Untrusted { changed: false } => "not trusted",
        Standing::Untrusted { changed: true } => "not trusted: it changed since the last yes",
    }
}
