//! Calls from a script: arguments, results, failures, names.

use super::rig::Rig;
use crate::data::Data;
use crate::error::Kind;
use crate::lua::{Chunk, Ended};

#[test]
fn gives_metadata_flat_and_text_by_tostring() {
    let rig = Rig::new();
    let said = rig.text(
        "local r = tools.echo('hi')
         return table.concat({ r.value, r.title, r.output, tostring(r), tostring(r.truncated), #r.attachments }, ' ')",
    );
    assert_eq!(said, "hi echo the echo the echo false 0");
}

#[test]
fn lists_stay_lists_when_they_are_empty() {
    let rig = Rig::new();
    let said = rig.text(
        "return agent.json.encode { tools.echo(1).attachments, agent.map({}, print), { agent.map({ 1 }, tostring) } }",
    );
    assert_eq!(said, r#"[[],[],[["1"]]]"#);
}

#[test]
fn a_field_that_a_shipped_tool_never_sets_is_an_error() {
    let rig = Rig::new();
    assert_eq!(
        rig.value("local r = tools.echo() return r.value == nil and r.rare == nil and r.spill == nil and r[1] == nil"),
        Data::Bool(true)
    );
    let uncaught = rig
        .script("local r = tools.echo(1)\nprint(r.valeu)")
        .unwrap_err();
    assert_eq!(uncaught.error.kind, Kind::NotFound);
    assert_eq!(
        uncaught.error.message,
        "a result of `echo` has no field `valeu`"
    );
    assert!(uncaught.error.hint().starts_with("did you mean `value`?"));
    assert_eq!(uncaught.position.as_deref(), Some("test.lua:2"));
    let own = "agent.tool { id = 'own', effect = 'read', execute = function() return 'x' end }
        return tools.own().anything == nil";
    assert_eq!(rig.value(own), Data::Bool(true));
}

#[test]
fn a_colon_is_answered_with_the_dot() {
    let rig = Rig::new();
    for (source, name) in [
        ("agent:log('x')", "agent.log"),
        ("agent:map({}, print)", "agent.map"),
        ("agent:sleep(1)", "agent.sleep"),
        ("agent:on('tool.before', print)", "agent.on"),
        ("agent:tool { id = 'x' }", "agent.tool"),
        ("agent.json:encode({})", "agent.json.encode"),
        ("agent.path:real('.')", "agent.path.real"),
        ("tools:echo('x')", "tools.echo"),
    ] {
        let error = rig.error(source);
        assert_eq!(error.kind, Kind::Argument, "{source}: {error}");
        assert_eq!(error.hint(), format!("use a dot: {name}(…)"), "{source}");
    }
    assert!(rig.records_of("echo").len() <= 1);
}

#[test]
fn a_plain_error_has_no_hint_that_says_nothing() {
    let rig = Rig::new();
    let said = rig.text(
        "agent.tool { id = 'plain', effect = 'read', execute = function() error('boom', 0) end }
         local _, e = pcall(tools.plain)
         return tostring(e) .. ' ' .. tostring(e.hint)",
    );
    assert_eq!(said, "failed: boom nil");
    assert_eq!(rig.error("error('boom')").hint, None);
    assert_eq!(rig.error("error { message = 'boom' }").hint, None);
}

#[test]
fn takes_positionals_a_table_or_both() {
    let rig = Rig::new();
    let forms = rig.value(
        "return { tools.echo('a').args, tools.echo { value = 'b' }.args, tools.echo('c', { more = 1 }).args,
                  tools['odd-name']().value == nil }",
    );
    let one = |value: &str| Data::map([("value", value.into())]);
    let both = Data::map([("more", Data::Int(1)), ("value", "c".into())]);
    assert_eq!(
        forms,
        Data::List(vec![one("a"), one("b"), both, Data::Bool(true)])
    );
}

#[test]
fn values_survive_the_way_out_and_back() {
    let rig = Rig::new();
    let ok = rig.value(
        r#"local bytes = "\xff\x00\xfe" .. ("x"):rep(1000)
           local deep = { a = { b = { c = { 1, 2, { d = "e" } } } }, big = math.maxinteger, half = 0.5, yes = true }
           local back = tools.echo { value = { bytes = bytes, deep = deep } }.value
           return back.bytes == bytes and back.deep.a.b.c[3].d == "e" and math.type(back.deep.big) == "integer"
             and back.deep.big == math.maxinteger and back.deep.half == 0.5 and back.deep.yes == true"#,
    );
    assert_eq!(ok, Data::Bool(true));
}

#[test]
fn a_failure_is_a_table_that_names_the_tool_and_the_line() {
    let rig = Rig::new();
    let said = rig.text(
        "local ok, e = pcall(tools.fail, 'oh no')
         return table.concat({ tostring(ok), type(e), e.kind, e.tool, e.message, e.detail.line, #e.hint > 0 and 'hint' }, ' ')",
    );
    assert_eq!(said, "false table conflict fail oh no 7 hint");
    let uncaught = rig.script("local x = 1\ntools.fail('oh no')").unwrap_err();
    assert_eq!(uncaught.error.kind, Kind::Conflict);
    assert_eq!(uncaught.position.as_deref(), Some("test.lua:2"));
    let tried = rig.text("local r, e = agent.try(tools.fail, 'x') return tostring(r) .. e.kind");
    assert_eq!(tried, "nilconflict");
    let plain = rig.text("local r, e = agent.try(error, 'x', 0) return e.kind .. e.message");
    assert_eq!(plain, "failedx");
}

#[test]
fn the_same_table_is_raised_through_every_layer() {
    let rig = Rig::new();
    let same = rig.value(
        "local mine = { kind = 'failed', message = 'mine', extra = {} }
         local function boom() error(mine) end
         local _, a = pcall(boom)
         local _, b = pcall(agent.limit, { timeout = 5 }, boom)
         local _, c = pcall(agent.all, function() tools.echo(1) end, boom)
         local _, d = coroutine.resume(coroutine.create(boom))
         local _, e = agent.try(coroutine.wrap(boom))
         return a == mine and b == mine and c == mine and d == mine and e == mine",
    );
    assert_eq!(same, Data::Bool(true));
}

#[test]
fn an_unknown_name_is_an_error_where_it_is_written() {
    let rig = Rig::new();
    let uncaught = rig.script("\nlocal f = tools.ehco").unwrap_err();
    assert_eq!(uncaught.error.kind, Kind::NotFound);
    assert!(
        uncaught.error.hint().contains("`echo`"),
        "{}",
        uncaught.error.hint()
    );
    assert_eq!(uncaught.position.as_deref(), Some("test.lua:2"));
    let kind = rig
        .text("local _, e = pcall(function() return tools.ehco('x') end) return e.kind .. e.tool");
    assert_eq!(kind, "not_foundehco");
    let all = rig.text(
        "local n = {} for name in pairs(tools) do n[#n + 1] = name end return table.concat(n, ' ')",
    );
    assert_eq!(all, "echo sleep count fail outer stall odd-name");
    assert_eq!(rig.error("tools.mine = print").kind, Kind::Argument);
}

#[test]
fn refuses_arguments_that_are_no_data_by_their_path() {
    let rig = Rig::new();
    let error = rig.error("tools.echo { value = { 1, { f = print } } }");
    assert_eq!(error.kind, Kind::Argument);
    assert!(
        error.message.contains("args.value[2].f"),
        "{}",
        error.message
    );
    assert!(rig.records_of("echo").is_empty());
}

#[test]
fn makes_two_hundred_calls_at_once() {
    let rig = Rig::new();
    let total = rig.value(
        "local items = {}
         for i = 1, 200 do items[i] = i end
         local done = agent.map(items, function(i) tools.sleep(0.02) return tools.echo(i).value end, { concurrency = 200 })
         local sum = 0
         for i, value in ipairs(done) do assert(value == i) sum = sum + value end
         return sum",
    );
    assert_eq!(total, Data::Int(20_100));
    assert_eq!(rig.effects(), 200);
    assert_eq!(rig.records_of("sleep").len(), 200);
}

#[test]
fn evaluates_an_expression_or_statements() {
    let rig = Rig::new();
    let eval = |source: &str| {
        let chunk = Chunk {
            name: "eval".into(),
            source: source.into(),
            args: vec![],
        };
        match rig.wait(rig.vm.eval(&rig.scope, chunk)) {
            Ok(Ended::Returned(values)) => values
                .into_iter()
                .map(|v| v.text)
                .collect::<Vec<_>>()
                .join("\t"),
            Ok(other) => format!("{other:?}"),
            Err(uncaught) => format!("{:?} {}", uncaught.position, uncaught.error),
        }
    };
    assert_eq!(eval("1 + 1, 'x', nil"), "2\tx\tnil");
    assert_eq!(eval("local a = 3 return a * 2"), "6");
    assert_eq!(eval("tools.echo(1)"), "the echo");
    assert_eq!(eval("{ a = 1 }"), r#"{"a":1}"#);
    assert_eq!(eval("x = 5"), "");
    assert!(eval("for").contains("syntax error"), "{}", eval("for"));
    assert!(eval("1 +").contains("<eof>"), "{}", eval("1 +"));
}
