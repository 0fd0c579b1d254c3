//! The pipes of a child: its input written while its output is read, each stream kept apart and both merged.
//!
//! It never waits for the end of a pipe after the child's exit: what is in the pipe is taken, who
//! else holds it does not matter. A character that arrives in two parts is passed on in one.

use std::future::pending;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use serde::Serialize;
use tokio::net::unix::pipe::{Receiver, Sender};

use super::capture::{Capture, Captured, unfinished};
use super::command::{Filter, Limits};

/// Bytes per read.
const READ: usize = 64 << 10;
/// Reads per stream after the exit: more than the largest pipe of an ordinary user (1 MiB) holds.
const LAST_READS: usize = 2 * (1 << 20) / READ;

/// Which stream a chunk came on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Stream {
    /// The word for it: `stdout`, `stderr`.
    pub fn as_str(self) -> &'static str {
        match self {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        }
    }
}

/// The three pipes of a child.
pub(super) struct Streams {
    input: Input,
    outputs: [Output; 2],
    merged: Capture,
    filter: Option<Arc<dyn Filter>>,
    buffer: Vec<u8>,
}

struct Input {
    pipe: Option<Sender>,
    bytes: Vec<u8>,
    written: usize,
}

struct Output {
    stream: Stream,
    pipe: Option<Receiver>,
    /// The start of a character whose rest has not come.
    held: Vec<u8>,
    capture: Capture,
}

/// Our ends of the pipes of a child.
pub(super) struct Pipes {
    pub(super) stdin: Option<OwnedFd>,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

impl Streams {
    /// Takes over the pipes; `input` is written to the first, where there is one.
    pub(super) fn new(
        pipes: Pipes,
        input: Vec<u8>,
        limits: Limits,
        filter: Option<Arc<dyn Filter>>,
    ) -> io::Result<Streams> {
        Ok(Streams {
            input: Input {
                pipe: pipes.stdin.map(Sender::from_owned_fd).transpose()?,
                bytes: input,
                written: 0,
            },
            outputs: [
                Output::new(Stream::Stdout, pipes.stdout, limits.stream)?,
                Output::new(Stream::Stderr, pipes.stderr, limits.stream)?,
            ],
            merged: Capture::new(limits.merged),
            filter,
            buffer: vec![0; READ],
        })
    }

    /// Whether anything can still be moved.
    pub(super) fn is_open(&self) -> bool {
        self.input.pipe.is_some() || self.is_read()
    }

    /// Whether somebody still holds the other end of an output.
    pub(super) fn is_read(&self) -> bool {
        self.outputs.iter().any(|output| output.pipe.is_some())
    }

    /// Waits until a pipe is ready and moves what can be moved. Safe to drop at any time.
    pub(super) async fn turn(&mut self, sink: &mut impl FnMut(Stream, &[u8])) {
        let [stdout, stderr] = &self.outputs;
        tokio::select! {
            () = stdout.ready() => {}
            () = stderr.ready() => {}
            () = self.input.ready() => {}
        }
        self.input.write();
        for index in 0..self.outputs.len() {
            self.read(index, Receiver::try_read, sink);
        }
    }

    /// Moves what comes until both outputs are closed.
    pub(super) async fn until_closed(&mut self, sink: &mut impl FnMut(Stream, &[u8])) {
        while self.is_read() {
            self.turn(sink).await;
        }
    }

    /// Takes what is in the pipes now, without waiting, in bounded time.
    pub(super) fn drain(&mut self, sink: &mut impl FnMut(Stream, &[u8])) {
        // Straight from the descriptor: the runtime may not have heard yet that it is ready.
        let read = |pipe: &Receiver, buffer: &mut [u8]| Ok(rustix::io::read(pipe, buffer)?);
        for index in 0..self.outputs.len() {
            let mut left = LAST_READS;
            while left > 0 && self.read(index, read, sink) {
                left -= 1;
            }
        }
    }

    /// What was kept: stdout, stderr, both.
    pub(super) fn finish(
        mut self,
        sink: &mut impl FnMut(Stream, &[u8]),
    ) -> (Captured, Captured, Captured) {
        let [mut stdout, mut stderr] = self.outputs;
        for output in [&mut stdout, &mut stderr] {
            let held = std::mem::take(&mut output.held);
            let filter = self.filter.as_deref();
            match filter {
                Some(filter) => {
                    let mut passed = filter.pass(output.stream, &held);
                    passed.extend(filter.finish(output.stream));
                    pass(output, &mut self.merged, &passed, sink);
                }
                None => pass(output, &mut self.merged, &held, sink),
            }
        }
        (
            stdout.capture.finish(),
            stderr.capture.finish(),
            self.merged.finish(),
        )
    }

    /// One read; whether something came.
    fn read(
        &mut self,
        index: usize,
        read: impl FnOnce(&Receiver, &mut [u8]) -> io::Result<usize>,
        sink: &mut impl FnMut(Stream, &[u8]),
    ) -> bool {
        let output = &mut self.outputs[index];
        let Some(whole) = output.take(&mut self.buffer, read) else {
            return false;
        };
        match &self.filter {
            Some(filter) => {
                let passed = filter.pass(output.stream, whole);
                pass(output, &mut self.merged, &passed, sink);
            }
            None => pass(output, &mut self.merged, whole, sink),
        }
        true
    }
}

fn pass(
    output: &mut Output,
    merged: &mut Capture,
    bytes: &[u8],
    sink: &mut impl FnMut(Stream, &[u8]),
) {
    if !bytes.is_empty() {
        output.capture.push(bytes);
        merged.push(bytes);
        sink(output.stream, bytes);
    }
}

impl Output {
    fn new(stream: Stream, pipe: OwnedFd, limit: usize) -> io::Result<Output> {
        Ok(Output {
            stream,
            pipe: Some(Receiver::from_owned_fd(pipe)?),
            held: Vec::new(),
            capture: Capture::new(limit),
        })
    }

    async fn ready(&self) {
        match &self.pipe {
            Some(pipe) => drop(pipe.readable().await),
            None => pending().await,
        }
    }

    /// Reads once and gives the whole characters that are there; `None` when nothing came.
    fn take<'b>(
        &mut self,
        buffer: &'b mut [u8],
        read: impl FnOnce(&Receiver, &mut [u8]) -> io::Result<usize>,
    ) -> Option<&'b [u8]> {
        let held = self.held.len();
        buffer[..held].copy_from_slice(&self.held);
        let count = match read(self.pipe.as_ref()?, &mut buffer[held..]) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
            Err(_) | Ok(0) => {
                self.pipe = None; // a broken pipe has ended as well
                return None;
            }
            Ok(count) => count,
        };
        let came = &buffer[..held + count];
        let (whole, rest) = came.split_at(came.len() - unfinished(came));
        self.held = rest.to_vec();
        Some(whole)
    }
}

impl Input {
    async fn ready(&self) {
        match &self.pipe {
            Some(pipe) => drop(pipe.writable().await),
            None => pending().await,
        }
    }

    /// Writes what fits; closes when all is written or nobody reads.
    fn write(&mut self) {
        let Some(pipe) = &self.pipe else {
            return;
        };
        match pipe.try_write(&self.bytes[self.written..]) {
            Ok(count) => self.written += count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(_) => self.written = self.bytes.len(),
        }
        if self.written == self.bytes.len() {
            self.pipe = None;
            self.bytes = Vec::new();
            self.written = 0;
        }
    }
}
