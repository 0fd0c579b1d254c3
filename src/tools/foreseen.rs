//! What a call is about where no plan of it can be made: arguments are missing, or a file is not there.
//!
//! For the question what rules say of it, and whether a caller may know why there is no plan. Paths are resolved, no
//! file is opened; a path that leads nowhere is taken by its name, and lines are counted as far as the arguments tell.

use super::subjects;
use crate::data::Data;
use crate::error::ToolError;
use crate::files::Place;
use crate::permission::{Effect, Group, Subject};
use crate::text::diff;
use crate::tool::{Context, Plan, Work};

/// What a call does to a file that it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// It gets other content; a link is followed.
    Written,
    /// It goes away, or elsewhere; a link is itself.
    Removed,
    /// Something comes to stand there; a link is itself.
    Arrived,
}

/// A call that reads what the argument `name` leads to; nothing where it is not given.
///
/// # Errors
/// `argument` for what can be no path.
pub(super) fn reading(
    args: &Data,
    name: &str,
    context: &Context,
) -> Result<Option<Plan>, ToolError> {
    let Some(path) = args.get(name).and_then(Data::as_str) else {
        return Ok(None);
    };
    let place = place(path, context)?;
    let subject = subjects::of(Group::Read, &place, context);
    Ok(Some(Plan::paths(vec![subject], vec![place])))
}

/// What `path` leads to, or names where it leads nowhere.
///
/// # Errors
/// `argument` for what can be no path.
pub(super) fn place(path: &str, context: &Context) -> Result<Place, ToolError> {
    let files = &context.services.files;
    files.resolve(path).or_else(|_| files.by_name(path))
}

/// A call that changes the files at `paths`; nothing where there are none.
///
/// # Errors
/// `argument` for what can be no path.
pub(super) fn changing(
    paths: &[(&str, Touch)],
    context: &Context,
) -> Result<Option<Plan>, ToolError> {
    let subjects: Result<Vec<Subject>, ToolError> = paths
        .iter()
        .map(|(path, touch)| changed(path, *touch, context))
        .collect();
    let plan = |subjects| Plan {
        effect: Effect::Write,
        subjects,
        work: Work::None,
        note: Data::Null,
    };
    Ok((!paths.is_empty()).then_some(subjects?).map(plan))
}

/// A call that changes the files which the arguments of these names lead to; those that are not given are
/// left out.
///
/// # Errors
/// `argument` for what can be no path.
pub(super) fn changing_named(
    args: &Data,
    names: &[(&str, Touch)],
    context: &Context,
) -> Result<Option<Plan>, ToolError> {
    let given = names.iter().filter_map(|(name, touch)| {
        let path = args.get(name).and_then(Data::as_str)?;
        Some((path, *touch))
    });
    changing(&given.collect::<Vec<_>>(), context)
}

/// How many lines come and go where `old` becomes `new`.
pub(super) fn replaced(old: &str, new: &str) -> Work {
    let diff = diff::unified(old, new, "", 0);
    Work::Lines {
        additions: diff.additions,
        deletions: diff.deletions,
    }
}

fn changed(path: &str, touch: Touch, context: &Context) -> Result<Subject, ToolError> {
    let files = &context.services.files;
    let place = match touch {
        Touch::Written => files.resolve(path),
        Touch::Removed | Touch::Arrived => files.resolve_entry(path),
    };
    let place = place.or_else(|_| files.by_name(path))?;
    let subject = subjects::of(Group::Edit, &place, context);
    Ok(match touch {
        Touch::Removed => subject.removed(),
        Touch::Written | Touch::Arrived => subject,
    })
}
