//! `log`, `progress`, `help`, `version`, `workspace`, `args`.

use super::*;

#[test]
fn what_is_said_goes_upward_as_events() {
    let bench = Bench::new();
    bench.text(
        "agent.log('one') agent.log({ 1 } and 'two', 'warn')\n\
         agent.progress(1, 3, 'a.rs') agent.progress(2)",
    );
    let heard = bench.heard.0.lock().unwrap().clone();
    assert_eq!(
        heard,
        [
            r#"{"type":"log","level":"info","text":"one"}"#,
            r#"{"type":"log","level":"warn","text":"two"}"#,
            r#"{"type":"progress","call":null,"done":1,"total":3,"text":"a.rs"}"#,
            r#"{"type":"progress","call":null,"done":2,"total":null,"text":""}"#,
        ]
    );
    let error = bench.failure("agent.log('x', 'wran')");
    assert_eq!(
        error.hint(),
        "did you mean `warn`? the levels are: debug, info, warn, error"
    );
    let error = bench.failure("agent.progress(-1)");
    assert_eq!(
        error.message,
        "agent.progress: argument 1 (done): expected zero or more, got -1"
    );
}

#[test]
fn help_lists_everything_and_tells_all_about_one() {
    let bench = Bench::new();
    let all = bench.text("return agent.help()");
    assert!(
        all.contains("tools.grep(pattern: string)") && all.contains("    Finds lines.\n"),
        "{all}"
    );
    assert!(
        all.contains("agent.text.trim(text) → text\n    without white space at both ends\n"),
        "{all}"
    );
    let tool = bench.text("return agent.help('grep')");
    for part in [
        "Reads the files of the workspace.",
        "surface file, effect read, shipped",
        "also called search",
        "  pattern: A regular expression.\n",
        "{\"pattern\":\"TODO\"}  -- every TODO",
    ] {
        assert!(tool.contains(part), "{part}: {tool}");
    }
    for name in ["search", "tools.grep"] {
        assert_eq!(bench.text(&format!("return agent.help('{name}')")), tool);
    }
    let group = bench.text("return agent.help('re')");
    assert!(
        group.starts_with("agent.re.find(") && group.contains("agent.re.gsub("),
        "{group}"
    );
    assert_eq!(
        bench.text("return agent.help('agent.version')"),
        "agent.version\n    the version of this program\n"
    );
    let point = bench.text("return agent.help('tool.before')");
    assert!(
        point.starts_with("tool.before\n    a hook at tool.before may change: args; ")
            && point.contains("returns \"deny\" or \"ask\""),
        "{point}"
    );
    let hooks = bench.text("return agent.help('hooks')");
    assert!(
        hooks.contains(&point) && hooks.contains("\nnotification\n"),
        "{hooks}"
    );
    let policy = bench.text("return agent.help('permissions')");
    assert!(policy.contains("tools/permissions.lua"), "{policy}");
    assert!(policy.contains("classifier"), "{policy}");
    let policies = bench.text("return agent.help('policies')");
    let first: Vec<&str> = policy.lines().take(2).collect();
    assert!(policies.contains(&first.join("\n")), "{policies}");
    let error = bench.failure("agent.help('tool.befor')");
    assert!(error.hint().starts_with("did you mean `tool.before`?"));
    let error = bench.failure("agent.help('grap')");
    assert_eq!(error.message, "there is no tool or function `grap`");
    assert!(error.hint().starts_with("did you mean `grep`?"));
}

#[test]
fn help_outlives_the_session() {
    let mut bench = Bench::new();
    drop(bench.door.take());
    let help = bench.text("return agent.help()");
    assert!(
        help.contains("agent.re.find") && !help.contains("tools.grep"),
        "{help}"
    );
}

#[test]
fn values_say_where_and_what_this_is() {
    let bench = Bench::new();
    let root = bench
        .state
        .host
        .services
        .files
        .workspace()
        .display()
        .to_string();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        bench.text("return agent.workspace, agent.version"),
        format!("{root}|{version}")
    );
}

#[test]
fn the_words_of_a_script_become_its_options() {
    let mut bench = Bench::new();
    let options = "local opt = agent.args {\n\
                     'old', 'new', test = { 'string', default = 'x' }, dry_run = 'boolean?'\n\
                   }\n";
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    bench.words = words(&["a", "b"]);
    assert_eq!(
        bench.text(&format!("{options}return opt.old, opt.new, opt.dry_run")),
        "a|b|nil"
    );
    let error = bench.failure(&format!("{options}return opt.dryrun"));
    assert_eq!(error.message, "there is no `args.dryrun`");
    assert!(
        error.hint().starts_with("did you mean `dry_run`?"),
        "{}",
        error.hint()
    );
    let end = |bench: &Bench| *bench.run(options).unwrap_err().exit.expect("an exit");
    bench.words = words(&["--help"]);
    let help = end(&bench);
    assert_eq!(help.code, 0);
    assert!(help.text.starts_with("usage: test.lua"), "{}", help.text);
    bench.words = words(&["a", "b", "--wrong"]);
    let wrong = end(&bench);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .text
            .starts_with("test.lua: there is no option --wrong"),
        "{}",
        wrong.text
    );
}
