//! What rules are matched against, for tools that take paths.
//!
//! A path outside the workspace counts as named by the person when it stands on the command line.

use std::path::Path;
use std::sync::Arc;

use crate::error::ToolError;
use crate::files::{Entry, Files, Place, Withheld};
use crate::permission::{Effect, Group, Subject};
use crate::text::counted;
use crate::tool::{Context, Plan};

/// The subject that `place` is, in `group`.
pub(crate) fn of(group: Group, place: &Place, context: &Context) -> Subject {
    let real = place.real.to_string_lossy();
    let is_folder = place.entry == Entry::Folder;
    let subject = Subject::path(group, place.name.as_str(), real, place.inside);
    let subject = subject.as_folder(is_folder);
    let services = &context.services;
    if !place.inside && is_named(place, &services.named, &services.files) {
        return subject.named();
    }
    subject
}

/// The plan of a call that reads what `path` leads to. It is resolved here and nowhere else: what was
/// judged is what is read.
///
/// # Errors
/// What resolving says.
pub(super) async fn reading(path: &str, context: &Context) -> Result<Plan, ToolError> {
    let (path, inner) = (path.to_owned(), context.clone());
    let plan = move || {
        let place = inner.services.files.resolve(&path)?;
        Ok(Plan::paths(
            vec![of(Group::Read, &place, &inner)],
            vec![place],
        ))
    };
    context.blocking(plan).await
}

/// What a walk or search of this call leaves out by rule.
pub(super) fn withheld(context: &Context) -> Option<Withheld> {
    let policy = &context.generation.policy;
    let (scope, tool) = (&context.scope, &context.tool);
    let withholds = policy.withholds(scope, tool, context.surfaces(), Effect::Read)?;
    let files = Arc::clone(&context.services.files);
    Some(Withheld::new(move |real| {
        let (name, inside) = (files.name(real), real.starts_with(files.workspace()));
        withholds(&Subject::path(
            Group::Read,
            name,
            real.to_string_lossy(),
            inside,
        ))
    }))
}

/// What stands below the folder `from` and may not be changed by rule, as subjects; `to` is where it
/// would go, if it is moved.
///
/// # Errors
/// `resource` when there is too much to look at.
pub(super) fn protected(
    from: &Place,
    to: Option<&Place>,
    context: &Context,
) -> Result<Vec<Subject>, ToolError> {
    let policy = &context.generation.policy;
    let (scope, tool) = (&context.scope, &context.tool);
    let withholds = policy.withholds(scope, tool, context.surfaces(), Effect::Write);
    let Some(withholds) = withholds else {
        return Ok(Vec::new());
    };
    let files = &context.services.files;
    let subject = |path: &Path| {
        let inside = path.starts_with(files.workspace());
        Subject::path(
            Group::Edit,
            files.name(path),
            path.to_string_lossy(),
            inside,
        )
    };
    let below = files.everything_below(from, context.stop_flag())?;
    let sources = below
        .iter()
        .map(|below| subject(&from.real.join(below)).removed());
    let targets = to
        .into_iter()
        .flat_map(|to| below.iter().map(|below| subject(&to.real.join(below))));
    Ok(sources
        .chain(targets)
        .filter(|subject| withholds(subject))
        .collect())
}

/// The line that says that something was left out by rule; empty when nothing was.
pub(super) fn notice(withheld: Option<&Withheld>) -> String {
    match withheld.map_or(0, Withheld::count) {
        0 => String::new(),
        1 => "[1 entry is withheld by a rule]\n".to_owned(),
        count => format!("[{} are withheld by a rule]\n", counted(count, "entry")),
    }
}

/// Whether the person named this path on the command line, or a folder that it lies in. Naming `/` or
/// the home folder names nothing in it.
fn is_named(place: &Place, words: &[String], files: &Files) -> bool {
    words
        .iter()
        .filter_map(|word| files.resolve(word).ok())
        // A link inside that leads out was not named by whoever named the link.
        .filter(|named| !named.path.starts_with(files.workspace()))
        .any(|named| {
            let covers =
                !files.workspace().starts_with(&named.real) && files.home() != Some(&*named.real);
            named.real == place.real || (covers && place.real.starts_with(&named.real))
        })
}
