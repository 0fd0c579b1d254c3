//! The rules that a yes for good to a call would be: the narrowest useful ones, or none.
//!
//! Of a command it keeps the words that the table `keep` has, of a path outside the workspace its folder, of an
//! address its host; of all else the thing itself. Nothing is offered that has a wildcard of its own in it, nor what
//! would reach something critical or protected, and nothing that would not do: the call is judged with it.

use super::command::Command;
use super::lifting::{offered, rule};
use super::{Bounds, Caller, Effect, Group, Request, Rule, Source, Subject};
use super::{critical, keep, protected};

/// How an approval of a folder ends: it is about what lies in the folder itself.
pub(super) const SIBLINGS: &str = "/*";

/// Folders of the system: what lies beside a file there has nothing to do with it.
const SYSTEM: [&str; 6] = ["/boot", "/dev", "/etc", "/proc", "/run", "/sys"];

/// One rule of an approval for each subject that is not allowed. Empty where no yes for good may be offered.
pub fn keeping(request: &Request<'_>, rules: &[Rule]) -> Vec<Rule> {
    let bounds = request.bounds;
    let is_protected = |subject: &Subject| protected::why(subject, bounds).is_some();
    if request.effect >= Effect::Write && request.subjects.iter().any(is_protected) {
        return Vec::new();
    }
    offered(request, rules, |subject| kept(subject, bounds))
}

/// What could be kept of one subject, the most useful first.
fn kept(subject: &Subject, bounds: &Bounds) -> Vec<Rule> {
    let approval = |name: &str, pattern: &str| rule(name, pattern, Source::Session);
    let exactly = |text: &str| match text.contains(['*', '?']) {
        true => None,
        false => approval(subject.group.as_str(), text),
    };
    let candidates = match (&subject.group, &subject.real) {
        (Group::Shell, _) => match Command::read(&subject.text) {
            Command::Plain(words) => vec![approval("shell", &keep::pattern(&words))],
            Command::Undecidable(_) => Vec::new(),
        },
        (_, Some(real)) if !subject.inside => {
            let folder = folder(subject, real, bounds);
            let folder = folder.and_then(|folder| {
                approval(Group::ExternalDirectory.as_str(), &(folder + SIBLINGS))
            });
            vec![folder, exactly(real)]
        }
        (Group::Network, None) => {
            let host = host(&subject.text);
            let host = host.and_then(|host| approval("network", &format!("{host}/**")));
            vec![host, exactly(&subject.text)]
        }
        _ => vec![exactly(&subject.text)],
    };
    candidates.into_iter().flatten().collect()
}

/// The folder that the file lies in, where all that lies beside the file may be meant with it.
fn folder(subject: &Subject, real: &str, bounds: &Bounds) -> Option<String> {
    if subject.folder {
        return None;
    }
    let (folder, _) = real.rsplit_once('/')?;
    let parts: Vec<&str> = folder.split('/').skip(1).collect();
    let is_systems = |place: &&str| format!("{folder}/").starts_with(&format!("{place}/"));
    let is_odd = parts.len() < 2
        || parts.iter().any(|part| part.starts_with('.'))
        || folder.contains(['*', '?'])
        || SYSTEM.iter().any(is_systems);
    // As if the whole folder went: what holds the home folder or a workspace is more than a folder of files.
    let whole = Subject::path(Group::Edit, folder, folder, false).removed();
    let guarded = || {
        critical::warning(&whole, Caller::Model, bounds).is_some()
            || protected::why(&whole, bounds).is_some()
    };
    (!is_odd && !guarded()).then(|| folder.to_owned())
}

/// The scheme, host and port of an address that names no user.
fn host(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    let is_host = end > 0 && rest[..end].chars().all(is_plain);
    let is_scheme = !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric());
    (is_host && is_scheme).then(|| &address[..scheme.len() + "://".len() + end])
}

#[cfg(test)]
mod tests;
