//! What a command line names that grants power, for a model's commands: a blunt look at its words.
//!
//! It errs on the side of asking: a word counts wherever it stands. Only a line of commands that do nothing
//! but read, and redirect nothing, may name such a path unasked. What is not named it cannot see.

use super::super::bounds::{Bounds, absolute};
use super::super::scan::{Mode, scan};
use super::super::segments::Segments;
use super::{change, instructs};

/// Programs that change nothing, whatever their arguments.
const READING: [&str; 24] = [
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

/// Programs that take away or put in place whole folders; others name `.git` to leave it out.
const REMOVING: [&str; 6] = ["cp", "ln", "mv", "rm", "rmdir", "shred"];

/// Commands that say what is trusted.
const TRUSTING: [&str; 2] = ["agent trust *", "agent *--trust*"];

/// The warning for running `line`; the paths in `bounds` are in lower case.
pub(super) fn warning(line: &str, bounds: &Bounds) -> Option<String> {
    let segments = Segments::of(line);
    if TRUSTING.iter().any(|pattern| segments.matches(pattern, "")) {
        return Some("the command says what is trusted".to_owned());
    }
    let bare = line.replace(['\'', '"', '\\'], "");
    let named = bare.split(|c: char| c.is_whitespace() || ";&|<>(){}[]$`=,:".contains(c));
    // The bare word is too common to mean the folder that tools are loaded from.
    let is_a_word = |word: &str| matches!(word, "" | "tool" | "tools");
    let removes = || {
        REMOVING
            .iter()
            .any(|program| segments.matches(&format!("{program} *"), ""))
    };
    let is_left_out =
        |word: &str| word.trim_end_matches(['/', '*']).ends_with(".git") && !removes();
    let critical =
        |word: &&str| !is_a_word(word) && names(word, bounds).is_some() && !is_left_out(word);
    let word = named.into_iter().find(critical)?;
    if only_reads(line) {
        return None;
    }
    let why = names(word, bounds)?;
    Some(format!("the command names {word}, which {why}"))
}

fn names(word: &str, bounds: &Bounds) -> Option<&'static str> {
    let path = absolute(&word.to_lowercase(), bounds);
    change(&path, bounds).or_else(|| instructs(&path, bounds))
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
            "tar --exclude=.git -czf x.tgz .",
            "rg -g '!.git/*' word .claude",
        ] {
            assert_eq!(warning(line, &bounds()), None, "{line}");
        }
    }
}
