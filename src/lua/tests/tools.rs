//! Tools in Lua: what they declare, what they get, what they may return.

use super::rig::Rig;
use crate::data::Data;
use crate::error::Kind;
use crate::permission::{Caller, Effect};
use crate::tool::{Gate as _, Origin};

#[test]
fn registers_a_tool_from_a_script() {
    let rig = Rig::new();
    let said = rig.text(
        "local hello = agent.tool {
           id = 'hello', description = 'hi', parameters = { 'name' }, effect = 'read', surface = 'test',
           execute = function(args) return 'hello ' .. args.name end,
         }
         return tostring(hello('x')) .. ' ' .. tools.hello('y').output",
    );
    assert_eq!(said, "hello x hello y");
    assert_eq!(
        rig.call("hello", r#"{"name":"z"}"#).unwrap().text,
        "hello z"
    );
    let generation = rig.door.generation();
    let spec = generation.tools.get("hello").unwrap().spec();
    assert_eq!((spec.effect, spec.surface.as_str()), (Effect::Read, "test"));
    assert_eq!(spec.origin, Origin::Script("test.lua".into()));
}

#[test]
fn what_is_not_declared_is_the_careful_choice() {
    let rig = Rig::new();
    rig.script("agent.tool { id = 'bare', execute = function() end }")
        .unwrap();
    let generation = rig.door.generation();
    assert_eq!(
        generation.tools.get("bare").unwrap().spec().effect,
        Effect::Write
    );
    let output = rig.call("bare", "{}").unwrap();
    assert_eq!((output.text.as_str(), output.title.as_str()), ("", "bare"));
}

#[test]
fn returns_text_facts_and_attachments() {
    let rig = Rig::new();
    let said = rig.value(
        r#"agent.tool { id = 'rich', effect = 'read', execute = function(args, ctx)
             return { output = 'o', title = 't', metadata = { n = 1, bytes = '\xff' },
                      attachments = { { mime = 'image/png', bytes = '\x00\x01' } } }
           end }
           agent.tool { id = 'pass', effect = 'read', execute = function() return tools.rich() end }
           local r = tools.pass()
           return { r.output, r.title, r.n, r.bytes == '\xff', r.attachments[1].mime, #r.attachments[1].bytes, r.metadata == nil }"#,
    );
    let expected = [
        "o".into(),
        "t".into(),
        Data::Int(1),
        true.into(),
        "image/png".into(),
        Data::Int(2),
        true.into(),
    ];
    assert_eq!(said, Data::List(expected.into()));
}

#[test]
fn errors_raised_inside_keep_their_table() {
    let rig = Rig::new();
    let said = rig.value(
        "agent.tool { id = 'a', effect = 'read', execute = function()
           error { kind = 'conflict', message = 'm', hint = 'h', detail = { line = 3 } } end }
         agent.tool { id = 'b', effect = 'read', execute = function() error('plain') end }
         local _, a = pcall(tools.a)
         local _, b = pcall(tools.b)
         return { a.kind, a.message, a.hint, a.detail.line, a.tool, b.kind, b.message, b.tool }",
    );
    let expected = [
        "conflict".into(),
        "m".into(),
        "h".into(),
        Data::Int(3),
        "a".into(),
        "failed".into(),
        "test.lua:3: plain".into(),
        "b".into(),
    ];
    assert_eq!(said, Data::List(expected.into()));
}

#[test]
fn context_says_who_calls_and_lets_the_tool_speak() {
    let rig = Rig::new();
    let said = rig.value(
        "local saw
         agent.tool { id = 'speaks', effect = 'run', subjects = 'name', parameters = { 'name' },
           plan = function(args, ctx) return { would = args.name } end,
           execute = function(args, ctx)
             ctx.update { title = 'half way', metadata = { n = 1 } }
             ctx.progress(1, 2, 'half')
             ctx.permit('network', 'example.org', 'to look')
             print('said')
             local _, e = pcall(function() return ctx.calller end)
             saw = { ctx.caller, ctx.tool, #ctx.session > 20, ctx.plan.would, e.hint:find('caller') ~= nil, ctx.call:sub(1, 1) }
           end }
         tools.speaks('x')
         return saw",
    );
    let expected = [
        "user".into(),
        "speaks".into(),
        true.into(),
        "x".into(),
        true.into(),
        "c".into(),
    ];
    assert_eq!(said, Data::List(expected.into()));
    assert_eq!(*rig.logged.lock().unwrap(), ["speaks: said"]);
    assert_eq!(rig.printed(), "");
}

#[test]
fn a_wrong_record_is_refused_and_nothing_changes() {
    let rig = Rig::new();
    for (record, says) in [
        ("{ id = 'x' }", "execute"),
        ("{ execute = print }", "id"),
        ("{ id = 'a b', execute = print }", "a b"),
        ("{ id = 'x', execute = print, efect = 'read' }", "efect"),
        ("{ id = 'x', execute = print, effect = 'reed' }", "reed"),
        ("{ id = 'x', execute = print, effect = 3 }", "effect"),
        ("{ id = 'x', execute = 3 }", "execute"),
        ("{ id = 'x', execute = print, authority = 3 }", "authority"),
        (
            "{ id = 'x', execute = print, authority = { { 'shell', 'a', 'deny' } } }",
            "authority[1]",
        ),
        (
            "{ id = 'x', execute = print, authority = { { 'edit' }, {} } }",
            "authority[2]",
        ),
        ("{ id = 'x', execute = print, enabled = true }", "enabled"),
        ("{ id = 'x', execute = print, init = 1 }", "init"),
        ("{ id = 'x', execute = print, render = 'x' }", "render"),
        (
            "{ id = 'x', execute = print, format_error = {} }",
            "format_error",
        ),
        ("{ id = 'x', execute = print, hint = 1 }", "hint"),
        ("{ id = 'x', execute = print, timeout = 'long' }", "timeout"),
        ("{ id = 'x', execute = print, aliases = { 'a b' } }", "a b"),
        (
            "{ id = 'x', execute = print, examples = { 1 } }",
            "examples[1]",
        ),
        (
            "{ id = 'x', execute = print, examples = { { fils = {} } } }",
            "fils",
        ),
        (
            "{ id = 'x', execute = print, examples = { { files = { a = 1 } } } }",
            "examples[1].files[\"a\"]",
        ),
        (
            "{ id = 'x', execute = print, examples = { { args = { 1 } } } }",
            "examples[1].args",
        ),
        (
            "{ id = 'x', execute = print, description = function() error('no words') end }",
            "test.lua:1: no words",
        ),
        (
            "{ id = 'x', execute = print, description = function() return 1 end }",
            "description",
        ),
        (
            "{ id = 'x', execute = print, parameters = 3 }",
            "parameters",
        ),
    ] {
        let error = rig.error(&format!("agent.tool {record}"));
        assert!(error.message.contains(says), "{record}: {error}");
    }
    let output = rig.error(
        "agent.tool { id = 'y', effect = 'read', execute = function() return print end } tools.y()",
    );
    assert_eq!(
        output.message,
        "`y` returned a function (`execute` at test.lua:1)"
    );
    let record = rig.error("agent.tool()");
    assert_eq!(
        record.message,
        "agent.tool: expected a tool record, got nothing"
    );
    let effect = rig.error("agent.tool { id = 'x', execute = print, effect = 'reed' }");
    assert!(effect.hint().contains("`read`"), "{}", effect.hint());
    assert!(rig.door.generation().tools.get("x").is_none());
}

#[test]
fn asks_functions_for_effect_and_subjects() {
    let rig = Rig::new();
    rig.script(
        "agent.tool { id = 'f', parameters = { 'what' },
           effect = function(args) asked_effect = args.what return args.what end,
           subjects = function(args) asked_subjects = args.what return { 's1', 's2' } end,
           execute = function(args) return 'ran' end }",
    )
    .unwrap();
    assert_eq!(
        rig.text("return tools.f('read').output .. asked_effect .. asked_subjects"),
        "ranreadread"
    );
    let error = rig.error("tools.f('wrong')");
    assert_eq!(error.kind, Kind::Argument);
}

#[test]
fn a_parameter_of_type_path_is_judged_as_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let inside = root.join("w");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(root.join("secret.txt"), "s").unwrap();
    std::os::unix::fs::symlink("../secret.txt", inside.join("link")).unwrap();
    for (caller, declared, args, denied) in [
        (Caller::Model, "effect = 'read'", "{ 'a.txt' }", false),
        (
            Caller::Model,
            "effect = 'read'",
            "{ '../secret.txt' }",
            true,
        ),
        (
            Caller::Model,
            "effect = 'read'",
            "{ 'a.txt', 'link' }",
            true,
        ),
        (
            Caller::Model,
            "effect = 'read', subjects = 'what'",
            "{ '../secret.txt' }",
            true,
        ),
        (
            Caller::Model,
            "effect = 'read', subjects = 'files'",
            "{ '../secret.txt' }",
            true,
        ),
        (
            Caller::Model,
            "effect = 'read', subjects = function() return 'x' end",
            "{ '../secret.txt' }",
            true,
        ),
        (
            Caller::User,
            "effect = 'read'",
            "{ '../secret.txt' }",
            false,
        ),
        (Caller::User, "effect = 'write'", "{ 'a.txt' }", false),
        (
            Caller::User,
            "effect = 'write'",
            "{ '../secret.txt' }",
            true,
        ),
        (
            Caller::User,
            "effect = 'run'",
            "{ 'a.txt', '../secret.txt' }",
            true,
        ),
    ] {
        let rig = Rig::at(caller, &inside);
        let source = format!(
            "return agent.tool {{ id = 'look', {declared}, parameters = {{ files = 'path[]', what = 'string?' }},
               execute = function() return 'looked' end }} {{ files = {args} }}"
        );
        let ended = rig.script(&source);
        let kind = ended.err().map(|uncaught| uncaught.error.kind);
        assert_eq!(kind, denied.then_some(Kind::Denied), "{caller:?} {source}");
    }
}

#[test]
fn parameters_nest_and_their_paths_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("w")).unwrap();
    let rig = Rig::at(Caller::Model, &root.join("w"));
    rig.script(
        "agent.tool { id = 'look', effect = 'read', subjects = 'note',
           parameters = { 'note', edits = { { path = 'path', old = 'string', n = { 'integer', default = 1 } } },
             where = { type = 'table', properties = { folder = 'path?' }, default = {} } },
           execute = function(args) return #args.edits .. args.note .. args.edits[1].n end }",
    )
    .unwrap();
    let call = |args: &str| rig.call("look", args).map(|output| output.text);
    let fine = r#"{"note":"x","edits":[{"path":"a","old":"b"},{"path":"b","old":"c","n":2}]}"#;
    assert_eq!(call(fine).unwrap(), "2x1");
    for outside in [
        r#"{"note":"x","edits":[{"path":"a","old":"b"},{"path":"../out","old":"c"}]}"#,
        r#"{"note":"x","edits":[],"where":{"folder":"/etc"}}"#,
    ] {
        assert_eq!(call(outside).unwrap_err().kind, Kind::Denied, "{outside}");
    }
    let wrong = call(r#"{"note":"x","edits":[{"path":"a","odl":"b"}]}"#).unwrap_err();
    assert!(wrong.message.contains("edits[1]"), "{wrong}");
    let typo = rig.error("agent.command { id = 'c', parameters = { at = { x = 'intger', y = 'any' } }, execute = print }");
    assert!(
        typo.message
            .starts_with("parameter `at.x`: `intger` is no type"),
        "{typo}"
    );
    let words = rig.error(
        "agent.tool { id = 'x', parameters = { l = { { 'string', { } } } }, execute = print }",
    );
    assert_eq!(words.kind, Kind::Argument);
}
