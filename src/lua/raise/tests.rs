//! What scripts catch, what people read, and what is left of either.

use std::time::Duration;

use mlua::{LuaOptions, StdLib};

use super::*;

fn state() -> Lua {
    let lua = Lua::new_with(StdLib::ALL_SAFE, LuaOptions::default()).unwrap();
    install(&lua).unwrap();
    let fail = lua
        .create_function(|lua, ()| {
            let error = ToolError::not_found("no file `nope`")
                .with_hint("look with glob")
                .with_detail("near", "note");
            outcome(lua, Err::<(), Failure>(error.into()), Some("read"))
        })
        .unwrap();
    let globals = lua.globals();
    globals.set("fail", raising(&lua, fail).unwrap()).unwrap();
    let rust = lua
        .create_function(|lua, ()| -> mlua::Result<()> {
            Err(raise(
                lua,
                ToolError::conflict("changed since"),
                Some("edit"),
            ))
        })
        .unwrap();
    globals.set("rust", rust).unwrap();
    let wait = lua
        .create_async_function(|_, ()| async {
            tokio::task::yield_now().await;
            Ok(1)
        })
        .unwrap();
    globals.set("wait", wait).unwrap();
    let quit = lua
        .create_function(|lua, ()| {
            let exit = Exit {
                code: 7,
                text: "bye".to_owned(),
            };
            outcome(lua, Err::<(), Failure>(exit.into()), None)
        })
        .unwrap();
    globals.set("quit", raising(&lua, quit).unwrap()).unwrap();
    lua
}

fn run_code(lua: &Lua, code: &str) -> Result<MultiValue, Caught> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let function = lua
        .load(code)
        .set_name("@script.lua")
        .into_function()
        .map_err(|error| caught(lua, &error))?;
    let run =
        async { tokio::time::timeout(Duration::from_secs(30), run(lua, &function, ())).await };
    runtime.block_on(run).expect("ends by itself")
}

fn failure(code: &str) -> Caught {
    run_code(&state(), code).expect_err("raises")
}

fn text_of(code: &str) -> String {
    let lua = state();
    let values = run_code(&lua, code).unwrap();
    let texts = values.into_iter().map(|value| value.to_string().unwrap());
    texts.collect::<Vec<_>>().join("|")
}

#[test]
fn a_script_catches_a_table_with_all_its_fields() {
    let said = text_of(
        "local ok, e = pcall(fail)\n\
         return ok, type(e), e.kind, e.tool, e.message, e.hint, e.detail.near",
    );
    assert_eq!(
        said,
        "false|table|not_found|read|no file `nope`|look with glob|note"
    );
}

#[test]
fn an_error_reads_as_text() {
    let said = text_of("local _, e = pcall(fail) return tostring(e), 'x ' .. e");
    let text = "not_found: no file `nope`\n  try: look with glob";
    assert_eq!(said, format!("{text}|x {text}"));
}

#[test]
fn what_nobody_caught_points_at_the_line_of_the_call() {
    for code in [
        "local x = 1\nfail()",
        "local function f()\n  rust()\nend\nf()",
    ] {
        let caught = failure(code);
        assert_eq!(caught.position.as_deref(), Some("script.lua:2"), "{code}");
        assert!(caught.value.is_table(), "{caught:?}");
    }
    let error = failure("fail()").error;
    assert_eq!(error.kind, Kind::NotFound);
    assert_eq!(error.hint.as_deref(), Some("look with glob"));
    assert_eq!(error.detail.unwrap()["near"], "note");
    assert_eq!(
        failure("rust()").error,
        ToolError::conflict("changed since")
    );
}

#[test]
fn raising_again_keeps_the_value_and_the_place() {
    let lua = state();
    let first = run_code(&lua, "\n\nfail()").unwrap_err();
    lua.globals().set("first", &*first.value).unwrap();
    let again = run_code(&lua, "error(first)").unwrap_err();
    assert_eq!(again.position.as_deref(), Some("script.lua:3"));
    assert_eq!(again.value, first.value);
}

#[test]
fn a_table_that_a_script_raises_is_a_failure_of_its_kind() {
    let caught = failure(
        "\nerror{ kind = 'limit', message = '9 steps', hint = 'more', detail = { n = 9 } }",
    );
    assert_eq!(caught.error.kind, Kind::Limit);
    assert_eq!(caught.error.message, "9 steps");
    assert_eq!(caught.error.hint(), "more");
    assert_eq!(caught.error.detail.unwrap()["n"], 9);
    assert_eq!(caught.position.as_deref(), Some("script.lua:2"));

    let odd = failure("error{ kind = 'mine', message = 'm' }").error;
    assert_eq!(
        (odd.kind, odd.detail.unwrap()["kind"].as_str()),
        (Kind::Failed, Some("mine"))
    );
    let wordless = failure("error{ code = 42 }").error;
    assert_eq!(wordless.message, "the script raised {\"code\":42}");
    assert_eq!(wordless.detail.unwrap()["code"], 42);
    let speaks =
        failure("error(setmetatable({}, { __tostring = function() return 'I speak' end }))");
    assert_eq!(speaks.error.message, "I speak");
}

#[test]
fn plain_text_is_failed_and_its_position_stands_apart() {
    for (code, message, position) in [
        ("\nerror('boom')", "boom", Some("script.lua:2")),
        ("error('boom', 0)", "boom", None),
        (
            "error('cannot reach host:80: refused', 0)",
            "cannot reach host:80: refused",
            None,
        ),
        (
            "local t = nil\nreturn t.x",
            "attempt to index a nil value (local 't')",
            Some("script.lua:2"),
        ),
        (
            "load('x = = 1', '=typed')()",
            "attempt to call a nil value",
            Some("script.lua:1"),
        ),
        ("error()", "an error was raised without a value", None),
    ] {
        let caught = failure(code);
        assert_eq!(caught.error.kind, Kind::Failed, "{code}");
        assert_eq!(caught.error.message, message, "{code}");
        assert_eq!(caught.position.as_deref(), position, "{code}");
    }
    let chunk = read::read(&Value::String(
        state().create_string("[string \"a: b\"]:3: boom").unwrap(),
    ));
    assert_eq!(
        (chunk.0.message.as_str(), chunk.1.as_deref()),
        ("boom", Some("[string \"a: b\"]:3"))
    );
}

#[test]
fn no_stack_trace_and_no_address_reach_a_person() {
    for code in [
        "error{ code = 1 }",
        "fail()",
        "rust()",
        "error('boom')",
        "local s = ('x').y.z",
    ] {
        let shown = failure(code).to_string();
        for bad in ["traceback", "0x", "[C]", "mlua"] {
            assert!(!shown.contains(bad), "{code}: {shown}");
        }
    }
}

#[test]
fn a_syntax_error_names_file_and_line() {
    let caught = failure("local x = 1\nlocal = 2");
    assert_eq!(caught.position.as_deref(), Some("script.lua:2"));
    assert_eq!(
        caught.error.message,
        "syntax error: <name> expected near '='"
    );
}

#[test]
fn says_which_call_could_not_wait_and_in_what() {
    for (code, message) in [
        (
            "\nstring.gsub('a', 'a', function() wait() end)",
            "`wait` cannot be awaited inside `gsub`",
        ),
        (
            "\ntable.concat(setmetatable({}, { __len = function() return 1 end, __index = function() return wait() .. '' end }))",
            "`wait` cannot be awaited inside `concat`",
        ),
        (
            "\ntable.sort({ 2, 1 }, function(a, b) pcall(wait) wait() return a < b end)",
            "`wait` cannot be awaited inside `sort`",
        ),
    ] {
        let caught = failure(code);
        assert_eq!(caught.error.kind, Kind::Unavailable, "{code}: {caught}");
        assert_eq!(caught.error.message, message, "{code}");
        assert_eq!(caught.position.as_deref(), Some("script.lua:2"));
        assert!(caught.error.hint().starts_with("call it before"));
    }
    assert_eq!(text_of("return pcall(wait)"), "true|1");
}

#[test]
fn want_of_memory_is_a_resource() {
    let lua = state();
    lua.set_memory_limit(8 << 20).unwrap();
    let caught = run_code(&lua, "local s = 'x' while true do s = s .. s end").unwrap_err();
    assert_eq!(caught.error.kind, Kind::Resource, "{caught}");
    assert!(caught.error.message.contains("not enough memory"));
}

#[test]
fn what_is_too_large_or_too_deep_is_a_resource() {
    for code in [
        "return ('x'):rep(1 << 62)",
        "local f f = function() return tostring(setmetatable({}, { __tostring = f })) end f()",
        "local function f() ('x'):gsub('x', f) end f()",
    ] {
        assert_eq!(failure(code).error.kind, Kind::Resource, "{code}");
    }
}

#[test]
fn endless_recursion_is_a_resource() {
    let caught = failure("local function f() return 1 + f() end f()");
    assert_eq!(caught.error.kind, Kind::Resource, "{caught}");
    assert!(!caught.error.message.contains('\n'), "{caught}");
}

#[test]
fn the_wish_to_end_is_no_failure() {
    let caught = failure("quit()");
    assert_eq!(
        caught.exit.as_deref(),
        Some(&Exit {
            code: 7,
            text: "bye".to_owned()
        })
    );
    assert!(is_final(&caught.value));
    let lua = state();
    let catch = run_code(&lua, "return select(2, pcall(quit))").unwrap();
    assert!(is_final(&catch[0]) && is_final(&value(&lua, catch[0].clone())));
}

#[test]
fn the_runtime_s_own_errors_become_tables() {
    let lua = state();
    let typed = lua.create_function(|_, _: i64| Ok(())).unwrap();
    lua.globals().set("typed", typed).unwrap();
    let caught = run_code(&lua, "\ntyped({})").unwrap_err();
    assert_eq!(caught.error.kind, Kind::Argument, "{caught}");
    assert_eq!(caught.position.as_deref(), Some("script.lua:2"));
    let seen = run_code(&lua, "return select(2, pcall(rust))").unwrap();
    let table = value(&lua, seen[0].clone());
    let kind: String = table.as_table().unwrap().raw_get("kind").unwrap();
    assert_eq!(kind, "conflict");
}
