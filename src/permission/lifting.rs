//! The narrowest rules that would let a call through which is asked about, or which no rule allows in a mode
//! where one must: what a refusal can offer.
//!
//! Nothing is offered that would not do: the call is judged again with the rules in place. What a person is
//! offered as a yes for good is in `keeping`.

use super::judge::{judge_subject, names, subjects};
use super::{Action, Command, Request, Rule, Source, Subject, judge};

/// Most rules that are offered at once.
const OFFERED: usize = 5;

/// One rule of the command line for each subject that is not allowed. Empty where narrow rules would
/// not allow the call, or too many were needed.
pub fn lifting(request: &Request<'_>, rules: &[Rule]) -> Vec<Rule> {
    offered(request, rules, |subject| {
        narrowest(subject).into_iter().collect()
    })
}

/// For each subject that is not allowed the first of its `candidates` that would allow it. Empty where they would
/// not allow the call together, or too many were needed.
pub(super) fn offered(
    request: &Request<'_>,
    rules: &[Rule],
    candidates: impl Fn(&Subject) -> Vec<Rule>,
) -> Vec<Rule> {
    let itself = request.itself();
    let kinds = request.kinds();
    let mut offered: Vec<Rule> = Vec::new();
    // The allows of the command line stand before its denies.
    let all = |offered: &[Rule]| -> Vec<Rule> { offered.iter().chain(rules).cloned().collect() };
    let allows = |subject: &Subject, rules: &[Rule]| {
        let names = names(request, subject, &kinds);
        judge_subject(request, subject, &names, rules).action == Action::Allow
    };
    for subject in subjects(request, &itself) {
        if allows(subject, rules) || (!offered.is_empty() && allows(subject, &all(&offered))) {
            continue;
        }
        let mut candidates = candidates(subject).into_iter();
        let does = |rule: &Rule| allows(subject, &all(std::slice::from_ref(rule)));
        match candidates.find(does) {
            Some(rule) if offered.len() < OFFERED => offered.push(rule),
            _ => return Vec::new(),
        }
    }
    match judge(request, &all(&offered)).action {
        Action::Allow => offered,
        _ => Vec::new(),
    }
}

/// The rule that is about this subject and, as far as a rule can say it, no other.
fn narrowest(subject: &Subject) -> Option<Rule> {
    let plain;
    let pattern = match (&subject.real, Command::read(&subject.text)) {
        (Some(real), _) if !subject.inside => real,
        (None, command) if subject.group == super::Group::Shell => match command {
            Command::Plain(words) => {
                plain = words.join(" ");
                &plain
            }
            Command::Undecidable(_) => return None,
        },
        _ => &subject.text,
    };
    rule(subject.group.as_str(), pattern, Source::CommandLine)
}

/// The rule that allows what `pattern` matches, or all of that name where there is none.
pub(super) fn rule(name: &str, pattern: &str, source: Source) -> Option<Rule> {
    let text = match pattern {
        "" => name.to_owned(),
        pattern => format!("{name}:{pattern}"),
    };
    Rule::parse(&text, Action::Allow, source).ok()
}
