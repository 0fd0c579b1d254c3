//! Paths that change under a call: what was judged is what is read, and nothing from outside comes back.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use agent::data::Data;
use agent::error::Kind;
use agent::permission::Action;

use crate::door::{Door, args};

fn rounds() -> usize {
    let given = std::env::var("AGENT_TEST_N").ok();
    given.and_then(|count| count.parse().ok()).unwrap_or(64)
}

/// Sets the flag even when the test fails.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn one(name: &str, value: &str) -> Data {
    args([(name, value.into())])
}

#[test]
fn a_pattern_cannot_lead_out_unasked() {
    let door = Door::new();
    door.write("a/x.txt", "");
    let beside = door.at("../beside");
    std::fs::create_dir(&beside).unwrap();
    std::fs::write(beside.join("secret"), "").unwrap();
    symlink(&beside, door.at("out")).unwrap();
    let absolute = format!("{}/*", beside.display());
    for pattern in [
        "..",
        "a/../..",
        "../..",
        "../*/*",
        "~/",
        "/",
        "out/*",
        "out/secret",
        &absolute,
    ] {
        let error = door.model("glob", one("pattern", pattern)).unwrap_err();
        assert_eq!(error.kind, Kind::Denied, "{pattern}: {error}");
    }
    for pattern in [
        "*/../../*/*",
        "{a,..}/../beside/*",
        "a*/../../beside/secret",
    ] {
        let error = door.model("glob", one("pattern", pattern)).unwrap_err();
        assert_eq!(error.kind, Kind::Argument, "{pattern}: {error}");
    }
    for pattern in ["~", "{..}", "[o]ut/*", "**", "a/../**"] {
        if let Ok(output) = door.model("glob", one("pattern", pattern)) {
            assert!(
                !output.text.contains("secret"),
                "{pattern}: {}",
                output.text
            );
        }
    }
    let here = args([("pattern", "../beside/*".into()), ("path", "a/..".into())]);
    assert_eq!(door.model("glob", here).unwrap_err().kind, Kind::Denied);
}

#[test]
fn a_link_swapped_between_verdict_and_execution_never_leads_out() {
    let door = Door::with(&[
        ("shell", Action::Allow),
        ("external_directory", Action::Deny),
    ]);
    door.write("d/a.txt", "inside\n");
    door.write("d/sub/b.txt", "inside\n");
    let outside = door.at("../beside");
    std::fs::create_dir_all(outside.join("sub")).unwrap();
    for path in ["a.txt", "sub/b.txt", "secret.txt", "sub/secret.txt"] {
        std::fs::write(outside.join(path), "SECRET inside\n").unwrap();
    }
    let calls = [
        ("read", one("path", "d/a.txt")),
        ("read", one("path", "d/secret.tx")),
        ("read", one("path", "d")),
        ("list", args([("path", "d".into()), ("depth", 3.into())])),
        (
            "grep",
            args([("pattern", "SECRET|inside".into()), ("path", "d".into())]),
        ),
        (
            "grep",
            args([("pattern", "SECRET".into()), ("path", "d/a.txt".into())]),
        ),
        ("glob", one("pattern", "d/**/*")),
        ("glob", one("pattern", "d/secret.txt")),
        ("list", args([("depth", 3.into())])),
        ("glob", one("pattern", "**/*.txt")),
        (
            "shell",
            args([("command", "cat a.txt; ls".into()), ("cwd", "d".into())]),
        ),
    ];
    let stop = AtomicBool::new(false);
    let mut done = vec![0; calls.len()];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (real, away) = (door.at("d"), door.at("../away"));
            for round in 0_u32.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                for _ in 0..(round % 64) * 2000 {
                    std::hint::spin_loop(); // stays a folder for a while, longer and shorter
                }
                std::fs::rename(&real, &away).unwrap();
                symlink(&outside, &real).unwrap();
                for _ in 0..(round % 7) * 2000 {
                    std::hint::spin_loop();
                }
                std::fs::remove_file(&real).unwrap();
                std::fs::rename(&away, &real).unwrap();
            }
        });
        let _stop = OnDrop(&stop);
        for _ in 0..rounds() {
            for (index, (tool, args)) in calls.iter().enumerate() {
                let told = match door.model(tool, args.clone()) {
                    Ok(output) => {
                        done[index] += 1;
                        format!("{} {:?}", output.text, output.metadata)
                    }
                    Err(error) => format!("{error} {}", error.hint()),
                };
                let asked = format!("{args:?}");
                let leaks = told.contains("SECRET") && !asked.contains("SECRET")
                    || told.contains("SECRET inside")
                    || told.contains("secret.txt") && !asked.contains("secret.txt");
                assert!(!leaks, "{tool} {asked}: {told}");
            }
        }
    });
    assert!(
        done.iter().sum::<usize>() > rounds(),
        "calls that were made: {done:?}"
    );
}
