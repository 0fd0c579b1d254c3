//! Starting a process in a session of its own, by `posix_spawn`: its cost does not grow with our memory.
//!
//! `fork`, which the standard library falls back to where a new session is wanted, copies the page
//! tables first: milliseconds in a large process. Nothing of ours is shared with the child but the
//! three descriptors given here and what was inheritable already.

#![allow(
    unsafe_code,
    reason = "the C library's interface takes structures it fills itself and arrays of pointers"
)]

use std::ffi::{CString, OsStr, c_char, c_int, c_short};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use rustix::process::Pid;

use super::Command;

/// The descriptors a child begins with; without an input it reads `/dev/null`.
pub(super) struct Descriptors<'a> {
    pub(super) stdin: Option<BorrowedFd<'a>>,
    pub(super) stdout: BorrowedFd<'a>,
    pub(super) stderr: BorrowedFd<'a>,
}

/// Starts `program`, the path that the command's own name was resolved to. The child leads a new
/// session, blocks no signal, and takes SIGPIPE as programs expect. Errors of `chdir` and `execve` are ours.
pub(super) fn launch(
    command: &Command,
    program: &Path,
    given: &Descriptors<'_>,
) -> io::Result<Pid> {
    let path = c_string(program.as_os_str())?;
    let mut arguments = vec![c_string(&command.program)?];
    for argument in &command.args {
        arguments.push(c_string(argument)?);
    }
    let mut environment = Vec::with_capacity(command.env.len());
    for (name, value) in &command.env {
        environment.push(CString::new(
            [name.as_bytes(), b"=", value.as_bytes()].concat(),
        )?);
    }
    let actions = Actions::new(command, given)?;
    let attributes = Attributes::new()?;
    let (arguments, environment) = (pointers(&arguments), pointers(&environment));
    let mut pid = 0;
    // SAFETY: every pointer is to a live local; both arrays end with null; the strings are not written to.
    checked(unsafe {
        libc::posix_spawn(
            &mut pid,
            path.as_ptr(),
            &actions.0,
            &attributes.0,
            arguments.as_ptr(),
            environment.as_ptr(),
        )
    })?;
    Pid::from_raw(pid).ok_or_else(|| io::Error::other("a process without an id"))
}

/// What the child does with descriptors and folder before it becomes the program.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new(command: &Command, given: &Descriptors<'_>) -> io::Result<Actions> {
        let cwd = c_string(command.cwd.as_os_str())?;
        let mut actions = MaybeUninit::uninit();
        // SAFETY: the call initialises what it is given; on failure nothing is assumed to be.
        let mut actions = unsafe {
            checked(libc::posix_spawn_file_actions_init(actions.as_mut_ptr()))?;
            Actions(actions.assume_init())
        };
        // SAFETY: `actions` is initialised, and the calls copy the strings.
        unsafe {
            match given.stdin {
                Some(stdin) => actions.place(stdin, 0)?,
                None => checked(libc::posix_spawn_file_actions_addopen(
                    &mut actions.0,
                    0,
                    c"/dev/null".as_ptr(),
                    libc::O_RDONLY,
                    0,
                ))?,
            }
            actions.place(given.stdout, 1)?;
            actions.place(given.stderr, 2)?;
            checked(match &command.folder {
                Some(folder) => {
                    libc::posix_spawn_file_actions_addfchdir_np(&mut actions.0, folder.as_raw_fd())
                }
                None => libc::posix_spawn_file_actions_addchdir_np(&mut actions.0, cwd.as_ptr()),
            })?;
        }
        Ok(actions)
    }

    fn place(&mut self, from: BorrowedFd<'_>, to: c_int) -> io::Result<()> {
        // SAFETY: `self` is initialised.
        checked(unsafe {
            libc::posix_spawn_file_actions_adddup2(&mut self.0, from.as_raw_fd(), to)
        })
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: initialised once, destroyed once.
        unsafe { libc::posix_spawn_file_actions_destroy(&mut self.0) };
    }
}

/// Session and signals of the child.
struct Attributes(libc::posix_spawnattr_t);

impl Attributes {
    fn new() -> io::Result<Attributes> {
        let mut attributes = MaybeUninit::uninit();
        // SAFETY: the call initialises what it is given; on failure nothing is assumed to be.
        let mut attributes = unsafe {
            checked(libc::posix_spawnattr_init(attributes.as_mut_ptr()))?;
            Attributes(attributes.assume_init())
        };
        let flags = libc::POSIX_SPAWN_SETSID
            | libc::POSIX_SPAWN_SETSIGMASK as c_short
            | libc::POSIX_SPAWN_SETSIGDEF as c_short;
        let mut signals = MaybeUninit::uninit();
        // SAFETY: `attributes` is initialised; `signals` is by `sigemptyset`, which cannot fail here.
        unsafe {
            libc::sigemptyset(signals.as_mut_ptr());
            checked(libc::posix_spawnattr_setsigmask(
                &mut attributes.0,
                signals.as_ptr(),
            ))?;
            libc::sigaddset(signals.as_mut_ptr(), libc::SIGPIPE);
            checked(libc::posix_spawnattr_setsigdefault(
                &mut attributes.0,
                signals.as_ptr(),
            ))?;
            checked(libc::posix_spawnattr_setflags(&mut attributes.0, flags))?;
        }
        Ok(attributes)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised once, destroyed once.
        unsafe { libc::posix_spawnattr_destroy(&mut self.0) };
    }
}

/// The strings as C takes a list: ended by null. They must outlive it.
fn pointers(strings: &[CString]) -> Vec<*mut c_char> {
    let strings = strings.iter().map(|string| string.as_ptr().cast_mut());
    strings.chain([ptr::null_mut()]).collect()
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}

/// These calls return the error itself.
fn checked(code: c_int) -> io::Result<()> {
    match code {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}
