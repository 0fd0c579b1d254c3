//! Lines that set what their own later words, or the programs in them, go by; and programs that follow the links
//! they meet. None of them only reads.

use super::*;

#[test]
fn what_changes_its_words_or_follows_links_asks() {
    let world = World::new();
    for line in [
        "printf '%n' PATH; ls",
        "printf '%5n' PATH",
        "printf '%*n' 1 PATH",
        "printf '%s%n' a PATH b PATH",
        "printf \"%ln\" PATH; ls",
        "for PATH in 0; do ls; done",
        "for GLOBIGNORE in x; do ls *; done",
        "for HOME in /etc; do cat ~/passwd; done",
        "diff src docs",
        "diff -q src docs",
        "diff a docs",
        "diff docs/link a",
        "ls -L docs",
        "grep -R x src",
        "rg -L x src",
        "find -L src",
        "stat -L docs/link",
    ] {
        assert_eq!(world.action(line), Action::Ask, "{line:?}");
    }
}
