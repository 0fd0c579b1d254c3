//! Scripts as a person runs them: output, arguments, exits, libraries, memory.

use super::rig::{Rig, chunk};
use crate::data::Data;
use crate::error::Kind;
use crate::lua::{Chunk, Ended};
use crate::permission::Caller;

#[test]
fn prints_in_the_order_it_was_said() {
    let rig = Rig::new();
    rig.script(
        "print('a', 1, nil) io.write('b', 2, '\\n') io.stdout:write('c\\n') io.output():write('d\\n') print()
         assert(io.type(io.stdout) == 'file')",
    )
    .unwrap();
    assert_eq!(rig.printed(), "a\t1\tnil\nb2\nc\nd\n\n");
}

#[test]
fn passes_over_a_first_line_for_the_shell_and_counts_it() {
    let rig = Rig::new();
    let uncaught = rig
        .script("#!/usr/bin/env -S agent script\nerror('here')")
        .unwrap_err();
    assert_eq!(uncaught.position.as_deref(), Some("test.lua:2"));
    assert_eq!(uncaught.error.message, "here");
    let syntax = rig.script("x = 1\ny = = 2").unwrap_err();
    assert_eq!(syntax.position.as_deref(), Some("test.lua:2"));
}

#[test]
fn gets_its_arguments() {
    let rig = Rig::new();
    let script = Chunk {
        args: vec!["a".into(), "b c".into()],
        ..chunk("return arg[0] .. arg[1] .. arg[2] .. select('#', ...) .. (...)")
    };
    match rig.wait(rig.vm.script(&rig.scope, script)) {
        Ok(Ended::Returned(values)) => assert_eq!(values[0].text, "test.luaab c2a"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn os_exit_unwinds_and_is_not_caught() {
    let rig = Rig::new();
    for (source, code) in [
        ("os.exit(3)", 3),
        ("os.exit()", 0),
        ("os.exit(false)", 1),
        ("pcall(os.exit, 4) error('reached')", 4),
        ("agent.try(os.exit, 5) error('reached')", 5),
        (
            "coroutine.wrap(function() pcall(os.exit, 6) end)() error('reached')",
            6,
        ),
        (
            "pcall(agent.all, function() tools.sleep(30) end, function() os.exit(7) end) error('reached')",
            7,
        ),
        ("xpcall(os.exit, print, 8) error('reached')", 8),
    ] {
        match rig.script(source) {
            Ok(Ended::Exit(exit, _)) => assert_eq!(exit, code, "{source}"),
            other => panic!("{source}: {other:?}"),
        }
    }
    let closed = "local x <close> = setmetatable({}, { __close = function() print('closed') end }) os.exit(0)";
    assert!(matches!(rig.script(closed), Ok(Ended::Exit(0, _))));
    assert_eq!(rig.printed(), "closed\n");
    let inside =
        rig.error("agent.tool { id = 'x', execute = function() os.exit(1) end } tools.x()");
    assert_eq!(inside.kind, Kind::Argument);
}

#[test]
fn a_memory_bomb_is_an_error_and_the_state_lives_on() {
    let rig = Rig::with(Caller::User, |settings| settings.memory = 64 << 20);
    for bomb in [
        "local t = {} while true do t[#t + 1] = ('x'):rep(1 << 20) .. #t end",
        "local s = 'x' while true do s = s .. s end",
        "return ('x'):rep(1 << 30)",
        "local s = ('x'):rep(1 << 20) return s:gsub('x', ('y'):rep(1000))",
        "local t = {} while true do t = { t, t } t[3] = tostring(t) .. ('z'):rep(1000) end",
        "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(print) end",
        "local t = {} for i = 1, 1e9 do t[i] = function() return i end end",
    ] {
        let error = rig.error(bomb);
        assert_eq!(error.kind, Kind::Resource, "{bomb}: {error:?}");
        let caught = rig.value(&format!("return (pcall(function() {bomb} end))"));
        assert_eq!(caught, Data::Bool(false), "{bomb}");
        assert_eq!(
            rig.value("return tools.echo(5).value"),
            Data::Int(5),
            "{bomb}"
        );
    }
}

#[test]
fn has_the_libraries_without_bytecode_and_without_the_current_folder() {
    let rig = Rig::new();
    for source in [
        "return unpack({ 1, 2 }) == 1 and loadstring('return 3')() == 3",
        "return package.cpath == '' and not package.path:find('./', 1, true) or package.path:sub(1, 1) == '/'",
        "return load(string.dump(function() end)) == nil",
        "return load('return 1', 'x', 'b') == nil and load('return x', 'x', 't', { x = 4 })() == 4",
        "return load('return x', 'x', nil, { x = 4 })() == 4 and pcall(load('return x.y')) == false",
        "local n = 0 return load(function() n = n + 1 tools.sleep(0) return n == 1 and 'return 9' or nil end)() == 9",
        "local f <close> = assert(io.tmpfile()) f:write('x') f:seek('set') return f:read('a') == 'x'",
        "return os.getenv('PATH') ~= nil and os.time() > 0 and utf8.len('é') == 1 and math.type(1) == 'integer'",
        "return pcall(require, 'no.such.module') == false",
        "package.preload.mine = function(name) tools.sleep(0) return { name = name } end return require('mine').name == 'mine' and require 'mine' == require 'mine'",
        "return debug.traceback('x'):find('test.lua') ~= nil and debug.getinfo(1).currentline == 1 and debug.sethook == nil",
        "return select(2, xpcall(error, debug.traceback, 'boom')):find('boom') ~= nil",
    ] {
        assert_eq!(rig.value(source), Data::Bool(true), "{source}");
    }
}

#[test]
fn requires_modules_that_wait() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("slow.lua"),
        "tools.sleep(0.001)\nreturn { name = ..., n = tools.count().n }",
    )
    .unwrap();
    std::fs::write(folder.path().join("broken.lua"), "return return").unwrap();
    let path = format!("{}/?.lua", folder.path().display());
    let rig = Rig::with(Caller::User, |settings| settings.module_path = path);
    assert_eq!(
        rig.value(
            "return require('slow').name == 'slow' and require('slow').n == require 'slow'.n"
        ),
        Data::Bool(true)
    );
    let error = rig.error("require 'broken'");
    assert!(error.message.contains("broken.lua:1"), "{error}");
}

/// A rig whose modules are these files.
fn with_modules(files: &[(&str, &str)]) -> (Rig, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let path = format!("{}/?.lua", folder.path().display());
    let rig = Rig::with(Caller::User, |settings| settings.module_path = path);
    (rig, folder)
}

#[test]
fn a_module_that_waits_runs_once_for_all_who_ask_meanwhile() {
    let slow = "tools.sleep(0.01) return { n = tools.count().n }";
    let fails = "tools.sleep(0.01) tools.count() error { kind = 'conflict', message = 'no luck' }";
    let (rig, _folder) = with_modules(&[("slow.lua", slow), ("fails.lua", fails)]);
    let same = rig.value(
        "local function get() return require 'slow' end
         local a, b, c = agent.all(get, coroutine.wrap(get), get)
         return a == b and b == c and a.n == 2",
    );
    assert_eq!((same, rig.effects()), (Data::Bool(true), 2));
    let kinds = rig.text(
        "local function get() local _, e = agent.try(require, 'fails') return e.kind end
         return table.concat({ agent.all(get, get) }, ' ')",
    );
    assert_eq!(kinds, "conflict conflict");
    assert_eq!(rig.records_of("count").len(), 2);
}

#[test]
fn a_module_whose_load_was_cut_off_is_loaded_by_the_next() {
    let slow = "if tools.count().n == 1 then tools.sleep(30) end return 'there'";
    let (rig, _folder) = with_modules(&[("slow.lua", slow)]);
    let said = rig.text(
        "local function get() return require 'slow' end
         local held
         local _, b = agent.all(
           function() agent.try(agent.limit, { timeout = 0.05 }, function() held = coroutine.wrap(get) held() end) end,
           function() agent.sleep(0.005) return get() end)
         return b",
    );
    assert_eq!(said, "there");
}

#[test]
fn modules_that_require_each_other_are_an_error() {
    let (rig, _folder) = with_modules(&[
        ("a.lua", "tools.sleep(0.01) require 'b' return 1"),
        (
            "b.lua",
            "tools.sleep(0.01) agent.all(function() require 'a' end) return 1",
        ),
        ("own.lua", "require 'own' return 1"),
    ]);
    for source in [
        "require 'a'",
        "agent.all(function() require 'a' end, function() require 'b' end)",
        "require 'own'",
    ] {
        let error = rig.error(source);
        assert_eq!(error.kind, Kind::Failed, "{source}");
        assert!(error.message.contains("requires itself"), "{error}");
    }
}

#[test]
fn a_missing_module_and_a_require_that_cannot_wait_point_at_the_line() {
    let (rig, folder) = with_modules(&[("there.lua", "return 1")]);
    let missing = rig.script("\nrequire 'no.such'").unwrap_err();
    assert_eq!(missing.position.as_deref(), Some("test.lua:2"));
    assert!(
        missing.error.message.contains("no/such.lua"),
        "{}",
        missing.error
    );
    let path = folder.path().join("there.lua").display().to_string();
    for call in ["require 'there'".to_owned(), format!("dofile '{path}'")] {
        let source = format!(
            "local t = setmetatable({{}}, {{ __tostring = function() {call} return 'x' end }}) tostring(t)"
        );
        assert_eq!(rig.error(&source).kind, Kind::Unavailable, "{call}");
        assert!(rig.script(&call).is_ok(), "{call}");
    }
}

#[test]
fn a_script_keeps_its_words_while_another_runs() {
    let rig = Rig::new();
    let script = |words: &[&str], before: &str| Chunk {
        args: words.iter().map(Into::into).collect(),
        ..chunk(&format!(
            "{before} local opt = agent.args {{ 'word' }} return opt.word"
        ))
    };
    let slow = script(&["first"], "print('begun') tools.sleep(0.05)");
    let slow = rig.runtime.spawn(rig.vm.script(&rig.scope, slow));
    rig.until(|| rig.printed().contains("begun"));
    let quick = script(&["second"], "");
    let said = [
        rig.wait(rig.vm.script(&rig.scope, quick)),
        rig.wait(slow).unwrap(),
    ];
    let words = said.map(|ended| match ended {
        Ok(Ended::Returned(values)) => values[0].text.clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!(words, ["second", "first"]);
    let inside = rig
        .error("agent.tool { id = 'x', execute = function() agent.args { 'word' } end } tools.x()");
    assert_eq!(inside.kind, Kind::Unavailable);
}

#[test]
fn a_handle_that_is_dropped_lets_its_function_go() {
    let rig = Rig::new();
    rig.script(
        "agent.on('tool.before', function() end)() agent.tool { id = 'x', execute = print }",
    )
    .unwrap();
    let kept = || {
        let counting = rig.vm.job(
            &rig.scope,
            crate::lua::current::Voice::Log("a test".into(), crate::layers::Layer::Script),
            |state| async move { Ok::<usize, crate::error::ToolError>(state.host.entries.len()) },
        );
        rig.wait(counting).unwrap()
    };
    assert_eq!(kept(), 1);
    rig.script("agent.tool { id = 'x', execute = print }")
        .unwrap();
    assert_eq!(kept(), 1);
}

#[test]
fn calls_a_function_by_its_handle() {
    let rig = Rig::new();
    let keeping = rig.vm.job(
        &rig.scope,
        crate::lua::current::Voice::Log("a test".into(), crate::layers::Layer::Script),
        |state| async move {
            let twice = state
                .lua
                .load("local n, t = ... tools.sleep(0.001) return { n * 2, t.a }");
            let twice = twice.into_function().map_err(|error| state.told(&error))?;
            Ok::<_, crate::error::ToolError>(state.host.entries.keep(twice, &state.host.vm))
        },
    );
    let entry = rig.wait(keeping).unwrap();
    let args = vec![Data::Int(21), Data::map([("a", "b".into())])];
    let result = rig.wait(rig.vm.run(&rig.scope, &entry, args)).unwrap();
    assert_eq!(result, Data::List(vec![Data::Int(42), "b".into()]));
    let never = rig.vm.run(&rig.scope, &entry, vec![]);
    drop(never);
    rig.scope.node().close();
    assert_eq!(
        rig.wait(rig.vm.run(&rig.scope, &entry, vec![]))
            .unwrap_err()
            .kind,
        Kind::Cancelled
    );
}

#[test]
fn a_call_that_is_joined_by_mistake_is_refused_by_every_loader() {
    let wrong = "tools.delete 'build/' .. name";
    let (rig, folder) = with_modules(&[("joined.lua", &format!("\n{wrong}"))]);
    let script = rig.script(&format!("print(1)\n{wrong}")).unwrap_err();
    assert_eq!(script.position.as_deref(), Some("test.lua:2"));
    let message = script.error.message;
    assert!(
        message.contains("write tools.delete('build/' .. name)"),
        "{message}"
    );
    assert_eq!(rig.printed(), "", "nothing of it has run");
    let eval = rig.wait(rig.vm.eval(&rig.scope, chunk("tools.read 'a' .. x")));
    assert!(
        eval.unwrap_err()
            .error
            .message
            .contains("tools.read('a' .. x)")
    );
    let said = rig.text(&format!(
        "local f, why = load([[{wrong}]], '@loaded.lua')
         local ok, required = pcall(require, 'joined')
         return tostring(f) .. why .. '|' .. required"
    ));
    assert!(said.starts_with("nilloaded.lua:1: tools.delete"), "{said}");
    assert!(said.contains("joined.lua:2: tools.delete"), "{said}");
    let tools = tempfile::tempdir().unwrap();
    std::fs::write(tools.path().join("t.lua"), wrong).unwrap();
    let files = crate::layers::of_folder(tools.path(), "t").unwrap();
    let problem = rig.load(files).problems.remove(0);
    assert_eq!(problem.position.as_deref(), Some("t/t.lua:1"));
    drop(folder);
}
