//! `agent init`: what a project begins with works as it stands, nothing that is there is lost, and the stubs are true.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use agent::data::{self, Data};
use agent::lua::{GENERATED, fields};
use agent::tools::shipped;
use serde_json::Value;

use crate::door::Door;
use crate::program::Program;

/// What is created, in order.
const CREATED: [&str; 7] = [
    ".agent/init.lua",
    ".agent/tools/hello.lua",
    ".agent/tests/hello_test.lua",
    ".luarc.json",
    ".agent/types/agent.lua",
    ".agent/types/tools.lua",
    ".agent/types/testing.lua",
];

fn statuses(document: &Value) -> BTreeMap<String, String> {
    let files = document["files"].as_array().unwrap().iter();
    let text = |file: &Value, field: &str| file[field].as_str().unwrap().to_owned();
    files
        .map(|file| (text(file, "path"), text(file, "status")))
        .collect()
}

fn all(status: &str) -> BTreeMap<String, String> {
    let one = |path: &&str| ((*path).to_owned(), status.to_owned());
    CREATED.iter().map(one).collect()
}

#[test]
fn a_project_begins_with_what_works() {
    let program = Program::new();
    let ran = program.run(&["init"]);
    for path in CREATED {
        ran.prints_part(&format!("created   {path}\n"));
    }
    assert!(program.at(".agent/lua").is_dir());
    program
        .run(&["test", ".agent"])
        .prints_part("4 passed, 0 failed");
    program
        .run(&["--tools", ".agent/tools", "call", "hello", "world"])
        .prints("hello world\n");
    let rc: Value = serde_json::from_str(&program.text(".luarc.json")).unwrap();
    assert_eq!(rc["runtime.version"], "Lua 5.4");
    assert_eq!(rc["workspace.library"], serde_json::json!([".agent/types"]));
    assert!(
        program
            .text(".agent/types/tools.lua")
            .contains("function tools.hello(name, options) end")
    );
}

#[test]
fn again_it_keeps_everything_and_makes_anew_only_what_was_generated() {
    let program = Program::new();
    let ran = program.run(&["init", "-o", "json"]);
    assert_eq!(statuses(&ran.json()), all("created"));
    let ran = program.run(&["init", "-o", "json"]);
    assert_eq!(statuses(&ran.json()), all("kept"));

    program.write(".agent/init.lua", "mine");
    program.write(
        ".agent/types/agent.lua",
        format!("---@meta\n{GENERATED}\nold"),
    );
    program.write(".agent/types/testing.lua", "mine");
    fs::remove_file(program.at(".luarc.json")).unwrap();
    let ran = program.run(&["init", "-o", "json"]);
    ran.says("nothing of it was loaded");
    let told = statuses(&ran.json());
    assert_eq!(told[".agent/types/agent.lua"], "refreshed");
    assert_eq!(told[".luarc.json"], "created");
    assert_eq!(told.values().filter(|status| *status == "kept").count(), 4);
    // What was changed has no yes, so the tools of the project do not run for their stubs.
    assert_eq!(told[".agent/types/tools.lua"], "refreshed");
    assert_eq!(program.text(".agent/init.lua"), "mine");
    assert_eq!(program.text(".agent/types/testing.lua"), "mine");
    assert!(
        program
            .text(".agent/types/agent.lua")
            .contains("function agent.text.trim(text) end")
    );
}

#[test]
fn what_is_generated_is_no_line_that_uses_power_and_a_change_is_told_with_the_way_to_work_on_it() {
    let program = Program::new();
    program
        .run(&["init"])
        .prints_part("`agent trust --dev` says yes to\nyour own changes");
    let power = |document: &Value| -> Vec<String> {
        let lines = document["power"].as_array().unwrap().iter();
        lines
            .map(|line| line["path"].as_str().unwrap().to_owned())
            .collect()
    };
    let document = program.run(&["-o", "json", "trust"]).json();
    let stubs = power(&document)
        .into_iter()
        .filter(|path| path.starts_with(".agent/types/"));
    assert_eq!(stubs.count(), 0, "{document}");
    // What only says that it is one, where it would load, is read like any other.
    let evil = "---@meta\n-- os.execute('comment')\nos.execute('code')\n";
    for place in ["tools/evil.lua", "types/evil.lua", "lua/evil.lua"] {
        program.write(&format!(".agent/{place}"), evil);
    }
    let ran = program.run(&["-o", "json", "trust"]);
    let found = power(&ran.exits(3).json());
    ran.stderr();
    let evil = found.iter().filter(|path| path.ends_with("evil.lua"));
    assert_eq!(
        evil.collect::<Vec<_>>(),
        [".agent/lua/evil.lua", ".agent/tools/evil.lua"]
    );
    program
        .run(&["eval", "1"])
        .prints("1\n")
        .says("changed since it was trusted")
        .says("`agent trust --dev` while you work on it");
}

#[test]
fn another_folder_may_be_named() {
    let program = Program::new().file("sub/deep/a.txt", "");
    program
        .run(&["init", "sub/deep"])
        .prints_part("created   .agent/init.lua");
    program
        .run(&["-C", "sub", "init", "deep"])
        .prints_part("kept      .agent/init.lua");
    assert!(program.at("sub/deep/.luarc.json").is_file() && !program.at(".agent").exists());
    program
        .run(&["init", "new/one"])
        .prints_part("created   .agent/init.lua");
    assert!(program.at("new/one/.agent/tools/hello.lua").is_file());
    program
        .run(&["init", "sub/deep/a.txt"])
        .exits(2)
        .says("sub/deep/a.txt")
        .says("name a folder that is there or can be made");
}

#[test]
fn nothing_of_the_folder_runs() {
    let program = Program::new()
        .file(".agent/init.lua", "error('ran')")
        .file(".agent/tools/mine.lua", "error('ran')");
    let ran = program.run(&["init"]);
    ran.prints_part("kept      .agent/init.lua\ncreated   .agent/tools/hello.lua\n")
        .prints_part("\nnot trusted: ")
        .says("nothing of it was loaded");
    program.run(&["test"]).exits(2).says("not trusted");
    assert!(
        !program
            .text(".agent/types/tools.lua")
            .contains("tools.mine")
    );
}

#[test]
fn a_link_is_not_followed() {
    let program = Program::new().file("../home/else/x", "");
    symlink(program.at("../home/else"), program.at(".agent")).unwrap();
    program
        .run(&["init"])
        .exits(2)
        .prints("")
        .says(".agent is there and is no folder");
    assert_eq!(fs::read_dir(program.at("../home/else")).unwrap().count(), 1);

    let program = Program::new().file("../home/mine.lua", format!("---@meta\n{GENERATED}\n"));
    fs::create_dir_all(program.at(".agent/types")).unwrap();
    symlink(
        program.at("../home/mine.lua"),
        program.at(".agent/types/agent.lua"),
    )
    .unwrap();
    program
        .run(&["init"])
        .prints_part("kept      .agent/types/agent.lua");
    assert!(
        !program.text("../home/mine.lua").contains("function"),
        "the link was followed"
    );
}

#[test]
fn a_place_that_is_no_workspace_and_a_model_are_refused() {
    let program = Program::new();
    program
        .run(&["init", "../home"])
        .exits(2)
        .says("can be no workspace");
    program
        .run(&["init", "--as", "model"])
        .exits(2)
        .says("never by a model");
    assert!(!program.at(".agent").exists() && !program.at("../home/.agent").exists());
}

#[test]
fn tools_that_are_loaded_have_stubs_too() {
    let odd = "return { id = 'my-tool', description = 'Odd.', effect = 'read',
        parameters = { 'what', what = \"'a'|'b'\", many = 'integer[]?' }, execute = function() end }";
    let program = Program::new().file("t/odd.lua", odd);
    program.run(&["init", "--tools", "t"]).stdout();
    let stub = program.text(".agent/types/tools.lua");
    for line in [
        "---@field what \"a\"|\"b\"\n",
        "---@field many? integer[]\n",
        "tools[\"my-tool\"] = function(what, options) end\n",
    ] {
        assert!(stub.contains(line), "{line} in {stub}");
    }
}

/// The stubs as they are kept here, for everybody to see what changed. `AGENT_GOLDEN=write cargo test --test it
/// stubs_are_current` writes them anew.
#[test]
fn the_stubs_are_current() {
    let program = Program::new();
    // Only what is shipped: the tools of a project are its own.
    program.write(".agent/tools/none.lua", "");
    program.run(&["init"]).says("none.lua").stdout();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/types");
    for name in ["agent.lua", "testing.lua", "tools.lua"] {
        let text = program.text(&format!(".agent/types/{name}"));
        if std::env::var("AGENT_GOLDEN").is_ok_and(|word| word == "write") {
            fs::create_dir_all(&kept).unwrap();
            fs::write(kept.join(name), &text).unwrap();
        }
        let golden = fs::read_to_string(kept.join(name)).unwrap_or_default();
        assert!(
            golden == text,
            "tests/golden/types/{name} is stale: AGENT_GOLDEN=write cargo test --test it stubs_are_current"
        );
    }
}

/// Every part of the stubs says what it is: `any` stands only where a value may be anything.
#[test]
fn every_word_of_the_documentation_has_a_type() {
    let program = Program::new();
    program.run(&["init"]).stdout();
    let stub = program.text(".agent/types/agent.lua");
    let free = ["value", "...", "text", "args", "plan", "record"];
    let untyped = stub.lines().filter(|line| {
        let mut words = line.split(' ');
        let (tag, name, kind) = (words.next(), words.next(), words.next());
        let name = name.unwrap_or_default().trim_end_matches('?');
        match tag {
            Some("---@param") => kind == Some("any") && !free.contains(&name),
            Some("---@field") => kind == Some("any") && !free.contains(&name),
            _ => false,
        }
    });
    let untyped: Vec<&str> = untyped
        .filter(|line| !line.contains("[string] any"))
        .collect();
    assert!(
        untyped.is_empty(),
        "give these words a type in src/lua/stubs/words.rs: {untyped:#?}"
    );
}

#[test]
fn results_are_as_their_stubs_say() {
    for tool in shipped().listed() {
        let spec = tool.spec();
        let declared = fields(&spec.id).unwrap_or_else(|| panic!("{} has no fields", spec.id));
        for example in &spec.examples {
            let door = Door::staged(&spec.id);
            for (path, content) in &example.files {
                door.write(path, content);
            }
            let output = door.ok(&spec.id, data::parse(&example.args).unwrap());
            let facts = output.metadata.iter();
            for (name, value) in facts.filter(|(name, _)| *name != "truncated") {
                let field = declared.iter().find(|field| field.name == name);
                let field = field.unwrap_or_else(|| panic!("{}.{name} is not declared", spec.id));
                let fits = fits(value, field.kind);
                assert!(fits, "{}.{name} is no {}: {value:?}", spec.id, field.kind);
            }
            let given = |name: &str| output.metadata.contains_key(name);
            let missing = declared
                .iter()
                .find(|field| !field.kind.ends_with('?') && !given(field.name));
            assert!(
                missing.is_none(),
                "{}: {} has no {missing:?}",
                spec.id,
                example.about
            );
        }
    }
}

/// Whether a value is of a type as LuaLS writes it, as far as its outermost shape goes.
fn fits(value: &Data, kind: &str) -> bool {
    let (kind, optional) = match kind.strip_suffix('?') {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    match value {
        Data::List(_) => kind.ends_with("[]"),
        Data::Map(_) => kind.starts_with("table<") || kind.starts_with('{'),
        Data::Text(_) => kind == "string",
        Data::Int(_) => kind == "integer",
        Data::Float(_) => kind == "number",
        Data::Bool(_) => kind == "boolean",
        Data::Null => optional,
        Data::Bytes(_) => false,
    }
}
