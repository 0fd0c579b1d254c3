//! What is known of programs that are not known to only read: which of their words are no paths, and which they
//! write to.
//!
//! A program that is in no list may touch whatever its words name.

use super::super::super::command::Word;
use super::super::super::critical::READING;
use super::super::super::subject::Group;
use super::super::known::{Shape, find};
use super::super::opened::interprets_by_name;
use super::texts::Text;

/// What says by name alone what it changes, so that nothing is guessed; and what takes no paths.
const TOLD: &str = "rm rmdir unlink shred touch mkdir tee truncate mkfifo chmod chown chgrp mv cp ln install dd sort \
    uniq exit return kill sleep wait type which date id hash ulimit umask shift break continue exec eval set unset";

/// Programs that only show what they are given, besides those of the table.
const SHOWING: &str = "ack ag b2sum base64 bat batcat cloc column expand fd fdfind fold hexdump join jq ldd less more \
    nm objdump od paste readelf rev rg sha1sum sha512sum shellcheck strings tac tokei tree ug ugrep zcat zgrep";

/// Those of them that look into the folder that they run in.
const SEEKING: &str = "ack ag fd fdfind tree ug ugrep";

/// Programs that read what they are given, and write where an option says.
const COMPILING: &str = "as c++ cc clang clang++ g++ gcc ld rustc";

/// Programs that hand what they find to another one.
const HANDING: &str = "find parallel xargs";

/// Programs that write to the last of their operands.
const COPYING: &str = "csplit rsync scp split";

/// Programs that write to all of them.
const EDITING: &str = "ed emacs ex nano nvim patch vi vim";

/// Programs whose first word says what they are to do.
const MANIFOLD: &str = "apt apt-get brew bundle bun cargo composer conda deno docker dotnet gem gh go helm hg jj \
    kubectl nix npm npx pip pip3 pipx pnpm podman poetry rustup svn systemctl terraform uv yarn";

/// Programs whose bare words are names of what they are to make.
const MAKING: &str = "gradle just make mvn ninja rake task";

/// What `git` does that changes no file of the work tree.
const KEEPING: &str = "add archive blame branch cat-file commit describe diff fetch grep log ls-files ls-tree push \
    remote rev-list rev-parse shortlog show status tag";

/// What it does that changes the files that are named.
const CHECKING_OUT: &str = "checkout clone init mv restore rm worktree";

/// What it does that shows what was changed in any file, unless it is told in which.
const COMPARING: &str = "diff diff-files diff-index diff-tree difftool fast-export format-patch range-diff show whatchanged";

/// What does so where an option says it.
const COMPARING_IF_TOLD: &str = "add checkout commit log reflog reset restore stash status";

/// How such options begin.
const COMPARED: [&str; 10] = [
    "-L",
    "-U",
    "-c",
    "-p",
    "-u",
    "-v",
    "--cc",
    "--patch",
    "--unified",
    "--verbose",
];

/// What it does whose bare words name commits.
const NAMING: &str = "bisect checkout cherry-pick merge pull rebase reset revert stash switch";

/// This program.
const OWN: &str = "agent";

/// Where programs lie that are what they are called.
const INSTALLED: [&str; 6] = [
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/local/bin",
    "/usr/sbin",
    "/opt/homebrew/bin",
];

/// Options of `git` that a value stands behind which is no path, before the word that says what it is to do.
const BEFORE: [&str; 5] = ["-C", "-c", "--git-dir", "--namespace", "--work-tree"];

/// Options that a message stands behind.
const TEXTS: &[&str] = &["-m", "-S", "-G", "--trailer", "--since", "--until"];

/// How a program takes its words.
pub(super) struct Habit {
    /// What it may do to what they name.
    pub(super) group: Group,
    /// It writes to all of its operands.
    pub(super) changes_all: bool,
    /// It writes to the last of them.
    pub(super) changes_last: bool,
    /// Options behind which it writes.
    pub(super) written: &'static [&'static str],
    /// Letters of such options.
    pub(super) letters: &'static str,
    /// Options behind which a text stands.
    pub(super) texts: &'static [&'static str],
    /// How many of its first operands say what it is to do.
    pub(super) skipped: usize,
    /// Its bare operands are no paths.
    pub(super) targets: bool,
    /// What stands behind its options is no path where it is bare.
    pub(super) names: bool,
    /// What its operands may be besides paths.
    pub(super) text: Text,
    /// Its first word holds letters of options.
    pub(super) clusters: bool,
    /// It writes files called as addresses end.
    pub(super) keeps_names: bool,
    /// What it reads that its words do not name.
    pub(super) besides: Besides,
    /// What it does to a file that its words do not name.
    pub(super) untold: Option<Group>,
}

/// What a program reads that its words do not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Besides {
    /// Nothing.
    Nothing,
    /// What lies below the folder that it runs in.
    Folder,
    /// What was changed anywhere in the workspace.
    Changes,
}

/// What a program does of which nothing is known.
const UNKNOWN: Habit = Habit {
    group: Group::Edit,
    changes_all: false,
    changes_last: false,
    written: &[],
    letters: "oO",
    texts: &[],
    skipped: 0,
    targets: false,
    names: false,
    text: Text::None,
    clusters: false,
    keeps_names: false,
    besides: Besides::Nothing,
    untold: None,
};

/// How the program at `path` takes the words behind it; `None` where there is nothing to guess. `runs_reader` says that
/// it runs what only reads.
pub(super) fn habit(path: &str, rest: &[Word], runs_reader: bool) -> Option<Habit> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if name == OWN && (path == name || path.starts_with('/')) {
        // It judges what it does itself.
        return None;
    }
    let is_installed = path == name || INSTALLED.contains(&folder);
    if !is_installed {
        return Some(UNKNOWN);
    }
    let is = |list: &str| list.split_whitespace().any(|known| known == name);
    let is_text = |shape| matches!(shape, Shape::Text | Shape::Format);
    let is_known = find(name).is_some_and(|known| known.builtin || is_text(known.shape));
    if is(TOLD) || is_known || READING.contains(&name) {
        return None;
    }
    let runs_reader = runs_reader && is(HANDING);
    let group = match is(SHOWING) || is(COMPILING) || runs_reader {
        true => Group::Read,
        false => Group::Edit,
    };
    let plain = Habit { group, ..UNKNOWN };
    Some(match name {
        "find" => Habit {
            besides: match rest.first() {
                Some(word) if !word.text.starts_with(['-', '(', '!']) => Besides::Nothing,
                _ => Besides::Folder,
            },
            changes_all: !runs_reader && rest.iter().any(|word| acts(&word.text)),
            letters: "",
            ..plain
        },
        _ => special(name, rest, plain),
    })
}

/// The same of a program that is what its name says; `plain` is what holds where nothing more is known.
fn special(name: &str, rest: &[Word], plain: Habit) -> Habit {
    match name {
        "git" => git(rest),
        "tar" | "bsdtar" => tar(rest),
        "xargs" | "parallel" => Habit {
            untold: Some(plain.group.clone()),
            ..plain
        },
        "sed" | "gsed" => Habit {
            text: Text::Sed,
            ..plain
        },
        "awk" | "gawk" | "mawk" | "nawk" => Habit {
            text: Text::Program,
            ..plain
        },
        "curl" => Habit {
            letters: "oDc",
            keeps_names: rest.iter().any(|word| keeps_name(&word.text)),
            ..plain
        },
        "wget" | "aria2c" => Habit {
            keeps_names: true,
            ..plain
        },
        "unzip" | "7z" | "unrar" | "cpio" => Habit {
            written: &["-d"],
            untold: Some(Group::Edit),
            ..plain
        },
        "patch" => Habit {
            changes_all: true,
            untold: Some(Group::Edit),
            ..plain
        },
        "npm" | "pnpm" | "yarn" | "bun" if rest.iter().any(|word| word.text == "run") => Habit {
            skipped: 2,
            names: true,
            ..plain
        },
        _ => general(name, plain),
    }
}

fn general(name: &str, plain: Habit) -> Habit {
    let is = |list: &str| list.split_whitespace().any(|known| known == name);
    Habit {
        changes_all: is(EDITING),
        changes_last: is(COPYING),
        skipped: usize::from(is(MANIFOLD)),
        texts: if is(MANIFOLD) { TEXTS } else { &[] },
        targets: is(MAKING),
        names: is(MANIFOLD) || is(MAKING),
        besides: if is(SEEKING) {
            Besides::Folder
        } else {
            Besides::Nothing
        },
        text: match is(EDITING) || interprets_by_name(name) {
            true => Text::Program,
            false => Text::None,
        },
        ..plain
    }
}

/// An action of `find` that runs something.
fn acts(option: &str) -> bool {
    option.starts_with("-exec") || option.starts_with("-ok")
}

/// An option under which `curl` names files after their addresses.
fn keeps_name(option: &str) -> bool {
    let is_letter = option.starts_with('-') && !option.starts_with("--") && option.contains('O');
    is_letter || option.starts_with("--remote-name")
}

fn git(rest: &[Word]) -> Habit {
    let is_value = |at: usize| at > 0 && BEFORE.contains(&rest[at - 1].text.as_str());
    let is_command = |at: &usize| !rest[*at].text.starts_with('-') && !is_value(*at);
    let at = (0..rest.len()).find(is_command).unwrap_or(rest.len());
    let command = rest.get(at).map_or("", |word| word.text.as_str());
    let is = |list: &str| list.split_whitespace().any(|known| known == command);
    let operands = rest[..at].iter().filter(|word| !word.text.starts_with('-'));
    Habit {
        group: if is(KEEPING) {
            Group::Read
        } else {
            Group::Edit
        },
        changes_all: is(CHECKING_OUT),
        targets: is(NAMING),
        texts: TEXTS,
        letters: if command == "archive" || command == "format-patch" {
            "o"
        } else {
            ""
        },
        skipped: operands.count() + 1,
        besides: shown_by_git(command, &rest[at..]),
        untold: matches!(command, "apply" | "am").then_some(Group::Edit),
        ..UNKNOWN
    }
}

/// What `git` shows of files that its words do not name; `words` begin with what it is to do.
fn shown_by_git(command: &str, words: &[Word]) -> Besides {
    let is = |list: &str| list.split_whitespace().any(|known| known == command);
    let says_where = words.iter().rev().skip(1).any(|word| word.text == "--");
    let is_told = || {
        let mut texts = words.iter().map(|word| word.text.as_str());
        texts.any(|text| COMPARED.iter().any(|start| text.starts_with(start)))
    };
    match command {
        _ if says_where => Besides::Nothing,
        "grep" | "archive" => Besides::Folder,
        _ if is(COMPARING) || (is(COMPARING_IF_TOLD) && is_told()) => Besides::Changes,
        _ => Besides::Nothing,
    }
}

fn tar(rest: &[Word]) -> Habit {
    let letters = |(at, word): (usize, &Word)| match word.text.strip_prefix('-') {
        Some(letters) if !letters.starts_with('-') => Some(letters.to_owned()),
        None if at == 0 => Some(word.text.clone()),
        _ => None,
    };
    let letters: String = rest.iter().enumerate().filter_map(letters).collect();
    let says = |long: &[&str]| rest.iter().any(|word| long.contains(&word.text.as_str()));
    let lists = letters.contains('t') || says(&["--list"]);
    let extracts = letters.contains('x') || says(&["--extract", "--get"]);
    let shown = Habit {
        clusters: rest.first().is_some_and(|word| !word.text.starts_with('-')),
        letters: "",
        ..UNKNOWN
    };
    match (extracts, lists) {
        (true, _) => Habit {
            written: &["-C", "--directory", "--one-top-level"],
            untold: Some(Group::Edit),
            ..shown
        },
        (false, true) => Habit {
            group: Group::Read,
            ..shown
        },
        (false, false) => Habit {
            group: Group::Read,
            written: &["--file", "-g", "--listed-incremental"],
            letters: "f",
            ..shown
        },
    }
}
