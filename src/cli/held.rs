//! The secrets that this process holds: what its environment says, told from paths by looking whether they are there.
//!
//! Nothing is opened and nothing is told of here.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use crate::error::Error;
use crate::redact::{Key, Secrets};
use crate::store::token;

/// The secrets among the variables of the environment, with tags of this session's own.
///
/// # Errors
/// When the system gives no random bytes.
pub(super) fn secrets(
    env: &BTreeMap<OsString, OsString>,
    home: Option<&Path>,
) -> Result<Secrets, Error> {
    let is_there = |path: &str| match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest).symlink_metadata().is_ok(),
        _ => Path::new(path).symlink_metadata().is_ok(),
    };
    Ok(Secrets::of(Key::of(&token()?), env.iter(), &is_there))
}
