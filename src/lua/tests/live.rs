//! Live output: `tools.NAME(args, function(event) … end)`.

use super::rig::Rig;
use super::shipped::Shipped;
use crate::data::Data;
use crate::error::Kind;

/// A tool that says things, and one that calls it.
const TALKER: &str = "
    agent.tool { id = 'talker', effect = 'read', parameters = { 'what', n = { 'integer', default = 1 } },
      execute = function(args, ctx)
        for i = 1, args.n do ctx.output(args.what .. i .. ' ') tools.sleep(0.001) end
        ctx.update { title = 'nearly', metadata = { n = args.n } }
        ctx.progress(1, 2, 'half')
        return 'said ' .. args.n
      end }
    agent.tool { id = 'around', effect = 'read', execute = function(_, ctx)
      ctx.progress(5, 5, 'outer')
      return tools.talker('inner')
    end }";

fn events(rig: &Rig, source: &str) -> String {
    rig.text(&format!(
        "{TALKER}
         local seen, over = {{}}, false
         local function on(event)
           assert(not over, 'never after the call')
           seen[#seen + 1] = event.kind .. ':' .. (event.text or event.title)
         end
         local result = {source}
         over = true
         return tostring(result) .. '|' .. table.concat(seen, ',')"
    ))
}

#[test]
fn a_function_that_comes_last_hears_what_the_call_says() {
    let rig = Rig::new();
    let whole = "said 1|output:a1 ,update:nearly,progress:half";
    assert_eq!(events(&rig, "tools.talker('a', on)"), whole);
    assert_eq!(events(&rig, "tools.talker({ what = 'a' }, on)"), whole);
    assert_eq!(events(&rig, "tools.talker('a', { n = 1 }, on)"), whole);
    assert_eq!(
        events(
            &rig,
            "coroutine.wrap(function() return tools.talker('a', on) end)()"
        ),
        whole
    );
    assert_eq!(
        events(
            &rig,
            "agent.map({ 'a' }, function(w) return tools.talker(w, on) end)[1]"
        ),
        whole
    );
    assert_eq!(events(&rig, "tools.talker('a')"), "said 1|");
}

#[test]
fn of_inner_calls_only_the_output_is_heard() {
    let rig = Rig::new();
    let said = events(&rig, "tools.around(on)");
    assert_eq!(said, "said 1|progress:outer,output:inner1 ");
}

#[test]
fn a_slow_function_does_not_hold_up_the_call_and_misses_nothing() {
    let rig = Rig::new();
    let said = rig.text(&format!(
        "{TALKER}
         local text, calls = '', 0
         tools.talker('w', {{ n = 50 }}, function(event)
           if event.kind ~= 'output' then return end
           calls = calls + 1
           text = text .. event.text
           tools.sleep(0.02)
         end)
         local _, count = text:gsub('w%d+ ', '')
         assert(calls < 50, calls)
         return count .. ' ' .. text:sub(1, 9) .. text:sub(-4)"
    ));
    assert_eq!(said, "50 w1 w2 w3 w50 ");
}

#[test]
fn a_failure_of_the_function_ends_the_call() {
    let rig = Rig::new();
    let error = rig.error(&format!(
        "{TALKER}
         tools.talker('x', {{ n = 100000 }}, function() error {{ kind = 'conflict', message = 'enough' }} end)"
    ));
    assert_eq!(
        (error.kind, error.message.as_str()),
        (Kind::Conflict, "enough")
    );
    let records = rig.records_of("talker");
    assert_eq!(records[0].error, Some(Kind::Cancelled));
}

#[test]
fn failures_of_the_call_come_after_what_it_said() {
    let rig = Rig::new();
    let said = rig.value(
        "agent.tool { id = 'fails', effect = 'read', execute = function(_, ctx)
           ctx.output('last words')
           error { kind = 'conflict', message = 'm' }
         end }
         local heard
         local ok, err = pcall(tools.fails, function(event) heard = event.text end)
         return { ok, err.kind, heard }",
    );
    let expected = [false.into(), "conflict".into(), "last words".into()];
    assert_eq!(said, Data::List(expected.into()));
}

#[test]
fn a_commands_output_arrives_while_it_runs() {
    let rig = Shipped::new();
    let said = rig.text(
        "local text, go = '', false
         local run = tools.shell({ command = 'echo one; echo two >&2; until [ -e go ]; do sleep 0.01; done; echo three' },
           function(event)
             text = text .. event.stream .. ' ' .. event.text
             if text:find('one') and text:find('two') and not go then
               go = true
               tools.write { path = 'go', content = '' }
             end
           end)
         return run.exit_code .. (text:find('stdout one\\n') and 'a' or '') .. (text:find('stderr two\\n') and 'b' or '')
           .. (text:find('three\\n$') and 'c' or '')",
    );
    assert_eq!(said, "0abc");
}
