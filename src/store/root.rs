//! A handle on a folder that cannot be left: what is opened below it follows no link and no `..`.
//!
//! The kernel holds the promise (`openat2`); where it does not know that call, the way is walked
//! folder by folder with the same result. Paths given to it are real paths: links were resolved when
//! the place was, and one that appears since then is an error (`ELOOP`), never followed.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path};

use rustix::fs::{CWD, Dir, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

/// A folder and everything truly below it.
#[derive(Debug)]
pub struct Root(OwnedFd);

/// Flags under which a folder serves as the start of other calls without being readable itself.
const AS_FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);

impl Root {
    /// A handle on the folder at the real path `folder`, reached from `/` without following a link.
    ///
    /// # Errors
    /// What the system says; `ELOOP` where a link stands on the way.
    pub fn open(folder: &Path) -> io::Result<Root> {
        let top = rustix::fs::openat(CWD, "/", AS_FOLDER | OFlags::CLOEXEC, Mode::empty())?;
        let relative = folder.strip_prefix("/").unwrap_or(folder);
        Root(top).folder(relative)
    }

    /// A handle on the folder `relative` below this one; the empty path is this folder itself.
    ///
    /// # Errors
    /// What the system says.
    pub fn folder(&self, relative: &Path) -> io::Result<Root> {
        self.open_below(relative, AS_FOLDER, Mode::empty())
            .map(Root)
    }

    /// Opens what stands at `relative` for reading. It never waits, not even for a FIFO.
    ///
    /// # Errors
    /// What the system says.
    pub fn read(&self, relative: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        Ok(self.open_below(relative, flags, Mode::empty())?.into())
    }

    /// What stands at `relative`; a link at its end is itself.
    ///
    /// # Errors
    /// What the system says.
    pub fn look(&self, relative: &Path) -> io::Result<Metadata> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW;
        File::from(self.open_below(relative, flags, Mode::empty())?).metadata()
    }

    /// The names in this folder, sorted.
    ///
    /// # Errors
    /// What the system says.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::new(self.readable()?)? {
            let name = entry?.file_name().to_bytes().to_owned();
            if name != b"." && name != b".." {
                names.push(OsString::from_vec(name));
            }
        }
        names.sort();
        Ok(names)
    }

    fn readable(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&self.0, ".", flags, Mode::empty())?)
    }

    /// Creates the file `name` in this folder; it must not exist.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(&self, name: &OsStr, mode: Mode) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        Ok(self.open_below(Path::new(name), flags, mode)?.into())
    }

    /// Waits until the names in this folder are on the disk. A folder that cannot be read, and a
    /// file system that cannot do it, are passed over.
    ///
    /// # Errors
    /// What the system says.
    pub fn sync(&self) -> io::Result<()> {
        let Ok(folder) = self.readable() else {
            return Ok(());
        };
        match rustix::fs::fsync(folder) {
            Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
            done => Ok(done?),
        }
    }

    fn open_below(&self, relative: &Path, flags: OFlags, mode: Mode) -> io::Result<OwnedFd> {
        let path = if relative.as_os_str().is_empty() {
            Path::new(".")
        } else {
            relative
        };
        let flags = flags | OFlags::CLOEXEC;
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
        for _ in 0..8 {
            match rustix::fs::openat2(&self.0, path, flags, mode, resolve) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(Errno::NOSYS | Errno::PERM) => break,
                opened => return Ok(opened?),
            }
        }
        self.walk_below(path, flags, mode)
    }

    /// The same without `openat2`: every folder on the way is opened by its name alone.
    fn walk_below(&self, path: &Path, flags: OFlags, mode: Mode) -> io::Result<OwnedFd> {
        let mut folder =
            rustix::fs::openat(&self.0, ".", AS_FOLDER | OFlags::CLOEXEC, Mode::empty())?;
        let mut components = path.components().peekable();
        while let Some(component) = components.next() {
            let name = match component {
                Component::Normal(name) => name,
                Component::CurDir => OsStr::new("."),
                _ => return Err(Errno::XDEV.into()),
            };
            let is_last = components.peek().is_none();
            let step = if is_last { flags } else { AS_FOLDER };
            let step = step | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            folder = rustix::fs::openat(&folder, name, step, mode)
                .map_err(|error| as_link(&folder, name, error))?;
        }
        Ok(folder)
    }
}

/// `O_DIRECTORY` says `ENOTDIR` of a link; `openat2` says `ELOOP`, and so does this.
fn as_link(folder: &OwnedFd, name: &OsStr, error: Errno) -> io::Error {
    let is_link = rustix::fs::readlinkat(folder, name, Vec::new()).is_ok();
    if error == Errno::NOTDIR && is_link {
        return Errno::LOOP.into();
    }
    error.into()
}

impl From<Root> for OwnedFd {
    fn from(root: Root) -> OwnedFd {
        root.0
    }
}

impl AsFd for Root {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn opens_what_is_below_and_nothing_else() {
        let tree = tempfile::tempdir().unwrap();
        let top = tree.path().canonicalize().unwrap();
        std::fs::create_dir_all(top.join("in/deep")).unwrap();
        std::fs::write(top.join("in/deep/file"), "yes").unwrap();
        std::fs::write(top.join("out"), "no").unwrap();
        symlink("../out", top.join("in/link")).unwrap();
        symlink("deep", top.join("in/folder")).unwrap();
        symlink("/proc/self/root", top.join("in/magic")).unwrap();
        let root = Root::open(&top.join("in")).unwrap();

        let both = |path: &str| {
            let path = Path::new(path);
            let walked = root.walk_below(path, OFlags::RDONLY, Mode::empty());
            let opened = root.read(path);
            let code = |error: &io::Error| error.raw_os_error();
            assert_eq!(
                opened.as_ref().err().map(code),
                walked.as_ref().err().map(code),
                "{path:?}"
            );
            opened.is_ok()
        };
        assert!(both("deep/file") && both("deep"));
        for path in [
            "../out",
            "link",
            "folder/file",
            "magic/etc",
            "deep/../../out",
            "none",
        ] {
            assert!(!both(path), "{path}");
        }
        assert!(root.read(Path::new("/etc/passwd")).is_err());
        for folder in ["folder", "folder/x"] {
            let path = Path::new(folder);
            let walked = root.walk_below(path, AS_FOLDER, Mode::empty()).unwrap_err();
            let opened = root.folder(path).unwrap_err();
            assert_eq!(
                (Errno::from_io_error(&walked), Errno::from_io_error(&opened)),
                (Some(Errno::LOOP), Some(Errno::LOOP))
            );
        }
    }
}
