//! The paths among a Lua tool's arguments: what rules and the boundary of the workspace are about.
//!
//! A parameter of type `path` is one, whatever else the tool declares. Links are resolved on the blocking
//! pool, since plans are made on the vm thread.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use crate::data::Data;
use crate::error::ToolError;
use crate::permission::{Effect, Group, Subject};
use crate::schema::Parameters;
use crate::tool::Context;
use crate::tools::subjects;

/// All values of type `path`, as they were given, also those inside of lists and tables.
pub(super) fn given(parameters: &Parameters, args: &Data) -> Vec<OsString> {
    let values = parameters.path_values(args).into_iter();
    values
        .filter_map(|value| match value {
            Data::Text(text) => Some(OsString::from(text)),
            Data::Bytes(bytes) => Some(OsString::from_vec(bytes.clone())),
            _ => None,
        })
        .collect()
}

/// `paths` as subjects: read where the call only reads, else changed.
///
/// # Errors
/// `argument` for what can be no path, such as a loop of links.
pub(super) async fn subjects(
    paths: Vec<OsString>,
    effect: Effect,
    context: &Context,
) -> Result<Vec<Subject>, ToolError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let inner = context.clone();
    let resolve = move || {
        let group = || match effect {
            Effect::Read => Group::Read,
            Effect::Write | Effect::Run | Effect::Network => Group::Edit,
        };
        let subject = |path: &OsString| {
            let place = inner.services.files.resolve_os(path)?;
            Ok(subjects::of(group(), &place, &inner))
        };
        paths.iter().map(subject).collect()
    };
    context.blocking(resolve).await
}
