//! Contents kept under their hash: the same bytes are stored once, and what is read is verified.
//!
//! It never deletes and never overwrites a good blob. A blob appears complete or not at all; a
//! short one, left by a power cut, is written again.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::Hash;
use super::paths::{Paths, Room};
use super::private;
use crate::error::ToolError;

/// The blobs of one state folder: `store/blobs/ab/cdef…`.
#[derive(Clone, Debug)]
pub struct Blobs {
    root: PathBuf,
}

impl Blobs {
    /// The blobs below this state folder. Creates nothing.
    pub fn new(paths: &Paths) -> Blobs {
        Blobs {
            root: paths.room(Room::Store).join("blobs"),
        }
    }

    /// The blobs in a folder of somebody's own.
    pub(super) fn at(root: PathBuf) -> Blobs {
        Blobs { root }
    }

    /// As [`Blobs::put`], and waits until they are on the disk.
    ///
    /// # Errors
    /// As [`Blobs::put`].
    pub(super) fn put_synced(&self, bytes: &[u8]) -> Result<Hash, ToolError> {
        let hash = self.put(bytes)?;
        let (folder, _) = self.place(&hash);
        let synced = self.open(&hash)?.sync_all();
        let synced = synced.and_then(|()| File::open(folder)?.sync_all());
        synced.map_err(|error| private::failed(&error))?;
        Ok(hash)
    }

    /// Keeps `bytes` and says under which hash. What is there already is not written again.
    ///
    /// # Errors
    /// `resource` when the state folder cannot be written.
    pub fn put(&self, bytes: &[u8]) -> Result<Hash, ToolError> {
        let hash = Hash::of(bytes);
        let (folder, name) = self.place(&hash);
        let kept = folder.join(&name).metadata();
        if kept.is_ok_and(|kept| kept.len() == bytes.len() as u64) {
            return Ok(hash);
        }
        private::write_file(&folder, &name, bytes, None)?;
        Ok(hash)
    }

    /// The bytes of this hash.
    ///
    /// # Errors
    /// `not_found` when it was never kept, `internal` when they changed on disk, `resource` when they
    /// cannot be read.
    pub fn get(&self, hash: &Hash) -> Result<Vec<u8>, ToolError> {
        let mut bytes = Vec::new();
        self.open(hash)?
            .read_to_end(&mut bytes)
            .map_err(|error| ToolError::from_io(&error, "read from", "the state folder"))?;
        if Hash::of(&bytes) == *hash {
            return Ok(bytes);
        }
        Err(
            ToolError::internal(format!("the kept content {hash} was changed on disk"))
                .with_hint("something else writes into the state folder, or its disk is failing"),
        )
    }

    /// How many bytes are kept under this hash.
    ///
    /// # Errors
    /// As [`Blobs::open`].
    pub fn len(&self, hash: &Hash) -> Result<u64, ToolError> {
        let kept = self.open(hash)?.metadata();
        let kept =
            kept.map_err(|error| ToolError::from_io(&error, "read from", "the state folder"))?;
        Ok(kept.len())
    }

    /// The content as a file, for reading a range. Its bytes are not verified.
    ///
    /// # Errors
    /// `not_found` when it was never kept, `resource` when it cannot be read.
    pub fn open(&self, hash: &Hash) -> Result<File, ToolError> {
        let (folder, name) = self.place(hash);
        private::open_file(&folder.join(name))?.ok_or_else(|| {
            ToolError::not_found(format!("no content is kept under {hash}"))
                .with_hint("the state folder was emptied since; read the file itself again")
        })
    }

    fn place(&self, hash: &Hash) -> (PathBuf, String) {
        let shown = hash.to_string();
        let (first, rest) = shown.split_at(2);
        (Path::new(&self.root).join(first), rest.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;
    use crate::error::Kind;

    fn blobs() -> (tempfile::TempDir, Blobs) {
        let home = tempfile::tempdir().unwrap();
        let paths = Paths::at(home.path().join("config"), home.path().join("state"));
        (home, Blobs::new(&paths))
    }

    fn place(blobs: &Blobs, hash: &Hash) -> PathBuf {
        let (folder, name) = blobs.place(hash);
        folder.join(name)
    }

    #[test]
    fn gives_back_every_byte_it_kept() {
        let (home, blobs) = blobs();
        assert!(
            !home.path().join("state").exists(),
            "nothing before first use"
        );
        for bytes in [&b""[..], b"text", b"\xff\xfe\0", &[7; 100_000]] {
            let hash = blobs.put(bytes).unwrap();
            assert_eq!(blobs.get(&hash).unwrap(), bytes);
            assert_eq!(blobs.len(&hash).unwrap(), bytes.len() as u64);
        }
    }

    #[test]
    fn keeps_the_same_content_once_and_for_its_owner_alone() {
        let (home, blobs) = blobs();
        let hash = blobs.put(b"once").unwrap();
        let path = place(&blobs, &hash);
        let first = fs::metadata(&path).unwrap();
        assert_eq!(blobs.put(b"once").unwrap(), hash);
        assert_eq!(
            fs::metadata(&path).unwrap().ino(),
            first.ino(),
            "not written again"
        );
        assert_eq!(first.permissions().mode() & 0o777, 0o600);
        for folder in path
            .ancestors()
            .skip(1)
            .take_while(|folder| *folder != home.path())
        {
            assert_eq!(
                fs::metadata(folder).unwrap().permissions().mode() & 0o777,
                0o700
            );
        }
        assert_eq!(
            fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1,
            "no stray file"
        );
    }

    #[test]
    fn never_passes_off_changed_bytes() {
        let (_home, blobs) = blobs();
        let hash = blobs.put(b"right").unwrap();
        fs::write(place(&blobs, &hash), b"wrong").unwrap();
        assert_eq!(blobs.get(&hash).unwrap_err().kind, Kind::Internal);
        fs::write(place(&blobs, &hash), b"").unwrap();
        blobs.put(b"right").unwrap();
        assert_eq!(blobs.get(&hash).unwrap(), b"right", "a torn blob is mended");
        let unknown = Hash::of(b"never kept");
        assert_eq!(blobs.get(&unknown).unwrap_err().kind, Kind::NotFound);
    }

    #[test]
    fn many_writers_of_one_content_do_not_disturb_each_other() {
        let (_home, blobs) = blobs();
        let bytes = vec![3u8; 50_000];
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| blobs.get(&blobs.put(&bytes).unwrap()).unwrap());
            }
        });
        assert_eq!(blobs.get(&Hash::of(&bytes)).unwrap(), bytes);
    }
}
