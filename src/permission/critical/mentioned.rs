//! What a command line names that grants power, for a model's commands: a blunt look at its words.
//!
//! It errs on the side of asking: a word counts wherever it stands. Only a line of commands that do nothing
//! but read, and redirect nothing, may name such a path unasked. What is not named it cannot see.

use super::super::bounds::{Bounds, absolute, below};
use super::super::glob;
use super::super::scan::{Mode, scan};
use super::super::segments::Segments;
use super::{HOOKED, all_names, change, instructs, later};

/// Programs that change nothing, whatever their arguments.
pub(in crate::permission) const READING: [&str; 24] = [
    "[",
    "basename",
    "cat",
    "cd",
    "cksum",
    "cmp",
    "cut",
    "diff",
    "dirname",
    "du",
    "echo",
    "file",
    "grep",
    "head",
    "ls",
    "md5sum",
    "printf",
    "pwd",
    "sha256sum",
    "stat",
    "tail",
    "test",
    "true",
    "wc",
];

/// What makes `find` and `rg` do more than look.
const ACTING: [&str; 9] = [
    "-delete", "-exec", "-execdir", "-fls", "-fprint", "-fprint0", "-fprintf", "-ok", "-okdir",
];

/// Options that leave out what follows them, or what they hold behind `=`.
const EXCLUDING: [&str; 6] = [
    "--exclude",
    "--exclude-dir",
    "--ignore",
    "--ignore-dir",
    "--ignore-path",
    "-I",
];
/// Tests of `find` that leave out only where they are turned round, or cut off.
const FINDING: [&str; 5] = ["-ipath", "-iname", "-name", "-path", "-wholename"];
/// What makes a folder the one that later words start from.
const ENTERING: [&str; 4] = ["--directory", "-C", "cd", "pushd"];

/// Commands that say what is trusted.
const TRUSTING: [&str; 2] = ["agent trust *", "agent *--trust*"];

/// The variables that lead to our own folders.
const OWN: [&str; 2] = ["AGENT_CONFIG_DIR", "AGENT_STATE_DIR"];

/// The warning for running `line`; the paths in `bounds` are in lower case.
pub(super) fn warning(line: &str, bounds: &Bounds) -> Option<String> {
    let segments = Segments::of(line);
    if TRUSTING.iter().any(|pattern| segments.matches(pattern, "")) {
        return Some("the command says what is trusted".to_owned());
    }
    if let Some(why) = segments.beginnings().find_map(later::warning) {
        return Some(why.to_owned());
    }
    let bare = spelt_out(line);
    let bare = bare.replace("${HOME}", "~").replace("$HOME", "~");
    if let Some(name) = OWN.iter().find(|name| bare.contains(**name)) {
        return Some(format!(
            "the command names {name}, where this program keeps its own"
        ));
    }
    let words = bare.split(|c: char| c.is_whitespace() || ";&|<>()$`".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let known = (0..words.len()).find_map(|at| critical(&words, at, bounds).map(str::to_owned));
    let word = known.or_else(|| words.iter().find_map(|word| patterned(word, bounds)))?;
    if only_reads(line) {
        return None;
    }
    // What is named by being entered alone is inside of a `.git`.
    let why = names(&word, bounds).unwrap_or(HOOKED);
    Some(format!("the command names {word}, which {why}"))
}

/// The line without quotes, and behind it the words that have escapes or braces as they are meant.
fn spelt_out(line: &str) -> String {
    let mut bare = line.replace(['\'', '"', '\\'], "");
    if line.contains("$'") || line.contains('{') {
        for word in scan(line, Mode::Nested).commands.iter().flatten() {
            for word in chosen(word, &mut 16) {
                bare.push(' ');
                bare.push_str(&word);
            }
        }
    }
    bare
}

/// Every way to choose among the braces of a word, up to so many.
fn chosen(word: &str, left: &mut usize) -> Vec<String> {
    let inner = word.rfind('{').and_then(|open| {
        let close = open + word[open..].find('}')?;
        word[open..close].contains(',').then_some((open, close))
    });
    let Some((open, close)) = inner.filter(|_| *left > 0) else {
        return vec![word.to_owned()];
    };
    let parts = word[open + 1..close].split(',');
    let mut all = Vec::new();
    for part in parts {
        *left = left.saturating_sub(1);
        let whole = format!("{}{part}{}", &word[..open], &word[close + 1..]);
        all.extend(chosen(&whole, left));
        if *left == 0 {
            break;
        }
    }
    all
}

/// The critical name that a pattern in the word could be, in the place of the pattern.
fn patterned(word: &str, bounds: &Bounds) -> Option<String> {
    let word = word.to_lowercase();
    let is_pattern = |part: &&str| part.starts_with('.') && part.contains(['*', '?', '[']);
    let part = word.split('/').find(is_pattern)?;
    // A list of characters stands for any one.
    let mut pattern = String::new();
    let mut rest = part;
    while let Some((before, list)) = rest.split_once('[') {
        pattern.push_str(before);
        pattern.push('?');
        rest = list.split_once(']').map_or("", |(_, after)| after);
    }
    pattern.push_str(rest);
    let fits = |name: &&str| glob::matches(&pattern, name, "");
    let whole = |name: &str| word.replacen(part, name, 1);
    let mut all = all_names().filter(fits).map(whole);
    all.find(|word| names(word.trim_end_matches(['/', '*']), bounds).is_some())
}

/// The part of the word at `at` that names what grants power.
fn critical<'a>(words: &[&'a str], at: usize, bounds: &Bounds) -> Option<&'a str> {
    let enters = at > 0 && ENTERING.contains(&words[at - 1]);
    let word = words[at].strip_prefix("-C").unwrap_or(words[at]);
    let enters = enters || word.len() < words[at].len();
    let mut parts = word.split(|c: char| "{}[]=,:".contains(c));
    parts.find(|part| {
        let part = part.trim_end_matches(['/', '*']);
        match part {
            "" => false,
            // The bare word is too common to mean the folder that tools are loaded from.
            "tool" | "tools" if !enters => false,
            _ if enters
                && part
                    .split('/')
                    .any(|name| name.eq_ignore_ascii_case(".git")) =>
            {
                true
            }
            _ if part.ends_with(".git") && is_left_out(words, at) => false,
            _ => names(part, bounds).is_some(),
        }
    })
}

/// Whether the word at `at` says what a command leaves out, or only asks whether it is there.
fn is_left_out(words: &[&str], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| words[at]);
    let option = words[at].split('=').next().unwrap_or_default();
    let holds = words[at].contains('=') && EXCLUDING.contains(&option);
    let globs = |word: &str| word.starts_with("!") || word.starts_with("-g!");
    let is_tested = matches!(before(2), "test" | "[" | "[[") && before(1).len() == 2;
    let is_turned_round = matches!(before(2), "-not" | "!");
    let is_cut_off = || words[at..].contains(&"-prune");
    let acts = || words.iter().any(|word| ACTING.contains(word));
    let is_found = FINDING.contains(&before(1)) && (is_turned_round || (is_cut_off() && !acts()));
    holds
        || EXCLUDING.contains(&before(1))
        || globs(words[at])
        || words[at].contains("=!")
        || is_found
        || (is_tested && before(1).starts_with('-'))
}

fn names(word: &str, bounds: &Bounds) -> Option<&'static str> {
    let path = absolute(&word.to_lowercase(), bounds);
    // A folder that holds such a file is named too often to mean it: what is done to it is judged by its path.
    let holds = bounds
        .instructions
        .iter()
        .any(|file| below(file, &path).is_some_and(|rest| !rest.is_empty()));
    let instructs = || instructs(&path, bounds).filter(|_| !holds);
    change(&path, bounds).or_else(instructs)
}

/// Whether every command of the line only reads.
fn only_reads(line: &str) -> bool {
    if line.contains(['>', '`', '$']) {
        return false;
    }
    let scan = scan(line, Mode::Nested);
    let reads = |words: &Vec<String>| {
        let program = words.first().map_or("", String::as_str);
        let acts = || {
            words
                .iter()
                .any(|word| ACTING.contains(&word.as_str()) || word.starts_with("--pre"))
        };
        READING.contains(&program) || (matches!(program, "find" | "rg") && !acts())
    };
    !scan.doubt && scan.commands.iter().all(reads)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds() -> Bounds {
        Bounds {
            workspace: "/home/ann/code".to_owned(),
            home: "/home/ann".to_owned(),
            own: vec!["/home/ann/.local/state/agent".to_owned()],
            loads_tools: true,
            ..Bounds::default()
        }
    }

    #[test]
    fn a_command_that_names_what_grants_power_is_critical() {
        for line in [
            "echo x > .agent/init.lua",
            "mkdir -p $(dirname .agent/config.toml) && echo x > .agent/config.toml",
            "mkdir -p $(dirname tools/x.lua) && echo x > tools/x.lua",
            "tee .mcp.json",
            "cp /tmp/x ./.git/hooks/pre-commit",
            "ln -s /tmp/x .claude",
            "mv x 'AGENTS.md'",
            "mv x ./tools",
            "sed -i s/deny/ask/ CLAUDE.md",
            "printf x>~/.bashrc",
            "dd if=x of=.vscode/tasks.json",
            "rm -r .agent",
            "python -c \"open('.agent/init.lua','w')\"",
            "cat x | tee .agent/init.lua",
            "touch ~/.local/state/agent/trust/x",
            "bash -c 'echo > .Agent/x'",
            "e\\cho x > .ag\\ent/init.lua",
            "cat .agent/init.lua > x",
            "rm -rf .git",
            "mv ./.git/ x",
            "find .agent -name x -delete",
            "rg --pre ./x . .agent",
            "echo x >> $HOME/.bashrc",
            "cp x \"${HOME}\"/.ssh/authorized_keys",
            "echo x > $HOME/.local/state/agent/approvals/y",
            "echo x > $AGENT_STATE_DIR/approvals/y",
            "python -c 'import os; os.environ[\"AGENT_CONFIG_DIR\"]'",
            "env -u AGENT_'STATE'_DIR agent call list",
        ] {
            assert!(warning(line, &bounds()).is_some(), "{line}");
        }
        let said = warning("rm -r .agent", &bounds()).unwrap();
        assert_eq!(
            said,
            "the command names .agent, which decides what an agent may do"
        );
    }

    #[test]
    fn a_folder_that_is_entered_is_named_whatever_its_name() {
        for line in [
            "cd .git && echo x > hooks/pre-commit",
            "cd ./.git/; tee config",
            "pushd .git/modules && touch x/hooks/y",
            "git -C .git config core.hooksPath /tmp",
            "git -C.git config core.hooksPath /tmp",
            "make --directory .git",
            "git --git-dir .git config a.b c",
            "git --git-dir=.git config a.b c",
            "GIT_DIR=.git git config a.b c",
            "cp -r .git /tmp/x",
            "cd tools && echo x > y.lua",
            "bash -c 'cd .git && echo x > hooks/y'",
            "find . -name .git -exec touch x ';'",
            "find . -path ./.git -prune -exec touch x ';'",
            "install x .git",
            "cd .g?t; cp ../a hooks/x",
            "cd .[gx]it; cp ../a hooks/x",
            "cp a .{git,x}/hooks/x",
            "cp a .{x,gi{t,}}/hooks/x",
            "cp a $'\\x2egit/hooks/x'",
            "set -e; echo x > .g?t/hooks/x",
            "tee .bash*",
            "rm -rf .*",
            "ssh-keygen -f ~/.ssh/id",
            "git config a.b c",
            "crontab x",
            "mkdir -p $(dirname .gitmodules) && echo x > .gitmodules",
        ] {
            assert!(warning(line, &bounds()).is_some(), "{line}");
        }
    }

    #[test]
    fn what_is_left_out_is_not_meant() {
        for line in [
            "tar --exclude .git -czf x.tgz .",
            "tar --exclude=./.git -czf x.tgz .",
            "rsync -a --exclude={.git,target} . /tmp/x",
            "grep -rn x --exclude-dir=.git . > out",
            "tree -I .git > out",
            "fd x -g '!.git' > out",
            "rg --glob=!.git x > out",
            "find . -not -path './.git' -type f > out",
            "find . -name .git -prune -o -print > out",
            "find . \\( -name .git -o -name target \\) -prune -o -print > out",
            "test -d .git && cargo build",
            "[ -e .git ] || git init",
            "cd tools && ls",
            "cd .git && ls",
        ] {
            assert_eq!(warning(line, &bounds()), None, "{line}");
        }
    }

    #[test]
    fn a_folder_is_not_meant_for_the_instructions_in_it() {
        let bounds = Bounds {
            instructions: vec![
                "/home/ann/code/agents.md".to_owned(),
                "/home/ann/code/docs/x.md".to_owned(),
            ],
            ..bounds()
        };
        for line in [
            "find . > out",
            "grep -r x . > out",
            "make -C docs",
            "cd docs && make && cd ..",
        ] {
            assert_eq!(warning(line, &bounds), None, "{line}");
        }
        for line in ["tee AGENTS.md", "cp x docs/x.md", "make docs/x.md"] {
            assert!(warning(line, &bounds).is_some(), "{line}");
        }
    }

    #[test]
    fn saying_what_is_trusted_is_critical() {
        for line in [
            "agent trust",
            "agent trust --trust=ab",
            "/usr/bin/agent -C x trust",
            "env -u AGENT_AS agent trust",
            "agent --trust=ab script x.lua",
            "cd sub && agent trust --dev",
        ] {
            let said = warning(line, &bounds());
            assert_eq!(
                said.as_deref(),
                Some("the command says what is trusted"),
                "{line}"
            );
        }
        for line in ["agent call read trust.md", "rg agent trust", "agent tools"] {
            assert_eq!(warning(line, &bounds()), None, "{line}");
        }
    }

    #[test]
    fn ordinary_commands_and_those_that_only_read_are_not() {
        for line in [
            "cargo test --workspace",
            "cat .agent/init.lua",
            "ls -la .git/hooks && head -3 AGENTS.md",
            "grep -rn x .claude | wc -l",
            "echo agent tools",
            "git commit -m 'about agents'",
            "python tools/x.py",
            "find . -path ./.git -prune -o -name '*.rs' -print",
            "find .agent -name '*.lua'",
            "cp *.md x && tee .gitig*",
            "cp a.{b,c} d",
            "tar --exclude=.git -czf x.tgz .",
            "rg -g '!.git/*' word .claude",
        ] {
            assert_eq!(warning(line, &bounds()), None, "{line}");
        }
    }
}
