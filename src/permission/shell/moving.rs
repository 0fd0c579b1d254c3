//! Where a command leaves the shell: in its folder, in another that is known, or in one that nobody knows.
//!
//! It looks at one command. What stands between commands, and what may not be run at all, others follow.

use super::tree::Tree;

/// Above this many folders that a line names no more are kept.
const MOST: usize = 16;

/// What the shell does itself that may leave it elsewhere.
const MOVERS: [&str; 5] = ["cd", "pushd", "popd", "eval", "source"];

/// The same for the name that is a common argument, too: where it begins a command.
const DOTS: [&str; 6] = ["; . ", "& . ", "| . ", "\n. ", "{ . ", "(. "];

/// Options of the shell under which `cd` finds other folders.
const FINDING: [&str; 4] = ["physical", "cdable_vars", "cdspell", "autocd"];

/// Where a command leaves the shell.
pub(super) enum Move {
    Stays,
    To(String),
    Lost,
}

/// Where the command of these words does; `raw` is how its last word is written, `home` where a bare `cd` goes.
pub(super) fn of(words: &[Option<String>], raw: &str, home: &str, line: &str) -> Move {
    let words = opened(words);
    let Some((name, rest)) = words.split_first() else {
        return Move::Stays;
    };
    let lost = |is_lost: bool| if is_lost { Move::Lost } else { Move::Stays };
    let says =
        |what: &dyn Fn(&str) -> bool| rest.iter().any(|word| word.as_deref().is_none_or(what));
    match name.as_deref() {
        // A variable may hold the name of what moves.
        None => lost(mentions(line)),
        Some("cd" | "pushd") => entered(rest, raw, home),
        Some("popd" | "source" | ".") => Move::Lost,
        Some("eval" | "trap") => lost(says(&mentions)),
        Some("set") => lost(says(&|word| {
            FINDING.contains(&word) || (word.starts_with(['-', '+']) && word.contains('P'))
        })),
        Some("shopt") => lost(says(&|word| FINDING.contains(&word))),
        Some(_) => Move::Stays,
    }
}

/// The words behind what only runs others of the shell's own.
fn opened(words: &[Option<String>]) -> &[Option<String>] {
    let mut words = words;
    while let [Some(name), rest @ ..] = words
        && matches!(name.as_str(), "command" | "builtin")
    {
        words = rest;
        while let [Some(option), rest @ ..] = words
            && matches!(option.as_str(), "-p" | "--")
        {
            words = rest;
        }
    }
    words
}

fn entered(words: &[Option<String>], raw: &str, home: &str) -> Move {
    let words = match words {
        [Some(end), rest @ ..] if matches!(end.as_str(), "--" | "-L") => rest,
        words => words,
    };
    match words {
        [] => Move::To(home.to_owned()),
        [_] if matches!(
            raw.trim_matches('"'),
            "$PWD" | "${PWD}" | "$(pwd)" | "`pwd`"
        ) =>
        {
            Move::To(".".to_owned())
        }
        [Some(to)] if can_be_followed(to) => Move::To(match to.strip_prefix('~') {
            Some(rest) => format!("{home}{rest}"),
            None => to.clone(),
        }),
        _ => Move::Lost,
    }
}

/// A folder that `cd` finds by its name alone.
fn can_be_followed(to: &str) -> bool {
    let odd = |c: char| "*?[{".contains(c);
    let is_home = to == "~" || to.starts_with("~/");
    !to.is_empty()
        && !to.contains(odd)
        && !to.starts_with(['-', '+'])
        && (is_home || !to.starts_with('~'))
}

/// Whether what moves a shell stands anywhere in a text.
pub(super) fn mentions(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || ";&|<>(){}$`'\"=\\".contains(c));
    words.any(|word| MOVERS.contains(&word))
        || text.starts_with(". ")
        || DOTS.iter().any(|dot| text.contains(dot))
}

/// Everything in a line whose folder is not known could run in each folder that the line names.
pub(super) fn scatter(tree: &mut Tree, start: &[String]) {
    let mut all = start.to_vec();
    let commands = tree.commands.iter().flat_map(|found| &found.folders);
    let redirects = tree.redirects.iter().flat_map(|redirect| &redirect.folders);
    for folder in commands.chain(redirects) {
        if all.len() < MOST && !all.contains(folder) {
            all.push(folder.clone());
        }
    }
    for found in &mut tree.commands {
        found.folders.clone_from(&all);
    }
    for redirect in &mut tree.redirects {
        redirect.folders.clone_from(&all);
    }
}
