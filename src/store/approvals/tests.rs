//! Saved approvals on a real folder: who may read them, where they hold, what damage does, taking them back.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, SystemTime};

use super::*;

fn approval(rule: &str, reach: Reach) -> Approval {
    Approval {
        rule: Rule::parse(rule, Action::Allow, Source::Session).unwrap(),
        reach,
        caller: Caller::Model,
    }
}

fn at(home: &Path, workspace: &str) -> Approvals {
    let paths = Paths::at(home.join("config"), home.join("state"));
    Approvals::new(&paths, Path::new(workspace))
}

fn rules(approvals: &Approvals) -> Vec<String> {
    let saved = approvals.list().unwrap().saved.into_iter();
    saved.map(|saved| saved.approval.rule.to_string()).collect()
}

#[test]
fn holds_in_its_project_or_everywhere_and_is_its_owners_alone() {
    let home = tempfile::tempdir().unwrap();
    let (here, there) = (at(home.path(), "/w/a"), at(home.path(), "/w/b"));
    assert_eq!(here.list().unwrap().saved, []);
    assert!(
        !home.path().join("state").exists(),
        "looking creates nothing"
    );
    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let later = start + Duration::from_secs(1);
    let session = here
        .save(&approval("edit:c", Reach::Session), start)
        .unwrap();
    assert_eq!(session, None);
    let project = here
        .save(&approval("edit:a", Reach::Project), start)
        .unwrap()
        .unwrap();
    here.save(&approval("shell:git push", Reach::User), later)
        .unwrap();
    assert_eq!(rules(&here), ["edit:a", "shell:git push"]);
    assert_eq!(rules(&there), ["shell:git push"]);
    let folder = home.path().join("state/approvals");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for entry in fs::read_dir(&folder).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    let saved = here.list().unwrap().saved.remove(0);
    assert_eq!(
        (saved.id, &*saved.given),
        (project, "2027-01-15T08:00:00.000Z")
    );
    assert_eq!(saved.approval.caller, Caller::Model);
}

#[test]
fn is_taken_back_where_it_holds_and_only_there() {
    let home = tempfile::tempdir().unwrap();
    let (here, there) = (at(home.path(), "/w/a"), at(home.path(), "/w/b"));
    let now = SystemTime::now();
    let id = here
        .save(&approval("edit:a", Reach::Project), now)
        .unwrap()
        .unwrap();
    let kept = here
        .save(&approval("edit:b", Reach::Project), now)
        .unwrap()
        .unwrap();
    assert_eq!(there.revoke(&id).unwrap(), None);
    assert_eq!(here.revoke("../trust").unwrap(), None);
    let taken = here.revoke(&id).unwrap().unwrap();
    assert_eq!(taken.approval.rule.to_string(), "edit:a");
    assert_eq!(here.revoke(&id).unwrap(), None);
    assert_eq!(here.list().unwrap().saved[0].id, kept);
}

#[test]
fn what_is_damaged_or_anybody_could_have_written_approves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let here = at(home.path(), "/w/a");
    let folder = home.path().join("state/approvals");
    let save = || {
        let id = here
            .save(&approval("edit:a", Reach::User), SystemTime::now())
            .unwrap();
        folder.join(format!("user-{}.json", id.unwrap()))
    };
    let changed = |change: &dyn Fn(String) -> String| {
        let file = save();
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, change(text)).unwrap();
    };
    let changes: [&dyn Fn(String) -> String; 7] = [
        &|text| text[..text.len() / 2].to_owned(),
        &|_| String::new(),
        &|text| text.replace("edit:a", "edit a"),
        &|text| text.replace("\"user\"", "\"project\""),
        &|text| text.replace("\"version\":1", "\"version\":2"),
        &|text| text.replace("{", "{\"more\":1,"),
        &|text| text.replace("\"model\"", "\"root\""),
    ];
    for change in changes {
        changed(change);
    }
    let open = save();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o664)).unwrap();
    let renamed = save();
    fs::rename(&renamed, folder.join("user-0000000000000000.json")).unwrap();
    let linked = save();
    fs::rename(&linked, folder.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", &linked).unwrap();
    let found = here.list().unwrap();
    assert_eq!(found.saved, []);
    assert_eq!(found.damaged.len(), 10);
    save();
    assert_eq!(rules(&here), ["edit:a"], "the others hold all the same");
}

#[test]
fn many_writers_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    std::thread::scope(|threads| {
        for writer in 0..8 {
            let here = at(home.path(), "/w/a");
            threads.spawn(move || {
                for number in 0..10 {
                    let rule = format!("edit:{writer}/{number}");
                    here.save(&approval(&rule, Reach::Project), SystemTime::now())
                        .unwrap();
                    here.list().unwrap();
                }
            });
        }
    });
    let found = at(home.path(), "/w/a").list().unwrap();
    assert_eq!((found.saved.len(), found.damaged.len()), (80, 0));
}

#[test]
fn one_that_was_given_under_another_confinement_says_nothing() {
    let home = tempfile::tempdir().unwrap();
    let here = at(home.path(), "/w/a");
    let id = here
        .save(&approval("edit:a", Reach::User), SystemTime::now())
        .unwrap()
        .unwrap();
    assert!(here.list().unwrap().saved[0].holds_here());
    let file = home.path().join(format!("state/approvals/user-{id}.json"));
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"none\"", "\"namespaces\"")).unwrap();
    let saved = here.list().unwrap().saved.remove(0);
    assert!(!saved.holds_here(), "listed, so that it can be taken back");
}
