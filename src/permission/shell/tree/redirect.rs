//! Where redirects go, as the grammar has them, and in which folder that is opened.
//!
//! The grammar takes words that belong to a command for targets; they are given back to it here.

use tree_sitter::Node;

use super::super::words::literal;
use super::{Found, MOVING, Redirect, Walk};

impl Walk<'_> {
    pub(super) fn redirect(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let (mut sign, mut descriptor, mut targets) = ("", "", Vec::new());
        for child in node.children(&mut cursor) {
            let text = self.line.get(child.byte_range()).unwrap_or_default();
            match child.kind() {
                "file_descriptor" => descriptor = text,
                _ if is_target(&node, child) => targets.push(child),
                _ => sign = text,
            }
        }
        let unusual = !matches!(descriptor, "" | "0" | "1" | "2");
        let mut targets = targets.into_iter();
        let first = targets.next();
        // The grammar takes the words after the first for targets, too.
        self.belongs_to_the_command(node, targets.collect());
        let Some(target) = first else {
            // A descriptor is closed.
            return self.found.redirects.push(Redirect {
                writes: false,
                target: None,
                raw: sign.to_owned(),
                folders: Vec::new(),
                unusual: true,
            });
        };
        self.found.targets.push(target.byte_range());
        let raw = self.line.get(target.byte_range()).unwrap_or_default();
        let copies = sign.ends_with('&') && matches!(raw, "0" | "1" | "2");
        let is_command = target.kind() == "process_substitution";
        if (copies || is_command) && !unusual {
            return;
        }
        let folders = self.beside(node);
        self.found.redirects.push(Redirect {
            writes: sign != "<",
            target: literal(target, self.line),
            raw: raw.to_owned(),
            folders,
            unusual: unusual || !matches!(sign, "<" | ">" | ">>" | ">|" | "&>" | "&>>" | ">&"),
        });
    }

    /// The folders in which the redirect at `node` could be opened.
    fn beside(&self, node: Node<'_>) -> Vec<String> {
        let mut folders = Vec::new();
        if let Some(last) = last_of_its_list(node) {
            let within = |found: &&Found| last.byte_range().contains(&found.whole.start);
            let commands = self.found.commands.iter().filter(within);
            folders.extend(commands.flat_map(|found| found.folders.clone()));
        }
        if let Some(begun) = self.begun.last().filter(|_| folders.is_empty()) {
            folders.clone_from(&begun.here);
        }
        folders.sort_unstable();
        folders.dedup();
        folders
    }

    fn belongs_to_the_command(&mut self, redirect: Node<'_>, words: Vec<Node<'_>>) {
        if words.is_empty() {
            return;
        }
        let body = redirect
            .parent()
            .and_then(|parent| parent.child_by_field_name("body"));
        let start = last_of_its_list(redirect)
            .or(body)
            .map(|body| body.start_byte());
        let mut commands = self.found.commands.iter_mut();
        let Some(owner) = commands.find(|found| Some(found.whole.start) == start) else {
            self.found
                .odd
                .get_or_insert("a redirect in it has two targets");
            return;
        };
        let moves = owner.words.first().and_then(Option::as_deref);
        self.folders.lost |= moves.is_some_and(|name| name == "cd" || MOVING.contains(&name));
        for node in words {
            owner.raw.push(node.byte_range());
            owner.words.push(literal(node, self.line));
        }
    }
}

/// The last command of the list or the pipe that the redirect stands beside: the grammar puts what belongs to
/// that one there.
fn last_of_its_list<'t>(redirect: Node<'t>) -> Option<Node<'t>> {
    let body = redirect.parent()?.child_by_field_name("body")?;
    let is_list = matches!(body.kind(), "list" | "pipeline");
    let last = u32::try_from(body.named_child_count())
        .ok()?
        .checked_sub(1)?;
    body.named_child(last).filter(|_| is_list)
}

/// Whether `child` is a target of the redirect.
fn is_target(redirect: &Node<'_>, child: Node<'_>) -> bool {
    let mut cursor = redirect.walk();
    redirect
        .children_by_field_name("destination", &mut cursor)
        .any(|target| target.id() == child.id())
}
