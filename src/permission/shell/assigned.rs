//! Whether a line changes what its own later words mean: by a variable that the shell or the programs obey, or by
//! what gives names another meaning.
//!
//! A blunt look at the words: it errs on the side of yes, and what it says yes to is never taken apart.

use super::super::command::is_assignment;
use super::super::scan::{Mode, scan};

/// What stands in the way where a line does.
const WHY: &str = "it changes what its later words mean";

/// Variables that the shell or the loader obeys.
const OBEYED: &str = " PATH IFS HOME PWD OLDPWD CDPATH ENV SHELL SHELLOPTS GLOBIGNORE GLOBSORT EXECIGNORE FIGNORE \
    POSIXLY_CORRECT TMPDIR PS4 DIRSTACK MAGIC EDITOR VISUAL BROWSER TERMINFO LANGUAGE ";
/// How the names of such variables begin.
const BEGINNINGS: &str = "BASH LD_ DYLD_ GIT_ GREP_ LESS PYTHON PERL RUBY NODE_ NPM_ JAVA_ CARGO RUST SSH_ GCONV_ \
    GLIBC_ MALLOC_ XDG_ DOCKER_ MAKE RIPGREP_ COMP_";
/// What is in the names of others.
const HINTS: &str = "PATH PRELOAD WRAPPER _COMMAND _OPTS _OPTIONS FLAGS PAGER _EDITOR _HOME _SHELL";

/// Words of grammar before a command.
const LEADING: [&str; 11] = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "time", "{", "in",
];

/// What the shell itself does that sets the variables named behind it.
const SETTING: [&str; 15] = [
    "for",
    "select",
    "read",
    "mapfile",
    "readarray",
    "getopts",
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "let",
    "unset",
    "wait",
    "coproc",
];

/// Options of `set` that leave the words of later commands as they are.
const HARMLESS: [&str; 9] = [
    "errexit",
    "nounset",
    "pipefail",
    "xtrace",
    "verbose",
    "noglob",
    "noclobber",
    "errtrace",
    "functrace",
];

/// Why nothing of `line` is known by its words, if it changes them; `plain` is the line without its here-documents.
pub(super) fn why(plain: &str, line: &str) -> Option<&'static str> {
    let nested = scan(plain, Mode::Nested);
    let changes = nested.commands.iter().any(|words| command(words))
        || (nested.doubt
            && scan(plain, Mode::Bare)
                .commands
                .iter()
                .any(|words| command(words)))
        || counts(line);
    changes.then_some(WHY)
}

/// Whether one command does.
fn command(words: &[String]) -> bool {
    let mut words = words;
    while let Some((first, rest)) = words.split_first()
        && (LEADING.contains(&first.as_str())
            || matches!(first.as_str(), "command" | "builtin" | "-p" | "--"))
    {
        words = rest;
    }
    let assigned = words.iter().take_while(|word| is_assignment(word)).count();
    let (before, words) = words.split_at(assigned);
    let Some((name, rest)) = words.split_first() else {
        return before.iter().any(|word| sets(word));
    };
    match name.as_str() {
        "eval" | "source" | "." | "alias" | "trap" | "shopt" => true,
        "hash" | "enable" | "unalias" => !rest.is_empty(),
        "set" => !rest.iter().all(|option| is_harmless(option)),
        "printf" => prints_into(rest),
        "for" | "select" => rest.first().is_some_and(|name| sets(name)),
        "declare" | "typeset" | "local" if refers(rest) => true,
        name if SETTING.contains(&name) => rest.iter().any(|word| sets(word) || is_counted(word)),
        _ => false,
    }
}

/// A word that names a variable which is obeyed, or that nobody knows.
fn sets(word: &str) -> bool {
    let name = word.split(['=', '[', '+']).next().unwrap_or_default();
    name.contains(['$', '`', '{', '*', '?']) || is_obeyed(name)
}

/// The same of a text that is counted with.
fn is_counted(word: &str) -> bool {
    identifiers(word).any(|(at, name)| is_obeyed(name) && is_set_at(word, at, name))
}

fn is_obeyed(name: &str) -> bool {
    let is_hint = |hint: &str| name.contains(hint);
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    !name.is_empty()
        && name.chars().all(is_upper)
        && (OBEYED.contains(&format!(" {name} "))
            || BEGINNINGS
                .split_whitespace()
                .any(|start| name.starts_with(start))
            || HINTS.split_whitespace().any(is_hint))
}

/// Whether variables are declared that stand for others.
fn refers(words: &[String]) -> bool {
    let is_option = |word: &&String| word.starts_with(['-', '+']);
    words
        .iter()
        .filter(is_option)
        .any(|word| word.contains('n'))
}

fn is_harmless(option: &str) -> bool {
    let letters = option.strip_prefix(['-', '+']);
    let known = |letters: &str| letters.chars().all(|c| "euxvfnbCEHTo".contains(c));
    letters.map_or(HARMLESS.contains(&option), known)
}

/// Whether `printf` puts what it prints, or how much, into a variable.
fn prints_into(words: &[String]) -> bool {
    let into = |pair: &[String]| pair[0] == "-v" && sets(&pair[1]);
    let own = |word: &String| word.strip_prefix("-v").is_some_and(sets);
    words.windows(2).any(into) || words.iter().any(|word| own(word) || !prints_only(word))
}

/// Whether `format`, where `printf` takes it for one, holds none but the conversions that print.
pub(super) fn prints_only(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let after = after.trim_start_matches(|c: char| "#-+ 0123456789.*'hlLjzt".contains(c));
        let kind = after.chars().next();
        let is_known = kind.is_none_or(|kind| "%diouxXeEfFgGaAcsbq(Q".contains(kind));
        if !is_known {
            return false;
        }
        rest = kind.map_or(after, |kind| &after[kind.len_utf8()..]);
    }
    true
}

/// Whether the line counts or fills in defaults, and so could set a variable that is obeyed.
fn counts(line: &str) -> bool {
    const COUNTING: [&str; 5] = ["((", "$[", "${", "[[", "]="];
    if !COUNTING.iter().any(|sign| line.contains(sign)) {
        return false;
    }
    let bare = line.replace(['\'', '"', '\\'], "");
    let indirect = bare.split("${!").skip(1).any(|rest| {
        let inside = rest.split('}').next().unwrap_or_default();
        inside.contains('=')
    });
    indirect || is_counted(&bare)
}

/// The names in `text`, each with where it begins.
fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.find(is_part)?;
        let rest = &text[start..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        at = start + end;
        Some((start, &rest[..end]))
    })
}

/// Whether the variable `name` at `at` is given a value there.
fn is_set_at(text: &str, at: usize, name: &str) -> bool {
    let before = text[..at].trim_end();
    if before.ends_with("++") || before.ends_with("--") {
        return true;
    }
    let mut after = text[at + name.len()..].trim_start();
    if let Some(index) = after.strip_prefix('[') {
        after = index
            .split_once(']')
            .map_or("", |(_, rest)| rest)
            .trim_start();
    }
    let sign = after.trim_start_matches(|c: char| "+-*/%&|^<>:".contains(c));
    after.starts_with("++")
        || after.starts_with("--")
        || (sign.starts_with('=') && !after.starts_with("=="))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(line: &str) -> Option<&'static str> {
        super::why(line, line)
    }

    #[test]
    fn what_is_obeyed_is_set_however_it_is_set() {
        for line in [
            "PATH=0; ls",
            "ls; PATH+=:0",
            "for PATH in 0; do ls; done",
            "for GLOBIGNORE in x; do ls; done",
            "for HOME in /; do ls; done",
            "for IFS in a; do ls; done",
            "for PWD in a; do ls; done",
            "for OLDPWD in a; do ls; done",
            "for BASH_ENV in a; do ls; done",
            "for ENV in a; do ls; done",
            "for CDPATH in a; do ls; done",
            "for LD_PRELOAD in a; do ls; done",
            "for GIT_DIR in a; do ls; done",
            "if true; then for PATH in 0; do ls; done; fi",
            "select PATH in 0; do ls; done",
            "read PATH; ls",
            "read -r a PATH <a; ls",
            "while read -r PATH; do ls; done",
            "mapfile PATH; ls",
            "readarray -t BASH_CMDS; ls",
            "getopts a PATH; ls",
            "printf -v PATH 0; ls",
            "printf -vPATH 0; ls",
            "command printf -v PATH 0; ls",
            "builtin printf '%n' x; ls",
            "declare PATH=0; ls",
            "typeset -x PATH=0; ls",
            "local PATH=0; ls",
            "export PATH=0; ls",
            "export LD_LIBRARY_PATH; ls",
            "readonly PATH=0; ls",
            "declare -n a=PATH; a=0; ls",
            "export \"$a\"; ls",
            "unset PATH; ls",
            "let PATH=0; ls",
            "let x=1,PATH=0; ls",
            "((PATH = 0)); ls",
            "((PATH++)); ls",
            "((--PATH)); ls",
            "echo $((PATH=0)); ls",
            "echo $((PATH += 1)); ls",
            "echo $[PATH=0]; ls",
            "echo ${PATH:=0}; ls",
            "echo ${PATH=0}; ls",
            "echo ${a[PATH=0]}; ls",
            "[[ PATH=0 -eq 0 ]]; ls",
            "a='PATH=0'; ((a)); ls",
            "a=PA''TH; echo ${!a:=0}; ls",
            "a[PATH=0]=1; ls",
            "coproc PATH { a; }; ls",
            "BASH_CMDS[ls]=./x; ls",
            "BASH_ALIASES[ls]=./x; ls",
            "hash -p ./x ls; ls",
            "enable -f ./x ls; ls",
            "alias ls=./x; ls",
            "eval a; ls",
            "source a; ls",
            ". a; ls",
            "shopt -s expand_aliases; ls",
            "trap 'a' DEBUG; ls",
            "set -k; ls",
            "set -o posix; ls",
            "set +B; ls {a,b}",
        ] {
            assert!(why(line).is_some(), "{line}");
        }
    }

    #[test]
    fn harmless_variables_and_mere_mention_change_nothing() {
        for line in [
            "for i in 1 2; do ls; done",
            "a=1; ls",
            "CI=1 git push; ls",
            "CI=1; ls",
            "PATH=0 ls",
            "read -r a; ls",
            "export CI=1; ls",
            "grep -rn 'PATH=' src",
            "grep -rn 'for PATH' src | head",
            "echo \"$PATH\" ${PATH} ${PATH:-x}",
            "[[ $PATH == a ]]",
            "printf '%s\\n' PATH",
            "printf -v a b",
            "set -euo pipefail; ls",
            "set -x; ls",
            "echo $((a = 1))",
            "dd if=PATH of=x",
        ] {
            assert_eq!(why(line), None, "{line}");
        }
    }

    #[test]
    fn only_conversions_that_print_are_harmless() {
        for format in [
            "%s\\n",
            "%-10.3d|%5s",
            "100%%",
            "%*d",
            "%q %b",
            "%(%F)T",
            "%ld",
            "a%",
        ] {
            assert!(prints_only(format), "{format}");
        }
        for format in [
            "%n", "%5n", "%*n", "%-n", "%0n", "% n", "%ln", "%.3n", "%hhn", "%%%n", "%s%n", "%k",
        ] {
            assert!(!prints_only(format), "{format}");
        }
    }
}
