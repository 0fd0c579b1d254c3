//! Tool files: the shapes they take, and what happens to one that is wrong.

use std::fs;

use super::rig::Rig;
use crate::layers::{self, Layer};
use crate::lua::Report;
use crate::tool::{Gate as _, Origin};

fn load(rig: &Rig, files: &[(&str, &str)]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    rig.load(layers::of_folder(folder.path(), "mine").unwrap())
}

#[test]
fn loads_records_and_tables_of_tools_in_the_order_of_names() {
    let rig = Rig::new();
    let report = load(
        &rig,
        &[
            (
                "hello.lua",
                "return { description='hi', parameters={'name'}, effect='read', execute=function(a) return 'hello '..a.name end }",
            ),
            (
                "b.lua",
                "#!shebang\nlocal e = function() return 'x' end return { default = { execute = e }, two = { execute = e }, named = { id = 'own', execute = e } }",
            ),
            ("notes.txt", "not a tool"),
        ],
    );
    let ids: Vec<&str> = report.loaded.iter().map(|tool| tool.id.as_str()).collect();
    assert_eq!(ids, ["b", "own", "b_two", "hello"]);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!(
        rig.call("hello", r#"{"name":"x"}"#).unwrap().text,
        "hello x"
    );
    let generation = rig.door.generation();
    let origin = &generation.tools.get("hello").unwrap().spec().origin;
    assert_eq!(
        *origin,
        Origin::File(Layer::CommandLine, "mine/hello.lua".into())
    );
}

#[test]
fn reports_a_bad_file_and_loads_the_rest() {
    let rig = Rig::new();
    let report = load(
        &rig,
        &[
            ("a.lua", "local x =\n\n= 3"),
            ("b.lua", "\nerror('while loading')"),
            ("c.lua", "return 3"),
            (
                "d.lua",
                "return { execute = function() end, efect = 'read' }",
            ),
            ("e.lua", "\x1bLua"),
            ("f.lua", "return { execute = function() return 'fine' end }"),
            ("g.lua", "return {}"),
        ],
    );
    let ids: Vec<&str> = report.loaded.iter().map(|tool| tool.id.as_str()).collect();
    assert_eq!(ids, ["f"]);
    let problems: Vec<(&str, Option<&str>)> = report
        .problems
        .iter()
        .map(|problem| (problem.file.as_str(), problem.position.as_deref()))
        .collect();
    assert_eq!(
        report.problems[2].error.message,
        "the file returns 3, not a tool"
    );
    assert!(report.problems[5].error.message.contains("`execute`"));
    assert_eq!(
        problems,
        [
            ("mine/a.lua", Some("mine/a.lua:3")),
            ("mine/b.lua", Some("mine/b.lua:2")),
            ("mine/c.lua", Some("mine/c.lua:1")),
            ("mine/d.lua", Some("mine/d.lua:1")),
            ("mine/e.lua", None),
            ("mine/g.lua", Some("mine/g.lua:1")),
        ]
    );
}

#[test]
fn a_name_that_exists_is_shadowed() {
    let rig = Rig::new();
    let report = load(
        &rig,
        &[(
            "echo.lua",
            "return { execute = function() return 'mine' end }",
        )],
    );
    assert_eq!(report.loaded[0].shadows, Some(Origin::Shipped));
    assert_eq!(rig.call("echo", "{}").unwrap().text, "mine");
    assert_eq!(rig.text("return tostring(tools.echo())"), "mine");
}

#[test]
fn a_json_schema_that_is_none_is_found_when_its_file_loads() {
    let rig = Rig::new();
    let broken = "return { execute = function() end, parameters = { type = 'object', properties = { x = { type = 'strin' } } } }";
    let report = load(&rig, &[("x.lua", broken)]);
    assert_eq!(report.loaded.len(), 0);
    let told = report.problems[0].to_string();
    assert!(
        told.starts_with("mine/x.lua") && told.contains("not a valid schema"),
        "{told}"
    );
    let good = broken.replace("strin'", "string'");
    assert_eq!(load(&rig, &[("x.lua", &good)]).problems.len(), 0);
}
