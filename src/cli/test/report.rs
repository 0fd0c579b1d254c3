//! What became of the tests: lines for a person, a document for a program, the exit code.
//!
//! The order is that of the files and of the tests in them, whatever took how long.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::answer::Answer;
use crate::cli::args::Format;
use crate::cli::session::Session;
use crate::error::Exit;
use crate::lua::{Status, Tested};
use crate::text::counted;

/// The tests of one file.
#[derive(Debug)]
pub(super) struct FileTests {
    /// What messages call the file.
    pub(super) file: String,
    /// Its tests, in order.
    pub(super) tests: Vec<Tested>,
}

impl FileTests {
    /// How many ended like this.
    pub(super) fn count(&self, status: Status) -> usize {
        self.tests
            .iter()
            .filter(|test| test.status == status)
            .count()
    }

    /// How long they took.
    pub(super) fn duration(&self) -> Duration {
        self.tests.iter().map(|test| test.duration).sum()
    }
}

/// All of them.
pub(super) struct Report {
    /// The files that had tests.
    pub(super) files: Vec<FileTests>,
    start: Instant,
    events: Option<std::sync::Arc<Answer>>,
}

impl Report {
    /// An empty report; with `jsonl` every test is told as its file ends.
    pub(super) fn begin(session: &Session) -> Report {
        let events = session.answer.format == Format::Jsonl;
        Report {
            files: Vec::new(),
            start: Instant::now(),
            events: events.then(|| std::sync::Arc::clone(&session.answer)),
        }
    }

    /// Adds the tests of a file; one without any leaves no trace.
    pub(super) fn add(&mut self, tests: FileTests) {
        if let Some(answer) = &self.events {
            for test in &tests.tests {
                let mut event = json!({ "type": "test" });
                if let (Value::Object(event), Value::Object(fields)) =
                    (&mut event, document(&tests.file, test))
                {
                    event.extend(fields);
                }
                answer.line(&event);
            }
        }
        if !tests.tests.is_empty() {
            self.files.push(tests);
        }
    }

    /// Whether there was no test at all.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// How many tests ended like this.
    pub(super) fn count(&self, status: Status) -> usize {
        self.files.iter().map(|file| file.count(status)).sum()
    }

    /// 1 when one failed.
    pub(super) fn exit(&self) -> Exit {
        match self.count(Status::Failed) {
            0 => Exit::Done,
            _ => Exit::Failed,
        }
    }

    /// Writes it as the answer.
    pub(super) fn tell(&self, answer: &Answer) {
        if !answer.is_machine() {
            return answer.text(&self.text());
        }
        let tests: Vec<Value> = self
            .files
            .iter()
            .flat_map(|file| file.tests.iter().map(|test| document(&file.file, test)))
            .collect();
        answer.document(json!({
            "ok": self.count(Status::Failed) == 0,
            "passed": self.count(Status::Passed),
            "failed": self.count(Status::Failed),
            "skipped": self.count(Status::Skipped),
            "duration": self.start.elapsed().as_secs_f64(),
            "tests": tests,
        }));
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            let mark = match file.count(Status::Failed) {
                0 => "ok  ",
                _ => "FAIL",
            };
            let tests = counted(file.tests.len(), "test");
            let milliseconds = file.duration().as_millis();
            text.push_str(&format!(
                "{mark} {} ({tests}, {milliseconds} ms)\n",
                file.file
            ));
            for test in &file.tests {
                text.push_str(&told(test));
            }
        }
        text + &format!(
            "{} passed, {} failed, {} skipped\n",
            self.count(Status::Passed),
            self.count(Status::Failed),
            self.count(Status::Skipped)
        )
    }
}

/// A failure in full, what was left out in one line, nothing of what passed.
fn told(test: &Tested) -> String {
    let message = test.message.as_deref().unwrap_or_default();
    match test.status {
        Status::Passed => String::new(),
        Status::Skipped if message.is_empty() => format!("  skipped {}\n", test.name),
        Status::Skipped => format!("  skipped {}: {message}\n", test.name),
        Status::Failed => {
            let lines = message.lines().map(|line| format!("      {line}\n"));
            format!("  failed {}\n{}", test.name, lines.collect::<String>())
        }
    }
}

fn document(file: &str, test: &Tested) -> Value {
    let mut document = json!({
        "file": file,
        "name": test.name,
        "line": test.line,
        "status": test.status.as_str(),
    });
    if let Some(message) = &test.message {
        document["message"] = json!(message);
    }
    document["duration"] = json!(test.duration.as_secs_f64());
    document
}
