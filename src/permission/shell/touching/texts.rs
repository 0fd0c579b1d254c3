//! Paths inside of a word: behind a sign that divides it, and in the small programs that some programs are given.
//!
//! Texts of `sed`, `awk` and interpreters are cut into pieces, not read: a piece too many does no harm.

/// What the words of a program are, besides paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Text {
    #[default]
    None,
    /// Scripts of `sed`.
    Sed,
    /// Programs in some other language.
    Program,
}

/// How many places of one word are looked at.
const MOST: usize = 64;

/// The parts of a word that may be paths by themselves: behind `NAME=` and `@`, around `:` and `,`.
pub(super) fn values(text: &str) -> Vec<&str> {
    if text.contains("://") {
        return Vec::new();
    }
    let assigned = text.split_once('=').map(|(_, value)| value);
    let pieces = text
        .split(['=', ':', ','])
        .filter(|piece| piece.len() < text.len());
    let mut all: Vec<&str> = pieces.filter(is_path).take(MOST).collect();
    all.extend(assigned);
    let named: Vec<&str> = all
        .iter()
        .filter_map(|piece| piece.strip_prefix('@'))
        .collect();
    all.extend(text.strip_prefix('@').into_iter().chain(named));
    all
}

fn is_path(piece: &&str) -> bool {
    piece.contains('/') || piece.starts_with('.')
}

/// What a text names that looks like a path.
pub(super) fn named(kind: Text, text: &str) -> Vec<&str> {
    let is_program = text.contains(|c: char| c.is_whitespace() || "'\"()`".contains(c));
    if kind != Text::Program || !is_program {
        return Vec::new();
    }
    let divides = |c: char| c.is_whitespace() || "'\"`()[]{};,|&<>=".contains(c);
    let pieces = text.split(divides);
    pieces.filter(is_path).take(MOST).collect()
}

/// The files that a script of `sed` writes to: what stands behind a `w`, to the end of its line.
pub(super) fn written(kind: Text, text: &str) -> Vec<&str> {
    if kind != Text::Sed {
        return Vec::new();
    }
    let mut all = Vec::new();
    for line in text.lines() {
        for (at, _) in line.match_indices(['w', 'W']) {
            let before = line[..at].trim_end().chars().next_back();
            let ends = |c: char| c.is_ascii_digit() || "/|#,;:{}$gpIiMme!".contains(c);
            if before.is_none_or(ends) {
                all.push(line[at + 1..].trim());
            }
        }
    }
    all.truncate(MOST);
    all
}
