//! What a refusal says to try: fitting what refused, and who reads it.

use crate::program::Program;

fn workspace() -> Program {
    let surfaces = "return { command = { params = { commands = { 'git *' } } } }";
    let rules = "return { rules = { { 'edit', 'u/**', 'deny' }, { 'edit', 'm/**', function() error('x') end } } }";
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("AGENTS.md", "```permissions\ndeny edit:p/**\n```\n")
        .file("own/permissions.lua", rules)
        .file("limits/surfaces.lua", surfaces)
        .file(
            "hook/no.lua",
            "agent.on('tool.before', function() return 'deny', 'not today' end)",
        )
        .file(
            "raise/no.lua",
            "agent.on('tool.before', function() error { kind = 'denied', message = 'no' } end)",
        )
        .env("AGENT_PERMISSION", "deny edit:e/**")
}

/// Options, a tool, what it is called with; what a person is told to try, and what a model is.
type Refused = (
    &'static [&'static str],
    &'static str,
    String,
    &'static str,
    &'static str,
);

fn refusals() -> [Refused; 9] {
    let write = |path: &str| format!(r#"{{"path":"{path}","content":"x"}}"#);
    [
        (
            &["--deny", "edit:c/**"],
            "write",
            write("c/x"),
            "leave that --deny out",
            "change the rule",
        ),
        (
            &[],
            "write",
            write("e/x"),
            "AGENT_PERMISSION",
            "change the rule",
        ),
        (&[], "write", write("p/x"), "AGENTS.md", "change the rule"),
        (
            &["--tools", "own"],
            "write",
            write("u/x"),
            "change the rule where it stands",
            "change the rule",
        ),
        (
            &["--tools", "own"],
            "write",
            write("m/x"),
            "change the rule where it stands",
            "change the rule",
        ),
        (
            &["--tools", "limits"],
            "shell",
            "make it".into(),
            "widen the limit",
            "limited to",
        ),
        (
            &["--mode", "plan"],
            "write",
            write("c/x"),
            "choose another mode",
            "another mode",
        ),
        (
            &["--tools", "hook"],
            "write",
            write("c/x"),
            "the hook objects to",
            "heed what the hook says",
        ),
        (
            &["--tools", "raise"],
            "write",
            write("c/x"),
            "the hook objects to",
            "heed what the hook says",
        ),
    ]
}

#[test]
fn a_refusal_says_what_to_try_by_what_refused_and_to_whom() {
    let to_a_model = "do not retry";
    let table = refusals();
    let program = workspace();
    for (options, tool, given, person, model) in table {
        let call = |caller: &str| {
            let options = [options, &["--as", caller]].concat();
            let ran = program.run(&[&options[..], &["call", tool, &given]].concat());
            ran.exits(3).stderr().to_owned()
        };
        let said = call("user");
        assert!(said.contains(person), "{options:?} {given}: {said}");
        assert!(
            !said.contains(to_a_model) && !said.contains("the person"),
            "{said}"
        );
        let said = call("model");
        assert!(
            said.contains(to_a_model) && said.contains(model),
            "{options:?} {given}: {said}"
        );
    }
}

#[test]
fn a_policy_with_a_slip_is_told_of_as_a_file() {
    let slips = [
        (
            "permissions",
            "return { rules = { { 'edit', 'a', 'alow' } } }",
            "did you mean `allow`?",
        ),
        (
            "permissions",
            "return { cases = { { 'edit', 'a', 'aks' } } }",
            "did you mean `ask`?",
        ),
        (
            "permissions",
            "return { mode = 'paln' }",
            "did you mean `plan`?",
        ),
        (
            "permissions",
            "return { rules = { { 'edit', 'a', 7 } } }",
            "a function, got",
        ),
        (
            "truncation",
            "return { default = { lines = 'x' } }",
            "lines",
        ),
    ];
    for (name, text, said) in slips {
        let program = Program::new().file(&format!("own/{name}.lua"), text);
        let ran = program.run(&["--tools", "own", "call", "list"]);
        ran.exits(2).says(said).says("mend the file");
        assert!(!ran.stderr().contains("call again"), "{ran}");
    }
}
