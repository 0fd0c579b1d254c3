//! A tree of 20,000 text files, the same every time, to search in.
//! It lies in `target/bench_tree` and is made once; the word `needle` stands in every hundredth file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const FILES: usize = 20_000;
const FILES_A_FOLDER: usize = 20;
const WORDS: [&str; 12] = [
    "let", "value", "return", "match", "fn", "string", "index", "while", "count", "struct",
    "error", "path",
];

/// The folder of the tree, made if it is not there yet.
///
/// # Errors
/// Whatever the file system says; a tree that was begun and not finished is made anew.
pub(crate) fn tree() -> io::Result<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench_tree");
    // A workspace of its own, so that the rules of the repository's `.gitignore` do not reach in.
    let complete = top.join(".git");
    if complete.exists() {
        return Ok(top);
    }
    if top.exists() {
        fs::remove_dir_all(&top)?;
    }
    for number in 0..FILES {
        let folder = number / FILES_A_FOLDER;
        let path = top.join(format!(
            "area{}/part{}/dir{folder}",
            folder % 10,
            folder % 50
        ));
        fs::create_dir_all(&path)?;
        let extension = ["rs", "md", "txt", "lua"][number % 4];
        fs::write(path.join(format!("file{number}.{extension}")), text(number))?;
    }
    fs::create_dir(complete)?;
    Ok(top)
}

/// The content of one file: 20 to 120 lines of words.
fn text(number: usize) -> String {
    let mut state = number as u64 + 1;
    let mut next = |below: usize| {
        // Knuth's linear congruential generator (MMIX): the same numbers on every machine.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = String::new();
    for _ in 0..20 + next(100) {
        let words: Vec<&str> = (0..3 + next(8)).map(|_| WORDS[next(WORDS.len())]).collect();
        text += &format!("    {};\n", words.join(" "));
    }
    if number.is_multiple_of(100) {
        text += "    here is the needle;\n";
    }
    text
}
