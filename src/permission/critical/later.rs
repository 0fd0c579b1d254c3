//! Commands that write what something runs by itself later: the settings of git, timetables, services, hooks.
//!
//! A look at the words alone. It errs on the side of asking where a command could only show such a thing.

/// Why a model is asked.
const LATER: &str = "the command sets what is run by itself later";

/// How many words of one command are looked at.
const MOST: usize = 64;

/// Settings of git that name what it runs, or where it finds more settings.
const RUN_BY_GIT: [&str; 30] = [
    "alias.",
    "browser.",
    "core.alternaterefscommand",
    "core.askpass",
    "core.attributesfile",
    "core.editor",
    "core.excludesfile",
    "core.fsmonitor",
    "core.gitproxy",
    "core.hookspath",
    "core.pager",
    "core.sshcommand",
    "core.worktree",
    "credential",
    "diff.",
    "difftool.",
    "filter.",
    "gpg.",
    "guitool.",
    "include",
    "init.templatedir",
    "interactive.difffilter",
    "man.",
    "merge.",
    "mergetool.",
    "pager.",
    "protocol.",
    "remote.",
    "sequence.editor",
    "url.",
];

/// Options of git itself that take the next word.
const VALUED: [&str; 7] = [
    "-C",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--super-prefix",
    "--exec-path",
    "--attr-source",
];

/// The warning for a command of these words.
pub(super) fn warning(words: &[String]) -> Option<&'static str> {
    let (name, rest) = words.split_first()?;
    let name = name.rsplit('/').next().unwrap_or_default();
    let rest: Vec<&str> = rest.iter().take(MOST).map(String::as_str).collect();
    let first = rest.iter().find(|word| !word.starts_with('-')).copied();
    let says = |words: &[&str]| first.is_some_and(|first| words.contains(&first));
    let sets = match name {
        "git" => git(&rest),
        "crontab" => !matches!(rest.as_slice(), ["-l"] | ["-V"] | ["-u", _, "-l"]),
        "at" | "batch" => !matches!(rest.first(), Some(&("-l" | "-V" | "-c"))),
        "systemctl" => says(&[
            "add-requires",
            "add-wants",
            "edit",
            "enable",
            "import-environment",
            "link",
            "preset",
            "reenable",
            "revert",
            "set-default",
            "set-environment",
            "set-property",
        ]),
        "launchctl" => says(&["bootstrap", "enable", "load", "setenv", "submit"]),
        "loginctl" => says(&["enable-linger"]),
        "chkconfig" | "update-rc.d" | "ssh-copy-id" => true,
        "lefthook" | "overcommit" | "pre-commit" | "husky" => {
            first.is_none() || says(&["add", "install", "init", "init-templatedir"])
        }
        _ => false,
    };
    sets.then_some(LATER)
}

fn git(words: &[&str]) -> bool {
    let mut rest = words;
    while let [option, after @ ..] = rest
        && option.starts_with('-')
    {
        rest = after;
        let setting = match *option {
            "-c" | "--config-env" => {
                rest = after.get(1..).unwrap_or_default();
                after.first().copied()
            }
            option if VALUED.contains(&option) => {
                rest = after.get(1..).unwrap_or_default();
                None
            }
            option => option
                .strip_prefix("--config-env=")
                .or(option.strip_prefix("-c")),
        };
        if setting.is_some_and(is_run) {
            return true;
        }
    }
    let Some((command, rest)) = rest.split_first() else {
        return false;
    };
    let says = |words: &[&str]| rest.iter().any(|word| words.contains(word));
    match *command {
        "config" => configures(rest),
        "clone" | "init" => rest.iter().any(|word| {
            word.starts_with("--template") || word.starts_with("--config") || word.starts_with("-c")
        }),
        "submodule" => says(&["add", "init", "set-url", "sync", "update"]),
        "lfs" => says(&["install"]),
        "maintenance" => says(&["register", "start"]),
        _ => false,
    }
}

fn is_run(setting: &str) -> bool {
    let setting = setting.to_lowercase();
    RUN_BY_GIT.iter().any(|run| setting.starts_with(run))
}

/// Whether `git config` with these words changes a setting.
fn configures(words: &[&str]) -> bool {
    const SHOWS: [&str; 11] = [
        "--get",
        "--get-all",
        "--get-color",
        "--get-colorbool",
        "--get-regexp",
        "--get-urlmatch",
        "--list",
        "-l",
        "--show-origin",
        "--show-scope",
        "--name-only",
    ];
    const TAKES: [&str; 7] = [
        "-f",
        "--file",
        "--blob",
        "--type",
        "--default",
        "--value",
        "--comment",
    ];
    const WRITES: [&str; 9] = [
        "--add",
        "--edit",
        "-e",
        "--remove-section",
        "--rename-section",
        "--replace-all",
        "--unset",
        "--unset-all",
        "--append",
    ];
    if words.iter().any(|word| WRITES.contains(word)) {
        return true;
    }
    let shows = words.iter().any(|word| SHOWS.contains(word));
    let mut plain = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if TAKES.contains(word) {
            rest.next();
        } else if !word.starts_with('-') {
            plain.push(*word);
        }
    }
    match plain.as_slice() {
        ["get" | "list", ..] => false,
        [
            "set" | "unset" | "rename-section" | "remove-section" | "edit",
            ..,
        ] => !shows,
        plain => !shows && plain.len() > 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::permission::segments::Segments;

    fn warned(line: &str) -> bool {
        let segments = Segments::of(line);
        segments
            .beginnings()
            .any(|words| super::warning(words).is_some())
    }

    #[test]
    fn what_sets_what_is_run_later_is_seen() {
        for line in [
            "git config core.hooksPath /tmp/x",
            "git config --global user.name x",
            "git config alias.x '!id'",
            "git config --add a.b c",
            "git config --unset a.b",
            "git config set a.b c",
            "git -C x config -f y a.b c",
            "git --no-pager config a.b c",
            "git -c core.hooksPath=x commit",
            "git -ccore.fsmonitor=x status",
            "git -c alias.x='!id' x",
            "git -C a -c CORE.PAGER=x log",
            "git init --template x",
            "git init --template=x y",
            "git clone --config core.hooksPath=x a",
            "git submodule add a",
            "git submodule --quiet update --init",
            "crontab x",
            "crontab",
            "echo x | crontab -",
            "at now",
            "systemctl --user enable x",
            "pre-commit install",
            "sudo /usr/bin/git config a b",
            "bash -c 'git config a b'",
            "time -p git config a b",
            "ls && env A=1 git config a b",
        ] {
            assert!(warned(line), "{line}");
        }
        for line in [
            "git config user.name",
            "git config --get user.name x",
            "git config --list",
            "git config -l --show-origin",
            "git config get a.b",
            "git -c color.ui=always status",
            "git -c user.name=x commit -m config",
            "git init",
            "git submodule status",
            "crontab -l",
            "atq",
            "systemctl status x",
            "echo at now",
            "grep -rn 'git config a b' .",
            "git commit -m 'git config a b'",
        ] {
            assert!(!warned(line), "{line}");
        }
    }
}
