//! A line cut into its simple commands and redirects by a grammar of bash, each with where it would run.
//!
//! The walk is a loop over a cursor, whatever the depth. What the grammar calls an error makes the whole
//! line undecidable, and so does what changes the meaning of later words.

mod redirect;

use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::folders::{Folders, Joint};
use super::grammar::parse;
use super::moving::{self, Move};
use super::words::literal;
use super::{MANY, MOST_COMMANDS};

/// What may leave the shell in another folder, or change what its words mean, in ways that are not followed.
const MOVING: [&str; 12] = [
    "pushd", "popd", "builtin", "command", "eval", "source", ".", "alias", "exec", "trap", "shopt",
    "set",
];

/// How often the shell is followed to another folder.
const MOST_MOVES: usize = 64;

/// What kind of command one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name and its arguments.
    Command,
    /// `[ … ]`, `[[ … ]]`.
    Test,
    /// What the shell does itself: assignments, declarations, `(( … ))`.
    Other,
}

/// One simple command.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// Where its words stand, redirects and assignments left out.
    pub(super) raw: Vec<Range<usize>>,
    /// What each stands for, where that is certain.
    pub(super) words: Vec<Option<String>>,
    /// Where it stands as a whole, assignments included.
    pub(super) whole: Range<usize>,
    /// Variables are set for it.
    pub(super) assigns: bool,
    /// The folders that it could run in.
    pub(super) folders: Vec<String>,
    /// Where in the line it stands, without what is assigned or redirected before its first word.
    pub(super) place: Range<usize>,
}

/// Where the input of something comes from or its output goes to.
#[derive(Debug)]
pub(super) struct Redirect {
    /// Whether it could change what is there.
    pub(super) writes: bool,
    /// What is written there, if it is a word that stands for itself.
    pub(super) target: Option<String>,
    /// As it is written.
    pub(super) raw: String,
    pub(super) folders: Vec<String>,
    /// A descriptor that programs do not know by number.
    pub(super) unusual: bool,
}

/// All that was found.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) commands: Vec<Found>,
    pub(super) redirects: Vec<Redirect>,
    /// The words that redirects go to.
    pub(super) targets: Vec<Range<usize>>,
    /// The names of the functions that it defines.
    pub(super) functions: Vec<Range<usize>>,
    /// Its comments.
    pub(super) comments: Vec<Range<usize>>,
    /// Why the line cannot be taken apart.
    pub(super) odd: Option<&'static str>,
    /// Nobody knows in which folder the commands run: each could be any that the line names.
    pub(super) adrift: bool,
    /// None of it may count as only reading.
    pub(super) lost: bool,
    /// It was not read to its end.
    pub(super) cut: bool,
}

/// Takes `line` apart, which begins in one of the folders `start`, if anybody knows; `home` is where a bare `cd`
/// goes.
pub(super) fn read(line: &str, start: &[String], home: &str) -> Tree {
    let Some(tree) = parse(line) else {
        return Tree {
            odd: Some("it is too hard to read"),
            cut: true,
            ..Tree::default()
        };
    };
    let root = tree.root_node();
    let mut walk = Walk {
        line,
        home,
        found: Tree {
            odd: root.has_error().then_some("it is no whole command line"),
            ..Tree::default()
        },
        folders: Folders::at(start.to_vec()),
        outer: Vec::new(),
        begun: Vec::new(),
        skippable: Vec::new(),
        arithmetic: 0..0,
        loops: 0,
        moves: 0,
    };
    walk.run(&mut root.walk());
    let is_odd = walk.found.odd.is_some();
    walk.found.adrift =
        walk.folders.lost || walk.moves_later() || (is_odd && moving::mentions(line));
    walk.found.lost |= walk.found.adrift || is_odd;
    if walk.found.adrift {
        moving::scatter(&mut walk.found, start);
    }
    walk.found.targets.sort_by_key(|target| target.start);
    walk.found.commands.sort_by_key(|found| found.place.start);
    walk.found
}

/// Something under way: a command, or what redirects stand beside.
struct Begun {
    here: Vec<String>,
    /// How many commands were found before.
    at: usize,
    is_command: bool,
}

struct Walk<'a> {
    line: &'a str,
    home: &'a str,
    found: Tree,
    folders: Folders,
    /// The folders around what cannot change them.
    outer: Vec<Folders>,
    /// Where what is under way began: commands, and what redirects stand beside.
    begun: Vec<Begun>,
    /// The folders around what may not be run at all.
    skippable: Vec<Option<Folders>>,
    /// The inside of what is counted with: no commands.
    arithmetic: Range<usize>,
    loops: usize,
    moves: usize,
}

impl Walk<'_> {
    fn run(&mut self, cursor: &mut TreeCursor<'_>) {
        loop {
            self.enter(cursor);
            if self.found.commands.len() > MOST_COMMANDS {
                self.found.odd.get_or_insert(MANY);
                self.found.cut = true;
                return;
            }
            if cursor.goto_first_child() {
                continue;
            }
            loop {
                self.leave(cursor.node());
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn enter(&mut self, cursor: &TreeCursor<'_>) {
        let node = cursor.node();
        if self.arithmetic.contains(&node.start_byte()) {
            return;
        }
        match node.kind() {
            "&&" => self.folders.join(Joint::And),
            "||" => self.folders.join(Joint::Or),
            ";" | "&" | "\n" | "|" | "|&" | ";;" | ";&" | ";;&" => self.folders.join(Joint::Then),
            "subshell" | "command_substitution" | "process_substitution" | "pipeline" => {
                let inner = self.folders.inner();
                self.outer.push(std::mem::replace(&mut self.folders, inner));
            }
            "redirected_statement" => {
                let begun = self.begun(false);
                self.begun.push(begun);
            }
            "heredoc_redirect" | "herestring_redirect" => {
                self.found.odd.get_or_insert("it can be read in two ways");
            }
            "file_redirect" => self.redirect(node),
            "comment" => self.found.comments.push(node.byte_range()),
            "function_definition" => {
                let name = node.child_by_field_name("name");
                self.found
                    .functions
                    .extend(name.map(|name| name.byte_range()));
            }
            "((" => self.counted(cursor),
            _ if is_a_command(node) => self.command(node),
            kind if holds(kind) => {
                self.loops += usize::from(repeats(kind));
                let is_certain = kind == "compound_statement" && self.folders.is_certain();
                let skipped = (!is_certain).then(|| self.folders.clone());
                self.skippable.push(skipped);
            }
            _ => {}
        }
    }

    fn leave(&mut self, node: Node<'_>) {
        if self.arithmetic.contains(&node.start_byte()) {
            return;
        }
        match node.kind() {
            "subshell" | "command_substitution" | "process_substitution" | "pipeline" => {
                let lost = self.folders.lost;
                if let Some(outer) = self.outer.pop() {
                    self.folders = outer;
                    self.folders.lost |= lost;
                    if matches!(node.kind(), "subshell" | "pipeline") {
                        let here = self.folders.begin();
                        self.folders.end(here, None);
                    }
                }
            }
            "redirected_statement" => drop(self.begun.pop()),
            "((" => self.ended(),
            "negated_command" => self.folders.blur(),
            _ if is_a_command(node) => self.ended(),
            kind if holds(kind) => {
                self.loops -= usize::from(repeats(kind));
                if let Some(skipped) = self.skippable.pop().flatten() {
                    self.folders.blur();
                    self.folders.or(&skipped);
                }
            }
            _ => {}
        }
    }

    /// `((` stands at the cursor: up to its end it is one command that nobody knows.
    fn counted(&mut self, cursor: &TreeCursor<'_>) {
        let (node, mut after) = (cursor.node(), cursor.clone());
        while after.node().kind() != "))" && after.goto_next_sibling() {}
        let end = after.node().end_byte();
        let place = node.start_byte()..end;
        self.arithmetic = node.end_byte()..end;
        let begun = self.begun(true);
        let folders = begun.here.clone();
        self.begun.push(begun);
        self.found.commands.push(Found {
            kind: Kind::Other,
            raw: Vec::new(),
            words: Vec::new(),
            whole: place.clone(),
            assigns: false,
            folders,
            place,
        });
    }

    /// Whether functions could be called in another folder than they are defined in.
    fn moves_later(&self) -> bool {
        let moves = |found: &Found| {
            let name = found.words.first().map(Option::as_deref);
            matches!(name, Some(None | Some("cd")))
        };
        !self.found.functions.is_empty() && self.found.commands.iter().any(moves)
    }

    /// A command has ended: where that leaves the shell.
    fn ended(&mut self) {
        let Some(Begun { here, at, .. }) = self.begun.pop_if(|begun| begun.is_command) else {
            return;
        };
        let found = &self.found.commands[at];
        let raw = found.raw.last().cloned().and_then(|raw| self.line.get(raw));
        match moving::of(&found.words, raw.unwrap_or_default(), self.home, self.line) {
            Move::Stays => self.folders.end(here, None),
            Move::Lost => {
                self.folders.lost = true;
                self.folders.end(here, None);
            }
            Move::To(_) if self.moves == MOST_MOVES => {
                self.folders.lost = true;
                self.folders.end(here, None);
            }
            Move::To(to) => {
                self.moves += 1;
                self.folders.lost |= self.loops > 0;
                self.folders.end(here, Some(&to));
            }
        }
    }

    fn command(&mut self, node: Node<'_>) {
        let begun = self.begun(true);
        let folders = begun.here.clone();
        self.begun.push(begun);
        let text = self.line.get(node.byte_range()).unwrap_or_default();
        let kind = match node.kind() {
            "command" => Kind::Command,
            "test_command" if text.starts_with("[ ") || text.starts_with("[[ ") => Kind::Test,
            _ => Kind::Other,
        };
        let mut found = Found {
            kind,
            raw: Vec::new(),
            words: Vec::new(),
            whole: node.byte_range(),
            assigns: false,
            folders,
            place: node.byte_range(),
        };
        let mut first = None;
        if kind == Kind::Command {
            let mut cursor = node.walk();
            for child in node.children(&mut cursor) {
                match child.kind() {
                    "variable_assignment" => found.assigns = true,
                    "file_redirect" | "herestring_redirect" | "heredoc_redirect" | "comment" => {}
                    _ => {
                        first.get_or_insert(child.start_byte());
                        found.raw.push(child.byte_range());
                        found.words.push(literal(child, self.line));
                    }
                }
            }
        }
        found.place.start = first.unwrap_or(found.place.start);
        self.found.commands.push(found);
    }

    fn begun(&mut self, is_command: bool) -> Begun {
        Begun {
            here: self.folders.begin(),
            at: self.found.commands.len(),
            is_command,
        }
    }
}

/// What is one command: assignments that stand alone are.
fn is_a_command(node: Node<'_>) -> bool {
    const AROUND: [&str; 3] = ["command", "declaration_command", "variable_assignments"];
    match node.kind() {
        "command"
        | "test_command"
        | "declaration_command"
        | "unset_command"
        | "variable_assignments" => true,
        "variable_assignment" => {
            let around = node.parent();
            !around.is_some_and(|around| AROUND.contains(&around.kind()))
        }
        _ => false,
    }
}

/// What holds commands that may not be run, or run again.
fn holds(kind: &str) -> bool {
    repeats(kind)
        || matches!(
            kind,
            "if_statement" | "case_statement" | "compound_statement"
        )
}

fn repeats(kind: &str) -> bool {
    matches!(
        kind,
        "while_statement" | "for_statement" | "c_style_for_statement"
    )
}
