//! `agent tools`: the list explains its own words, and a page shows all that a tool takes.
//!
//! What a tool declares is the only source of both.

use crate::program::Program;

#[test]
fn the_list_explains_its_words() {
    let program = Program::new();
    let ran = program.run(&["tools"]);
    for word in ["surface", "effect", "origin"] {
        let rows = ran.stdout().lines().skip(1);
        let explained = rows.filter(|line| line.starts_with(word)).count();
        assert_eq!(explained, 1, "{word}: {ran}");
    }
}

#[test]
fn a_page_shows_the_types_inside_of_tables_and_every_default() {
    let plan =
        "return { description = 'Plans.', effect = 'read', execute = function() return '' end,
        parameters = { type = 'object', properties = { steps = { type = 'array', items = {
            type = 'object', properties = { hours = { type = 'integer' } } } } } } }";
    let program = Program::new().file("mine/plan.lua", plan);
    program
        .run(&["--tools", "mine", "tools", "plan"])
        .prints_part("\nsteps: (hours?: integer)\n");
    program
        .run(&["tools", "grep"])
        .prints_part("show?: 'content'|'files'|'count' = \"content\"")
        .prints_part("\nconditions: (name?: string, content?: string, exclude?: string[], max_depth?: integer)\n")
        .prints_part("A glob of the files' names\n")
        .prints_part("(default: content)");
}
