//! What a yes covers, for how long, and for whom.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::super::{Login, Standing, Trust};
use super::seen;
use crate::layers::tests::Project;

const UNTRUSTED: Standing = Standing::Untrusted { changed: false };
const CHANGED: Standing = Standing::Untrusted { changed: true };

#[test]
fn covers_exactly_what_it_was_given_to() {
    let project = Project::with(&[".agent/init.lua", ".mcp.json"]);
    let trust = seen(&project);
    assert_eq!(trust.standing(&project.survey()), UNTRUSTED);
    assert!(
        !project.home.path().join("state").exists(),
        "looking writes nothing"
    );
    trust.accept(&project.survey()).unwrap();
    assert_eq!(trust.standing(&project.survey()), Standing::Trusted);
    let init = fs::read(project.at(".agent/init.lua")).unwrap();
    let changes: [(&str, Option<&[u8]>); 4] = [
        (".agent/init.lua", Some(b"-- .agent/init.lua\n ")),
        (".agent/init.lua", None),
        (".agent/tools/new.lua", Some(b"")),
        (".mcp.json", Some(b"{}")),
    ];
    for (path, text) in changes {
        let before = fs::read(project.at(path)).ok();
        match text {
            Some(text) => project.write(path, text),
            None => project.remove(path),
        }
        assert_eq!(trust.standing(&project.survey()), CHANGED, "{path}");
        match before {
            Some(before) => project.write(path, before),
            None => project.remove(path),
        }
        assert_eq!(
            trust.standing(&project.survey()),
            Standing::Trusted,
            "{path} as before"
        );
    }
    assert_eq!(trust.last(&project.workspace.root).unwrap().files.len(), 2);
    let last = trust.last(&project.workspace.root).unwrap();
    assert_eq!(last.files[".agent/init.lua"].bytes.as_deref(), Some(&*init));
    assert!(trust.forget(&project.workspace.root).unwrap());
    assert_eq!(trust.standing(&project.survey()), UNTRUSTED);
    assert!(!trust.forget(&project.workspace.root).unwrap());
    assert_eq!(
        trust.standing(&Project::with(&[]).survey()),
        Standing::Nothing
    );
}

#[test]
fn belongs_to_one_root() {
    let trusted = Project::with(&[".agent/init.lua"]);
    let trust = seen(&trusted);
    trust.accept(&trusted.survey()).unwrap();
    let other = Project::with(&[".agent/init.lua"]);
    // What `.git` claims to belong to says nothing about whose yes counts.
    let git = trusted.at(".git");
    fs::create_dir(&git).unwrap();
    other.write(".git", format!("gitdir: {}\n", git.display()));
    assert_eq!(trust.standing(&other.survey()), UNTRUSTED);
    other.remove(".git");
    other.write(".git/commondir", git.to_str().unwrap());
    other.write(".agent/trust", "trusted = true");
    assert_eq!(trust.standing(&other.survey()), UNTRUSTED);
    // Nor does a record that was put under another name.
    let room = trusted.home.path().join("state/trust");
    let record = |root: &std::path::Path| {
        let key = super::super::record::key(root);
        room.join(format!("{key}.json"))
    };
    fs::copy(
        record(&trusted.workspace.root),
        record(&other.workspace.root),
    )
    .unwrap();
    assert_eq!(trust.standing(&other.survey()), UNTRUSTED);
    let trouble = trust.trouble(&other.workspace.root).unwrap();
    assert!(
        trouble.ends_with("it belongs to another folder"),
        "{trouble}"
    );
    assert_eq!(trust.trouble(&trusted.workspace.root), None);
}

#[test]
fn a_damaged_record_is_no_yes_and_a_new_one_mends_it() {
    let project = Project::with(&[".agent/init.lua"]);
    let trust = seen(&project);
    trust.accept(&project.survey()).unwrap();
    let room = project.home.path().join("state/trust");
    let record = fs::read_dir(&room).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&record).unwrap();
    for damaged in [
        &b""[..],
        b"\0",
        b"[]",
        &whole[..whole.len() / 2],
        &[b'['; 100_000],
    ] {
        fs::write(&record, damaged).unwrap();
        assert_eq!(trust.standing(&project.survey()), UNTRUSTED);
        assert!(trust.trouble(&project.workspace.root).is_some());
        assert_eq!(trust.last(&project.workspace.root), None);
    }
    fs::write(&record, vec![b' '; 9 << 20]).unwrap();
    assert_eq!(trust.standing(&project.survey()), UNTRUSTED);
    trust.accept(&project.survey()).unwrap();
    assert_eq!(trust.standing(&project.survey()), Standing::Trusted);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&record), mode(&room)), (0o600, 0o700));
}

#[test]
fn for_a_login_session_covers_what_no_model_changed() {
    let project = Project::with(&[".agent/init.lua", ".agent/tools/x.lua"]);
    let trust = seen(&project);
    let root = &project.workspace.root;
    trust.accept(&project.survey()).unwrap();
    trust.dev().begin(root).unwrap();
    assert!(trust.dev().is_active(root));
    project.write(".agent/init.lua", "-- by hand");
    assert_eq!(trust.standing(&project.survey()), Standing::Trusted);

    let stamp = trust.dev().before(&project.workspace).unwrap();
    assert_eq!(
        trust.standing(&project.survey()),
        CHANGED,
        "while a call is open nobody knows"
    );
    trust.dev().after(stamp).unwrap();
    assert_eq!(
        trust.standing(&project.survey()),
        Standing::Trusted,
        "it changed nothing"
    );

    let stamp = trust.dev().before(&project.workspace).unwrap();
    project.write(".agent/tools/y.lua", "-- by a model");
    trust.dev().after(stamp).unwrap();
    assert_eq!(trust.standing(&project.survey()), CHANGED);
    project.write(".agent/tools/y.lua", "-- by a model, and then by hand");
    assert_eq!(trust.standing(&project.survey()), Standing::Trusted);
    project.write(".agent/tools/y.lua", "-- by a model");
    assert_eq!(trust.standing(&project.survey()), CHANGED, "a mark stays");
    trust.accept(&project.survey()).unwrap();
    assert_eq!(
        trust.standing(&project.survey()),
        Standing::Trusted,
        "an explicit yes covers it"
    );

    let stamp = trust.dev().before(&project.workspace).unwrap();
    project.remove(".agent/tools/x.lua");
    trust.dev().after(stamp).unwrap();
    assert_eq!(
        trust.standing(&project.survey()),
        CHANGED,
        "to remove is to change"
    );
}

#[test]
fn a_call_that_never_ended_leaves_a_doubt_that_only_a_yes_takes_away() {
    let project = Project::with(&[".agent/init.lua"]);
    let trust = seen(&project);
    trust.accept(&project.survey()).unwrap();
    trust.dev().begin(&project.workspace.root).unwrap();
    let stamp = trust.dev().before(&project.workspace).unwrap();
    project.write(".agent/init.lua", "-- by whom?");
    drop(stamp);
    assert_eq!(seen(&project).standing(&project.survey()), CHANGED);
    trust.accept(&project.survey()).unwrap();
    project.write(".agent/init.lua", "-- by hand");
    assert_eq!(trust.standing(&project.survey()), Standing::Trusted);
}

#[test]
fn a_login_session_ends_with_its_leader_and_is_swept() {
    let project = Project::with(&[".agent/init.lua"]);
    let root = &project.workspace.root;
    let mut leader = std::process::Command::new("sleep")
        .arg("300")
        .spawn()
        .unwrap();
    let login = Login::led_by(i32::try_from(leader.id()).unwrap()).unwrap();
    let there = Trust::seen_from(&project.paths(), Some(login));
    there.accept(&project.survey()).unwrap();
    there.dev().begin(root).unwrap();
    project.write(".agent/init.lua", "-- by hand");
    assert_eq!(there.standing(&project.survey()), Standing::Trusted);
    let elsewhere = seen(&project);
    assert_eq!(
        elsewhere.standing(&project.survey()),
        CHANGED,
        "another session said nothing"
    );
    assert!(!elsewhere.dev().is_active(root));
    leader.kill().unwrap();
    leader.wait().unwrap();
    let records = || {
        let names = fs::read_dir(project.home.path().join("state/trust")).unwrap();
        let names = names.map(|name| name.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("dev-")).count()
    };
    assert_eq!(records(), 1);
    elsewhere.dev().begin(root).unwrap();
    assert_eq!(records(), 1, "the dead session's is gone");
    let nobody = Trust::seen_from(&project.paths(), None);
    assert!(nobody.dev().begin(root).is_err() && !nobody.dev().is_active(root));
    assert_eq!(nobody.standing(&project.survey()), CHANGED);
}
