//! Reading a regular file: whole, with its hash, or opened for whoever streams it.
//!
//! Only regular files are read. A folder, a FIFO, a socket, a device is refused by name before a byte
//! is asked of it, so nothing here can wait or run for ever. No link is followed but those that the
//! place already resolved.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use rustix::io::Errno;

use super::change::{Form, Image};
use super::refusal::{is_a_folder, moved_meanwhile, not_regular};
use super::{Entry, Files, Place, Root};
use crate::error::{Kind, ToolError};
use crate::store::Hash;
use crate::text::counted;

/// A whole file at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// Their hash.
    pub hash: Hash,
    /// Its permission bits.
    pub mode: u32,
    /// When it was last changed.
    pub modified: SystemTime,
}

impl Snapshot {
    /// The file as part of a change.
    pub fn image(&self) -> Image {
        Image {
            form: Form::File,
            hash: self.hash,
            bytes: Some(Arc::clone(&self.bytes)),
            size: self.bytes.len() as u64,
            mode: Some(self.mode),
        }
    }
}

/// A regular file that is open for reading.
#[derive(Debug)]
pub struct Opened<'a> {
    pub(super) place: &'a Place,
    pub(super) file: File,
    pub(super) metadata: Metadata,
}

impl Opened<'_> {
    /// How many bytes it says it has.
    pub fn size(&self) -> u64 {
        self.metadata.len()
    }

    /// The whole file, which may have at most `limit` bytes.
    ///
    /// # Errors
    /// `resource` where it is too large or the system refuses.
    pub fn snapshot(&self, limit: u64) -> Result<Snapshot, ToolError> {
        let Opened {
            place,
            file,
            metadata,
        } = self;
        if metadata.len() > limit {
            return Err(too_large(place, metadata.len(), limit));
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
        file.take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| ToolError::from_io(&error, "read", &place.display))?;
        if bytes.len() as u64 > limit {
            return Err(too_large(place, bytes.len() as u64, limit));
        }
        Ok(Snapshot {
            hash: Hash::of(&bytes),
            bytes: bytes.into(),
            mode: metadata.mode() & 0o7777,
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        })
    }
}

impl Files {
    /// Reads the file at `place`, which may have at most `limit` bytes.
    ///
    /// # Errors
    /// As [`Files::open`] and [`Opened::snapshot`].
    pub fn read(&self, place: &Place, limit: u64) -> Result<Snapshot, ToolError> {
        self.open(place)?.snapshot(limit)
    }

    /// Opens the regular file at `place` for reading.
    ///
    /// # Errors
    /// `not_found` with near names, `argument` for what is no regular file, `conflict` where a link was
    /// put in the way, `resource` where the system refuses.
    pub fn open<'a>(&self, place: &'a Place) -> Result<Opened<'a>, ToolError> {
        match place.entry {
            Entry::Folder => return Err(is_a_folder(place)),
            Entry::Other(_) | Entry::Link => return Err(not_regular(place, place.entry)),
            Entry::Missing | Entry::File | Entry::Unreachable => {}
        }
        let opened = open_real(&place.real).and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) = opened.map_err(|error| self.cannot_open(&error, place))?;
        let kind = metadata.file_type();
        match kind {
            _ if kind.is_file() => Ok(Opened {
                place,
                file,
                metadata,
            }),
            _ if kind.is_dir() => Err(is_a_folder(place)),
            _ if kind.is_fifo() => Err(not_regular(place, Entry::Other("a FIFO"))),
            _ => Err(not_regular(place, Entry::Other("a device"))),
        }
    }

    /// The folder at `place`, opened: whatever its path leads to later, it stays this one.
    ///
    /// # Errors
    /// `not_found`, `argument` for what is no folder, `conflict` where a link was put in the way.
    pub fn folder(&self, place: &Place) -> Result<Arc<OwnedFd>, ToolError> {
        let opened = Root::open(&place.real);
        let opened = opened.map_err(|error| self.cannot_open(&error, place))?;
        Ok(Arc::new(opened.into()))
    }

    fn cannot_open(&self, error: &io::Error, place: &Place) -> ToolError {
        match Errno::from_io_error(error) {
            Some(Errno::NOENT | Errno::NOTDIR) => self.missing(place),
            Some(Errno::LOOP) => moved_meanwhile(place),
            _ => ToolError::from_io(error, "read", &place.display),
        }
    }
}

/// Opens a real path for reading, following nothing.
fn open_real(real: &Path) -> io::Result<File> {
    Root::open(Path::new("/"))?.read(real.strip_prefix("/").unwrap_or(real))
}

fn too_large(place: &Place, size: u64, limit: u64) -> ToolError {
    let message = format!(
        "{} has {}; at most {limit} are read as a whole",
        place.display,
        counted(size as usize, "byte")
    );
    ToolError::new(Kind::Resource, message)
        .with_hint("read a range of its lines, or search it with `grep`")
        .with_detail("size", size)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::files::bench::Bench;

    #[test]
    fn reads_a_file_with_its_hash_and_mode() {
        let bench = Bench::new();
        bench.write("a.bin", b"plain text in x.bin\n");
        let files = bench.files();
        let place = files.resolve("a.bin").unwrap();
        let snapshot = files.read(&place, 1 << 20).unwrap();
        assert_eq!(&snapshot.bytes[..], b"plain text in x.bin\n");
        assert_eq!(snapshot.hash, Hash::of(&snapshot.bytes));
        assert_eq!(files.read(&place, 5).unwrap_err().kind, Kind::Resource);
    }

    #[test]
    fn refuses_what_would_never_end() {
        let bench = Bench::new();
        let fifo = bench.path("fifo");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &fifo,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(bench.path("socket")).unwrap();
        let files = bench.files();
        for (asked, what) in [
            ("fifo", "a FIFO"),
            ("socket", "a socket"),
            ("/dev/zero", "a device"),
            (".", "a folder"),
        ] {
            let error = files.read(&files.resolve(asked).unwrap(), 100).unwrap_err();
            assert_eq!(error.kind, Kind::Argument, "{asked}");
            assert!(error.message.contains(what), "{asked}: {}", error.message);
        }
        let mut lying = files.resolve("fifo").unwrap();
        lying.entry = Entry::File;
        assert!(
            files
                .read(&lying, 100)
                .unwrap_err()
                .message
                .contains("a FIFO")
        );
    }

    #[test]
    fn a_file_that_pretends_to_be_empty_is_read_to_its_end() {
        let bench = Bench::new();
        let files = bench.files();
        let place = files.resolve("/proc/self/status").unwrap();
        assert!(
            files
                .read(&place, 1 << 20)
                .unwrap()
                .bytes
                .starts_with(b"Name:")
        );
        assert_eq!(files.read(&place, 10).unwrap_err().kind, Kind::Resource);
    }

    #[test]
    fn a_link_put_there_after_resolving_is_not_followed() {
        let bench = Bench::new();
        bench.write("d/a", "inside");
        std::fs::write(bench.home().join("a"), "outside").unwrap();
        let files = bench.files();
        let place = files.resolve("d/a").unwrap();
        std::fs::rename(bench.path("d"), bench.path("e")).unwrap();
        symlink(bench.home(), bench.path("d")).unwrap();
        assert_eq!(files.read(&place, 100).unwrap_err().kind, Kind::Conflict);
    }
}
