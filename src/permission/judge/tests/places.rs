//! Verdicts about paths: outside the workspace, through links, where no workspace can be, and what
//! is critical.

use super::*;

#[test]
fn outside_the_workspace_an_allow_must_say_where() {
    let tmp = || outside(Edit, "/tmp/out/a");
    assert_eq!(
        edit(Model, tmp(), &[allow("edit")]),
        Ask,
        "the place is a question of its own"
    );
    assert_eq!(edit(Model, tmp(), &[allow("edit:*")]), Ask);
    assert_eq!(
        edit(Model, tmp(), &[allow("external_directory:/tmp/**")]),
        Ask,
        "and so is the change"
    );
    assert_eq!(
        edit(
            Model,
            tmp(),
            &[allow("external_directory:/tmp/**"), allow("edit")]
        ),
        Allow
    );
    assert_eq!(edit(Model, tmp(), &[allow("edit:/tmp/out/**")]), Allow);
    assert_eq!(edit(Model, tmp(), &[allow("*")]), Allow);
    assert_eq!(
        edit(User, tmp(), &[allow("external_directory:/tmp/out/**")]),
        Allow
    );
    assert_eq!(edit(User, tmp(), &[allow("edit:/tmp/other/**")]), Ask);
    assert_eq!(
        read(
            Model,
            outside(Read, "/tmp/out/a"),
            &[allow("external_directory:/tmp/**")]
        ),
        Allow
    );
    assert_eq!(
        read(User, outside(Read, "/etc/x"), &[deny("external_directory")]),
        Deny
    );
    assert_eq!(
        read(User, outside(Read, "/etc/x"), &[deny("read:/etc/**")]),
        Deny
    );
    let component = outside(Edit, "/tmp/outside/a");
    assert_eq!(
        edit(Model, component, &[allow("edit:/tmp/out/**")]),
        Ask,
        "no string prefix"
    );
}

#[test]
fn every_spelling_and_every_link_meets_the_same_deny() {
    let rules = [deny("read:~/secret/**"), deny("read:private/**")];
    for shown in [
        "../secret/key",
        "/home/ann/secret/key",
        "~/secret/key",
        "src/link",
    ] {
        let subject = Subject::path(Read, shown, "/home/ann/secret/key", false);
        assert_eq!(read(User, subject, &rules), Deny, "{shown}");
    }
    let link = Subject::path(Read, "src/link", format!("{WORKSPACE}/private/key"), true);
    assert_eq!(read(Model, link, &rules), Deny);
    let escape = Subject::path(Edit, "src/link", "/etc/passwd", false);
    assert_eq!(
        edit(
            Model,
            escape,
            &[allow("edit:src/**"), allow("external_directory")]
        ),
        Ask
    );
}

#[test]
fn system_and_home_folders_are_never_open_by_default() {
    for path in [
        "/etc/passwd",
        "/home/ann",
        "/home/ann/notes",
        "/",
        "/usr/bin/x",
    ] {
        assert_eq!(edit(Model, outside(Edit, path), &[]), Ask, "{path}");
        assert_eq!(edit(User, outside(Edit, path), &[]), Ask, "{path}");
        assert_eq!(read(Model, outside(Read, path), &[]), Ask, "{path}");
    }
}

#[test]
fn what_is_critical_is_asked_whatever_is_allowed() {
    for caller in [User, Model] {
        for path in [
            ".git/hooks/pre-commit",
            ".GIT/hooks/x",
            ".git./hooks/x",
            "\u{ff0e}git/hooks/x",
            ".ba\u{17f}hrc",
            ".agent /init.lua",
            ".agent/init.lua",
            ".bashrc",
        ] {
            let rules = [allow("*"), rule(Allow, "edit", Source::Session)];
            let got = verdict(caller, EDIT, &[inside(Edit, path)], &rules);
            assert_eq!(got.action, Ask, "{path}");
            assert!(got.warning.is_some_and(|warning| warning.starts_with(path)));
            assert_eq!(
                edit(caller, inside(Edit, path), &[allow("*"), deny("edit")]),
                Deny
            );
            assert_eq!(
                read(caller, inside(Read, path), &[]),
                Allow,
                "reading is not critical"
            );
        }
        let workspace = Subject::path(Edit, ".", WORKSPACE, true).removed();
        assert_eq!(edit(caller, workspace.named(), &[allow("*")]), Ask);
    }
    let undeclared = inside(Group::from("stamp"), ".git/hooks/x");
    let got = verdict(
        User,
        ("stamp", "agent", Effect::default()),
        &[undeclared],
        &[allow("*")],
    );
    assert_eq!(
        got.reason,
        "critical: .git/hooks/x is run by git without asking"
    );
}

#[test]
fn a_folder_that_is_no_workspace_asks_for_changes_of_both() {
    let bounds = bounds();
    for (caller, tool, subject, expected) in [
        (User, READ, inside(Read, "a"), Allow),
        (User, EDIT, inside(Edit, "a"), Ask),
        (User, EDIT, inside(Edit, "a").named(), Ask),
        (User, SHELL, Subject::command("ls"), Ask),
        (Model, READ, inside(Read, "a"), Allow),
        (Model, EDIT, inside(Edit, "a"), Ask),
    ] {
        let (tool, surface, effect) = tool;
        let subjects = [subject];
        let request = Request {
            tool,
            surface,
            effect,
            caller,
            subjects: &subjects,
            restricted: true,
            bounds: &bounds,
            limits: &[],
            modes: Modes::default(),
            declared: "file",
        };
        assert_eq!(judge(&request, &[]).action, expected, "{subjects:?}");
        assert_eq!(
            judge(&request, &[allow("*")]).action,
            Allow,
            "a rule settles it"
        );
    }
}

/// A change shows what was there; it is allowed only where nothing speaks against reading.
#[test]
fn what_may_not_be_read_is_not_changed() {
    let secret = || inside(Edit, "secret/key");
    for caller in [User, Model] {
        for name in ["read:secret/**", "file.read:secret/*", "read"] {
            let rules = [allow("edit"), deny(name)];
            let told = verdict(caller, EDIT, &[secret()], &rules);
            assert_eq!(told.action, Deny, "{name}");
            assert!(told.reason.contains(name), "{}", told.reason);
        }
        let rules = [allow("edit"), deny("read:other/**"), deny("grep:secret/**")];
        assert_eq!(edit(caller, secret(), &rules), Allow);
        let lifted = [allow("edit"), deny("read:**"), allow("read:secret/**")];
        assert_eq!(
            edit(caller, secret(), &lifted),
            Allow,
            "the last one speaks"
        );
        // What is said of everything is weighed with what is said of changes.
        let all = [deny("*:secret/**"), allow("edit:secret/**")];
        assert_eq!(edit(caller, secret(), &all), Allow);
    }
    let mut moved = secret();
    moved.removed = true;
    let rules = [deny("read:secret/**")];
    assert_eq!(edit(User, moved, &rules), Deny);
}
