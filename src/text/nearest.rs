//! The nearest name to a misspelt one, and the sentence that offers it.
//! It offers only what is near enough to be meant, and never acts on it.

/// The candidate most like `name`, if any is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (closeness(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(score, _)| *score >= 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|(_, candidate)| candidate)
}

/// `did you mean X?`, or the empty text when nothing is near.
pub fn suggestion<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |near| format!("did you mean `{near}`?"))
}

/// `did you mean X?` where something is near, and in any case what there is: `the choices are: A, B`.
pub fn offer<'a>(name: &str, what: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if candidates.is_empty() {
        return format!("there are no {what}");
    }
    let near = suggestion(name, candidates.iter().copied());
    let all = format!("the {what} are: {}", candidates.join(", "));
    format!("{near} {all}").trim_start().to_owned()
}

/// From 0 (nothing in common) to 1 (the same). A transposition counts as one slip, and a name that
/// was merely cut short or extended stays near.
fn closeness(a: &str, b: &str) -> f64 {
    let score = strsim::normalized_damerau_levenshtein(a, b);
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if short.len() >= 3 && long.starts_with(short) {
        score.max(0.75)
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_name_that_was_meant() {
        let names = ["read", "write", "edit", "grep", "glob", "shell"];
        assert_eq!(nearest("raed", names), Some("read"));
        assert_eq!(nearest("Greb", names), Some("grep"));
        assert_eq!(nearest("wri", names), Some("write"));
        assert_eq!(nearest("quux", names), None);
        assert_eq!(suggestion("raed", names), "did you mean `read`?");
        assert_eq!(
            offer("raed", "tools", ["read", "edit"]),
            "did you mean `read`? the tools are: read, edit"
        );
        assert_eq!(offer("x", "tools", ["read"]), "the tools are: read");
        assert_eq!(offer("x", "tools", []), "there are no tools");
    }
}
