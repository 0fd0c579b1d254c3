//! Whether the two readers of a line see the same in it: its commands, word by word, where redirects go, which
//! functions it defines, where comments stand, which texts it feeds to commands.

use std::ops::Range;

use tree_sitter::Node;

use super::grammar::parse;
use super::outline::{Document, Feed, Item, Outline};
use super::tree::{Found, Kind, Tree};

const TWO_WAYS: &str = "it can be read in two ways";

/// Why the readers do not agree on `line`.
pub(super) fn disagreement(line: &str, outline: &Outline, tree: &Tree) -> Option<&'static str> {
    let same = outline.commands.len() == tree.commands.len()
        && outline.targets == tree.targets
        && outline.functions == tree.functions
        && outline.comments == tree.comments
        && outline
            .commands
            .iter()
            .zip(&tree.commands)
            .all(|(item, found)| is_same(item, found));
    (!same || !has_same_documents(line, outline)).then_some(TWO_WAYS)
}

fn is_same(item: &Item, found: &Found) -> bool {
    match found.kind {
        Kind::Command => item.words == found.raw,
        _ => item.place == found.place,
    }
}

/// Texts above which they are not looked at one by one.
const MOST_ALONE: usize = 16;

/// Whether the grammar finds the same texts, where they begin and end and what is run from inside of them.
fn has_same_documents(line: &str, outline: &Outline) -> bool {
    let documents = outline.documents.as_slice();
    // It follows no more than one that begins in a line. Then each has to be found where the others are not.
    let alone = |at: usize| {
        let line = outline.without_documents_but(line, Some(at));
        is_found(&line, &documents[at..=at])
    };
    documents.is_empty()
        || is_found(line, documents)
        || (documents.len() <= MOST_ALONE && (0..documents.len()).all(alone))
}

fn is_found(line: &str, documents: &[Document]) -> bool {
    let Some(tree) = parse(line).filter(|tree| !tree.root_node().has_error()) else {
        return false;
    };
    let mut theirs = Fed::default();
    let mut cursor = tree.walk();
    'walk: loop {
        let is_passed = theirs.enter(cursor.node());
        if !is_passed && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    let mut ours = Fed::default();
    for document in documents {
        let range = &document.redirect;
        match document.kind {
            Feed::Word => ours.strings.push(range.clone()),
            Feed::Quoted(_) | Feed::Open(_) => {
                ours.starts.push(range.start);
                ours.ends.push(document.end.end);
            }
        }
        ours.run.extend_from_slice(&document.substitutions);
    }
    ours.sort();
    theirs.sort();
    ours == theirs
}

/// The texts that a line feeds to commands.
#[derive(Debug, Default, PartialEq, Eq)]
struct Fed {
    /// Where the operators of here-documents begin.
    starts: Vec<usize>,
    /// Where the lines end that end them.
    ends: Vec<usize>,
    /// Here-strings, from their operators on.
    strings: Vec<Range<usize>>,
    /// What is run from inside of texts, the outermost only.
    run: Vec<Range<usize>>,
}

impl Fed {
    /// Takes what matters of a node; whether what is inside of it does not.
    fn enter(&mut self, node: Node<'_>) -> bool {
        match node.kind() {
            "heredoc_redirect" => self.starts.push(node.start_byte()),
            "heredoc_end" => self.ends.push(node.end_byte()),
            "heredoc_body" => {
                self.inside(node);
                return true;
            }
            "herestring_redirect" => {
                self.strings.push(node.byte_range());
                self.inside(node);
                return true;
            }
            _ => {}
        }
        false
    }

    /// The outermost substitutions in `node`.
    fn inside(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        loop {
            let is_run = cursor.node().kind() == "command_substitution";
            if is_run {
                self.run.push(cursor.node().byte_range());
            }
            if !is_run && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn sort(&mut self) {
        self.starts.sort_unstable();
        self.ends.sort_unstable();
        self.strings.sort_by_key(|place| place.start);
        self.run.sort_by_key(|place| place.start);
    }
}
