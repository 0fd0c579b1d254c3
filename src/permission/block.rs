//! The rules in a project's instruction file: a fenced block named `permissions`, one rule a line.
//!
//! It is read before anything of the project is trusted, so it can only tighten: what it allows is passed
//! over. A line that cannot be read is told of, and the others hold.

use super::{Action, Rule, Source};
use crate::error::Error;

/// How many rules one file may hold; more would only slow every call down.
const MOST_RULES: usize = 1_000;

/// What the blocks of one file say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The rules, in order: denies and asks.
    pub rules: Vec<Rule>,
    /// The lines that were passed over because they allow something.
    pub allows: Vec<usize>,
    /// Lines that cannot be read, and why.
    pub faults: Vec<(usize, String)>,
}

impl Block {
    /// Reads every block named `permissions` in `text`, which is Markdown. Fences are read as CommonMark
    /// has them: three or more backticks or tildes, indented by at most three spaces, closed by as many of
    /// the same or by the end of the text; a fence inside a longer one is text.
    pub fn read(text: &str) -> Block {
        let mut block = Block::default();
        let mut open: Option<Fence> = None;
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let number = index + 1;
            match &open {
                Some(fence) if fence.is_closed_by(line) => open = None,
                Some(fence) if fence.holds_rules => block.rule(number, line),
                Some(_) => {}
                None => open = Fence::opened_by(line),
            }
            if open.is_none() && is_too_deep(line) {
                let why = "a block of rules is indented by at most three spaces; it is not read";
                block.faults.push((number, why.to_owned()));
            }
        }
        block
    }

    fn rule(&mut self, number: usize, line: &str) {
        let line = without_comment(line).trim();
        if line.is_empty() {
            return;
        }
        let (action, rule) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match action.parse() {
            Ok(Action::Allow) => self.allows.push(number),
            Ok(action) if self.rules.len() < MOST_RULES => {
                match Rule::parse(rule.trim(), action, Source::ProjectInstructions) {
                    Ok(rule) => self.rules.push(rule),
                    Err(Error::Usage { message, .. }) => self.faults.push((number, message)),
                    Err(error) => self.faults.push((number, error.to_string())),
                }
            }
            Ok(_) => {
                let why = format!("there are more than {MOST_RULES} rules; this one does not hold");
                self.faults.push((number, why));
            }
            Err(_) => {
                let why = format!("{line:?} is no rule: write `deny RULE` or `ask RULE`");
                self.faults.push((number, why));
            }
        }
    }
}

/// What stands before a `#` at the start of the line or after white space.
fn without_comment(line: &str) -> &str {
    let is_comment = |(at, _): &(usize, &str)| {
        let before = line[..*at].chars().next_back();
        before.is_none_or(char::is_whitespace)
    };
    let comment = line.match_indices('#').find(is_comment);
    comment.map_or(line, |(at, _)| &line[..at])
}

/// An open fence.
struct Fence {
    mark: char,
    length: usize,
    holds_rules: bool,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Fence> {
        let (indent, mark, length, info) = fence(line)?;
        let is_fence = indent <= 3 && !(mark == '`' && info.contains('`'));
        is_fence.then(|| Fence {
            mark,
            length,
            holds_rules: names_rules(info),
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        fence(line).is_some_and(|(indent, mark, length, rest)| {
            indent <= 3 && mark == self.mark && length >= self.length && rest.trim().is_empty()
        })
    }
}

/// The indent in columns, the mark, how often it stands there, and what follows.
fn fence(line: &str) -> Option<(usize, char, usize, &str)> {
    let rest = line.trim_start_matches([' ', '\t']);
    let indent = &line[..line.len() - rest.len()];
    let columns = indent.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = rest.trim_start_matches(mark);
    let length = rest.len() - info.len();
    (length >= 3).then_some((columns, mark, length, info))
}

fn names_rules(info: &str) -> bool {
    info.split_whitespace().next() == Some("permissions")
}

/// A fence of rules that Markdown takes for indented text: whoever wrote it meant it.
fn is_too_deep(line: &str) -> bool {
    fence(line).is_some_and(|(indent, _, _, info)| indent > 3 && names_rules(info))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<String> {
        let rules = Block::read(text).rules.into_iter();
        rules
            .map(|rule| format!("{} {rule}", rule.action))
            .collect()
    }

    fn faults(text: &str) -> Vec<usize> {
        Block::read(text)
            .faults
            .into_iter()
            .map(|(line, _)| line)
            .collect()
    }

    #[test]
    fn a_block_tightens_and_never_allows() {
        let text = "# How we work\n\n```permissions\n# secrets\ndeny read:secret/**\n\n\
            ask edit:*.lock  # generated\nallow shell:*\n```\ndeny edit:*\n";
        let block = Block::read(text);
        assert_eq!(rules(text), ["deny read:secret/**", "ask edit:*.lock"]);
        assert_eq!((block.allows, block.faults), (vec![8], Vec::new()));
        assert!(
            block
                .rules
                .iter()
                .all(|rule| rule.source == Source::ProjectInstructions)
        );
    }

    #[test]
    fn a_line_that_cannot_be_read_is_told_and_the_others_hold() {
        let text = "```permissions\ndeny\nforbid edit:x\ndeny git push\ndeny edit:x\n```\n";
        assert_eq!(rules(text), ["deny edit:x"]);
        assert_eq!(faults(text), [2, 3, 4]);
        let (_, why) = &Block::read(text).faults[1];
        assert_eq!(
            why,
            "\"forbid edit:x\" is no rule: write `deny RULE` or `ask RULE`"
        );
    }

    #[test]
    fn fences_are_those_of_markdown() {
        for text in [
            "~~~permissions\ndeny x\n~~~\nno rule",
            "~~~~ permissions and more words\n~~~\ndeny x\n~~~~~\nno rule",
            "   ```permissions\n   deny x\n   ```\nno rule",
            "```permissions\r\ndeny x\r\n```\r\nno rule\r\n",
            "\u{feff}```permissions\ndeny x\n```",
            "```\n```\n```permissions\ndeny x\n",
            "```permissions\ndeny x",
            "```permissions\n~~~\ndeny x\n``` no end\n```\nno rule",
        ] {
            assert_eq!(rules(text), ["deny x"], "{text:?}");
        }
        for text in [
            "````md\n```permissions\ndeny x\n```\n````",
            "~~~\n```permissions\ndeny x\n```\n~~~",
            "``permissions\ndeny x\n``",
            "```permissions`\ndeny x\n```",
            "```permissions2\ndeny x\n```",
            "```text permissions\ndeny x\n```",
            "> ```permissions\n> deny x\n> ```",
            "deny x\n",
            "",
        ] {
            assert!(
                rules(text).is_empty() && faults(text).is_empty(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_block_that_is_indented_too_deep_is_told() {
        for text in [
            "    ```permissions\n    deny x\n    ```",
            "\t```permissions\ndeny x\n",
        ] {
            assert_eq!((rules(text).len(), faults(text)), (0, vec![1]), "{text:?}");
        }
    }

    #[test]
    fn no_block_is_endless() {
        let text = format!("```permissions\n{}", "deny x\n".repeat(MOST_RULES + 2));
        assert_eq!(rules(&text).len(), MOST_RULES);
        assert_eq!(faults(&text), [MOST_RULES + 2, MOST_RULES + 3]);
    }
}
