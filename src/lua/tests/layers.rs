//! Layers: who stands in whose place, what `require` finds from where, what policies of several layers come to.

use std::sync::Arc;

use super::rig::Rig;
use crate::layers::{Layer, PolicyName, Role, SourceFile};
use crate::lua::Report;
use crate::tool::{Gate as _, Origin};

/// A file of a layer: `tools/x.lua` is a tool or a policy, `lua/a/b.lua` a module, `init.lua` what it says.
pub(super) fn file(layer: Layer, path: &str, text: &str) -> SourceFile {
    let stem = path.trim_end_matches(".lua");
    let (role, name) = match stem.split_once('/') {
        Some(("lua", name)) => (Role::Module, name.replace('/', ".")),
        Some((_, name)) => match PolicyName::named(name) {
            Some(policy) => (Role::Policy(policy), name.to_owned()),
            None => (Role::Tool, name.to_owned()),
        },
        None => (Role::Init, stem.to_owned()),
    };
    SourceFile {
        layer,
        role,
        name,
        shown: format!("{layer}/{path}"),
        text: Ok(Arc::from(text.as_bytes())),
    }
}

pub(super) fn load(rig: &Rig, files: &[(Layer, &str, &str)]) -> Report {
    let files = files.iter();
    rig.load(
        files
            .map(|(layer, path, text)| file(*layer, path, text))
            .collect(),
    )
}

pub(super) fn problems(report: &Report) -> Vec<String> {
    report.problems.iter().map(ToString::to_string).collect()
}

use Layer::{CommandLine, Project, Shipped, User};

#[test]
fn a_stronger_layer_takes_the_place_and_may_call_what_was_there() {
    let rig = Rig::new();
    let wrap = |word: &str| {
        format!(
            "return function(shadowed) return {{ parameters = {{ 'value' }}, effect = 'read',
               execute = function(a) local below = shadowed.execute{{ value = a.value }} return {{ metadata = {{ value = '{word}(' .. below.value .. ')' }} }} end }} end"
        )
    };
    let (user, project, named) = (wrap("user"), wrap("project"), wrap("named"));
    let report = load(
        &rig,
        &[
            (User, "tools/echo.lua", &user),
            (Project, "tools/echo.lua", &project),
            (CommandLine, "tools/echo.lua", &named),
        ],
    );
    assert_eq!(problems(&report), [""; 0]);
    assert_eq!(
        rig.text("return tools.echo('x').value"),
        "named(project(user(x)))"
    );
    let generation = rig.door.generation();
    let shadowed: Vec<Layer> = generation
        .tools
        .shadowed_by("echo")
        .map(Origin::layer)
        .collect();
    assert_eq!(shadowed, [Project, User, Shipped]);
    // The file goes, and what it shadowed is back.
    load(&rig, &[(User, "tools/echo.lua", &user)]);
    assert_eq!(rig.text("return tools.echo('x').value"), "user(x)");
    load(&rig, &[]);
    assert_eq!(rig.text("return tools.echo('x').value"), "x");
}

#[test]
fn a_function_that_shadows_nothing_gets_nothing() {
    let rig = Rig::new();
    let text = "return function(below) return { effect = 'read', execute = function() return tostring(below) end } end";
    assert_eq!(
        problems(&load(&rig, &[(User, "tools/own.lua", text)])),
        [""; 0]
    );
    assert_eq!(rig.text("return tools.own().output"), "nil");
}

#[test]
fn a_module_is_looked_for_in_the_own_layer_then_in_weaker_ones_never_upwards() {
    let rig = Rig::new();
    let tool = "local m = require 'm' return { effect = 'read', execute = function() return m .. ',' .. require('m') .. ',' .. load('return require \"m\"')() end }";
    let upward = "return { effect = 'read', execute = function() return tostring(pcall(require, 'only_project')) end }";
    let report = load(
        &rig,
        &[
            (User, "lua/m.lua", "return 'user'"),
            (User, "tools/u.lua", tool),
            (User, "tools/up.lua", upward),
            (Project, "lua/m.lua", "return 'project'"),
            (Project, "lua/only_project.lua", "return 'p'"),
            (Project, "lua/deep/er.lua", "return require 'only_project'"),
            (Project, "tools/p.lua", tool),
            (CommandLine, "tools/c.lua", tool),
        ],
    );
    assert_eq!(problems(&report), [""; 0]);
    assert_eq!(rig.text("return tools.u().output"), "user,user,user");
    assert_eq!(
        rig.text("return tools.p().output"),
        "project,project,project"
    );
    assert_eq!(
        rig.text("return tools.c().output"),
        "project,project,project"
    );
    assert_eq!(rig.text("return tools.up().output"), "false");
    assert_eq!(rig.text("return require('deep.er')"), "p");
    assert_eq!(
        rig.text("return select(2, require 'm')"),
        "project/lua/m.lua"
    );
    assert_eq!(rig.text("return require('string').format('%d', 3)"), "3");
}

#[test]
fn modules_in_a_circle_and_broken_ones_are_told_of_with_their_file() {
    let rig = Rig::new();
    let report = load(
        &rig,
        &[
            (User, "lua/a.lua", "return require 'b'"),
            (User, "lua/b.lua", "return require 'a'"),
            (User, "lua/c.lua", "\nreturn +"),
            (User, "tools/one.lua", "require 'a'"),
            (User, "tools/two.lua", "require 'c'"),
            (User, "tools/three.lua", "require 'nothing'"),
            (
                User,
                "tools/fine.lua",
                "return { execute = function() end }",
            ),
        ],
    );
    let told = problems(&report);
    assert!(
        told[0].contains("`user/lua/a.lua` requires itself, by way of `user/lua/b.lua`"),
        "{told:?}"
    );
    assert!(told[1].contains("user/lua/c.lua:2"), "{told:?}");
    assert!(told[2].contains("module 'nothing' not found"), "{told:?}");
    assert_eq!(report.loaded.len(), 1);
}

#[test]
fn a_module_that_loads_for_ever_is_ended_and_named_with_its_line() {
    let rig = Rig::with(crate::permission::Caller::User, |settings| {
        settings.loading = std::time::Duration::from_millis(200);
    });
    let files = [(
        User,
        "lua/lp.lua",
        "local n = 0\nwhile true do n = n + 1 end",
    )];
    load(&rig, &files);
    let error = rig.error("require 'lp'");
    assert_eq!(error.kind.as_str(), "timeout");
    assert!(
        error
            .message
            .contains("user/lua/lp.lua` was not done loading after 0.2 s (at user/lua/lp.lua:2)"),
        "{error}"
    );
}
