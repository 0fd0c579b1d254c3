//! A number with its noun, as a person writes it: `1 line`, `2 lines`, `3 entries`.
//! It knows the regular plurals of English and no others.

use super::one_line;

/// `count` and `noun`, which is given in the singular.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        return format!("1 {noun}");
    }
    let is_hissed = ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ if is_hissed => format!("{count} {noun}es"),
        _ => format!("{count} {noun}s"),
    }
}

/// `a, b`, or `a, b and 3 more` where there are more than `most`; each stays on the line.
pub fn named(names: &[impl AsRef<str>], most: usize) -> String {
    let shown = names.iter().take(most);
    let shown: Vec<String> = shown.map(|name| one_line(name.as_ref())).collect();
    let shown = shown.join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_people_do() {
        for (count, noun, wanted) in [
            (0, "byte", "0 bytes"),
            (1, "entry", "1 entry"),
            (2, "more entry", "2 more entries"),
            (2, "match", "2 matches"),
            (3, "key", "3 keys"),
            (1, "match", "1 match"),
        ] {
            assert_eq!(counted(count, noun), wanted);
        }
    }
}
