//! The three commands with a small language of their own: `find`, `test`, `sed -n`.
//!
//! Each accepts the words that look and print, and nothing else.

use super::super::command::Word;
use super::super::subject::Group;
use super::{Depth, Operand};

/// Tests and actions of `find` that take nothing.
const ALONE: &str = "-print -print0 -ls -empty -not -a -o -and -or -prune -quit -depth -d -mount -xdev -true \
    -false -readable -writable -executable -daystart -nouser -nogroup -noleaf ! ( ) ,";

/// Those that take one word, which is no path.
const VALUED: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -size \
    -mtime -mmin -atime -amin -ctime -cmin -maxdepth -mindepth -perm -user -group -uid -gid -links -inum \
    -printf -fstype -used -lname -ilname";

/// Those that take a path.
const PATHS: &str = "-newer -anewer -cnewer -samefile";

/// What compares numbers.
const NUMERIC: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// What `find` looks at; `None` where it might do more.
pub(super) fn find(words: &[Word]) -> Option<Vec<Operand>> {
    let mut rest = words.iter().peekable();
    let mut operands = Vec::new();
    rest.next_if(|word| word.text == "-P");
    let starts = |word: &&Word| !word.text.starts_with(['-', '(', '!', ',']);
    while let Some(word) = rest.next_if(starts) {
        operands.push(Operand::new(word, Group::Read).looked_into(Depth::Names));
    }
    if operands.is_empty() {
        operands.push(Operand::here().looked_into(Depth::Names));
    }
    while let Some(word) = rest.next() {
        if word.glob {
            return None;
        }
        let is_in = |list: &str| list.split_whitespace().any(|known| known == word.text);
        if is_in(VALUED) {
            rest.next().filter(|value| !value.glob)?;
        } else if is_in(PATHS) {
            let path = rest.next().filter(|value| !value.glob)?;
            operands.push(Operand::new(path, Group::Read));
        } else if !is_in(ALONE) {
            return None;
        }
    }
    Some(operands)
}

/// What `test`, `[` or `[[` looks at; `None` where it might do more.
pub(super) fn test(name: &str, words: &[Word]) -> Option<Vec<Operand>> {
    let words = match (name, words.split_last()) {
        ("[", Some((last, words))) if last.text == "]" => words,
        ("[[", Some((last, words))) if last.text == "]]" => words,
        ("[" | "[[", _) => return None,
        _ => words,
    };
    // An index of an array that is looked at is evaluated.
    let evaluates = |word: &Word| matches!(word.text.as_str(), "-v" | "-R") || word.glob;
    if words.iter().any(evaluates) {
        return None;
    }
    // So is all that `[[` compares as numbers.
    let compares = |three: &[Word]| NUMERIC.contains(&three[1].text.as_str());
    let is_number = |word: &Word| word.text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = |three: &[Word]| is_number(&three[0]) && is_number(&three[2]);
    let mut threes = words.windows(3).filter(|three| compares(three));
    if name == "[[" && !threes.all(is_plain) {
        return None;
    }
    let paths = words.windows(2).filter(|pair| {
        let option = pair[0].text.as_str();
        option.len() == 2
            && option.starts_with('-')
            && !matches!(option, "-n" | "-z" | "-t" | "-o" | "-a")
    });
    let mut operands: Vec<Operand> = paths
        .map(|pair| Operand::new(&pair[1], Group::Read))
        .collect();
    let compared = |option: &str| matches!(option, "-nt" | "-ot" | "-ef");
    for three in words.windows(3).filter(|three| compared(&three[1].text)) {
        operands.extend([&three[0], &three[2]].map(|word| Operand::new(word, Group::Read)));
    }
    Some(operands)
}

/// True for a script of `sed` that holds addresses and `p` alone: `3p`, `1,20p`, `/a/,/b/p;$p`.
pub(super) fn prints(script: &str) -> bool {
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches([' ', ';']);
        if rest.is_empty() {
            return !script.trim_matches([' ', ';']).is_empty();
        }
        let Some(after) = address(rest) else {
            return false;
        };
        let after = after.trim_start_matches(' ').trim_start_matches('!');
        let Some(after) = after.strip_prefix('p') else {
            return false;
        };
        if !after.is_empty() && !after.starts_with([' ', ';']) {
            return false;
        }
        rest = after;
    }
}

/// What follows the addresses; the text itself where there are none.
fn address(text: &str) -> Option<&str> {
    let Some(after) = one_address(text) else {
        return Some(text);
    };
    match after.strip_prefix(',') {
        Some(second) => {
            let second = second.strip_prefix(['+', '~']).unwrap_or(second);
            one_address(second)
        }
        None => Some(after),
    }
}

fn one_address(text: &str) -> Option<&str> {
    if let Some(after) = text.strip_prefix('$') {
        return Some(after);
    }
    if let Some(pattern) = text.strip_prefix('/') {
        let (pattern, after) = pattern.split_once('/')?;
        let plain = !pattern.contains(['\\', '[', '\n']);
        return plain.then(|| after.strip_prefix('I').unwrap_or(after));
    }
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    (digits > 0).then(|| {
        let after = &text[digits..];
        let step = after
            .strip_prefix('~')
            .map(|step| step.trim_start_matches(|c: char| c.is_ascii_digit()));
        step.unwrap_or(after)
    })
}
