//! The fields of a tool's record that only some tools have, and what `ctx` gives.

use super::rig::Rig;
use super::shipped::Shipped;
use crate::data::Data;
use crate::error::Kind;
use crate::permission::Caller;
use crate::tool::{Gate as _, Style};

#[test]
fn enabled_is_asked_before_every_call() {
    let rig = Rig::new();
    let said = rig.value(
        "saw = {}
         agent.tool { id = 't', effect = 'read', hint = 'try later',
           enabled = function(env)
             saw = { env.caller, env.workspace, env.platform, env.attended, env.model == nil, #env.session > 10 }
             if answer == 'raise' then error('broken') end
             return answer, reason
           end,
           execute = function() return 'ran' end }
         local function try() local r, e = agent.try(tools.t) return r and r.output or (e.kind .. ': ' .. e.message) end
         local all = {}
         answer = true all[1] = try()
         answer = false all[2] = try()
         answer, reason = false, 'no key' all[3] = try()
         answer, reason = nil, nil all[4] = try()
         answer = 'raise' all[5] = try()
         answer = true all[6] = try()
         return all",
    );
    let expected = [
        "ran",
        "unavailable: the tool `t` is not available: its `enabled` says no",
        "unavailable: the tool `t` is not available: no key",
        "ran",
        "unavailable: the tool `t` is not available: its `enabled` failed at test.lua:5: broken",
        "ran",
    ];
    assert_eq!(said, expected.into_iter().map(Data::from).collect());
    let saw = rig.value("return saw");
    let expected = [
        "user".into(),
        "/w".into(),
        std::env::consts::OS.into(),
        false.into(),
        true.into(),
        true.into(),
    ];
    assert_eq!(saw, Data::List(expected.into()));
    let error = rig.error("answer = false tools.t()");
    assert_eq!(error.hint.as_deref(), Some("try later"));
}

#[test]
fn a_misspelt_field_of_the_environment_is_named() {
    let rig = Rig::new();
    let error = rig.error(
        "agent.tool { id = 't', enabled = function(env) return env.atended end, execute = print } tools.t()",
    );
    assert!(
        error.message.contains("there is no `env.atended`"),
        "{error}"
    );
}

#[test]
fn whether_it_is_offered_can_be_asked_without_a_call() {
    let rig = Rig::new();
    rig.script(
        "agent.tool { id = 't', enabled = function(env) return env.caller == 'model', 'for models' end, execute = print }",
    )
    .unwrap();
    let tools = rig.door.generation().tools.clone();
    let asked = |scope| {
        let tool = tools.get("t").unwrap();
        let offered = tool.offered(scope, rig.door.services()).unwrap();
        rig.wait(offered).map_err(|error| error.message)
    };
    let model = rig.scope.lowered(Caller::Model).unwrap();
    assert_eq!(asked(&model), Ok(()));
    assert!(asked(&rig.scope).unwrap_err().ends_with("for models"));
    let plain = tools.get("count").unwrap();
    assert!(plain.offered(&model, rig.door.services()).is_none());
}

#[test]
fn init_runs_once_and_whoever_comes_meanwhile_waits_for_it() {
    let rig = Rig::new();
    let said = rig.text(
        "inits, ready = 0, false
         agent.tool { id = 't', effect = 'read',
           init = function(env) inits = inits + 1 tools.sleep(0.02) ready = true end,
           execute = function() return tostring(ready) end }
         local list = agent.map({ 1, 2, 3, 4 }, function() return tools.t().output end)
         return table.concat(list, ' ') .. ' ' .. inits .. ' ' .. tools.t().output .. ' ' .. inits",
    );
    assert_eq!(said, "true true true true 1 true 1");
}

#[test]
fn an_init_that_fails_is_tried_again_by_the_next_call() {
    let rig = Rig::new();
    let said = rig.value(
        "tries = 0
         agent.tool { id = 't', effect = 'read',
           init = function() tries = tries + 1 if tries < 3 then error('no server') end end,
           execute = function() return 'ran' end }
         local _, a = agent.try(tools.t)
         local _, b = agent.try(tools.t)
         return { a.kind, a.message, b.message == a.message, tools.t().output, tries }",
    );
    let expected = [
        "unavailable".into(),
        "the tool `t` is not available: its `init` failed at test.lua:3: no server".into(),
        true.into(),
        "ran".into(),
        Data::Int(3),
    ];
    assert_eq!(said, Data::List(expected.into()));
}

#[test]
fn an_init_that_was_cut_off_leaves_its_work_to_the_next() {
    let rig = Rig::new();
    let said = rig.text(
        "runs = 0
         agent.tool { id = 't', effect = 'read',
           init = function() runs = runs + 1 if runs == 1 then tools.sleep(60) end end,
           execute = function() return 'ran' end }
         local _, late = agent.try(agent.limit, { timeout = 0.05 }, function() tools.t() end)
         return late.kind .. ' ' .. tools.t().output .. ' ' .. runs",
    );
    assert_eq!(said, "timeout ran 2");
}

#[test]
fn an_init_that_calls_its_own_tool_is_told_so() {
    let rig = Rig::new();
    let error = rig.error(
        "agent.tool { id = 't', effect = 'read', init = function() tools.t() end, execute = print } tools.t()",
    );
    assert!(
        error.message.contains("its `init` calls the tool itself"),
        "{error}"
    );
}

#[test]
fn failures_read_as_the_tool_says() {
    let rig = Rig::new();
    let said = rig.value(
        "local function tool(id, format, hint)
           agent.tool { id = id, effect = 'read', parameters = { 'n' }, hint = hint, format_error = format,
             execute = function(args) error { kind = 'conflict', message = args.n, detail = { a = 1 } } end }
           local _, e = agent.try(tools[id], 'm')
           return table.concat({ e.kind, e.message, e.hint, agent.json.encode(e.detail) }, '|')
         end
         local _, named = agent.try(tools.count, { nn = 1 })
         return {
           tool('text', function(err) return err.tool .. ' says ' .. err.message end, 'h'),
           tool('table', function(err) err.message = 'new' err.hint = 'try' err.detail = { b = 2 } return err end),
           tool('nothing', function() end, 'h'),
           tool('raises', function() error('broken') end, 'h'),
           tool('kind', function() return { kind = 'denied', message = 'x', hint = 'h' } end),
         }",
    );
    let expected = [
        r#"conflict|text says m|h|{"a":1}"#,
        r#"conflict|new|try|{"a":1,"b":2}"#,
        r#"conflict|m|h|{"a":1}"#,
        r#"conflict|m|h|{"a":1}"#,
        r#"conflict|x|h|{"a":1}"#,
    ];
    assert_eq!(said, expected.into_iter().map(Data::from).collect());
    let logged = rig.logged.lock().unwrap().join("\n");
    assert!(
        logged.contains("`format_error` of `raises` was passed over"),
        "{logged}"
    );
    let wrong = rig.error("tools.text({ m = 1 })");
    assert!(
        wrong
            .message
            .starts_with("text says there is no parameter `m`"),
        "{wrong}"
    );
}

#[test]
fn a_hint_is_added_where_there_is_none() {
    let rig = Rig::new();
    let said = rig.text(
        "agent.tool { id = 't', effect = 'read', hint = 'the tools own', execute = function(a) error { kind = 'failed', message = 'm', hint = own } end }
         local _, a = agent.try(tools.t)
         own = 'its own'
         local _, b = agent.try(tools.t)
         return a.hint .. ', ' .. b.hint",
    );
    assert_eq!(said, "the tools own, its own");
}

#[test]
fn a_time_limit_and_other_names_hold() {
    let rig = Rig::new();
    let said = rig.text(
        "agent.tool { id = 't', effect = 'read', timeout = 0.05, aliases = { 'tee', 'count' }, display_name = 'The T',
           parameters = { 'n' }, execute = function(args) agent.sleep(tonumber(args.n)) return 'done' end }
         local _, late = agent.try(tools.t, { n = '60' })
         return late.kind .. ' ' .. tools.tee('0').output .. ' ' .. tools.tee('0').title .. ' ' .. type(tools.count().n)",
    );
    assert_eq!(said, "timeout done The T number");
}

#[test]
fn examples_are_part_of_the_declaration() {
    let rig = Rig::new();
    rig.script(
        "agent.tool { id = 't', parameters = { 'path' }, execute = print, examples = {
           { about = 'one', files = { ['b.txt'] = 'b', ['a.txt'] = '\\xff' }, args = { path = 'a.txt' }, shows = 'x' }, {} } }",
    )
    .unwrap();
    let generation = rig.door.generation();
    let examples = &generation.tools.get("t").unwrap().spec().examples;
    assert_eq!(examples.len(), 2);
    assert_eq!(examples[0].args, r#"{"path":"a.txt"}"#);
    let files = [
        ("a.txt".to_owned(), b"\xff".to_vec()),
        ("b.txt".to_owned(), b"b".to_vec()),
    ];
    assert_eq!(examples[0].files, files);
    assert_eq!(
        (examples[1].args.as_str(), examples[0].shows.as_str()),
        ("{}", "x")
    );
}

#[test]
fn a_form_of_its_own_is_spans() {
    let rig = Rig::new();
    rig.script(
        "agent.tool { id = 't', effect = 'read', render = function(result, width)
             if result.output == 'wrong' then return { { 'x', 'blue' } } end
             return { { result.output, 'ok' }, ' plain ', { text = tostring(width), style = 'error' } }
           end,
           parameters = { 'text' }, execute = function(args) return args.text end }",
    )
    .unwrap();
    let tools = rig.door.generation().tools.clone();
    let tool = tools.get("t").unwrap();
    let mut output = rig.call("t", r#"{"text":"hi"}"#).unwrap();
    let spans = rig
        .wait(tool.shown(&output, 40, &rig.scope).unwrap())
        .unwrap();
    let shown: Vec<_> = spans
        .iter()
        .map(|span| (span.text.as_str(), span.style))
        .collect();
    assert_eq!(
        shown,
        [
            ("hi", Style::Ok),
            (" plain ", Style::Plain),
            ("40", Style::Error)
        ]
    );
    output.text = "wrong".to_owned();
    let error = rig
        .wait(tool.shown(&output, 40, &rig.scope).unwrap())
        .unwrap_err();
    assert!(
        error.message.contains("there is no style `blue`"),
        "{error}"
    );
}

/// A tool of the user's with authority over one command and one folder.
const WITH_AUTHORITY: &str = "
    agent.tool { id = 'trusted', effect = 'read', parameters = { 'what' },
      authority = { { 'shell', 'env echo *' }, 'edit:made/**', { name = 'edit', pattern = '.git/**', action = 'allow' } },
      execute = function(args)
        local does = {
          echo = function() return tools.shell('env echo hi').stdout end,
          other = function() return tools.shell('env cat x').stdout end,
          made = function() return tools.write { path = 'made/a.txt', content = 'x' }.title end,
          elsewhere = function() return tools.write { path = 'a.txt', content = 'x' }.title end,
          critical = function() return tools.write { path = '.git/config', content = 'x' }.title end,
          through = function() return tools.untrusted() end,
        }
        return does[args.what]()
      end }
    agent.tool { id = 'untrusted', effect = 'read', execute = function() return tools.shell('env echo hi').stdout end }";

#[test]
fn authority_lifts_what_nobody_forbade_and_only_for_its_own_calls() {
    let rig = Shipped::for_caller(Caller::Model);
    rig.script(WITH_AUTHORITY).unwrap();
    let call = |what: &str| {
        let outcome = rig.rig.call("trusted", &format!(r#"{{"what":"{what}"}}"#));
        outcome
            .map(|output| output.text)
            .map_err(|error| error.kind)
    };
    assert_eq!(call("echo").as_deref(), Ok("hi\n"));
    assert_eq!(call("made").as_deref(), Ok("created made/a.txt (1 byte)"));
    for asked in ["other", "elsewhere", "critical", "through"] {
        assert_eq!(call(asked), Err(Kind::Denied), "{asked}");
    }
    let direct = rig.rig.call("shell", r#"{"command":"env echo hi"}"#);
    assert_eq!(direct.unwrap_err().kind, Kind::Denied);
}

#[test]
fn authority_outweighs_no_rule_that_somebody_wrote() {
    use crate::gate::Rules;
    use crate::permission::{Action, Rule, Source};
    for (action, source) in [
        (Action::Deny, Source::Project),
        (Action::Deny, Source::User),
        (Action::Ask, Source::Shipped),
        (Action::Ask, Source::CommandLine),
    ] {
        let rig = Shipped::for_caller(Caller::Model);
        rig.script(WITH_AUTHORITY).unwrap();
        rig.rig.door.update(|generation| {
            let rule = Rule::parse("shell:echo *", action, source).unwrap();
            generation.policy = std::sync::Arc::new(Rules {
                rules: vec![rule],
                ..Rules::default()
            });
        });
        let refused = rig.rig.call("trusted", r#"{"what":"echo"}"#).unwrap_err();
        assert_eq!(refused.kind, Kind::Denied, "{action} {source}");
    }
}

#[test]
fn the_context_of_a_call_has_what_is_promised() {
    let rig = Rig::new();
    let said = rig.value(
        "agent.tool { id = 'inner', effect = function(_, ctx) ctx.extra.asked = (ctx.extra.asked or 0) + 1 return 'read' end,
           subjects = function(_, ctx) ctx.extra.asked = ctx.extra.asked + 1 return 'x' end,
           execute = function(_, ctx)
             ctx.log('a line', 'warn')
             saw = { ctx.parent:sub(1, 1), ctx.parent ~= ctx.call, ctx.extra.asked, ctx.cancelled(), ctx.turn == nil, ctx.profile == nil,
               #ctx.messages, ctx.services.tools == tools, ctx.services.agent == agent }
           end }
         agent.tool { id = 'outer', effect = 'read', execute = function(_, ctx) orphan = ctx.parent tools.inner() tools.inner() end }
         tools.outer()
         local _, e = pcall(function() ctx_of_nothing() end)
         return { saw, orphan == nil }",
    );
    let saw = [
        "c".into(),
        true.into(),
        Data::Int(2),
        false.into(),
        true.into(),
        true.into(),
        Data::Int(0),
        true.into(),
        true.into(),
    ];
    let expected = [Data::List(saw.into()), true.into()];
    assert_eq!(said, Data::List(expected.into()));
    assert_eq!(
        *rig.logged.lock().unwrap(),
        ["inner: a line", "inner: a line"]
    );
}
