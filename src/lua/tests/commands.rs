//! `agent.command` and `agent.replay`.

use super::rig::Rig;
use super::shipped::Shipped;
use crate::data::Data;
use crate::error::Kind;
use crate::permission::Caller;
use crate::tool::{Gate as _, Origin, Words};

const GREET: &str = "
    greet = agent.command { id = 'greet', description = 'Says hello.',
      parameters = { 'name', times = { 'integer', default = 1 }, loud = { 'boolean', default = false } },
      execute = function(o)
        local text = ('hello ' .. o.name .. ' '):rep(o.times)
        return o.loud and text:upper() or text
      end }";

#[test]
fn a_command_takes_a_line_or_a_table() {
    let rig = Rig::new();
    let said = rig.value(&format!(
        "{GREET}
         return {{ greet 'ann', greet [['ann lee' --times=2 --loud]], greet {{ name = 'bo' }}, greet('--help'):sub(1, 12) }}"
    ));
    let expected = [
        "hello ann ",
        "HELLO ANN LEE HELLO ANN LEE ",
        "hello bo ",
        "usage: greet",
    ];
    assert_eq!(said, expected.into_iter().map(Data::from).collect());
    for (call, says) in [
        ("greet()", "NAME"),
        ("greet 'a b'", "b"),
        ("greet 'a --tims 2'", "--tims"),
        ("greet \"a 'b\"", "the quote ' does not end"),
        ("greet { nam = 'x' }", "nam"),
        ("greet { name = 'x', times = 'y' }", "times"),
        ("greet(1)", "a line of text or a table"),
    ] {
        let error = rig.error(call);
        assert_eq!(error.kind, Kind::Argument, "{call}");
        assert!(error.message.contains(says), "{call}: {error}");
    }
}

#[test]
fn a_command_is_known_by_its_id_and_replaced_as_a_whole() {
    let rig = Rig::new();
    rig.script(GREET).unwrap();
    let help = rig.text("return agent.help('greet') .. agent.help('/greet')");
    assert_eq!(help.matches("Says hello.").count(), 2, "{help}");
    assert!(
        help.contains("--times") && help.contains("from test.lua"),
        "{help}"
    );
    assert!(rig.text("return agent.help()").contains("/greet"));
    let generation = rig.door.generation();
    let command = generation.commands.get("greet").unwrap();
    assert_eq!(command.spec().origin, Origin::Script("test.lua".into()));
    let ran = rig.wait(command.run(&rig.scope, Words::Line("zoe".to_owned())));
    assert_eq!(ran.unwrap(), Data::from("hello zoe "));

    rig.script("agent.command { id = 'greet', execute = function() tools.count() return 2 end }")
        .unwrap();
    let generation = rig.door.generation();
    assert_eq!(generation.commands.iter().count(), 1);
    // Who has the old function runs the new command.
    assert_eq!(rig.value("return greet()"), Data::Int(2));
    for (record, says) in [
        ("{}", "id"),
        ("{ id = 'a b', execute = print }", "a b"),
        ("{ id = 'x' }", "execute"),
        ("{ id = 'x', execute = print, efect = 1 }", "efect"),
        (
            "{ id = 'x', execute = print, parameters = { n = 'intger' } }",
            "intger",
        ),
    ] {
        let error = rig.error(&format!("agent.command {record}"));
        assert!(error.message.contains(says), "{record}: {error}");
    }
}

#[test]
fn a_replay_runs_as_a_model_and_raises_for_nothing() {
    let rig = Shipped::new();
    rig.write("a.txt", b"text\n");
    let said = rig.value(
        "agent.tool { id = 'who', effect = 'read', execute = function(_, ctx) return ctx.caller end }
         local list = agent.replay {
           { tool = 'who' },
           { tool = 'read', args = { path = 'a.txt' } },
           { tool = 'write', args = { path = 'b.txt', content = 'x' } },
           { tool = 'nope', args = {} },
           { tool = 'read', args = { pth = 'a.txt' } },
         }
         local out = {}
         for i, one in ipairs(list) do out[i] = one.tool .. ' ' .. tostring(one.ok) .. ' ' .. (one.kind or one.text) end
         return out",
    );
    let expected = [
        "who true model",
        "read true a.txt: 1 line, utf-8, lf\n     1\ttext\n",
        "write false denied",
        "nope false not_found",
        "read false argument",
    ];
    assert_eq!(said, expected.into_iter().map(Data::from).collect());
    assert!(!rig.path("b.txt").exists());
    let error = rig.error("agent.replay { { tol = 'x' } }");
    assert!(error.message.contains("call 1"), "{error}");
    let error = rig.error("agent.replay { { tool = 'read', args = { 1, x = 2 } } }");
    assert!(error.message.contains("call 1: args"), "{error}");
}

#[test]
fn the_session_is_named() {
    let rig = Rig::with(Caller::User, |_| {});
    let said = rig.text(
        "agent.tool { id = 't', effect = 'read', execute = function(_, ctx) return ctx.session end }
         assert(#agent.session > 10 and tools.t().output == agent.session)
         return agent.session",
    );
    assert_eq!(said, rig.door.services().session.as_str());
}
