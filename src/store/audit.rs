//! The audit log: `audit/DAY-PART.jsonl`, lines that are only ever added to, by all sessions of this person.
//!
//! A line is written in one piece, so that many processes share a file. Nothing is forced to the disk: a kill
//! loses nothing that was written, a power cut the last seconds. Days and parts that are too old, or too much
//! together, go whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::paths::{Paths, Room};
use super::private;
use super::session::stamp;
use crate::error::ToolError;

/// A part that has this many bytes gets no more lines.
const PART: u64 = 8 << 20;
/// How many bytes all parts keep together: some half a million calls.
const KEPT: u64 = 256 << 20;
/// How long a day is kept.
const AGE: Duration = Duration::from_secs(90 * 24 * 3600);

/// The log, as one process writes and reads it.
#[derive(Debug)]
pub struct Audit {
    folder: PathBuf,
    open: Mutex<Option<Part>>,
}

/// The file that lines are added to.
#[derive(Debug)]
struct Part {
    day: String,
    file: File,
}

impl Audit {
    /// The log below this state folder. Creates nothing.
    pub fn new(paths: &Paths) -> Audit {
        Audit {
            folder: paths.room(Room::Audit),
            open: Mutex::default(),
        }
    }

    /// Adds whole lines, each with its end, in one piece. `now` says which day it is.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn append(&self, lines: &[u8], now: SystemTime) -> Result<(), ToolError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let day = day(now);
        let is_due = |part: &Part| {
            let length = part.file.metadata().map_or(PART, |found| found.len());
            part.day == day && length < PART
        };
        let part = match open.take().filter(is_due) {
            Some(part) => part,
            None => self.begin(&day, now)?,
        };
        (&part.file)
            .write_all(lines)
            .map_err(|error| private::failed(&error))?;
        // What failed is opened anew, and half a line ended there.
        *open = Some(part);
        Ok(())
    }

    /// The names of all parts, the oldest first.
    ///
    /// # Errors
    /// `resource` when the folder cannot be read.
    pub fn parts(&self) -> Result<Vec<String>, ToolError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                return Err(ToolError::from_io(&error, "read from", "the state folder"));
            }
        };
        let names = entries.flatten().map(|entry| entry.file_name());
        let names = names.filter_map(|name| name.into_string().ok());
        let mut names: Vec<String> = names.filter(|name| number(name).is_some()).collect();
        names.sort();
        Ok(names)
    }

    /// The lines of one part, without their ends. One that is gone has none.
    ///
    /// # Errors
    /// `resource` when it cannot be read.
    pub fn lines(&self, part: &str) -> Result<Vec<Vec<u8>>, ToolError> {
        let bytes = match fs::read(self.folder.join(part)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                return Err(ToolError::from_io(&error, "read from", "the state folder"));
            }
        };
        let lines = bytes.split(|byte| *byte == b'\n');
        Ok(lines
            .filter(|line| !line.is_empty())
            .map(<[u8]>::to_vec)
            .collect())
    }

    /// Opens the part of today that has room, a new one if need be; then what is too old goes.
    fn begin(&self, day: &str, now: SystemTime) -> Result<Part, ToolError> {
        let failed = |error: io::Error| private::failed(&error);
        private::make_folder(&self.folder)?;
        let mut parts = self.parts()?.into_iter();
        let newest = parts.rfind(|name| name.starts_with(day));
        let newest = newest.as_deref().and_then(number).unwrap_or(1);
        let (mut file, mut length) = self.open(day, newest).map_err(failed)?;
        if length >= PART {
            (file, length) = self.open(day, newest + 1).map_err(failed)?;
        }
        let mut last = [b'\n'];
        if length > 0 {
            file.read_exact_at(&mut last, length - 1).map_err(failed)?;
        } else {
            self.sweep(now);
        }
        if last != [b'\n'] {
            (&file).write_all(b"\n").map_err(failed)?;
        }
        let day = day.to_owned();
        Ok(Part { day, file })
    }

    fn open(&self, day: &str, number: u32) -> io::Result<(File, u64)> {
        let no_link = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .custom_flags(no_link)
            .open(self.folder.join(format!("{day}-{number:04}.jsonl")))?;
        let length = file.metadata()?.len();
        Ok((file, length))
    }

    /// Lets go of the parts that are too old, and of the oldest while all hold too much.
    fn sweep(&self, now: SystemTime) {
        let oldest = now.checked_sub(AGE).map(day).unwrap_or_default();
        let mut held = 0;
        for name in self.parts().unwrap_or_default().iter().rev() {
            let path = self.folder.join(name);
            held += path.symlink_metadata().map_or(0, |found| found.len());
            if name.as_str() < oldest.as_str() || held > KEPT {
                let _again_next_time = fs::remove_file(path);
            }
        }
    }
}

/// `20261201`, in UTC.
fn day(now: SystemTime) -> String {
    stamp(now)[..8].to_owned()
}

/// The number of the part with this name; `None` for what is none.
fn number(name: &str) -> Option<u32> {
    let (day, number) = name.strip_suffix(".jsonl")?.split_once('-')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_part = day.len() == 8 && number.len() >= 4 && is_number(day) && is_number(number);
    is_part.then(|| number.parse().ok()).flatten()
}

#[cfg(test)]
mod tests;
