//! Verdicts on whole command lines in a real folder, for a model without rules.
//! Lines are judged; none of them is run.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use super::*;
use crate::permission::{
    Action, Bounds, Caller, Effect, Mode, Request, Rule, Source, Verdict, judge,
};

mod beneath;
mod written;

/// The programs that the corpus takes for the system's.
const PROGRAMS: [&str; 13] = [
    "cat", "cut", "diff", "find", "grep", "head", "ls", "rg", "sed", "sort", "tail", "uniq", "wc",
];

struct World {
    folder: tempfile::TempDir,
    files: Files,
    path: OsString,
    /// What rules leave out.
    withheld: Option<Withheld>,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let (work, bin) = (top.join("work"), top.join("bin"));
        fs::create_dir_all(work.join("src")).unwrap();
        fs::create_dir_all(work.join("docs")).unwrap();
        fs::create_dir_all(work.join("tools")).unwrap();
        fs::create_dir(&bin).unwrap();
        fs::create_dir(top.join("home")).unwrap();
        for name in ["a", "b", "f", "a.txt", "b.txt", "src/main.rs", "AGENTS.md"] {
            fs::write(work.join(name), "x\n").unwrap();
        }
        fs::write(top.join("secret"), "x\n").unwrap();
        symlink(top.join("secret"), work.join("docs/link")).unwrap();
        for name in PROGRAMS {
            let file = bin.join(name);
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let locks = top.join("locks");
        World {
            files: Files::new(work.clone(), work, Some(top.join("home")), locks),
            path: bin.into_os_string(),
            withheld: None,
            folder,
        }
    }

    fn top(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn subjects(&self, line: &str) -> Vec<Subject> {
        let subject = |group, place: &Place| {
            let real = place.real.to_string_lossy();
            Subject::path(group, place.name.as_str(), real, place.inside)
        };
        let around = Surroundings {
            files: &self.files,
            path: Some(&self.path),
            withheld: self.withheld.clone(),
            subject: &subject,
            protected: &|_| Vec::new(),
        };
        subjects(line, false, &self.files.resolve(".").unwrap(), &around)
    }

    fn verdict(&self, line: &str, rules: &[Rule]) -> Verdict {
        self.by(Caller::Model, line, rules)
    }

    fn by(&self, caller: Caller, line: &str, rules: &[Rule]) -> Verdict {
        self.judged(caller, Mode::Default, line, rules)
    }

    fn in_mode(&self, mode: Mode, line: &str, rules: &[Rule]) -> Verdict {
        self.judged(Caller::Model, mode, line, rules)
    }

    fn judged(&self, caller: Caller, mode: Mode, line: &str, rules: &[Rule]) -> Verdict {
        let work = self.files.workspace().to_string_lossy().into_owned();
        let bounds = Bounds {
            instructions: vec![format!("{work}/AGENTS.md")],
            home: self.top().join("home").to_string_lossy().into_owned(),
            workspace: work,
            ..Bounds::default()
        };
        let request = Request {
            tool: "shell",
            surface: "command",
            declared: "command",
            effect: Effect::Run,
            caller,
            subjects: &self.subjects(line),
            restricted: false,
            bounds: &bounds,
            limits: &[],
            modes: mode.into(),
        };
        judge(&request, rules)
    }

    /// The lines of which the verdict under `rules` is not as it should be.
    fn other_than(
        &self,
        lines: &[&str],
        rules: &[Rule],
        is_right: impl Fn(Action) -> bool,
    ) -> Vec<String> {
        let judged = lines.iter().map(|line| (line, self.verdict(line, rules)));
        let wrong = judged.filter(|(_, verdict)| !is_right(verdict.action));
        wrong
            .map(|(line, verdict)| format!("{line:?}: {} {}", verdict.action, verdict.reason))
            .collect()
    }

    fn action(&self, line: &str) -> Action {
        self.verdict(line, &[]).action
    }
}

fn rule(action: Action, text: &str) -> Rule {
    Rule::parse(text, action, Source::CommandLine).unwrap()
}

mod corpus;
mod fed;
mod obeyed;
mod touched;

#[test]
fn what_only_reads_in_the_workspace_runs_unasked() {
    let world = World::new();
    for line in [
        "cd src && ls && cd ../docs",
        "cd src; cat main.rs",
        "(cd src && cat main.rs) && cat a",
        "cat src/*.rs | head -n 3 2>/dev/null",
        "ls -la && echo '---' && cat a b 2>&1",
        "grep -rn 'x y' . | wc -l",
        "find . -name '*.rs' -not -path './target/*' -print",
        "find . \\( -name a -o -name b \\) -type f",
        "sed -n '1,20p' a && sed -n '/x/p;$p' b",
        "[ -f a ] && echo yes || echo no",
        "if test -d src; then ls src; else pwd; fi",
        "head -20 a; tail -n +2 b; sort -k2 -t, a | uniq -c | sort -rn",
        "echo a > /dev/null",
        "cat < a",
        "cat <<'E'\n$(rm a)\nE",
        "grep -c x <<E | wc -l\n$(cat a) and $b\nE",
        "sort <<< 'b'",
        "cat <<E\n$(ls src)\nE",
        "if [[ -f a ]]; then ls; fi || [[ a == a ]] && [[ 1 -lt 2 ]]",
        "case a in a) ls;; *) cat b;; esac",
        "until test -f a; do pwd; done",
        "for i in 1 2; do ls src; done",
        "f() { ls; }",
        "{ ls; cat a; } | wc -l",
        "printf '%s %5d%%\\n' a 1",
        "diff a b",
        "for i in 1 2; do ls; done",
        "ls -R src",
    ] {
        let verdict = world.verdict(line, &[]);
        assert_eq!(
            verdict.action,
            Action::Allow,
            "{line:?}: {}",
            verdict.reason
        );
    }
}

#[test]
fn what_reaches_out_or_writes_or_cannot_be_known_asks() {
    let world = World::new();
    for line in [
        "> notes.txt",
        "cd . > notes.txt",
        "echo x > notes.txt",
        "cat docs/link",
        "cat docs/*",
        "cat ../secret",
        "cd .. && cat secret",
        "cd docs && cat ../../secret",
        "cat ~/.profile",
        "cd ~ && ls",
        "cd && ls",
        "cd - && ls",
        "ls *.sh -d /",
        "cat a 3>x",
        "cat a <&3",
        "grep -f /etc/shadow a",
        "grep -R x .",
        "sed -n '1w x' a",
        "sed -n 's/a/b/p' a",
        "sed p a",
        "find . -newer ../secret",
        "find -L .",
        "test -v 'a[$(id)]'",
        "sort -o a b",
        "./cat a",
        "bin/cat a",
        "git log",
        "env ls",
        "xargs cat",
        "awk 1 a",
        "unknown a",
        "while true; do cd ..; done; ls",
        "HOME=/etc; cat ~/passwd",
        "pushd /etc; cat passwd",
        "builtin cd /etc; cat passwd",
        "cat $(echo a)",
        "cat \"$HOME/x\"",
        "f() { ls; }; f",
        "ls() { cat a; }; ls",
        "cat() { :; }\ncat ../secret",
        "echo a &> b",
        "cat <<'E' > c\nx\nE",
        "cat <<E\n$(rm a)\nE",
        "cat <<E\n$(cat ../secret)\nE",
        "cat <<E\n`ls`\nE",
        "cat <<E\n${a@P}\nE",
        "cat <<E\nx\nE\nrm a",
        "cat <<'E'\nx\nE \nrm a\nE",
        "cat <<< \"$(rm a)\"",
        "cat <<< ${a@P}",
        "bash <<'E'\nls\nE",
        "bash <<< ls",
        "cat 3<<E\nx\nE",
        "((x = 1))",
        "for ((;;)); do ls; done",
        "[[ a[0] -eq 1 ]]",
        "[[ -v a ]]",
        "[[ -f ../secret ]]",
        "case $x in ${a@P}) ls;; esac",
        "for i in ${a@P}; do ls; done",
        "coproc ls",
        "cat <(rm a)",
        "ls > >(cat)  > b",
        "if false; then cd src; fi && cat ../secret",
        "true || { true; cd src; } && cat ../secret",
        "case a in b) cd src;; esac && cat ../secret",
    ] {
        assert_eq!(world.action(line), Action::Ask, "{line:?}");
    }
}

#[test]
fn every_command_of_a_line_is_judged_by_itself() {
    let world = World::new();
    let allows = [rule(Action::Allow, "shell:cargo test *")];
    let judged = |line: &str| world.verdict(line, &allows).action;
    assert_eq!(judged("cd src && cargo test -q | tail -5"), Action::Allow);
    assert_eq!(judged("cargo test; ls"), Action::Allow);
    assert_eq!(judged("cargo test; rm a"), Action::Ask);
    assert_eq!(judged("cargo test > out"), Action::Ask);
    assert_eq!(judged("cargo test $(rm a)"), Action::Ask);
    assert_eq!(judged("CI=1 cargo test"), Action::Ask);
    for line in [
        "cargo test <<'E' | head\n$(rm a)\nE",
        "f() { cargo test; }; ls",
        "case a in a) cargo test;; esac",
        "for i in 1 2; do cargo test -p $i; done; until cargo test; do ls; done",
        "cargo test > >(tail -5)",
    ] {
        let expected = if line.contains("$i") {
            Action::Ask
        } else {
            Action::Allow
        };
        assert_eq!(judged(line), expected, "{line:?}");
    }
    for line in [
        "cargo() { rm a; }; cargo test",
        "function cargo { rm a; }\ncargo test",
        "cargo test; cargo() { rm a; }",
        "cargo test <<E\n$(rm a)\nE",
        "cargo test <<E\nx\nE\nrm a",
        "f() { cargo test; }; f",
    ] {
        assert_eq!(judged(line), Action::Ask, "{line:?}");
    }
    let denies = [
        rule(Action::Allow, "shell"),
        rule(Action::Deny, "shell:git push *"),
    ];
    for line in [
        "CI=1 git push",
        "ls && git push -f",
        "echo 'git push' | sh",
        "ls # x\ngit push",
    ] {
        assert_eq!(world.verdict(line, &denies).action, Action::Deny, "{line}");
    }
}

#[test]
fn for_a_person_only_what_lies_outside_or_is_critical_asks() {
    let world = World::new();
    let by = |line: &str| world.by(Caller::User, line, &[]).action;
    for line in [
        "make && rm -r target",
        "echo x > out",
        "cat /etc/passwd",
        "ls |",
        "rm a",
    ] {
        assert_eq!(by(line), Action::Allow, "{line:?}");
    }
    for line in [
        "echo x > ../y",
        "rm ../secret",
        "cp a /tmp",
        "rm -rf .git",
        "rm -rf .",
        "cd .. && touch y",
    ] {
        assert_eq!(by(line), Action::Ask, "{line:?}");
    }
}

#[test]
fn a_folder_named_for_reading_is_not_critical_and_what_grants_power_is() {
    let world = World::new();
    let warned = |line: &str| world.verdict(line, &[rule(Action::Allow, "*")]).warning;
    for line in [
        "find . > out",
        "grep -r x . > out",
        "cd src && ls && cd ../docs",
        "cat <<'E' > notes\nsource ~/.bashrc\nE",
    ] {
        assert_eq!(warned(line), None, "{line:?}");
    }
    for line in [
        "echo x > AGENTS.md",
        "cd .git && echo x > hooks/y",
        "cd .git && make",
        "tee .agent/init.lua",
        "tee .agent/init.lua <<'E'\nx\nE",
        "cat <<'E' > .agent/init.lua\nx\nE",
        "rm -rf .",
        "mkdir -p .git/hooks && cp a .git/hooks",
    ] {
        assert!(warned(line).is_some(), "{line:?}");
    }
}
