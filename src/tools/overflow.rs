//! The whole output of a command that prints more than a result keeps: written to a spill as it arrives.
//!
//! Nothing touches the disk before there is more than the result holds, and the spill has a limit of
//! its own, so that an endless command does not fill the disk.

use std::sync::{Arc, mpsc};

use tokio::task::JoinHandle;

use crate::error::ToolError;
use crate::tool::Context;

/// What a spill holds at most, in bytes.
const MOST: usize = 256 << 20;

/// A spill being written on the blocking pool.
struct Writing {
    chunks: mpsc::Sender<Vec<u8>>,
    spill: JoinHandle<Result<String, ToolError>>,
}

/// Output on its way, from the first byte on.
pub(super) struct Overflow {
    context: Context,
    /// How many bytes the result itself keeps.
    kept: usize,
    /// What came before there was too much.
    held: Vec<u8>,
    writing: Option<Writing>,
    written: usize,
}

impl Overflow {
    /// Nothing yet, of a result that keeps `kept` bytes.
    pub(super) fn new(context: &Context, kept: usize) -> Overflow {
        let context = context.clone();
        Overflow {
            context,
            kept,
            held: Vec::new(),
            writing: None,
            written: 0,
        }
    }

    /// Takes note of a chunk. Never waits.
    pub(super) fn take(&mut self, chunk: &[u8]) {
        if self.writing.is_none() && self.held.len() + chunk.len() <= self.kept {
            self.held.extend_from_slice(chunk);
            return;
        }
        let context = &self.context;
        let writing = self.writing.get_or_insert_with(|| begin(context));
        for piece in [std::mem::take(&mut self.held).as_slice(), chunk] {
            let room = MOST.saturating_sub(self.written).min(piece.len());
            self.written += room;
            if room > 0 {
                let _gone = writing.chunks.send(piece[..room].to_vec());
            }
        }
    }

    /// The id of the spill, if there was too much. A spill that could not be written is none.
    pub(super) async fn finish(self) -> Option<String> {
        let Writing { chunks, spill } = self.writing?;
        drop(chunks);
        spill.await.ok()?.ok()
    }
}

fn begin(context: &Context) -> Writing {
    let (chunks, received) = mpsc::channel::<Vec<u8>>();
    let services = Arc::clone(&context.services);
    let spill = tokio::task::spawn_blocking(move || {
        let mut spill = services
            .spills
            .begin(&services.session, (services.clock)())?;
        for chunk in received {
            spill.write(&chunk)?;
        }
        Ok(spill.finish()?.to_string())
    });
    Writing { chunks, spill }
}
