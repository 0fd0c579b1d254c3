//! `agent.transaction` on a real tree, with the shipped tools: all of it stands, or nothing of it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::shipped::Shipped;
use crate::data::Data;
use crate::error::Kind;
use crate::lua::Ended;

/// Every file below `folder` with its bytes and its mode.
fn tree(folder: &Path) -> Vec<(String, Vec<u8>, u32)> {
    let mut found = Vec::new();
    collect(folder, folder, &mut found);
    found.sort();
    found
}

fn collect(top: &Path, folder: &Path, found: &mut Vec<(String, Vec<u8>, u32)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        let name = path
            .strip_prefix(top)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let bytes = match metadata.is_file() {
            true => fs::read(&path).unwrap(),
            false => Vec::new(),
        };
        found.push((name, bytes, metadata.permissions().mode()));
        if metadata.is_dir() {
            collect(top, &path, found);
        }
    }
}

fn rig() -> Shipped {
    let rig = Shipped::new();
    rig.write("a.txt", b"one\r\ntwo\r\n");
    rig.write("d/b.txt", b"\xef\xbb\xbfbee\n");
    rig.write("d/sub/c.bin", b"\x00\x01\xff");
    fs::set_permissions(rig.path("a.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(rig.path("d/sub"), fs::Permissions::from_mode(0o750)).unwrap();
    rig
}

/// Changes of every kind.
const CHANGES: &str = "
    tools.write { path = 'a.txt', content = 'first' }
    tools.edit { path = 'a.txt', old = 'first', new = 'second' }
    tools.write { path = 'new/deep/x.txt', content = 'x' }
    tools.move { from = 'd/b.txt', to = 'e/b.txt' }
    tools.edit { path = 'e/b.txt', old = 'bee', new = 'sea' }
    tools.move { from = 'd', to = 'f' }
    tools.delete 'f'
    agent.map({ 'm1', 'm2', 'm3' }, function(name) tools.write { path = name, content = name } end)
    agent.transaction(function() tools.delete 'm2' tools.write { path = 'm2', content = 'again' } end)";

#[test]
fn everything_stands_when_it_returns() {
    let rig = rig();
    let change = rig.value(&format!(
        "local change = agent.transaction(function() {CHANGES} return 'its value' end)
         local files = {{}}
         for i, file in ipairs(change.files) do
           files[i] = file.action .. ' ' .. file.path .. (file.moved_to and ' ' .. file.moved_to or '')
         end
         return {{ files, change.value, change.additions, change.deletions, change.diff }}"
    ));
    let Data::List(parts) = change else {
        panic!("{change:?}")
    };
    let files = serde_json::to_string(&parts[0]).unwrap();
    for expected in [
        "update a.txt",
        "create new/deep/x.txt",
        "move d/b.txt e/b.txt",
        "delete d/sub/c.bin",
        "delete d",
        "create m2",
    ] {
        assert!(
            files.contains(&format!("\"{expected}\"")),
            "{expected}: {files}"
        );
    }
    assert_eq!(files.matches("m2").count(), 1, "{files}");
    assert_eq!(parts[1].as_str(), Some("its value"));
    assert!(parts[2].as_int() >= Some(5) && parts[3].as_int() >= Some(3));
    let diff = parts[4].as_str().unwrap();
    assert!(
        diff.contains("+second") && !diff.contains("first"),
        "{diff}"
    );
    assert_eq!(rig.read("a.txt"), b"second");
    assert_eq!(rig.read("m2"), b"again");
}

#[test]
fn everything_is_put_back_when_it_fails_however_it_fails() {
    for end in [
        "error { kind = 'conflict', message = 'enough' }",
        "error('enough')",
        "error({ mine = true })",
        "tools.read 'no-such-file'",
        "agent.map({ 1 }, function() tools.write { path = 'late', content = 'x' } error('enough') end)",
        "coroutine.wrap(function() error('enough') end)()",
        "agent.limit({ timeout = 0.05 }, function() agent.sleep(60) end)",
        "os.exit(4)",
    ] {
        let rig = rig();
        let before = tree(&rig.path(""));
        let ended = rig.script(&format!(
            "agent.transaction(function() {CHANGES} {end} end)"
        ));
        match ended {
            Ok(Ended::Exit(4, _)) | Err(_) => {}
            other => panic!("{end}: {other:?}"),
        }
        assert_eq!(tree(&rig.path("")), before, "{end}");
    }
}

#[test]
fn what_was_raised_is_raised_again_as_it_was() {
    let rig = rig();
    let said = rig.text(
        "local mine = {}
         local _, a = pcall(agent.transaction, function() tools.delete 'a.txt' error(mine) end)
         local _, b = pcall(agent.transaction, function() error { kind = 'conflict', message = 'm' } end)
         return tostring(a == mine) .. ' ' .. b.kind .. ' ' .. b.message",
    );
    assert_eq!(said, "true conflict m");
}

#[test]
fn whoever_goes_on_finds_the_files_as_they_were() {
    let rig = rig();
    let said = rig.text(
        "local function long() agent.transaction(function()
           tools.write { path = 'a.txt', content = 'x' }
           agent.sleep(60)
         end) end
         local _, late = pcall(agent.limit, { timeout = 0.05 }, long)
         local first = tools.read('a.txt').text
         local _, failed = pcall(agent.all, long, function()
           repeat agent.sleep(0.001) until tools.read('a.txt').text == 'x'
           error('a neighbour fails')
         end)
         return late.kind .. first .. tools.read('a.txt').text .. failed",
    );
    assert_eq!(
        said,
        "timeoutone\r\ntwo\r\none\r\ntwo\r\ntest.lua:9: a neighbour fails"
    );
    // The session knows the files as they are: nothing was changed behind its back.
    rig.script("tools.edit { path = 'a.txt', old = 'one', new = 'uno' }")
        .unwrap();
    assert_eq!(rig.read("a.txt"), b"uno\r\ntwo\r\n");
}

#[test]
fn an_inner_one_that_fails_takes_only_its_own_back() {
    let rig = rig();
    let before = tree(&rig.path(""));
    let said = rig.text(
        "local ok, err = pcall(agent.transaction, function()
           tools.write { path = 'a.txt', content = 'outer' }
           agent.try(agent.transaction, function()
             tools.write { path = 'a.txt', content = 'inner' }
             tools.write { path = 'n', content = 'n' }
             error('inner')
           end)
           agent.transaction(function() tools.write { path = 'kept', content = 'k' } end)
           seen = tools.read('a.txt').text .. #tools.glob('n').paths .. #tools.glob('kept').paths
           error('outer')
         end)
         return seen",
    );
    assert_eq!(said, "outer01");
    assert_eq!(tree(&rig.path("")), before);
}

#[test]
fn what_somebody_else_changed_stays_and_is_told_of() {
    let rig = rig();
    let error = rig.error(
        "agent.transaction(function()
           tools.write { path = 'a.txt', content = 'x' }
           tools.write { path = 'd/b.txt', content = 'y' }
           local file = io.open(agent.path.join(agent.workspace, 'a.txt'), 'w')
           file:write('theirs') file:close()
           error { kind = 'failed', message = 'red' }
         end)",
    );
    assert_eq!(error.kind, Kind::Failed);
    assert!(
        error
            .message
            .starts_with("red; not put back: a.txt was changed meanwhile by somebody else"),
        "{error}"
    );
    let detail = serde_json::to_string(&error.detail).unwrap();
    assert_eq!(detail, r#"{"conflict":["a.txt"]}"#);
    assert_eq!(rig.read("a.txt"), b"theirs");
    assert_eq!(rig.read("d/b.txt"), b"\xef\xbb\xbfbee\n");
}

#[test]
fn the_line_that_raised_is_told_of_whether_all_could_be_put_back_or_not() {
    let theirs = "local file = io.open(agent.path.join(agent.workspace, 'a.txt'), 'w')
        file:write('theirs') file:close()";
    for raised in [
        "error 'red'",
        "error { kind = 'failed', message = 'red', mine = 7 }",
        "tools.read 'nope'",
    ] {
        for meanwhile in ["\n", theirs] {
            let rig = rig();
            let source = format!(
                "agent.transaction(function()
                   tools.write('a.txt', 'x')
                   {meanwhile}
                   {raised}
                 end)"
            );
            let uncaught = rig.script(&source).unwrap_err();
            assert_eq!(
                uncaught.position.as_deref(),
                Some("test.lua:5"),
                "{source}: {uncaught:?}"
            );
        }
    }
    let rig = rig();
    let said = rig.text(&format!(
        "local ok, err = pcall(agent.transaction, function()
           tools.write('a.txt', 'x') {theirs}
           tools.read 'nope'
         end)
         return err.kind .. ' ' .. err.tool .. ' ' .. err.detail.conflict[1]"
    ));
    assert_eq!(said, "not_found read a.txt");
}

#[test]
fn the_target_of_a_move_is_the_one_in_conflict_and_its_source_is_back() {
    let rig = rig();
    let error = rig.error(
        "agent.transaction(function()
           tools.move('a.txt', 'z.txt')
           local file = io.open(agent.path.join(agent.workspace, 'z.txt'), 'w')
           file:write('theirs') file:close()
           error { kind = 'failed', message = 'red' }
         end)",
    );
    assert_eq!(
        error.message,
        "red; not put back: z.txt was changed meanwhile by somebody else"
    );
    let detail = serde_json::to_string(&error.detail).unwrap();
    assert_eq!(detail, r#"{"conflict":["z.txt"]}"#);
    assert_eq!(rig.read("z.txt"), b"theirs");
    assert_eq!(rig.read("a.txt"), b"one\r\ntwo\r\n");
}

#[test]
fn what_an_inner_one_could_not_put_back_belongs_to_the_outer() {
    let rig = rig();
    let files = rig.text(
        "local change = agent.transaction(function()
           pcall(agent.transaction, function()
             tools.write('a.txt', 'x')
             local file = io.open(agent.path.join(agent.workspace, 'a.txt'), 'w')
             file:write('theirs') file:close()
             error 'inner'
           end)
         end)
         return change.files[1].path .. #change.files",
    );
    assert_eq!(files, "a.txt1");
    assert_eq!(rig.read("a.txt"), b"theirs");
}

#[test]
fn a_coroutine_left_behind_does_not_hold_it_up() {
    let rig = rig();
    let said = rig.text(
        "local change = agent.transaction(function()
           coroutine.resume(coroutine.create(function()
             agent.transaction(function()
               tools.write { path = 'inner', content = 'x' }
               coroutine.yield()
             end)
           end))
           tools.write { path = 'outer', content = 'x' }
         end)
         return change.files[1].path .. #change.files",
    );
    assert_eq!(said, "outer1");
    assert!(!rig.path("inner").exists());
}

#[test]
fn a_tool_and_a_hook_inside_belong_to_it() {
    let rig = rig();
    let before = tree(&rig.path(""));
    rig.script(
        "agent.tool { id = 'touch', execute = function() tools.write { path = 't', content = 't' } end }
         local off = agent.on('tool.before', function(call)
           if call.tool == 'touch' then tools.write { path = 'h', content = 'h' } end
         end)
         agent.try(agent.transaction, function()
           tools.touch()
           assert(#tools.glob('[th]').paths == 2)
           error('enough')
         end)
         off()",
    )
    .unwrap();
    assert_eq!(tree(&rig.path("")), before);
}

#[test]
fn a_hook_that_is_late_inside_a_transaction_is_told_of_when_its_files_are_back() {
    let rig = rig();
    let source = "
        local off = agent.on('tool.before', function(call)
          if call.tool ~= 'list' then return end
          agent.transaction(function() tools.write('a.txt', 'new') agent.sleep(30) end)
        end, { timeout = 0.2 })
        local ok, err = pcall(tools.list)
        return tostring(ok) .. ' ' .. tools.read('a.txt').text";
    assert_eq!(rig.text(source), "false one\r\ntwo\r\n");
}
