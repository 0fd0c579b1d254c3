//! `models.lua`: what several layers say of providers, and what a project may not. And the shipped prompts.

use super::layers::{load, problems};
use super::rig::Rig;
use crate::layers::Layer::{Project, Shipped, User};
use crate::model::Key;
use crate::tool::Gate as _;

#[test]
fn a_project_brings_no_provider() {
    let text = "return { default = 'a/b', providers = { a = { kind = 'gemini', base_url = 'http://127.0.0.1' } } }";
    let chooses = "return { default = 'a/b' }";
    let broken = |files: &[_]| load(&Rig::new(), files).broken_policies().count();
    let path = "tools/models.lua";
    assert_eq!(broken(&[(Project, path, text)]), 1);
    assert_eq!(broken(&[(User, path, text)]), 0);
    assert_eq!(broken(&[(User, path, text), (Project, path, chooses)]), 0);
    assert_eq!(
        broken(&[(Project, path, chooses)]),
        1,
        "there is none to choose"
    );
}

#[test]
fn a_file_says_part_of_a_provider_and_a_project_chooses_among_what_there_is() {
    let rig = Rig::new();
    let own = "return { default = 'anthropic/a', providers = { anthropic = { key_env = 'OWN' }, near = { \
               kind = 'openai_chat', base_url = 'http://127.0.0.1:1' } } }";
    let project = "return function(below) assert(below.providers.near, 'not given'); return { default = 'near/m' } end";
    let shipped = include_str!("../../../lua/models.lua");
    let files = [
        (Shipped, "tools/models.lua", shipped),
        (User, "tools/models.lua", own),
        (Project, "tools/models.lua", project),
    ];
    assert_eq!(problems(&load(&rig, &files)), [""; 0]);
    let models = rig.door.generation().models.clone();
    assert_eq!(models.default.as_deref(), Some("near/m"));
    let anthropic = &models.providers["anthropic"];
    assert_eq!(anthropic.key, Key::Env("OWN".to_owned()));
    assert_eq!(anthropic.base_url, "https://api.anthropic.com");
    assert_eq!(models.resolve(None).unwrap().provider.key, Key::None);
}

#[test]
fn every_shipped_prompt_is_a_text_that_a_module_returns() {
    let rig = Rig::new();
    let shipped = crate::layers::shipped();
    let is_prompt = |name: &&str| name.starts_with("prompts.");
    let names: Vec<String> = shipped
        .iter()
        .map(|file| file.name.as_str())
        .filter(is_prompt)
        .map(str::to_owned)
        .collect();
    assert!(names.len() >= 7, "{names:?}");
    let report = rig.load(shipped);
    assert_eq!(problems(&report), [""; 0]);
    for name in names {
        let text = rig.text(&format!("return require 'builtin.{name}'"));
        let lines = text.lines().count();
        assert!((2..40).contains(&lines), "{name}: {text}");
    }
}

#[test]
fn every_shipped_profile_has_a_prompt_that_is_shipped_and_rules_that_can_be_read() {
    let rig = Rig::new();
    rig.load(crate::layers::shipped());
    let code = "local names = {}
        for name, profile in pairs(require 'builtin.agents') do
          assert(#require(profile.prompt) > 100, name)
          names[#names + 1] = name
        end
        table.sort(names)
        return table.concat(names, ' ')";
    assert_eq!(
        rig.text(code),
        "build explore librarian momus multimodal_looker oracle plan"
    );
    let more = "return function(below) assert(below.plan.rules[1], 'given'); below.plan.prompt = 'own' return below end";
    let shipped = include_str!("../../../lua/agents.lua");
    let report = load(
        &rig,
        &[
            (Shipped, "tools/agents.lua", shipped),
            (User, "tools/agents.lua", more),
        ],
    );
    assert_eq!(problems(&report), [""; 0]);
}
