//! What a yes for good would be: that it lets through what was asked, and how little besides.

use super::*;
use crate::permission::{Action, Modes, judge};

fn bounds() -> Bounds {
    Bounds {
        workspace: "/home/ann/work/code".to_owned(),
        home: "/home/ann".to_owned(),
        own: vec!["/srv/agent/state".to_owned()],
        tools: vec!["/srv/kit".to_owned()],
        ..Bounds::default()
    }
}

/// A call of a model with this effect on these.
fn request<'a>(effect: Effect, subjects: &'a [Subject], bounds: &'a Bounds) -> Request<'a> {
    Request {
        tool: "t",
        surface: "s",
        declared: "s",
        effect,
        caller: Caller::Model,
        subjects,
        modes: Modes::default(),
        restricted: false,
        bounds,
        limits: &[],
    }
}

fn offer(effect: Effect, subjects: &[Subject]) -> Vec<String> {
    let bounds = bounds();
    let request = request(effect, subjects, &bounds);
    let rules = keeping(&request, &[]);
    if !rules.is_empty() {
        assert_eq!(judge(&request, &rules).action, Action::Allow, "{rules:?}");
    }
    rules.iter().map(Rule::to_string).collect()
}

fn read(path: &str) -> Subject {
    Subject::path(Group::Read, path, path, false)
}

/// Whether an approval of `rule` lets a model do this.
fn approved(rule: &str, effect: Effect, subject: Subject) -> bool {
    let bounds = bounds();
    let rule = Rule::parse(rule, Action::Allow, Source::Session).unwrap();
    let subjects = [subject];
    judge(&request(effect, &subjects, &bounds), &[rule]).action == Action::Allow
}

#[test]
fn of_a_path_outside_the_folder_is_offered() {
    assert_eq!(
        offer(Effect::Read, &[read("/srv/data/a.txt")]),
        ["external_directory:/srv/data/*"]
    );
    let both = [read("/srv/data/a.txt"), read("/srv/data/b.txt")];
    assert_eq!(
        offer(Effect::Read, &both),
        ["external_directory:/srv/data/*"]
    );
    let apart = [read("/srv/data/a.txt"), read("/srv/more/b.txt")];
    assert_eq!(offer(Effect::Read, &apart).len(), 2);
    let edit = Subject::path(Group::Edit, "/srv/data/a.txt", "/srv/data/a.txt", false);
    assert_eq!(
        offer(Effect::Write, &[edit]),
        ["edit:/srv/data/a.txt"],
        "the narrower one does"
    );
}

#[test]
fn a_folder_covers_what_lies_beside_and_nothing_deeper() {
    let rule = "external_directory:/srv/data/*";
    let link = Subject::path(Group::Read, "/srv/data/link", "/etc/passwd", false);
    let inward = Subject::path(Group::Read, "link", "/srv/data/a", false);
    for (subject, is_covered) in [
        (read("/srv/data/b.txt"), true),
        (read("/srv/data/sub/c.txt"), false),
        (read("/srv/data/sub").as_folder(true), false),
        (read("/srv/data").as_folder(true), false),
        (read("/srv/data2/a"), false),
        (read("/srv/x"), false),
        (link, false),
        (inward, false),
    ] {
        assert_eq!(
            approved(rule, Effect::Read, subject.clone()),
            is_covered,
            "{subject:?}"
        );
    }
    let edit = Subject::path(Group::Edit, "/srv/data/b.txt", "/srv/data/b.txt", false);
    assert!(
        !approved(rule, Effect::Write, edit),
        "a change is asked about for itself"
    );
}

#[test]
fn no_folder_is_offered_that_means_more_than_its_files() {
    for path in [
        "/x.txt",
        "/srv/x.txt",
        "/etc/ssl/x.pem",
        "/proc/self/environ",
        "/home/ann/x.txt",
        "/home/ann/work/x.txt",
        "/home/x.txt",
        "/home/ann/.ssh/id",
        "/home/ann/.aws/credentials",
        "/srv/agent/state/approvals/x.json",
        "/srv/agent/x",
        "/srv/kit/x.lua",
        "/srv/other/.git/config",
    ] {
        assert_eq!(offer(Effect::Read, &[read(path)]), [format!("read:{path}")]);
    }
    for folder in ["/srv/data", "/srv"] {
        let folder = read(folder).as_folder(true);
        assert_eq!(
            offer(Effect::Read, std::slice::from_ref(&folder)),
            [format!("read:{}", folder.text)]
        );
    }
}

#[test]
fn of_an_address_the_host_is_offered() {
    let to = |address: &str| Subject::name(Group::Network, address);
    for (address, rule) in [
        ("https://a.test/x/y?q=*", "network:https://a.test/**"),
        ("https://a.test", "network:https://a.test/**"),
        ("http://[::1]:80/x", "network:http://[::1]:80/**"),
        ("a.test", "network:a.test"),
        ("https://u:p@a.test/x", "network:https://u:p@a.test/x"),
        ("file:///etc/passwd", "network:file:///etc/passwd"),
    ] {
        assert_eq!(offer(Effect::Network, &[to(address)]), [rule]);
    }
    assert!(offer(Effect::Network, &[to("a.te*t")]).is_empty());
    let approved = |address| approved("network:https://a.test/**", Effect::Network, to(address));
    assert!(approved("https://a.test/z") && approved("https://a.test"));
    for other in [
        "https://a.test.evil/x",
        "https://a.test:8443/x",
        "http://a.test/x",
        "https://a.test@evil/x",
        "https://evil/https://a.test/",
    ] {
        assert!(!approved(other), "{other}");
    }
}

#[test]
fn each_command_of_a_line_keeps_its_own_words() {
    let line = [
        Subject::command("cargo test -q"),
        Subject::command("git push origin x"),
        Subject::command("cargo test --doc"),
    ];
    assert_eq!(
        offer(Effect::Run, &line),
        ["shell:cargo test *", "shell:git push *"]
    );
    let mixed = [Subject::command("cargo test"), Subject::command("echo $X")];
    assert!(
        offer(Effect::Run, &mixed).is_empty(),
        "one of them cannot be said"
    );
    assert_eq!(
        offer(Effect::Run, &[Subject::command("./run.sh 'a b' c*")]),
        [] as [&str; 0]
    );
    let exact = offer(Effect::Run, &[Subject::command("./run.sh 'a b' 'c*'")]);
    assert_eq!(exact, ["shell:./run.sh 'a b' 'c*'"]);
}

#[test]
fn an_approval_of_words_holds_for_no_command_that_hides_others() {
    let approved = |line: &str| approved("shell:git push *", Effect::Run, Subject::command(line));
    assert!(approved("git push -u origin x"));
    for line in [
        "git push $(x)",
        "git push > x",
        "git push; x",
        "git push && x",
        "CI=1 git push",
        "git push *",
        "git push `x`",
        "sudo git push",
        "git push --force",
    ] {
        assert!(!approved(line), "{line}");
    }
    let bounds = bounds();
    let file = [Subject::path(
        Group::Edit,
        "git push x",
        "/home/ann/work/code/git push x",
        true,
    )];
    let by_shell = Request {
        tool: "shell",
        ..request(Effect::Run, &file, &bounds)
    };
    let rule = Rule::parse("shell:git push *", Action::Allow, Source::Session).unwrap();
    assert_eq!(
        judge(&by_shell, &[rule]).action,
        Action::Ask,
        "a file of that name is no command"
    );
}

#[test]
fn nothing_is_offered_for_what_is_critical_protected_or_has_a_wildcard_in_its_name() {
    let edit = |path: &str| {
        let real = format!("/home/ann/work/code/{path}");
        Subject::path(Group::Edit, path, real, true)
    };
    assert_eq!(offer(Effect::Write, &[edit("src/a.rs")]), ["edit:src/a.rs"]);
    for path in [
        ".git/config",
        ".github/workflows/ci.yml",
        ".hg/x",
        "a*.rs",
        "a?.rs",
    ] {
        assert!(offer(Effect::Write, &[edit(path)]).is_empty(), "{path}");
    }
    for line in [
        "git push .git/hooks/x",
        "git add .agent/init.lua",
        "tee AGENTS.md",
    ] {
        assert!(
            offer(Effect::Run, &[Subject::command(line)]).is_empty(),
            "{line}"
        );
    }
}

#[test]
fn no_deny_is_lifted_and_an_ask_that_was_written_is() {
    let bounds = bounds();
    let subjects = [Subject::command("git push origin x")];
    let request = request(Effect::Run, &subjects, &bounds);
    let written = |action| Rule::parse("shell:git push *", action, Source::CommandLine).unwrap();
    assert!(keeping(&request, &[written(Action::Deny)]).is_empty());
    assert_eq!(
        keeping(&request, &[written(Action::Ask)])[0].to_string(),
        "shell:git push *"
    );
}
