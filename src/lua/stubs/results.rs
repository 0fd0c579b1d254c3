//! What the results of shipped tools hold, by name and type. Dispatch hands facts on as data, so nothing else says it;
//! the test suite compares it with what the tools return.

/// One fact of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type, as LuaLS writes it; a `?` at the end where only some results have it.
    pub kind: &'static str,
}

/// The facts of the shipped tool `id`; none where it is not known.
pub fn fields(id: &str) -> Option<&'static [Field]> {
    let found = TOOLS.iter().find(|(tool, _)| *tool == id);
    found.map(|(_, fields)| *fields)
}

const fn field(name: &'static str, kind: &'static str) -> Field {
    Field { name, kind }
}

/// What every change to one file tells.
const DIFF: Field = field("diff", "string");
const PATH: Field = field("path", "string");
const ADDITIONS: Field = field("additions", "integer");
const DELETIONS: Field = field("deletions", "integer");
const TODOS: Field = field("todos", "tools.todo[]");

/// Of `read` those of a file; a folder has `entries` and `count` in their place.
const TOOLS: &[(&str, &[Field])] = &[
    (
        "read",
        &[
            PATH,
            field("text", "string"),
            field("hash", "string"),
            field("total_lines", "integer"),
            field("first_line", "integer"),
            field("last_line", "integer"),
            field("encoding", "string"),
            field("line_ending", "string"),
            field("anchors", "string[]?"),
            field("entries", "tools.entry[]?"),
            field("count", "integer?"),
        ],
    ),
    (
        "write",
        &[
            PATH,
            field("created", "boolean"),
            DIFF,
            ADDITIONS,
            DELETIONS,
        ],
    ),
    (
        "edit",
        &[
            PATH,
            field("replacer", "string"),
            field("score", "number"),
            field("spans", "tools.span[]"),
            field("count", "integer"),
            DIFF,
            ADDITIONS,
            DELETIONS,
        ],
    ),
    ("apply_patch", &[field("files", "tools.patched[]"), DIFF]),
    (
        "hashline_edit",
        &[
            PATH,
            field("action", "string"),
            field("moved_to", "string?"),
            field("count", "integer"),
            field("repeated", "integer"),
            field("unchanged", "integer"),
            field("first_line", "integer"),
            DIFF,
            ADDITIONS,
            DELETIONS,
        ],
    ),
    ("move", &[field("paths", "string[]"), DIFF]),
    ("delete", &[field("paths", "string[]"), DIFF]),
    (
        "list",
        &[
            PATH,
            field("entries", "tools.entry[]"),
            field("count", "integer"),
        ],
    ),
    (
        "glob",
        &[field("paths", "string[]"), field("count", "integer")],
    ),
    (
        "grep",
        &[
            field("matches", "tools.match[]"),
            field("paths", "string[]"),
            field("counts", "integer[]"),
            field("count", "integer"),
            field("more", "boolean"),
            field("searched", "integer"),
            field("skipped", "table<string, integer>"),
        ],
    ),
    (
        "shell",
        &[
            field("exit_code", "integer"),
            field("signal", "string?"),
            field("stdout", "string"),
            field("stderr", "string"),
            field("duration", "number"),
            field("timed_out", "boolean"),
            field("ended", "string[]"),
            field("left_running", "string[]"),
        ],
    ),
    (
        "batch",
        &[
            field("calls", "tools.called[]"),
            field("ends_turn", "boolean?"),
        ],
    ),
    ("plan_enter", &[]),
    ("plan_exit", &[]),
    ("tool_search", &[field("opened", "string[]")]),
    ("think", &[field("thought", "string")]),
    ("question", &[field("answers", "tools.answered[]")]),
    ("todo_read", &[TODOS]),
    ("todo_write", &[TODOS]),
];
