//! The narrowest rules that would let a call through which is asked about: what a refusal can offer.
//!
//! Nothing is offered that would not do: the call is judged again with the rules in place.

use super::judge::{judge_subject, names, subjects};
use super::{Action, Command, Request, Rule, Source, Subject, judge};

/// Most rules that are offered at once.
const OFFERED: usize = 5;

/// One rule of the command line for each subject that is asked about. Empty where narrow rules would
/// not allow the call, or too many were needed.
pub fn lifting(request: &Request<'_>, rules: &[Rule]) -> Vec<Rule> {
    let itself = request.itself();
    let kinds = request.kinds();
    let is_asked = |subject: &&Subject| {
        let names = names(request, subject, &kinds);
        judge_subject(request, subject, &names, rules).action == Action::Ask
    };
    let asked = subjects(request, &itself).iter().filter(is_asked);
    let mut offered: Vec<Rule> = Vec::new();
    for subject in asked {
        match narrowest(subject) {
            Some(rule) if offered.contains(&rule) => {}
            Some(rule) if offered.len() < OFFERED => offered.push(rule),
            _ => return Vec::new(),
        }
    }
    let all: Vec<Rule> = rules.iter().chain(&offered).cloned().collect();
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
