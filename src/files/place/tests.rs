//! Places on a real tree: links, loops, names that look alike.

use std::os::unix::fs::symlink;

use super::*;
use crate::files::bench::Bench;

#[test]
fn resolves_and_shows_from_the_session_folder() {
    let bench = Bench::new();
    bench.write("src/a.rs", "");
    let files = bench.files_in("src");
    let place = files.resolve("a.rs").unwrap();
    assert_eq!(place.real, bench.path("src/a.rs"));
    assert_eq!(
        (place.display.as_str(), place.inside, place.entry),
        ("a.rs", true, Entry::File)
    );
    assert_eq!(place.name, "src/a.rs");
    assert_eq!(files.resolve("../src/./a.rs").unwrap().display, "a.rs");
    let above = files.resolve("..").unwrap();
    assert_eq!((above.display.as_str(), above.name.as_str()), ("..", "."));
    assert_eq!(files.resolve("../b/c.rs").unwrap().display, "../b/c.rs");
    assert_eq!(
        files.resolve("new/deep/file").unwrap().entry,
        Entry::Missing
    );
    assert_eq!(files.resolve("a.rs/below").unwrap().entry, Entry::Missing);
}

#[test]
fn a_name_that_only_begins_like_the_workspace_is_outside() {
    let bench = Bench::new();
    let evil = format!("{}-evil/x", bench.path("").display());
    let place = bench.files().resolve(&evil).unwrap();
    assert!(!place.inside);
    assert!(!bench.files().resolve("../x").unwrap().inside);
    assert!(bench.files().resolve(".").unwrap().inside);
}

#[test]
fn the_home_folder_is_shown_as_a_tilde() {
    let bench = Bench::new();
    let place = bench.files().resolve("~/notes.md").unwrap();
    assert_eq!(place.real, bench.home().join("notes.md"));
    assert_eq!(
        (place.display.as_str(), place.inside),
        ("~/notes.md", false)
    );
    assert_eq!(bench.files().resolve("~").unwrap().display, "~");
    let named = bench.files().resolve("~other/x").unwrap();
    assert_eq!((named.display.as_str(), named.inside), ("./~other/x", true));
}

#[test]
fn a_link_that_leads_out_is_outside() {
    let bench = Bench::new();
    symlink("/etc", bench.path("etc")).unwrap();
    symlink("missing/there", bench.path("dangling")).unwrap();
    symlink("/", bench.path("top")).unwrap();
    let files = bench.files();
    let place = files.resolve("etc/passwd").unwrap();
    assert_eq!(
        (place.real, place.inside),
        (PathBuf::from("/etc/passwd"), false)
    );
    assert_eq!(place.display, "etc/passwd");
    let up = files.resolve("etc/../x").unwrap();
    assert_eq!((up.real, up.inside), (PathBuf::from("/x"), false));
    assert_eq!(up.display, "/x");
    let dangling = files.resolve("dangling").unwrap();
    assert_eq!(
        (dangling.real, dangling.entry),
        (bench.path("missing/there"), Entry::Missing)
    );
    let top = files.resolve("top").unwrap();
    assert_eq!((top.real, top.entry), (PathBuf::from("/"), Entry::Folder));
    let itself = files.resolve_entry("etc").unwrap();
    assert_eq!(
        (itself.real, itself.entry),
        (bench.path("etc"), Entry::Link)
    );
    assert!(itself.inside);
}

#[test]
fn refuses_what_is_no_path() {
    let bench = Bench::new();
    symlink("b", bench.path("a")).unwrap();
    symlink("a", bench.path("b")).unwrap();
    let homeless = Files::new(bench.path(""), bench.path(""), None, bench.locks());
    for (files, asked) in [
        (bench.files(), ""),
        (bench.files(), "a\0b"),
        (bench.files(), "a/x"),
        (homeless, "~/x"),
    ] {
        let error = files.resolve(asked).unwrap_err();
        assert_eq!(error.kind, crate::error::Kind::Argument, "{asked:?}");
    }
}

#[test]
fn a_name_need_not_be_utf8() {
    let bench = Bench::new();
    let name = OsStr::from_bytes(b"caf\xe9");
    std::fs::write(bench.path("").join(name), "x").unwrap();
    let place = bench.files().place(name, false).unwrap();
    assert_eq!((place.entry, place.inside), (Entry::File, true));
    assert_eq!(place.real.file_name(), Some(name));
}

#[test]
fn a_workspace_reached_through_a_link_is_still_the_workspace() {
    let bench = Bench::new();
    let link = bench.home().join("link");
    symlink(bench.path(""), &link).unwrap();
    let files = Files::new(link.clone(), link, None, bench.locks());
    let place = files.resolve("x").unwrap();
    assert_eq!((place.display.as_str(), place.inside), ("x", true));
    assert_eq!(place.real, bench.path("x"));
    assert_eq!(
        files
            .resolve(bench.path("y").to_str().unwrap())
            .unwrap()
            .display,
        "y"
    );
}
