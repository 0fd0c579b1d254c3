//! A line cut into its simple commands and redirects by a grammar of bash, each with where it would run.
//!
//! The walk is a loop over a cursor, whatever the depth. What the grammar calls an error makes the whole
//! line undecidable, and so does what changes the meaning of later words.

use tree_sitter::{Node, TreeCursor};

use super::folders::{Folders, Joint};
use super::grammar::parse;
use super::words::literal;

/// What may leave the shell in another folder, or change what its words mean, in ways that are not followed.
const MOVING: [&str; 12] = [
    "pushd", "popd", "builtin", "command", "eval", "source", ".", "alias", "exec", "trap", "shopt",
    "set",
];

/// What kind of command one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name and its arguments.
    Command,
    /// `[ … ]`.
    Test,
    /// What the shell does itself: assignments, declarations, `[[ … ]]`.
    Other,
}

/// One simple command.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// Its words as they are written, redirects and assignments left out.
    pub(super) raw: Vec<String>,
    /// What each stands for, where that is certain.
    pub(super) words: Vec<Option<String>>,
    /// As it is written, assignments included.
    pub(super) text: String,
    /// Variables are set for it.
    pub(super) assigns: bool,
    /// The folders that it could run in.
    pub(super) folders: Vec<String>,
    /// Where in the line it begins.
    start: usize,
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
    /// Why the line cannot be taken apart.
    pub(super) odd: Option<&'static str>,
    /// Nobody knows in which folder the commands run.
    pub(super) lost: bool,
}

/// Takes `line` apart, which begins in one of the folders `start`, if anybody knows; `home` is where a bare `cd`
/// goes.
pub(super) fn read(line: &str, start: &[String], home: &str) -> Tree {
    let Some(tree) = parse(line) else {
        return Tree {
            odd: Some("it is too hard to read"),
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
        loops: 0,
    };
    walk.run(&mut root.walk());
    walk.found.lost |= walk.folders.lost || walk.found.odd.is_some();
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
    loops: usize,
}

impl Walk<'_> {
    fn run(&mut self, cursor: &mut TreeCursor<'_>) {
        loop {
            self.enter(cursor.node());
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

    fn enter(&mut self, node: Node<'_>) {
        match node.kind() {
            "&&" => self.folders.join(Joint::And),
            "||" => self.folders.join(Joint::Or),
            ";" | "&" | "\n" | "|" | "|&" | ";;" => self.folders.join(Joint::Then),
            "subshell" | "command_substitution" | "process_substitution" | "pipeline" => {
                let inner = self.folders.inner();
                self.outer.push(std::mem::replace(&mut self.folders, inner));
            }
            "redirected_statement" => {
                let begun = self.begun(false);
                self.begun.push(begun);
            }
            "command" | "test_command" | "declaration_command" | "unset_command" => {
                self.command(node);
            }
            "variable_assignment" if !is_within(node, &["command", "declaration_command"]) => {
                self.command(node);
            }
            "file_redirect" => self.redirect(node),
            "while_statement" | "for_statement" => self.loops += 1,
            "function_definition"
            | "c_style_for_statement"
            | "(("
            | "heredoc_redirect"
            | "herestring_redirect" => {
                self.found
                    .odd
                    .get_or_insert("it has more in it than can be followed");
            }
            _ => {}
        }
    }

    fn leave(&mut self, node: Node<'_>) {
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
            "command" | "test_command" | "declaration_command" | "unset_command" => self.ended(),
            "variable_assignment" if !is_within(node, &["command", "declaration_command"]) => {
                self.ended();
            }
            "negated_command" => self.folders.blur(),
            "while_statement" | "for_statement" => self.loops -= 1,
            _ => {}
        }
    }

    /// A command has ended: where that leaves the shell.
    fn ended(&mut self) {
        let Some(Begun { here, at, .. }) = self.begun.pop_if(|begun| begun.is_command) else {
            return;
        };
        let words = &self.found.commands[at].words;
        let name = words.first().and_then(Option::as_deref);
        let to = match (name, &words[words.len().min(1)..]) {
            (Some("cd"), []) => Some(self.home.to_owned()),
            (Some("cd"), [Some(to)]) if can_be_followed(to) => Some(match to.strip_prefix('~') {
                Some(rest) => format!("{}{rest}", self.home),
                None => to.clone(),
            }),
            (Some("cd"), _) => None,
            (Some(name), _) if !MOVING.contains(&name) => return self.folders.end(here, None),
            (Some(_), _) => None,
            (None, _) => return self.folders.end(here, None),
        };
        self.folders.lost |= to.is_none() || self.loops > 0;
        self.folders.end(here, to.as_deref());
    }

    fn command(&mut self, node: Node<'_>) {
        let begun = self.begun(true);
        let folders = begun.here.clone();
        self.begun.push(begun);
        let slice = |node: Node<'_>| self.line.get(node.byte_range()).unwrap_or_default();
        let text = slice(node).to_owned();
        let kind = match node.kind() {
            "command" => Kind::Command,
            "test_command" if text.starts_with("[ ") => Kind::Test,
            _ => Kind::Other,
        };
        let mut found = Found {
            kind,
            raw: Vec::new(),
            words: Vec::new(),
            text,
            assigns: false,
            folders,
            start: node.start_byte(),
        };
        if kind == Kind::Command {
            let mut cursor = node.walk();
            for child in node.children(&mut cursor) {
                match child.kind() {
                    "variable_assignment" => found.assigns = true,
                    "file_redirect" | "herestring_redirect" | "heredoc_redirect" => {}
                    _ => {
                        found.raw.push(slice(child).to_owned());
                        found.words.push(literal(child, self.line));
                    }
                }
            }
        }
        self.found.commands.push(found);
    }

    fn redirect(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let (mut sign, mut descriptor, mut targets) = ("", "", Vec::new());
        for child in node.children(&mut cursor) {
            let text = self.line.get(child.byte_range()).unwrap_or_default();
            match child.kind() {
                "file_descriptor" => descriptor = text,
                _ if cursor_field(&node, child) => targets.push((text, literal(child, self.line))),
                _ => sign = text,
            }
        }
        let unusual = !matches!(descriptor, "" | "0" | "1" | "2");
        let mut targets = targets.into_iter();
        let first = targets.next();
        // The grammar takes the words after the first for targets, too.
        let more: Vec<_> = targets.collect();
        self.belongs_to_the_command(node, more);
        let Some((raw, target)) = first else {
            // A descriptor is closed.
            return self.found.redirects.push(Redirect {
                writes: false,
                target: None,
                raw: sign.to_owned(),
                folders: Vec::new(),
                unusual: true,
            });
        };
        let copies = sign.ends_with('&') && matches!(raw, "0" | "1" | "2");
        if copies && !unusual {
            return;
        }
        let folders = self.beside(node);
        self.found.redirects.push(Redirect {
            writes: sign != "<",
            target,
            raw: raw.to_owned(),
            folders,
            unusual: unusual || !matches!(sign, "<" | ">" | ">>" | ">|" | "&>" | "&>>" | ">&"),
        });
    }

    fn begun(&mut self, is_command: bool) -> Begun {
        Begun {
            here: self.folders.begin(),
            at: self.found.commands.len(),
            is_command,
        }
    }

    /// The folders in which the redirect at `node` could be opened.
    fn beside(&self, node: Node<'_>) -> Vec<String> {
        let last = last_of_its_list(node);
        let within =
            |found: &&Found| last.is_some_and(|last| last.byte_range().contains(&found.start));
        let commands = self.found.commands.iter().filter(within);
        let mut folders: Vec<String> = commands.flat_map(|found| found.folders.clone()).collect();
        if let Some(begun) = self.begun.last().filter(|_| folders.is_empty()) {
            folders.clone_from(&begun.here);
        }
        folders.sort_unstable();
        folders.dedup();
        folders
    }

    fn belongs_to_the_command(&mut self, redirect: Node<'_>, words: Vec<(&str, Option<String>)>) {
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
        let Some(owner) = commands.find(|found| Some(found.start) == start) else {
            self.found
                .odd
                .get_or_insert("a redirect in it has two targets");
            return;
        };
        let moves = owner.words.first().and_then(Option::as_deref);
        self.folders.lost |= moves.is_some_and(|name| name == "cd" || MOVING.contains(&name));
        for (raw, word) in words {
            owner.raw.push(raw.to_owned());
            owner.words.push(word);
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

/// A folder that `cd` finds by its name alone.
fn can_be_followed(to: &str) -> bool {
    let odd = |c: char| "*?[".contains(c);
    let is_home = to == "~" || to.starts_with("~/");
    !to.is_empty() && !to.contains(odd) && !to.starts_with('-') && (is_home || !to.starts_with('~'))
}

/// Whether `child` is a target of the redirect.
fn cursor_field(redirect: &Node<'_>, child: Node<'_>) -> bool {
    let mut cursor = redirect.walk();
    redirect
        .children_by_field_name("destination", &mut cursor)
        .any(|target| target.id() == child.id())
}

fn is_within(node: Node<'_>, kinds: &[&str]) -> bool {
    node.parent()
        .is_some_and(|parent| kinds.contains(&parent.kind()))
}
