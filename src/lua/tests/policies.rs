//! Policy files: what several layers come to, what a function may do, what happens to one of the wrong shape.
//!
//! The rules themselves are judged elsewhere.

use super::layers::{load, problems};
use super::rig::Rig;
use crate::layers::Layer::{Project, Shipped, User};
use crate::permission::Caller;
use crate::text::Keep;
use crate::tool::Gate as _;

#[test]
fn a_table_is_laid_over_the_weaker_ones_and_a_function_gets_them() {
    let rig = Rig::new();
    let report = load(
        &rig,
        &[
            (
                Shipped,
                "tools/truncation.lua",
                "return { default = { lines = 10, bytes = 1000, keep = 'head' }, shell = { keep = 'both' } }",
            ),
            (
                User,
                "tools/truncation.lua",
                "return { default = { lines = 5 }, echo = { keep = 'tail' } }",
            ),
            (
                Project,
                "tools/truncation.lua",
                "return function(so_far) so_far.default.bytes = so_far.default.bytes * 2 so_far.shell = nil return so_far end",
            ),
        ],
    );
    assert_eq!(problems(&report), [""; 0]);
    let truncation = &rig.door.generation().truncation;
    let default = truncation.of("other");
    assert_eq!(
        (default.lines, default.bytes, default.keep),
        (Some(5), Some(2000), Some(Keep::Head))
    );
    assert_eq!(truncation.of("echo").keep, Some(Keep::Tail));
    assert_eq!(truncation.of("shell").keep, Some(Keep::Head));
}

#[test]
fn a_truncation_function_decides_by_the_call_and_the_text() {
    let rig = Rig::with(Caller::Model, |_| {});
    let say = "return { parameters = { 'value' }, effect = 'read', execute = function(a) return a.value end }";
    let policy = "return { say = function(call, text)
        if call.args.value:find('cargo') then return { keep = 'tail', lines = 2 } end
        if call.args.value:find('tools') then return tools.echo('x') end
        if call.args.value:find('odd') then return 3 end
        if call.args.value:find('loop') then while true do end end
        end, default = { lines = 3 } }";
    assert_eq!(
        problems(&load(
            &rig,
            &[
                (User, "tools/say.lua", say),
                (User, "tools/truncation.lua", policy)
            ]
        )),
        [""; 0]
    );
    let shown = |word: &str| {
        let value = format!("{word}\\n1\\n2\\n3\\n4");
        rig.call("say", &format!("{{\"value\":\"{value}\"}}"))
            .unwrap()
            .text
    };
    assert!(shown("cargo").ends_with("]\n3\n4"), "{}", shown("cargo"));
    assert!(
        shown("plain").starts_with("plain\n1\n2\n[truncated"),
        "{}",
        shown("plain")
    );
    for word in ["tools", "odd", "loop"] {
        let text = shown(word);
        assert!(
            text.starts_with(&format!("{word}\n1\n2\n["))
                && text.contains("the truncation function failed"),
            "{text}"
        );
    }
    let logged = rig.logged.lock().unwrap().join("\n");
    assert!(logged.contains("tools.echo cannot be called inside of the truncation function user/tools/truncation.lua:1"), "{logged}");
    assert!(logged.contains("was not done after 1 s"), "{logged}");
}

#[test]
fn surfaces_disable_and_limit_and_a_project_only_narrows() {
    let rig = Rig::new();
    let report = load(
        &rig,
        &[
            (
                User,
                "tools/surfaces.lua",
                "return { test = { description = 'Tests.', params = { folders = { 'src' } } }, off = { enabled = false, tools = { 'count' } } }",
            ),
            (
                Project,
                "tools/surfaces.lua",
                "return function(all) all.off.enabled = true all.test.params = { folders = { 'src', 'lib' } } return all end",
            ),
        ],
    );
    assert_eq!(problems(&report), [""; 0]);
    let generation = rig.door.generation();
    let surfaces = &generation.surfaces;
    assert_eq!(
        surfaces.0["off"].disabled_by.as_deref(),
        Some("user/tools/surfaces.lua")
    );
    assert_eq!(
        surfaces.0["test"].describe(),
        "Tests. Limited to folders: src; folders: src, lib."
    );
    let error = rig.error("return tools.count()");
    assert_eq!(error.kind.as_str(), "unavailable");
    assert!(
        error.hint().contains("what is there: ") && error.hint().contains("echo"),
        "{}",
        error.hint()
    );
}

/// Policies of the wrong shape: the name, the file, a part of what is said of it.
const WRONG: &[(&str, &str, &str)] = &[
    ("truncation", "return 3", "a policy is a table"),
    (
        "permissions",
        "local rules = { { 'edit', 'deny' } }",
        "returns nothing",
    ),
    ("redaction", "", "returns nothing"),
    ("surfaces", "return nil", "returns nothing"),
    ("replacers", "return function() end", "a policy is a table"),
    (
        "surfaces",
        "return { command = { params = { command = { 'ls' } } } }",
        "did you mean `commands`?",
    ),
    (
        "surfaces",
        "return { file = { params = { Folder = 'src' } } }",
        "surfaces.file.params.Folder: there is no such limit; did you mean `folders`?",
    ),
    (
        "surfaces",
        "return { network = { params = { domain = 'a.org' } } }",
        "did you mean `domains`?",
    ),
    ("truncation", "return { default = { lins = 3 } }", "lines"),
    (
        "truncation",
        "return { default = { lines = 0 } }",
        "truncation.default.lines",
    ),
    (
        "truncation",
        "return { default = { keep = 'middle' } }",
        "truncation.default.keep",
    ),
    (
        "truncation",
        "return { default = function() end }",
        "truncation.default",
    ),
    (
        "truncation",
        "return { { lines = 3 } }",
        "the ids of tools as keys",
    ),
    (
        "truncation",
        "return function() error { kind = 'failed', message = 'mine' } end",
        "mine",
    ),
    (
        "truncation",
        "return function() return 3 end",
        "a policy is a table",
    ),
    ("surfaces", "return { file = 3 }", "surfaces.file"),
    (
        "surfaces",
        "return { file = { enabled = 'no' } }",
        "surfaces.file.enabled",
    ),
    (
        "surfaces",
        "return { file = { params = { folders = 'src' } } }",
        "surfaces.file.params.folders",
    ),
    (
        "permissions",
        "return { rules = { { 'edit', 'x' } } }",
        "permissions.rules[1][2]",
    ),
    (
        "permissions",
        "return { rules = { { 'edit', 'x', 'maybe' } } }",
        "permissions.rules[1][3]",
    ),
    (
        "permissions",
        "return { rules = { { 'edit', 'x', 'deny', why = 'x' } } }",
        "`why`",
    ),
    (
        "permissions",
        "return { rules = { 'deny' } }",
        "permissions.rules[1]",
    ),
    (
        "permissions",
        "return { rules = { a = { 'edit', 'deny' } } }",
        "named fields or holes",
    ),
    ("permissions", "return { rulez = {} }", "rules"),
    (
        "replacers",
        "return { policy = 'wild' }",
        "replacers.policy",
    ),
    (
        "replacers",
        "return { chain = { 3 } }",
        "replacers.chain[1]",
    ),
    ("replacers", "return { chain = {} }", "chain is empty"),
    (
        "replacers",
        "return { chain = { 'simpel' } }",
        "there is no replacer `simpel`",
    ),
    (
        "replacers",
        "return { chain = { 'simple', 'simple' } }",
        "in the chain already",
    ),
    (
        "replacers",
        "return { chain = { { 'simple', function() end } } }",
        "no name for a replacer of your own",
    ),
    (
        "replacers",
        "return { thresholds = { block_anchor = 2 } }",
        "replacers.thresholds.block_anchor",
    ),
    (
        "replacers",
        "return { thresholds = { anchor = 0.5 } }",
        "anchor",
    ),
    (
        "models",
        "return { providers = { a = 3 } }",
        "models.providers.a",
    ),
    (
        "models",
        "return { providers = { a = { base_url = 'http://127.0.0.1' } } }",
        "models.providers.a.kind",
    ),
    (
        "models",
        "return { providers = { gemini = { kind = 'gemmini' } } }",
        "there is no kind `gemmini`",
    ),
    (
        "models",
        "return { providers = { openai = { base_url = 'https://me:key@127.0.0.1' } } }",
        "models.providers.openai.base_url",
    ),
    (
        "models",
        "return { providers = { openai = { key_env = 'sk-not-a-variable' } } }",
        "models.providers.openai.key_env: expected the name of a variable of the environment, got 17",
    ),
    (
        "models",
        "return { default = 'gpt' }",
        "expected `provider/model`",
    ),
    (
        "models",
        "return { default = 'antropic/x' }",
        "of the provider `antropic`, and there is none",
    ),
    ("agents", "return { a = { promt = 'x' } }", "prompt"),
    (
        "redaction",
        "return { { name = 'x', regex = '(' } }",
        "redaction[1].regex",
    ),
];

#[test]
fn a_policy_of_the_wrong_shape_is_told_of_with_its_field_and_nothing_of_it_holds() {
    for (name, text, told) in WRONG {
        let rig = Rig::new();
        let report = load(&rig, &[(User, &format!("tools/{name}.lua"), text)]);
        let told_of = problems(&report).join("\n");
        assert!(report.broken_policies().count() == 1, "{text}");
        assert!(
            told_of.contains(told) && told_of.contains(&format!("user/tools/{name}.lua:1: ")),
            "{text}: {told_of}"
        );
    }
}

#[test]
fn a_broken_policy_keeps_what_it_said_before() {
    let rig = Rig::new();
    load(
        &rig,
        &[(
            User,
            "tools/truncation.lua",
            "return { default = { lines = 7 } }",
        )],
    );
    let report = load(&rig, &[(User, "tools/truncation.lua", "return 3")]);
    assert!(report.problems[0].is_kept);
    assert_eq!(rig.door.generation().truncation.of("x").lines, Some(7));
}

#[test]
fn a_function_comes_before_the_weaker_table_and_that_holds_where_it_says_nothing() {
    let rig = Rig::with(Caller::Model, |_| {});
    let say = "return { parameters = { 'value' }, effect = 'read', execute = function(a) return a.value end }";
    let report = load(
        &rig,
        &[
            (Shipped, "tools/say.lua", say),
            (
                Shipped,
                "tools/truncation.lua",
                "return { default = { lines = 3 }, say = { keep = 'tail' } }",
            ),
            (
                User,
                "tools/truncation.lua",
                "return { say = function(call) if call.args.value:find('head') then return { keep = 'head' } end end }",
            ),
        ],
    );
    assert_eq!(problems(&report), [""; 0]);
    let shown = |word: &str| {
        let args = format!("{{\"value\":\"{word}\\n1\\n2\\n3\"}}");
        rig.call("say", &args).unwrap().text
    };
    assert!(shown("plain").ends_with("]\n1\n2\n3"), "{}", shown("plain"));
    assert!(
        shown("head").starts_with("head\n1\n2\n["),
        "{}",
        shown("head")
    );
}
