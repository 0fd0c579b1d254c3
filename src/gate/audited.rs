//! The recorder that keeps an audit log: one line for every call, written by a thread of its own.
//!
//! Who makes a call never waits for the disk. A log that cannot be written is warned of once, and the calls go
//! on: what rules hold does not depend on it. Arguments, contents and results are never written.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::permission::{Step, Subject};
use crate::redact::{Reach, Redactor};
use crate::store::{Audit, moment};
use crate::text::head_bytes;
use crate::tool::{Answered, Judged, Level, Record, Recorder, Sink};

/// No text of a line has more bytes than this.
const TEXT: usize = 4096;
/// No line has more subjects than this.
const SUBJECTS: usize = 100;
/// What waits is written together up to so many bytes.
const TOGETHER: usize = 64 << 10;
/// How long the end of the run waits for what is not written yet.
const PATIENCE: Duration = Duration::from_secs(1);

/// Keeps the record of every call in the audit log.
pub struct Audited {
    writer: Mutex<Writer>,
}

/// The way to the thread, which starts with the first record.
enum Writer {
    Idle(Box<Scribe>),
    /// What goes to it, and what is closed when it has written everything.
    Running(Sender<Record>, Receiver<()>),
    Ended,
}

impl Audited {
    /// A recorder that writes to `log`, for calls in the workspace. What goes wrong is told to `sink`.
    pub fn new(log: Audit, workspace: &Path, sink: Arc<dyn Sink>) -> Audited {
        let scribe = Scribe {
            log,
            workspace: workspace.to_string_lossy().into_owned(),
            sink,
        };
        Audited {
            writer: Mutex::new(Writer::Idle(Box::new(scribe))),
        }
    }

    /// Waits until what was recorded is written, for a second at most. What is recorded later is lost, so
    /// every call must have ended.
    pub fn finish(&self) {
        let writer = std::mem::replace(&mut *self.lock(), Writer::Ended);
        let Writer::Running(sender, ended) = writer else {
            return;
        };
        drop(sender);
        let (Ok(()) | Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout)) =
            ended.recv_timeout(PATIENCE);
    }

    fn lock(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorder for Audited {
    fn record(&self, record: Record) {
        let mut writer = self.lock();
        *writer = match std::mem::replace(&mut *writer, Writer::Ended) {
            Writer::Idle(scribe) => scribe.start(record),
            Writer::Running(sender, ended) => {
                // The other end is there as long as this one is.
                let _sent = sender.send(record);
                Writer::Running(sender, ended)
            }
            Writer::Ended => Writer::Ended,
        };
    }
}

/// Who writes.
struct Scribe {
    log: Audit,
    workspace: String,
    sink: Arc<dyn Sink>,
}

impl Scribe {
    fn start(self: Box<Scribe>, first: Record) -> Writer {
        let (sender, receiver) = channel();
        let (alive, ended) = channel();
        let sink = Arc::clone(&self.sink);
        let thread = thread::Builder::new().name("audit".to_owned());
        let _sent = sender.send(first);
        let work = move || {
            let _until_all_is_written: Sender<()> = alive;
            self.write(&receiver);
        };
        match thread.spawn(work) {
            Ok(_) => Writer::Running(sender, ended),
            Err(error) => {
                warn(&*sink, &error.to_string());
                Writer::Ended
            }
        }
    }

    fn write(&self, records: &Receiver<Record>) {
        let mut is_told = false;
        while let Ok(record) = records.recv() {
            let now = record.began;
            let mut lines = self.line(&record);
            while lines.len() < TOGETHER
                && let Ok(record) = records.try_recv()
            {
                lines.extend(self.line(&record));
            }
            if let Err(error) = self.log.append(&lines, now)
                && !std::mem::replace(&mut is_told, true)
            {
                warn(&*self.sink, &error.message);
            }
        }
    }

    /// The line of one call, with its end.
    fn line(&self, record: &Record) -> Vec<u8> {
        let redactor = &record.hiding.redactor();
        let mut fields = json!({
            "time": moment(record.began),
            "session": record.session.as_str(),
            "workspace": self.workspace,
            "call": record.call,
            "chain": record.chain,
            "caller": record.caller.as_str(),
            "tool": kept(&record.tool, redactor),
            "ok": record.error.is_none(),
            "kind": record.error,
            "duration": record.duration.as_secs_f64(),
        });
        if let Some(profile) = &record.profile {
            fields["profile"] = json!(&**profile);
        }
        if let (Some(judged), Value::Object(fields)) = (&record.judged, &mut fields) {
            fields.extend(told(judged, redactor));
        }
        let mut line = fields.to_string().into_bytes();
        line.push(b'\n');
        line
    }
}

/// What was judged, as fields.
fn told(judged: &Judged, redactor: &Redactor) -> serde_json::Map<String, Value> {
    let all = judged.subjects.iter();
    let is_whole = |one: &Subject| kept(&one.text, redactor) == one.text;
    let is_cut = judged.subjects.len() > SUBJECTS || !all.clone().all(is_whole);
    let subjects: Vec<Value> = all
        .take(SUBJECTS)
        .map(|one| subject(one, redactor))
        .collect();
    let command = judged.command.as_ref();
    let decided = judged.decided();
    let steps: Vec<Value> = judged
        .trace
        .iter()
        .take(SUBJECTS)
        .map(|one| step(one, redactor))
        .collect();
    let fields = [
        ("effect", json!(judged.effect.map(|effect| effect.as_str()))),
        ("subjects", json!(subjects)),
        (
            "command",
            json!(command.map(|(line, _)| kept(line, redactor))),
        ),
        ("cwd", json!(command.map(|(_, cwd)| kept(cwd, redactor)))),
        ("cut", json!(is_cut)),
        ("verdict", json!(judged.action.as_str())),
        ("source", json!(decided.map(|step| step.source.as_str()))),
        (
            "rule",
            json!(decided.map(|step| kept(&step.rule, redactor))),
        ),
        ("reason", json!(kept(&judged.reason, redactor))),
        ("answers", json!(answers(judged, redactor))),
        // One step is told by the source and the rule.
        ("trace", json!((steps.len() > 1).then_some(steps))),
    ];
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// What came of the questions; nothing where nobody was asked.
fn answers(judged: &Judged, redactor: &Redactor) -> Option<Vec<Value>> {
    let answer = |one: &Answered| {
        let mut fields = json!({ "about": one.about, "answer": one.reply.as_str() });
        if !one.rules.is_empty() {
            let rules = one.rules.iter().map(|rule| kept(rule, redactor));
            fields["rules"] = rules.collect();
        }
        fields
    };
    let all = judged.answers.iter().take(SUBJECTS);
    (!judged.answers.is_empty()).then(|| all.map(answer).collect())
}

fn step(step: &Step, redactor: &Redactor) -> Value {
    json!({
        "source": step.source.as_str(),
        "rule": kept(&step.rule, redactor),
        "action": step.action.as_str(),
    })
}

fn subject(subject: &Subject, redactor: &Redactor) -> Value {
    let mut fields =
        json!({ "group": subject.group.as_str(), "text": kept(&subject.text, redactor) });
    for (name, value) in [
        (
            "real",
            json!(subject.real.as_deref().map(|real| kept(real, redactor))),
        ),
        ("named", json!(subject.named)),
        ("removed", json!(subject.removed)),
        ("beside", json!(subject.beside)),
    ] {
        if !matches!(value, Value::Null | Value::Bool(false)) {
            fields[name] = value;
        }
    }
    fields
}

/// Every text passes here on its way into the log: without secrets, and then as much of it as fits.
fn kept(text: &str, redactor: &Redactor) -> String {
    head_bytes(&redactor.redact(text, Reach::Log), TEXT).to_owned()
}

fn warn(sink: &dyn Sink, why: &str) {
    sink.log(
        Level::Warn,
        format!("the audit log cannot be written, and calls go on without it: {why}"),
    );
}
