//! Patterns on a real tree: what is found, in which order, what is passed over and said to be.

use std::os::unix::fs::symlink;
use std::time::Duration;

use super::*;
use crate::error::Kind;
use crate::files::bench::Bench;

fn found(bench: &Bench, pattern: &str) -> Vec<String> {
    by_path(glob(bench, pattern, ".", &[]))
}

fn by_path(found: Globbed) -> Vec<String> {
    let mut paths: Vec<String> = found.hits.into_iter().map(|hit| hit.path).collect();
    paths.sort();
    paths
}

fn glob(bench: &Bench, pattern: &str, path: &str, exclude: &[&str]) -> Globbed {
    let files = bench.files();
    let filter = Filter {
        exclude: exclude.iter().map(|glob| (*glob).to_owned()).collect(),
        max_depth: None,
        ..Filter::default()
    };
    search(&files, pattern, path, &filter, &AtomicBool::new(false)).unwrap()
}

fn search(
    files: &Files,
    pattern: &str,
    path: &str,
    filter: &Filter,
    stop: &AtomicBool,
) -> Result<Globbed, ToolError> {
    let places = files.glob_places(pattern, &files.resolve(path)?)?;
    files.glob(pattern, &places, filter, stop)
}

fn tree() -> Bench {
    let bench = Bench::new();
    for path in [
        "a.rs",
        "src/b.rs",
        "src/deep/c.rs",
        "src/deep/c.hpp",
        "target/out.rs",
        ".hidden/h.rs",
        ".git/config.rs",
        "app/[id]/page.tsx",
        ".env",
        "x/.gitignore",
    ] {
        bench.write(path, "");
    }
    bench.write(".gitignore", "target/\n*.log\n");
    bench
}

#[test]
fn stars_stay_in_their_folder_and_braces_nest() {
    let bench = tree();
    assert_eq!(found(&bench, "*.rs"), ["a.rs"]);
    assert_eq!(
        found(&bench, "**/*.rs"),
        ["a.rs", "src/b.rs", "src/deep/c.rs"]
    );
    assert_eq!(found(&bench, "./src/*.rs"), ["src/b.rs"]);
    assert_eq!(
        found(&bench, "src/**/*.{rs,{c,h}pp}"),
        ["src/b.rs", "src/deep/c.hpp", "src/deep/c.rs"]
    );
    assert_eq!(
        found(&bench, "src/"),
        ["src/b.rs", "src/deep/c.hpp", "src/deep/c.rs"]
    );
    let absolute = bench.path("src").join("*.rs");
    assert_eq!(found(&bench, absolute.to_str().unwrap()), ["src/b.rs"]);
    assert_eq!(found(&bench, "src/../*.rs"), ["a.rs"]);
    assert_eq!(by_path(glob(&bench, "*.rs", "src", &[])), ["src/b.rs"]);
}

#[test]
fn the_exact_path_of_a_file_matches_it() {
    let bench = tree();
    assert_eq!(found(&bench, "app/[id]/page.tsx"), ["app/[id]/page.tsx"]);
    assert_eq!(found(&bench, ".env"), [".env"]);
    assert_eq!(found(&bench, "target/out.rs"), ["target/out.rs"]);
}

#[test]
fn what_is_named_is_searched_and_the_rest_is_counted() {
    let bench = tree();
    assert_eq!(found(&bench, "target/*.rs"), ["target/out.rs"]);
    assert_eq!(found(&bench, ".hidden/**"), [".hidden/h.rs"]);
    assert_eq!(found(&bench, ".git/*"), [".git/config.rs"]);
    bench.write(".cache/deep/a.log", "");
    assert_eq!(found(&bench, ".cache/**/*"), Vec::<String>::new());
    let none = glob(&bench, "**/{out,h,config}.rs", ".", &[]);
    assert_eq!(
        none.passed_over,
        Some(PassedOver {
            ignored: 1,
            hidden: 1
        })
    );
    assert_eq!(
        glob(&bench, "*.none", ".", &[]).passed_over,
        Some(PassedOver::default())
    );
}

#[test]
fn leaves_out_what_is_excluded() {
    let bench = tree();
    let hits = by_path(glob(&bench, "**/*.rs", ".", &["deep", "a.*"]));
    assert_eq!(hits, ["src/b.rs"]);
}

#[test]
fn the_newest_comes_first() {
    let bench = Bench::new();
    for (name, age) in [("b", 30), ("a", 30), ("old", 60), ("new", 1)] {
        let path = bench.write(name, "");
        let file = std::fs::File::options().write(true).open(path).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 - age);
        file.set_modified(time).unwrap();
    }
    let hits = glob(&bench, "*", ".", &[]).hits;
    let names: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(names, ["new", "a", "b", "old"]);
}

#[test]
fn links_are_shown_and_not_followed() {
    let bench = Bench::new();
    std::fs::create_dir(bench.home().join("sub")).unwrap();
    std::fs::write(bench.home().join("sub/x"), "").unwrap();
    symlink(bench.home(), bench.path("folder")).unwrap();
    symlink(bench.home().join("sub/x"), bench.path("file")).unwrap();
    assert_eq!(found(&bench, "**/*"), ["file"]);
}

#[test]
fn says_what_is_wrong() {
    let bench = tree();
    let files = bench.files();
    let stop = AtomicBool::new(false);
    let kind = |pattern: &str, path: &str| {
        search(&files, pattern, path, &Filter::default(), &stop)
            .unwrap_err()
            .kind
    };
    assert_eq!(kind("[a", "."), Kind::Argument);
    assert_eq!(kind("", "."), Kind::Argument);
    assert_eq!(kind("*", "a.rs"), Kind::Argument);
    assert_eq!(kind("*", "nowhere"), Kind::NotFound);
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(kind("*", "."), Kind::Cancelled);
}

/// Every way out that a pattern can be written: where its search starts is outside, and known to be.
#[test]
fn a_pattern_that_leads_out_says_so_before_it_is_searched() {
    let bench = Bench::new();
    bench.write("a/x", "");
    bench.write("[id]/x", "");
    symlink(bench.home(), bench.path("out")).unwrap();
    std::fs::write(bench.home().join("secret"), "").unwrap();
    symlink(bench.home().join("secret"), bench.path("[id]/key")).unwrap();
    let files = bench.files();
    let here = files.resolve(".").unwrap();
    let (home, absolute) = (bench.home(), format!("{}/*", bench.home().display()));
    let top = home.parent().unwrap();
    for (pattern, base) in [
        ("..", top),
        ("../", top),
        ("../*", top),
        ("a/../..", top),
        ("a/../../*", top),
        ("./a/./../../home/*", &home),
        ("~/", &home),
        ("~/x", &home),
        ("~/*", &home),
        ("out/", &home),
        ("out/*", &home),
        (&absolute, &home),
        ("/", Path::new("/")),
        ("../..", top.parent().unwrap()),
    ] {
        let places = files.glob_places(pattern, &here).unwrap();
        assert_eq!(
            (places[1].real.as_path(), places[1].inside),
            (base, false),
            "{pattern}"
        );
    }
    for pattern in [
        "~",
        "{..}",
        "{..,a}",
        "**",
        "a",
        "*/x",
        "a/..",
        "[o]ut/*",
        "out",
        "{a,out}/*",
    ] {
        let Ok(places) = files.glob_places(pattern, &here) else {
            continue;
        };
        assert!(places.iter().all(|place| place.inside), "{pattern}");
        let all = found(&bench, pattern);
        assert!(
            all.iter().all(|path| !path.contains("secret")),
            "{pattern}: {all:?}"
        );
    }
    let exact = files.glob_places("[id]/key", &here).unwrap();
    assert!(
        !exact[2].inside,
        "a link that leads out is judged where it leads"
    );
}

#[test]
fn there_is_no_way_up_behind_a_wildcard() {
    let bench = tree();
    let files = bench.files();
    let here = files.resolve(".").unwrap();
    for pattern in [
        "*/..",
        "*/../../x",
        "**/../*",
        "{..}/x",
        "{a,../b}/x",
        "[a]/../../x",
        "a/*/../..",
    ] {
        let error = files.glob_places(pattern, &here).unwrap_err();
        assert_eq!(error.kind, Kind::Argument, "{pattern}");
    }
    assert_eq!(found(&bench, "src/deep/../*.rs"), ["src/b.rs"]);
    assert_eq!(found(&bench, "..*"), Vec::<String>::new());
}
