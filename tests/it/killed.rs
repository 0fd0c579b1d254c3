//! Processes killed in the middle of a change: no torn file, all or none after the next start, nothing left behind.
//!
//! The moments are spread over a commit and what follows it; how many is read from `AGENT_TEST_N`.

use std::fs;

use rustix::process::Signal;

use crate::program::Program;
use crate::running::{times, until};
use crate::undo::{everything, units};

/// What is killed: code that works for ever on files, and which states of the workspace are whole.
struct Killed {
    code: &'static str,
    files: &'static [&'static str],
}

const EDIT: Killed = Killed {
    code: "for n = 0, 1000000 do tools.edit{path = 'a', old = tostring(n) .. '\\n', new = tostring(n + 1) .. '\\n', \
        replace_all = true} end",
    files: &["a"],
};

const WRITE: Killed = Killed {
    code: "for n = 1, 1000000 do tools.write{path = 'a', content = (tostring(n) .. '\\n'):rep(2)} end",
    files: &["a"],
};

const TRANSACTION: Killed = Killed {
    code: "for n = 1, 1000000 do agent.transaction(function()\n\
        for _, path in ipairs{'a', 'b', 'c', 'd'} do\n\
        tools.write{path = path, content = (tostring(n) .. '\\n'):rep(2)} end end) end",
    files: &["a", "b", "c", "d"],
};

const PATCH: Killed = Killed {
    code: "for n = 0, 1000000 do\n\
        local patch = {'*** Begin Patch'}\n\
        for _, path in ipairs{'a', 'b', 'c', 'd'} do\n\
        patch[#patch + 1] = ('*** Update File: %s\\n@@\\n-%d\\n-%d\\n+%d\\n+%d'):format(path, n, n, n + 1, n + 1) end\n\
        patch[#patch + 1] = '*** End Patch'\n\
        tools.apply_patch{patch = table.concat(patch, '\\n')} end",
    files: &["a", "b", "c", "d"],
};

impl Killed {
    /// Kills it at a moment nobody chose; whether something was left half-way. The next run finds it whole.
    fn once(&self, moment: u64) -> bool {
        let mut program = Program::new();
        for file in self.files {
            program = program.file(file, "0\n0\n");
        }
        let running = program.spawn(&["eval", self.code]);
        let begun = || fs::read(program.at(self.files[0])).is_ok_and(|bytes| bytes != b"0\n0\n");
        assert!(until(std::time::Duration::from_secs(20), begun));
        let wait = std::time::Instant::now();
        while wait.elapsed() < std::time::Duration::from_micros(moment) {
            std::hint::spin_loop();
        }
        running.signal(Signal::KILL);
        running.wait().exits(-9);
        let left = fs::read_dir(program.at("../state/store/locks"))
            .unwrap()
            .count();
        let next = program.run(&["call", "read", self.files[0]]);
        next.prints_part("").says("");
        let whole: Vec<Vec<u8>> = self.files.iter().map(|file| program.bytes(file)).collect();
        let line = whole[0]
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap()
            .to_vec();
        let wanted = [&line[..], b"\n", &line[..], b"\n"].concat();
        assert!(whole.iter().all(|bytes| *bytes == wanted), "{whole:?}");
        let names: Vec<String> = everything(&program)
            .into_iter()
            .map(|(name, ..)| name)
            .collect();
        assert_eq!(names, self.files, "strays");
        assert_eq!(
            fs::read_dir(program.at("../state/store/locks"))
                .unwrap()
                .count(),
            0
        );
        if !units(&program).is_empty() {
            program.run(&["undo"]).prints_part("undid");
        }
        left > 0
    }

    fn at_random(&self) {
        let mut left = 0;
        for n in 0..times() as u64 {
            // Spread over a commit and what follows it, without a clock or chance.
            left += usize::from(self.once(n * 7919 % 12_000));
        }
        assert!(left > 0 || times() < 20, "no commit was killed half-way");
    }
}

#[test]
fn a_killed_edit_is_made_or_not() {
    EDIT.at_random();
}

#[test]
fn a_killed_write_is_made_or_not() {
    WRITE.at_random();
}

#[test]
fn a_killed_patch_is_made_in_all_its_files_or_in_none() {
    PATCH.at_random();
}

#[test]
fn a_killed_transaction_is_put_back_at_the_next_start() {
    TRANSACTION.at_random();
}

#[test]
fn a_killed_move_of_a_folder_leaves_it_in_one_place() {
    for n in 0..times() as u64 {
        let program = Program::new().file("d/x", "x").file("d/y", "y");
        let code = "while true do tools.move{from = 'd', to = 'f/e'} tools.delete{path = 'f'} \
            tools.write{path = 'd/x', content = 'x'} tools.write{path = 'd/y', content = 'y'} end";
        let running = program.spawn(&["eval", code]);
        assert!(until(std::time::Duration::from_secs(20), || program
            .at("../state/store/journal")
            .exists()));
        let wait = std::time::Instant::now();
        while wait.elapsed() < std::time::Duration::from_micros(n * 7919 % 30_000) {
            std::hint::spin_loop();
        }
        running.signal(Signal::KILL);
        running.wait().exits(-9);
        program.run(&["call", "list"]).prints_part("").says("");
        let names: Vec<String> = everything(&program)
            .into_iter()
            .map(|(name, ..)| name)
            .collect();
        let shapes = ["d d/x d/y", "f f/e f/e/x f/e/y", "", "d d/x", "f f/e f/e/x"];
        assert!(shapes.contains(&names.join(" ").as_str()), "{names:?}");
    }
}

/// Fifty processes edit one file: each that says it did, did; each that did not says why.
#[test]
fn fifty_processes_edit_one_file_and_lose_nothing() {
    let text: String = (0..50).map(|n| format!("<{n}>\n")).collect();
    let program = Program::new().file("a.txt", text);
    let edit = |n: usize| {
        let arguments = format!(r#"{{"path":"a.txt","old":"<{n}>","new":"[{n}]"}}"#);
        program.spawn(&["call", "edit", &arguments, "-o", "json"])
    };
    let running: Vec<_> = (0..50).map(edit).collect();
    let mut done = 0;
    for (n, running) in running.into_iter().enumerate() {
        let ran = running.wait();
        let answer = ran.json();
        ran.stderr();
        let stands = program.text("a.txt").contains(&format!("[{n}]\n"));
        assert_eq!(answer["ok"], stands, "{n}: {answer}");
        assert!(stands || answer["error"]["kind"] == "conflict", "{answer}");
        done += usize::from(stands);
    }
    assert_eq!(program.text("a.txt").lines().count(), 50);
    assert_eq!(program.text("a.txt").matches('[').count(), done);
    assert!(done > 0);
}
