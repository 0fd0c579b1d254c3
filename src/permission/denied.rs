//! What is denied whatever it is called with: known before any call, so that a model is not even offered it.
//!
//! It says so only where no call could get through; that a call is refused is settled by its verdict alone.

use super::{Action, Rule, Source};

/// The rule among `rules` that denies every call which rules speak of under one of `names`. Within one source their order
/// counts.
pub fn denied<'a>(
    rules: impl DoubleEndedIterator<Item = &'a Rule> + Clone,
    names: &[&str],
) -> Option<&'a Rule> {
    let is_general = |rule: &Rule| rule.action == Action::Deny && rule.pattern.is_none();
    if !rules.clone().any(is_general) {
        return None;
    }
    let sources = Source::ALL
        .into_iter()
        .filter(|source| !source.is_default());
    let mut denies = sources.filter_map(|source| {
        let of_it = rules.clone().rev().filter(|rule| rule.source == source);
        let mut about = of_it.filter(|rule| rule.is_about(names));
        // What stands behind it speaks before it; where that denies too, it takes nothing back.
        let is_denied = |rule: &&Rule| rule.action == Action::Deny && rule.function.is_none();
        let first = about.find(|rule| !is_denied(rule) || rule.pattern.is_none())?;
        Some(first).filter(is_denied)
    });
    denies.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Rule {
        let mut parts = text.split(' ');
        let (source, action) = match parts.next().unwrap() {
            "user" => (Source::User, parts.next().unwrap()),
            "shipped" => (Source::Shipped, parts.next().unwrap()),
            _ => (Source::CommandLine, parts.next().unwrap()),
        };
        Rule::parse(parts.next().unwrap(), action.parse().unwrap(), source).unwrap()
    }

    fn says(rules: &[&str]) -> Option<String> {
        let rules: Vec<Rule> = rules.iter().map(|text| rule(text)).collect();
        denied(rules.iter(), &["write", "edit", "file.write"]).map(Rule::to_string)
    }

    #[test]
    fn a_deny_without_a_pattern_holds_for_every_call() {
        assert_eq!(says(&["user deny write"]).as_deref(), Some("write"));
        assert_eq!(says(&["user deny file.*"]).as_deref(), Some("file.*"));
        assert_eq!(
            says(&["user allow write", "cli deny edit"]).as_deref(),
            Some("edit")
        );
        assert_eq!(
            says(&["shipped deny write", "user allow write"]).as_deref(),
            Some("write")
        );
        assert_eq!(
            says(&["user deny write", "user deny write:a"]).as_deref(),
            Some("write")
        );
        assert_eq!(says(&["user deny read"]), None);
    }

    #[test]
    fn what_some_call_may_get_past_is_no_such_deny() {
        assert_eq!(says(&["user deny write:a"]), None);
        assert_eq!(says(&["user deny write", "user allow write:a"]), None);
        assert_eq!(says(&["user deny write", "user ask file.write"]), None);
        let mut by_function = rule("user deny write");
        by_function.function = Some(0);
        assert_eq!(denied([by_function.clone()].iter(), &["write"]), None);
        assert_eq!(
            denied([rule("user deny write"), by_function].iter(), &["write"]),
            None
        );
    }
}
