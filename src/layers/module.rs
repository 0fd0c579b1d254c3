//! The names under which `require` finds a module file.
//!
//! They follow from the path alone, as Lua's own search would have it.

/// The dotted names of the module at `below`, a path inside a `lua/` folder: `a/b.lua` is `a.b`, and
/// `a/init.lua` is `a` as well as `a.init`. A name with a dot in it, or a path that is no text, has none:
/// `require` could not tell its parts.
pub(super) fn names(below: &str) -> Vec<String> {
    let Some(path) = below.strip_suffix(".lua") else {
        return Vec::new();
    };
    let is_plain = |part: &str| !part.is_empty() && !part.contains('.');
    if !path.split('/').all(is_plain) {
        return Vec::new();
    }
    let dotted = path.replace('/', ".");
    let folder = dotted.strip_suffix(".init").map(str::to_owned);
    std::iter::once(dotted).chain(folder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follow_from_the_path() {
        assert_eq!(names("a.lua"), ["a"]);
        assert_eq!(names("a/b/c.lua"), ["a.b.c"]);
        assert_eq!(names("a/init.lua"), ["a.init", "a"]);
        assert_eq!(names("init.lua"), ["init"]);
        for none in ["a.txt", "a.b.lua", "a..lua", ".lua", "a/.b.lua", "a//b.lua"] {
            assert!(names(none).is_empty(), "{none}");
        }
    }
}
