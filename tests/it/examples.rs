//! Every example and every shipped script runs, as its reader would run it.
//!
//! A new file in `examples/` or `scripts/` that no test here names fails the suite.

use crate::program::Program;
use crate::sources::files_below;

/// The files that the tests of this suite run; `scripts.rs` has those of `rename`, `lua_page.rs` the tools, `testing.rs`
/// their tests.
const RUN: [&str; 6] = [
    "examples/fix_until_green.lua",
    "examples/tests/tools_test.lua",
    "examples/tools/count.lua",
    "examples/tools/guard.lua",
    "examples/tools/write.lua",
    "scripts/rename.lua",
];

#[test]
fn no_example_is_forgotten() {
    let files = ["examples", "scripts"]
        .map(|folder| files_below(folder, "lua"))
        .concat();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, RUN);
}

/// A workspace with the script and the crate it mends.
fn broken() -> Program {
    let mut program = Program::new().within(300);
    for extension in ["rs", "toml", "lua"] {
        for (path, text) in files_below("examples", extension) {
            program = program.file(&path, text);
        }
    }
    program
}

#[test]
fn fix_until_green_ends_green() {
    let program = broken();
    let before = program.text("examples/broken/src/lib.rs");
    let ran = program.run(&["script", "examples/fix_until_green.lua"]);
    ran.stderr();
    ran.prints_part("\n+            Level::Error => 10,\n");
    assert!(ran.stdout().ends_with("green\n"), "{ran}");
    assert_eq!(program.text("examples/broken/src/lib.rs"), before);
    let mended = program.text("target/fix_until_green/src/lib.rs");
    assert!(mended.contains("Level::named(&word)") && !mended.contains("use std::fmt"));

    // And again, over what the first run left.
    let again = program.run(&["script", "examples/fix_until_green.lua"]);
    again.stderr();
    assert_eq!(again.stdout(), ran.stdout());
}

#[test]
fn fix_until_green_stops_where_nothing_moves() {
    let program = broken()
        .file(
            "red/Cargo.toml",
            "[package]\nname = \"red\"\nedition = \"2024\"\n[workspace]\n",
        )
        .file(
            "red/src/lib.rs",
            "#[test]\nfn red() {\n    assert_eq!(1 + 1, 3);\n}\n",
        );
    let ran = program.run(&["script", "examples/fix_until_green.lua", "red"]);
    ran.exits(1).prints("").says("nothing moves");
}
