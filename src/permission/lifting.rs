//! The narrowest rules that would let a call through which is asked about, or which no rule allows in a mode
//! where one must: what a refusal can offer.
//!
//! Nothing is offered that would not do: the call is judged again with the rules in place.

use super::judge::{judge_subject, names, subjects};
use super::{Action, Command, Request, Rule, Source, Subject, judge};

/// Most rules that are offered at once.
const OFFERED: usize = 5;

/// One rule of the command line for each subject that is not allowed. Empty where narrow rules would
/// not allow the call, or too many were needed.
pub fn lifting(request: &Request<'_>, rules: &[Rule]) -> Vec<Rule> {
    let itself = request.itself();
    let kinds = request.kinds();
    let is_stopped = |subject: &&Subject| {
        let names = names(request, subject, &kinds);
        judge_subject(request, subject, &names, rules).action != Action::Allow
    };
    let stopped = subjects(request, &itself).iter().filter(is_stopped);
    let mut offered: Vec<Rule> = Vec::new();
    for subject in stopped {
        match narrowest(subject) {
            Some(rule) if offered.contains(&rule) => {}
            Some(rule) if offered.len() < OFFERED => offered.push(rule),
            _ => return Vec::new(),
        }
    }
    // The allows of the command line stand before its denies.
    let all: Vec<Rule> = offered.iter().chain(rules).cloned().collect();
    match judge(request, &all).action {
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
    let text = match pattern.as_str() {
        "" => subject.group.to_string(),
        pattern => format!("{}:{pattern}", subject.group),
    };
    Rule::parse(&text, Action::Allow, Source::CommandLine).ok()
}
