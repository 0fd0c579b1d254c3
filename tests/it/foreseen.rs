//! `agent permissions explain` where more than the path counts: functions of rules, hooks, tools in Lua; and that
//! what it advises does what it says.
//!
//! A verdict is compared with what the call itself meets once the model has read the file.

use serde_json::Value;

use crate::program::Program;

/// A policy that counts lines.
const COUNTS: &str = "local function much(call)
  if (call.additions or 0) > 3 then return 'ask', call.additions .. ' lines come' end
  if (call.deletions or 0) > 3 then return 'deny', call.deletions .. ' lines go' end
end
return { rules = { { 'edit', 'allow' }, { 'edit', '*', much } } }";

fn workspace() -> Program {
    Program::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("src/a.rs", "x\ny\n")
        .file("src/long.rs", "1\n2\n3\n4\n5\n")
        .file("own/permissions.lua", COUNTS)
}

fn explained(program: &Program, options: &[&str], words: &[&str]) -> Value {
    let asked = ["permissions", "explain"];
    let ran = program.run(&[options, &["-o", "json"], &asked, words].concat());
    ran.exits(0).json()
}

fn page(program: &Program, options: &[&str], words: &[&str]) -> String {
    let ran = program.run(&[options, &["permissions", "explain"], words].concat());
    ran.exits(0).stdout().to_owned()
}

/// Calls that change much or little, of files that are there, with what the policy says of each.
const CHANGES: [(&str, &str, &str); 14] = [
    (
        "edit",
        r#"{"path":"src/a.rs","old":"x","new":"1\n2\n3\n4\n5"}"#,
        "ask",
    ),
    (
        "edit",
        r#"{"path":"src/a.rs","old":"x","new":"z"}"#,
        "allow",
    ),
    (
        "edit",
        r#"{"path":"src/long.rs","old":"1\n2\n3\n4\n","new":""}"#,
        "deny",
    ),
    (
        "write",
        r#"{"path":"src/a.rs","content":"1\n2\n3\n4\n5\n"}"#,
        "ask",
    ),
    (
        "write",
        r#"{"path":"src/a.rs","content":"x\nz\n"}"#,
        "allow",
    ),
    ("write", r#"{"path":"src/long.rs","content":"1\n"}"#, "deny"),
    (
        "write",
        r#"{"path":"new.rs","content":"1\n2\n3\n4\n5\n"}"#,
        "ask",
    ),
    (
        "apply_patch",
        r#"{"patch":"*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+1\n+2\n+3\n+4\n*** End Patch"}"#,
        "ask",
    ),
    (
        "apply_patch",
        r#"{"patch":"*** Begin Patch\n*** Delete File: src/long.rs\n*** End Patch"}"#,
        "deny",
    ),
    (
        "hashline_edit",
        r#"{"path":"src/a.rs","edits":[{"op":"append","lines":["1","2","3","4"]}]}"#,
        "ask",
    ),
    (
        "hashline_edit",
        r#"{"path":"src/long.rs","delete":true}"#,
        "deny",
    ),
    ("delete", r#"{"path":"src/long.rs"}"#, "deny"),
    ("delete", r#"{"path":"src/a.rs"}"#, "allow"),
    ("move", r#"{"from":"src/long.rs","to":"src/b.rs"}"#, "allow"),
];

#[test]
fn what_a_function_counts_is_foreseen_of_files_that_are_there_read_or_not() {
    for (tool, args, verdict) in CHANGES {
        let program = workspace();
        let told = |caller| {
            explained(&program, &["--tools", "own", "--as", caller], &[tool, args])["verdict"]
                .clone()
        };
        assert_eq!(
            [told("model"), told("user")],
            [verdict, verdict],
            "{tool} {args}"
        );
        let code = format!(
            "local ends = agent.replay {{ {{ tool = 'read', args = {{ path = 'src/a.rs' }} }},
               {{ tool = 'read', args = {{ path = 'src/long.rs' }} }},
               {{ tool = '{tool}', args = agent.json.decode [==[{args}]==] }} }}
             return ends[3].ok and 'allow' or ends[3].kind"
        );
        let met = program.run(&["--tools", "own", "eval", &code]);
        let expected = match verdict {
            "allow" => "allow\n",
            _ => "denied\n",
        };
        met.prints(expected);
    }
}

#[test]
fn where_no_file_is_there_the_arguments_tell_what_they_can() {
    let gone = [
        (
            "edit",
            r#"{"path":"no.rs","old":"x","new":"1\n2\n3\n4\n5"}"#,
            "ask",
        ),
        (
            "edit",
            r#"{"path":"no.rs","old":"1\n2\n3\n4","new":"5"}"#,
            "deny",
        ),
        ("edit", r#"{"path":"no.rs","old":"x","new":"y"}"#, "allow"),
        (
            "apply_patch",
            r#"{"patch":"*** Begin Patch\n*** Update File: no.rs\n@@\n-1\n-2\n-3\n-4\n+5\n*** End Patch"}"#,
            "deny",
        ),
        (
            "hashline_edit",
            r#"{"path":"no.rs","edits":[{"op":"replace","pos":"2#abc","end":"9#abd","lines":["1"]}]}"#,
            "deny",
        ),
        (
            "hashline_edit",
            r#"{"path":"no.rs","edits":[{"op":"append","pos":"2#abc","lines":["1","2","3","4"]}]}"#,
            "ask",
        ),
        ("delete", r#"{"path":"no.rs"}"#, "allow"),
    ];
    let program = workspace();
    for (tool, args, verdict) in gone {
        for caller in ["user", "model"] {
            let told = explained(&program, &["--tools", "own", "--as", caller], &[tool, args]);
            assert_eq!(told["verdict"], verdict, "{caller} {tool} {args}: {told}");
        }
    }
    // Anchors that are not current: a call would show the lines; the question is about the edit.
    let stale = r#"{"path":"src/long.rs","edits":[{"op":"delete","pos":"1#zzz","end":"5#zzz"}]}"#;
    let told = explained(
        &program,
        &["--tools", "own", "--as", "model"],
        &["hashline_edit", stale],
    );
    assert_eq!(told["verdict"], "deny", "{told}");
}

#[test]
fn that_hooks_and_calls_of_its_own_may_come_is_said_with_the_place() {
    let guards = "agent.on('tool.before', function() error('it ran') end)
agent.on('permission.ask', function() error('it ran') end, { tools = 'write' })
agent.on('tool.after', function() error('it ran') end)";
    let mine =
        "return { effect = 'read', execute = function() return tools.shell('true').output end }";
    let program = workspace()
        .file("t/guards.lua", guards)
        .file("t/mine.lua", mine);
    let options = ["--tools", "t", "--as", "model"];
    let asked = page(&program, &options, &["write", "a.txt"]);
    assert!(
        asked.contains("2 hooks may still refuse: t/guards.lua:1 (tool.before), t/guards.lua:2 (permission.ask)"),
        "{asked}"
    );
    assert!(!asked.contains("one by one"), "{asked}");
    let read = page(&program, &options, &["read", "src/a.rs"]);
    assert!(
        read.contains("1 hook may still refuse: t/guards.lua:1"),
        "{read}"
    );
    let own = page(&program, &options, &["mine", "x"]);
    assert!(own.contains("calls that it makes itself"), "{own}");
    assert!(own.contains("are judged one by one"), "{own}");
    let told = explained(&program, &options, &["mine", "x"]);
    assert_eq!(told["may_call"], true);
    assert_eq!(told["hooks"][0]["at"], "tool.before");
    assert_eq!(told["hooks"][0]["place"], "t/guards.lua:1");
    let denied = page(
        &program,
        &[&options[..], &["--deny", "mine"]].concat(),
        &["mine", "x"],
    );
    assert!(!denied.contains("cannot be told"), "{denied}");
    let plain = page(&workspace(), &[], &["read", "src/a.rs"]);
    assert!(!plain.contains("cannot be told"), "{plain}");
}

/// Options, a tool, what it is called with, and whether a rule would let it through.
type Advised = (&'static [&'static str], &'static str, &'static str, bool);

#[test]
fn what_is_advised_does_what_it_says_whatever_stands_in_the_way() {
    let own = "local function no(call)
  if call.args.path == 'f/deny' then return 'deny', 'never' end
  if call.args.path == 'f/ask' then return 'ask', 'perhaps' end
  if call.args.path == 'f/raise' then error('broken') end
end
return { rules = { { 'edit', 'f/**', no }, { 'edit', 'u/ask', 'ask' }, { 'edit', 'u/deny', 'deny' } } }";
    let surfaces = "return { command = { params = { commands = { 'git *' } } } }";
    let program = workspace()
        .file("own/permissions.lua", own)
        .file("limits/surfaces.lua", surfaces)
        .file(
            "AGENTS.md",
            "```permissions\nask edit:p/ask\ndeny edit:p/deny\n```\n",
        )
        .env("AGENT_PERMISSION", "ask edit:e/ask\ndeny edit:e/deny");
    let plain: &[&str] = &["--tools", "own"];
    let table: [Advised; 19] = [
        (plain, "write", "f/deny", false),
        (plain, "write", "f/ask", true),
        (plain, "write", "f/raise", false),
        (plain, "write", "f/none", true),
        (plain, "write", "u/ask", true),
        (plain, "write", "u/deny", false),
        (plain, "write", "p/ask", true),
        (plain, "write", "p/deny", false),
        (plain, "write", "e/ask", true),
        (plain, "write", "e/deny", false),
        (&["--deny", "edit:c/*"], "write", "c/deny", false),
        (&["--mode", "dont_ask"], "write", "src/a.rs", true),
        (&["--mode", "plan"], "write", "src/a.rs", false),
        (&["--mode", "deny_all"], "read", "src/a.rs", false),
        (&["--tools", "limits"], "shell", "make it", false),
        (&[], "shell", "git push && make it", true),
        (&[], "shell", "git commit -m \"$X\"", false),
        (&[], "write", "/tmp/out/of/here.txt", true),
        (&[], "delete", ".git", false),
    ];
    for (options, tool, subject, helps) in table {
        let model = [options, &["--as", "model"]].concat();
        let before = explained(&program, &model, &[tool, subject]);
        assert_ne!(before["verdict"], "allow", "{options:?} {tool} {subject}");
        let lifting = before["lifting"].as_array().unwrap();
        assert_eq!(!lifting.is_empty(), helps, "{tool} {subject}: {before}");
        let said = page(&program, &model, &[tool, subject]);
        assert_eq!(
            said.contains("--allow '") || said.contains("--allow edit"),
            helps,
            "{said}"
        );
        if !helps {
            assert!(said.contains("what would change it: no "), "{said}");
            continue;
        }
        let rules = lifting.iter();
        let rules = rules.flat_map(|rule| ["--allow", rule.as_str().unwrap()]);
        let with: Vec<&str> = model.iter().copied().chain(rules).collect();
        let after = explained(&program, &with, &[tool, subject]);
        assert_eq!(
            after["verdict"], "allow",
            "{with:?} {tool} {subject}: {after}"
        );
    }
}

#[test]
fn who_names_the_mode_is_shown_and_a_project_that_tightens_it_too() {
    let program = workspace()
        .file(
            "../config/tools/permissions.lua",
            "return { mode = 'auto_edit' }",
        )
        .file(".agent/tools/permissions.lua", "return { mode = 'plan' }");
    let shown = program.run(&["trust", "-o", "json"]);
    shown.exits(3).stderr();
    let trust = format!("--trust={}", shown.json()["digest"].as_str().unwrap());
    let list = program.run(&[&trust, "permissions", "list"]);
    list.prints_part("mode plan\n")
        .prints_part("permissions.lua names auto_edit, which gives way\n")
        .prints_part(".agent/tools/permissions.lua names plan\n");
    let asked = page(&program, &[&trust], &["write", "a.txt"]);
    assert!(
        asked.contains(".agent/tools/permissions.lua names plan\n"),
        "{asked}"
    );
    let told = program.run(&[
        &trust,
        "permissions",
        "list",
        "-o",
        "json",
        "--mode",
        "default",
    ]);
    let modes = told.json()["modes"].clone();
    assert_eq!(modes[2]["by"], "--mode");
    assert_eq!(
        (&modes[1]["mode"], &modes[1]["holds"]),
        (&"plan".into(), &true.into())
    );
}

#[test]
fn who_allows_a_tool_has_not_allowed_what_it_asks_for_in_its_middle() {
    let pf = "return { effect = 'read', execute = function(_, ctx)
        ctx.permit('shell', 'git push', 'to publish') return 'pushed' end }";
    let program = workspace().file("t/pf.lua", pf);
    let call = |rules: &[&str]| {
        program.run(&[&["--tools", "t", "--as", "model"], rules, &["call", "pf"]].concat())
    };
    let asked = "git push";
    call(&["--allow", "pf"])
        .exits(3)
        .says(asked)
        .says("--allow 'shell:git push'");
    call(&["--allow", "pf", "--allow", "shell:git push"]).prints("pushed\n");
    call(&["--allow", "*", "--deny", "pf:git push"])
        .exits(3)
        .says(asked);
}
