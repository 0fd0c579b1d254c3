//! What a survey finds, refuses and hands on.

use std::fs;
use std::os::unix::fs::{chown, symlink};

use rustix::fs::{CWD, Mode, mkfifoat};

use super::super::tree::{MOST_BYTES, MOST_FILES, MOST_TOGETHER, owned};
use super::super::{PolicyName, Role};
use super::{Project, refused, shown};
use crate::store::Hash;

#[test]
fn finds_all_that_could_run_and_nothing_else() {
    let project = Project::with(&[
        ".agent/init.lua",
        ".agent/tools/permissions.lua",
        ".agent/tools/x.lua",
        ".agent/tests/x_test.lua",
        ".agent/lua/a/b.lua",
        ".agent/commands/do.md",
        ".agent/hooks/deep/run.sh",
        ".agent/notes.md",
        ".claude/commands/c.md",
        ".claude/settings.json",
        ".claude/skills/s/SKILL.md",
        ".claude/skills/s/notes.md",
        ".mcp.json",
        "tools/y.lua",
        "tools/y.py",
        "tools/deep/z.lua",
        "tool/z.lua",
        "src/tools/no.lua",
        "AGENTS.md",
        ".env",
    ]);
    let found = project.survey();
    let expected = [
        ".agent/commands/do.md",
        ".agent/hooks/deep/run.sh",
        ".agent/init.lua",
        ".agent/lua/a/b.lua",
        ".agent/tests/x_test.lua",
        ".agent/tools/permissions.lua",
        ".agent/tools/x.lua",
        ".claude/commands/c.md",
        ".claude/settings.json",
        ".claude/skills/s/SKILL.md",
        ".mcp.json",
        "tool/z.lua",
        "tools/y.lua",
    ];
    assert_eq!(shown(&found.entries), expected);
    assert!(found.refused.is_empty() && !found.is_empty() && found.has_policy());
    let init = &found.entries[2];
    assert_eq!(&*init.bytes, b"-- .agent/init.lua\n");
    assert_eq!(init.hash, Hash::of(&init.bytes));
}

#[test]
fn hands_on_what_loads_in_the_order_in_which_it_loads() {
    let project = Project::with(&[
        ".agent/tools/b.lua",
        ".agent/tools/surfaces.lua",
        "tools/a.lua",
        ".agent/init.lua",
        ".agent/lua/m/init.lua",
        ".agent/lua/odd.name.lua",
        ".agent/x_test.lua",
        ".mcp.json",
    ]);
    let files = project.survey().sources();
    let names: Vec<(Role, &str)> = files.iter().map(|file| (file.role, &*file.name)).collect();
    assert_eq!(
        names,
        [
            (Role::Init, "init"),
            (Role::Policy(PolicyName::Surfaces), "surfaces"),
            (Role::Tool, "a"),
            (Role::Tool, "b"),
            (Role::Module, "m"),
            (Role::Module, "m.init"),
        ]
    );
    assert_eq!(files[2].shown, "tools/a.lua");
    assert_eq!(&**files[2].text.as_ref().unwrap(), b"-- tools/a.lua\n");
}

#[test]
fn tools_are_live_only_beside_the_folder_agent() {
    let project = Project::with(&["tools/x.lua", ".mcp.json", ".claude/settings.json"]);
    let found = project.survey();
    assert_eq!(
        shown(&found.entries),
        [".claude/settings.json", ".mcp.json"]
    );
    assert!(found.is_empty() && !found.has_policy() && found.sources().is_empty());
    project.write(".agent", "a file");
    assert!(project.survey().is_empty());
    project.remove(".agent");
    fs::create_dir(project.at(".agent")).unwrap();
    assert_eq!(
        shown(&project.survey().entries).last(),
        Some(&"tools/x.lua")
    );
    let restricted = crate::store::Workspace {
        restricted: true,
        ..project.workspace.clone()
    };
    assert!(super::survey(&restricted).entries.is_empty());
}

#[test]
fn a_link_may_stay_inside_and_never_leave() {
    let project = Project::with(&[".agent/lua/a.lua", "lib/real.lua", "lib/sub/m.lua"]);
    let outside = project.home.path().join("out.lua");
    fs::write(&outside, "os.exit()").unwrap();
    let link = |target: &str, path: &str| {
        fs::create_dir_all(project.at(path).parent().unwrap()).unwrap();
        symlink(target, project.at(path)).unwrap();
    };
    link("../../lib/real.lua", ".agent/tools/real.lua");
    link("../../lib/sub", ".agent/lua/sub");
    link("../../../out.lua", ".agent/tools/permissions.lua");
    link(outside.to_str().unwrap(), "tools/abs.lua");
    link(".", ".agent/lua/self");
    link("nothing.lua", ".agent/tools/gone.lua");
    link("circle.lua", ".agent/tools/circle.lua");
    link("/etc", ".agent/lua/etc");
    let found = project.survey();
    assert_eq!(
        shown(&found.entries)[..2],
        [".agent/lua/a.lua", ".agent/lua/sub/m.lua"]
    );
    let real = found
        .entries
        .iter()
        .find(|entry| entry.path == ".agent/tools/real.lua")
        .unwrap();
    assert_eq!(&*real.bytes, b"-- lib/real.lua\n");
    let said = refused(&found);
    for expected in [
        ".agent/tools/permissions.lua is a link that leaves the project",
        "tools/abs.lua is a link that leaves the project",
        ".agent/lua/etc is a link that leaves the project",
        ".agent/lua/self is a link to a folder that it stands in",
        ".agent/tools/gone.lua is a link to nothing",
        ".agent/tools/circle.lua is a circle of links",
    ] {
        assert!(said.contains(&expected.to_owned()), "{expected}: {said:#?}");
    }
    assert!(
        found.has_policy(),
        "a refused policy is one that is missing"
    );
    let sources = found.sources();
    let broken = sources
        .iter()
        .find(|file| file.name == "permissions")
        .unwrap();
    let error = broken.text.as_ref().unwrap_err();
    assert!(error.message.ends_with("leaves the project"), "{error}");
}

#[test]
fn a_folder_agent_that_leads_out_brings_nothing() {
    let project = Project::with(&["tools/x.lua"]);
    fs::create_dir(project.home.path().join("evil")).unwrap();
    symlink("../evil", project.at(".agent")).unwrap();
    let found = project.survey();
    assert!(found.entries.is_empty() && !found.is_empty());
    assert_eq!(
        refused(&found),
        [".agent is a link that leaves the project"]
    );
}

#[test]
fn what_is_no_file_or_may_be_written_by_everybody_is_refused() {
    let project = Project::with(&[
        ".agent/tools/open.lua",
        ".agent/tools/group.lua",
        ".agent/lua/x.lua",
        "tools/y.lua",
    ]);
    mkfifoat(CWD, project.at(".agent/tools/pipe.lua"), Mode::RWXU).unwrap();
    project.mode(".agent/tools/open.lua", 0o666);
    project.mode(".agent/tools/group.lua", 0o664);
    project.mode(".agent/lua", 0o777);
    let found = project.survey();
    assert_eq!(
        shown(&found.entries),
        [".agent/tools/group.lua", "tools/y.lua"]
    );
    assert_eq!(
        refused(&found),
        [
            ".agent/lua may be written by everybody",
            ".agent/tools/open.lua may be written by everybody",
            ".agent/tools/pipe.lua is no file",
        ]
    );
}

#[test]
fn a_folder_in_the_place_of_a_file_is_named() {
    let project = Project::with(&[
        ".agent/tools/permissions.lua/x.txt",
        "tools/y.lua/x.txt",
        ".agent/lua/z.lua/in.lua",
        ".mcp.json/x.txt",
        ".agent/hooks/start/x",
    ]);
    let found = project.survey();
    assert_eq!(
        refused(&found),
        [
            ".agent/lua/z.lua is a folder, not a file",
            ".agent/tools/permissions.lua is a folder, not a file",
            ".mcp.json is a folder, not a file",
            "tools/y.lua is a folder, not a file",
        ]
    );
    assert_eq!(found.policies(), [".agent/tools/permissions.lua"]);
}

#[test]
fn what_belongs_to_somebody_else_is_refused() {
    let project = Project::with(&[".agent/tools/theirs.lua", ".agent/lua/x.lua", "tools/y.lua"]);
    let theirs = fs::metadata(project.at("tools/y.lua")).unwrap();
    let us = rustix::process::geteuid().as_raw();
    assert_eq!(owned(&theirs, us), Ok(()));
    if us != 0 {
        // Nobody but root can give a file away, so another looks at it instead.
        assert_eq!(owned(&theirs, us + 1), Err("belongs to somebody else"));
        return;
    }
    for path in [".agent/tools/theirs.lua", ".agent/lua"] {
        chown(project.at(path), Some(12345), None).unwrap();
    }
    let found = project.survey();
    assert_eq!(shown(&found.entries), ["tools/y.lua"]);
    assert_eq!(
        refused(&found),
        [
            ".agent/lua belongs to somebody else",
            ".agent/tools/theirs.lua belongs to somebody else"
        ]
    );
    chown(project.at(".agent"), Some(12345), None).unwrap();
    assert!(
        project.survey().entries.is_empty(),
        "its folder alone is enough"
    );
}

#[test]
fn names_that_cannot_be_shown_are_refused_and_shown_escaped() {
    let project = Project::with(&[]);
    let names: [&[u8]; 4] = [
        b"a\x1b[2Jb.lua",
        b"safe.lua\nx.lua",
        "\u{202e}x.lua".as_bytes(),
        b"\xff.lua",
    ];
    for name in names {
        use std::os::unix::ffi::OsStrExt as _;
        fs::create_dir_all(project.at(".agent/tools")).unwrap();
        let name = std::ffi::OsStr::from_bytes(name);
        fs::write(project.at(".agent/tools").join(name), "x").unwrap();
    }
    let found = project.survey();
    assert!(found.entries.is_empty());
    let said = refused(&found);
    assert_eq!(said.len(), 4, "{said:#?}");
    assert!(
        said.iter()
            .all(|line| !line.contains(char::is_control) && !line.contains('\u{202e}'))
    );
    assert!(
        said[0].starts_with(".agent/tools/\\u{202e}x.lua has characters"),
        "{said:#?}"
    );
}

#[test]
fn more_than_the_bounds_loads_nothing_or_is_named() {
    let project = Project::with(&[".agent/init.lua"]);
    project.write(".agent/tools/long.lua", vec![b'-'; MOST_BYTES as usize + 1]);
    project.write(".agent/tools/fits.lua", vec![b'-'; MOST_BYTES as usize]);
    let found = project.survey();
    assert_eq!(
        shown(&found.entries),
        [".agent/init.lua", ".agent/tools/fits.lua"]
    );
    assert_eq!(
        refused(&found),
        [".agent/tools/long.lua is longer than 1 MiB"]
    );
    for n in 0..=MOST_TOGETHER / MOST_BYTES as usize {
        project.write(
            &format!(".agent/lua/m{n}.lua"),
            vec![b'-'; MOST_BYTES as usize],
        );
    }
    let found = project.survey();
    assert!(found.entries.is_empty() && !found.is_empty() && found.has_policy());
    let said = &refused(&found)[0];
    assert_eq!(
        said,
        ". loads nothing: its files that could run have more than 16 MiB"
    );
    let project = Project::with(&[]);
    for n in 0..=MOST_FILES {
        project.write(&format!(".agent/lua/m{n}.lua"), "");
    }
    let found = project.survey();
    assert!(found.entries.is_empty() && found.sources().is_empty());
    let said = &refused(&found)[0];
    assert_eq!(
        said,
        ". loads nothing: it has more than 2000 files that could run"
    );
}

#[test]
fn a_file_that_changes_while_it_is_surveyed_is_loaded_as_it_was_hashed() {
    let project = Project::with(&[".agent/init.lua"]);
    let (good, evil) = ("-- good\n".repeat(1000), "-- evil\n".repeat(1000));
    let stop = std::sync::atomic::AtomicBool::new(false);
    let outside = project.home.path().join("out.lua");
    fs::write(&outside, "-- outside").unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let new = project.at(".agent/new");
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                for text in [&good, &evil] {
                    fs::write(&new, text).unwrap();
                    fs::rename(&new, project.at(".agent/init.lua")).unwrap();
                }
                symlink(&outside, &new).unwrap();
                fs::rename(&new, project.at(".agent/init.lua")).unwrap();
            }
        });
        for _ in 0..300 {
            let found = project.survey();
            for entry in &found.entries {
                assert_eq!(entry.hash, Hash::of(&entry.bytes));
                let text = std::str::from_utf8(&entry.bytes).unwrap();
                let known = [good.as_str(), evil.as_str(), "-- .agent/init.lua\n"];
                assert!(known.contains(&text), "{}", entry.bytes.len());
            }
            let loaded = found.sources();
            for file in loaded.iter().filter_map(|file| file.text.as_ref().ok()) {
                assert_eq!(Hash::of(file), found.entries[0].hash);
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn the_digest_is_of_paths_and_contents_wherever_the_project_lies() {
    let files = [".agent/init.lua", ".agent/tools/x.lua", ".mcp.json"];
    let (one, two) = (Project::with(&files), Project::with(&files));
    let digest = one.survey().digest();
    assert_eq!(digest, two.survey().digest());
    assert_eq!(
        digest.parse::<Hash>().map(|hash| hash.to_string()),
        Ok(digest.clone())
    );
    two.write(".agent/init.lua", "-- .agent/init.luA\n");
    assert_ne!(digest, two.survey().digest(), "one byte");
    fs::rename(one.at(".agent/tools/x.lua"), one.at(".agent/tools/y.lua")).unwrap();
    assert_ne!(digest, one.survey().digest(), "one name");
}
