//! Which patterns reach below which folders.

use super::super::bounds::Bounds;
use super::super::{Group, Subject};
use super::*;

#[test]
fn a_pattern_reaches_below_a_folder_or_it_does_not() {
    let bounds = Bounds {
        workspace: "/home/ann/w".to_owned(),
        home: "/home/ann".to_owned(),
        ..Bounds::default()
    };
    let reaches = |pattern: &str, folder: &str, real: &str| {
        let subject = Subject::path(Group::Read, folder, real, real.starts_with("/home/ann/w"));
        reaches_below(pattern, &Facts::of(&subject, &bounds), &bounds)
    };
    for (pattern, folder, real, expected) in [
        ("secret/**", ".", "/home/ann/w", true),
        ("secret/**", "src", "/home/ann/w/src", false),
        ("secret/**", "secret", "/home/ann/w/secret", true),
        ("secret/**", "secret/deep", "/home/ann/w/secret/deep", true),
        ("secret/**", "secrets", "/home/ann/w/secrets", false),
        ("secret/**", "link", "/home/ann/w/secret", true),
        ("secret/**", "..", "/home/ann", true),
        ("secret/**", "/", "/", true),
        ("secret/**", "../x", "/home/ann/x", false),
        ("secret", "secret", "/home/ann/w/secret", false),
        ("secret", ".", "/home/ann/w", true),
        ("./secret/x", ".", "/home/ann/w", true),
        ("a/secret/*", "a", "/home/ann/w/a", true),
        ("a/secret/*", "b", "/home/ann/w/b", false),
        ("?/secret/*", "b", "/home/ann/w/b", true),
        ("**/.env", "src", "/home/ann/w/src", true),
        ("*.pem", "src", "/home/ann/w/src", true),
        ("s*", "src", "/home/ann/w/src", true),
        ("s*", "a", "/home/ann/w/a", false),
        ("/home/ann/w/secret/**", ".", "/home/ann/w", true),
        ("/home/ann/w/secret/**", "..", "/home/ann", true),
        ("~/w/secret/**", "..", "/home/ann", true),
        ("~/notes/**", ".", "/home/ann/w", false),
        ("~/notes/**", "..", "/home/ann", true),
        ("/etc/**", ".", "/home/ann/w", false),
        ("/etc/**", "/", "/", true),
        ("$HOME/w/x/*", ".", "/home/ann/w", true),
    ] {
        assert_eq!(
            reaches(pattern, folder, real),
            expected,
            "{pattern} below {folder}"
        );
    }
}
