//! `spill:ID` as a path: the full text of a result that was cut.
//!
//! A model reads the spills of its own session tree; a person reads all that are left.

use std::io::Read as _;

use crate::error::ToolError;
use crate::permission::{Caller, Group, Subject};
use crate::store::Reader;
use crate::tool::Context;

/// The id in `spill:ID`, if `path` is one.
pub(super) fn id(path: &str) -> Option<&str> {
    path.strip_prefix("spill:")
}

/// What rules are matched against: spills are the session's own.
pub(super) fn subject(path: &str) -> Subject {
    Subject::name(Group::Read, path)
}

/// The whole text of a spill.
///
/// # Errors
/// `not_found` when there is none, or none that this caller may read.
pub(super) fn read(id: &str, context: &Context) -> Result<String, ToolError> {
    let services = &context.services;
    let reader = match context.caller() {
        Caller::User => Reader::Person,
        Caller::Model => Reader::Session(&services.session),
    };
    let mut file = services
        .spills
        .open(&id.parse()?, reader, (services.clock)())?;
    let mut bytes = Vec::new();
    let name = format!("spill:{id}");
    file.read_to_end(&mut bytes)
        .map_err(|error| ToolError::from_io(&error, "read", &name))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
