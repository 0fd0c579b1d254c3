//! `agent session export`: what it writes is data. What an export in Lua says when Lua reads it are the same calls,
//! whatever stands in them, and nothing besides.

use std::cell::RefCell;
use std::fs;
use std::rc::Rc;

use agent::agent::{Past, export};
use mlua::{Lua, LuaString, Table, Value as Read};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::past_sessions::{session, working, workspace};
use crate::running::cases;

/// A session with one call that succeeded for each of `calls`: its tool and its arguments.
fn past(calls: &[(String, Value)]) -> Past {
    let lines = calls.iter().enumerate().flat_map(|(n, (tool, arguments))| {
        let (id, arguments) = (format!("c{n}"), arguments.to_string());
        let call = json!({ "type": "call", "id": id, "tool": tool, "arguments": arguments });
        let message = json!({ "role": "assistant", "parts": [call] });
        let result = json!({ "id": id, "tool": tool, "text": "done" });
        [
            json!({ "type": "message", "time": "", "message": message }),
            json!({ "type": "result", "time": "", "result": result }),
        ]
    });
    let lines: Vec<Vec<u8>> = lines.map(|line| line.to_string().into_bytes()).collect();
    Past::read(lines.iter().map(Vec::as_slice))
}

/// The calls that the program hands to `agent.replay`, read by Lua itself with nothing else at hand.
fn replayed(program: &str) -> Vec<(Vec<u8>, Value)> {
    let lua = Lua::new();
    let seen: Rc<RefCell<Vec<Table>>> = Rc::default();
    let taken = Rc::clone(&seen);
    let replay = lua.create_function(move |_, calls: Table| {
        taken.borrow_mut().push(calls);
        Ok(())
    });
    let array = lua.create_function(|lua, table: Table| {
        table.set_metatable(Some(lua.create_table()?))?;
        Ok(table)
    });
    let (agent, math) = (lua.create_table().unwrap(), lua.create_table().unwrap());
    agent.set("replay", replay.unwrap()).unwrap();
    agent.set("array", array.unwrap()).unwrap();
    agent.set("null", Read::NULL).unwrap();
    math.set("mininteger", i64::MIN).unwrap();
    let around = lua.create_table().unwrap();
    around.set("agent", agent).unwrap();
    around.set("math", math).unwrap();
    let chunk = lua.load(program).set_environment(around);
    chunk
        .exec()
        .unwrap_or_else(|error| panic!("{error}\n{program}"));
    let seen = seen.borrow();
    assert_eq!(seen.len(), 1, "{program}");
    let calls = seen[0].sequence_values::<Table>();
    calls
        .map(|call| {
            let call = call.unwrap();
            let tool: LuaString = call.get("tool").unwrap();
            (
                tool.as_bytes().to_vec(),
                as_json(&call.get("args").unwrap()),
            )
        })
        .collect()
}

fn as_json(value: &Read) -> Value {
    match value {
        Read::Boolean(value) => json!(value),
        Read::Integer(number) => json!(number),
        Read::Number(number) => json!(number),
        Read::String(text) => json!(text.to_str().unwrap().to_owned()),
        Read::Table(table) if table.metatable().is_some() => json!([]),
        Read::Table(table) if table.raw_len() > 0 => {
            let items = table.sequence_values::<Read>();
            items.map(|item| as_json(&item.unwrap())).collect()
        }
        Read::Table(table) => {
            let pairs = table.pairs::<LuaString, Read>().map(Result::unwrap);
            let named =
                pairs.map(|(name, item)| (name.to_str().unwrap().to_owned(), as_json(&item)));
            Value::Object(named.collect())
        }
        value if value.is_null() => Value::Null,
        other => panic!("{other:?}"),
    }
}

fn text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("]]".to_owned()),
        Just("]==]".to_owned()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just("\\z\\x41".to_owned()),
        Just("\r\n".to_owned()),
        Just("\n\r".to_owned()),
        Just("\0".to_owned()),
        Just("\u{7f}9".to_owned()),
        Just("--[[".to_owned()),
        Just("\" .. os.exit(7) .. \"".to_owned()),
        Just("end".to_owned()),
        "[a-z_]{1,5}",
        any::<String>(),
    ];
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => text().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(json!(i64::MIN)),
        1 => any::<f64>().prop_filter("JSON has it", |n| n.is_finite()).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn calls() -> impl Strategy<Value = Vec<(String, Value)>> {
    let arguments = prop::collection::vec((text(), value()), 0..4);
    let arguments = arguments.prop_map(|pairs| Value::Object(pairs.into_iter().collect()));
    prop::collection::vec((text(), arguments), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn what_is_exported_loads_as_the_same_calls(calls in calls()) {
        let program = export::lua(&past(&calls));
        let expected: Vec<(Vec<u8>, Value)> = calls
            .into_iter()
            .map(|(tool, arguments)| (tool.into_bytes(), arguments))
            .collect();
        prop_assert_eq!(&replayed(&program), &expected, "{}", program);
        // Line ends of another system change nothing.
        let elsewhere = program.replace('\n', "\r\n");
        prop_assert_eq!(&replayed(&elsewhere), &expected, "{}", program);
    }
}

#[test]
fn depth_and_length_load_too() {
    let mut deep = json!("x");
    for _ in 0..120 {
        deep = json!([deep]);
    }
    let long = "line\n".repeat(200_000);
    let many: Vec<i64> = (0..100_000).collect();
    let calls = [(
        "deep".to_owned(),
        json!({ "deep": deep, "long": long, "many": many }),
    )];
    let program = export::lua(&past(&calls));
    assert_eq!(replayed(&program)[0].1, calls[0].1);
}

#[test]
fn an_export_in_lua_makes_the_calls_again() {
    let program = workspace();
    working(&program);
    let written = program.bytes("b.txt");
    let again = session(&program, &["export", "--format", "lua"]);
    let again = again.stdout();
    assert!(
        !again.contains(['\0', '\u{1b}']) && !again.contains("none"),
        "{again}"
    );
    fs::remove_file(program.at("b.txt")).unwrap();
    program.write("again.lua", again);
    let ran = program.run(&["--allow", "edit:b.txt", "-o", "json", "script", "again.lua"]);
    let value = ran.json()["value"].clone();
    assert_eq!(value[0]["tool"], "read");
    assert_eq!(
        (&value[1]["tool"], &value[1]["ok"]),
        (&json!("write"), &json!(true)),
        "{value}"
    );
    assert_eq!(program.bytes("b.txt"), written);
    // They are a model's calls: what nobody allows is refused.
    fs::remove_file(program.at("b.txt")).unwrap();
    let refused = program.run(&["-o", "json", "script", "again.lua"]).json();
    assert_eq!(refused["value"][1]["kind"], "denied");
}

#[test]
fn an_export_as_a_page_or_as_markdown_holds_the_words_as_words() {
    let program = workspace();
    working(&program);
    let ran = session(&program, &["export", "--format", "html"]);
    let page = ran.stdout();
    assert!(
        page.contains("&lt;script&gt;alert(1)") && !page.contains("<script"),
        "{page}"
    );
    assert!(
        !page.contains("http://") && !page.contains("https://") && !page.contains("src="),
        "{page}"
    );
    let ran = session(&program, &["export"]);
    let document = ran.stdout();
    assert!(
        document.contains("\n`````text\nmake <script>"),
        "{document}"
    );
    assert!(document.contains("\n> Done: <script>"), "{document}");
    let ran = session(&program, &["export", "--format", "json"]);
    assert_eq!(
        ran.json(),
        session(&program, &["show", "-o", "json"]).json()
    );
    let wrapped = session(&program, &["export", "--format", "md", "-o", "json"]).json();
    assert_eq!(
        (&wrapped["format"], wrapped["text"].as_str()),
        (&json!("md"), Some(document))
    );
}
