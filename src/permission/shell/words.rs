//! The words of a command as the tree has them: what each stands for, where that is certain.
//!
//! One opinion of two; the other is the reader of plain commands. Nothing is expanded.

use tree_sitter::Node;

/// What the word at `node` stands for. `None` where it hangs on a variable, a substitution, an escape that
/// only some shells know.
pub(super) fn literal(node: Node<'_>, line: &str) -> Option<String> {
    match node.kind() {
        "command_name" => node.child(0).and_then(|name| literal_part(name, line)),
        _ => literal_part(node, line),
    }
}

fn literal_part(node: Node<'_>, line: &str) -> Option<String> {
    if node.kind() != "concatenation" {
        return part(node, line);
    }
    let mut whole = String::new();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        whole.push_str(&part(child, line)?);
    }
    Some(whole)
}

fn part(node: Node<'_>, line: &str) -> Option<String> {
    let text = line.get(node.byte_range())?;
    match node.kind() {
        "word" => Some(unescaped(text, |_| true)),
        // As it is written: what it stands for is worked out elsewhere.
        "brace_expression" => Some(text.to_owned()),
        "number" if node.child_count() == 0 => Some(text.to_owned()),
        "raw_string" => Some(text.strip_prefix('\'')?.strip_suffix('\'')?.to_owned()),
        "string" => {
            let mut cursor = node.walk();
            let is_text = |child: Node<'_>| !child.is_named() || child.kind() == "string_content";
            let inner = text.strip_prefix('"')?.strip_suffix('"')?;
            let certain = node.children(&mut cursor).all(is_text);
            certain.then(|| unescaped(inner, |c| "$`\"\\".contains(c)))
        }
        _ => None,
    }
}

/// `text` without the backslashes that quote; a line that goes on is joined.
fn unescaped(text: &str, quotes: impl Fn(char) -> bool) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, rest.clone().next()) {
            ('\\', Some('\n')) => drop(rest.next()),
            ('\\', Some(next)) if quotes(next) => plain.extend(rest.next()),
            _ => plain.push(c),
        }
    }
    plain
}
