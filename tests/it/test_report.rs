//! What `agent test` says: a line a file, failures in full, the numbers; documents, events, JUnit; wrong usage.

use serde_json::Value;

use crate::testing::{names, tested, with, word};

#[test]
fn green_is_a_line_a_file_and_the_numbers() {
    let ran = tested("describe('a', function() it('b', function() assert(true) end) end)");
    let lines: Vec<&str> = ran.stdout().lines().collect();
    assert!(lines[0].starts_with("ok   t/a_test.lua (1 test, "), "{ran}");
    assert_eq!(lines[1..], ["1 passed, 0 failed, 0 skipped"]);
}

#[test]
fn red_is_told_in_full_with_the_line_of_the_test() {
    let ran = tested(
        "it('first', function()\n  local x\n  x.y = 1\nend)\nit('second', function()\n\n  assert.equal(1, 2)\nend)\n",
    );
    ran.exits(1)
        .prints_part("FAIL t/a_test.lua (2 tests, ")
        .prints_part(
            "  failed first\n      t/a_test.lua:3: attempt to index a nil value (local 'x')\n",
        )
        .prints_part("  failed second\n      t/a_test.lua:7: expected 1\n      got      2\n");
    assert!(
        ran.stdout().ends_with("\n0 passed, 2 failed, 0 skipped\n"),
        "{ran}"
    );
}

#[test]
fn a_failed_call_says_kind_and_hint() {
    let ran = tested("it('x', function() tools.raed('y') end)");
    ran.exits(1)
        .prints_part("t/a_test.lua:1: not_found: there is no tool `raed`")
        .prints_part("did you mean `read`?");
}

#[test]
fn what_is_pending_is_skipped() {
    let ran = tested(
        "pending('a', function() error('never') end)\nit('b')\nit('c', function() pending('no time') error('never') end)",
    );
    ran.prints_part(
        "  skipped a\n  skipped b\n  skipped c: no time\n0 passed, 0 failed, 3 skipped\n",
    );
}

#[test]
fn the_filter_meets_the_full_name() {
    let program = with(
        "describe('outer', function() it('one', function() end) it('two', function() error('x') end) end)\nit('three', function() error('x') end)",
    );
    let ran = program.run(&["test", "t", "--filter", "outer one"]);
    ran.prints_part("1 passed, 0 failed, 0 skipped\n");
    program
        .run(&["test", "t", "--filter", "nothing"])
        .exits(2)
        .says("no test has `nothing` in its name");
}

#[test]
fn a_program_gets_one_document_and_events() {
    let program = with("it('a', function() end)\nit('b', function() error('x') end)\nit('c')")
        .file(
            "t/b_spec.lua",
            "it('d', function() print('to the log') end)",
        );
    let ran = program.run(&["test", "t", "-o", "json"]);
    ran.exits(1).says("to the log");
    let document = ran.json();
    assert_eq!(
        names(&document),
        ["passed a", "failed b", "skipped c", "passed d"]
    );
    let counts = ["passed", "failed", "skipped"].map(|name| document[name].as_u64());
    assert_eq!(counts, [Some(2), Some(1), Some(1)]);
    let failed = &document["tests"][1];
    assert_eq!(
        (word(failed, "file"), failed["line"].as_u64()),
        ("t/a_test.lua".into(), Some(2))
    );
    assert_eq!(word(failed, "message"), "t/a_test.lua:2: x");
    assert!(failed["duration"].is_f64() && document["duration"].is_f64());
    assert_eq!(document["ok"], false);

    let ran = program.run(&["test", "t", "-o", "jsonl"]);
    ran.exits(1).says("to the log");
    let lines = ran.json_lines();
    let events = lines.iter().filter(|line| line["type"] == "test");
    let mut events: Vec<Value> = events.cloned().collect();
    for event in &mut events {
        event.as_object_mut().unwrap().shift_remove("type");
        event.as_object_mut().unwrap().shift_remove("duration");
    }
    let last = lines.last().unwrap();
    assert_eq!(last["type"], "result");
    let mut tests = last["tests"].as_array().unwrap().clone();
    for test in &mut tests {
        test.as_object_mut().unwrap().shift_remove("duration");
    }
    assert_eq!(events, tests);
}

#[test]
fn junit_is_xml_whatever_the_names_hold() {
    let program = with(
        "it('a <b> & \"c\" \\27[0m', function() error('<&>\\0 \"x\" ]]>') end)\nit('fine', function() end)\nit('later')",
    );
    program
        .run(&["test", "t", "--junit", "r.xml"])
        .exits(1)
        .stdout();
    let xml = program.text("r.xml");
    let elements = parsed(&xml);
    let count = |name: &str| {
        elements
            .iter()
            .filter(|element| element.starts_with(name))
            .count()
    };
    let counts = [
        "testsuites ",
        "testsuite ",
        "testcase ",
        "failure ",
        "skipped ",
    ]
    .map(count);
    assert_eq!(counts, [1, 1, 3, 1, 1], "{xml}");
    assert!(
        xml.contains("name=\"a &lt;b&gt; &amp; &quot;c&quot; \u{fffd}[0m\""),
        "{xml}"
    );
    assert!(
        xml.contains("&lt;&amp;&gt;\u{fffd} &quot;x&quot; ]]&gt;"),
        "{xml}"
    );
    assert!(
        xml.contains("tests=\"3\" failures=\"1\" skipped=\"1\""),
        "{xml}"
    );
}

/// The elements of an XML text, as what stands between `<` and `>`. Fails where it is not well-formed.
fn parsed(xml: &str) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let body = xml
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        .unwrap();
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag is closed");
        let plain = |character: char| !character.is_control() || "\n\t".contains(character);
        assert!(
            text.chars().all(plain) && !text.contains('"') && !text.contains('>'),
            "{text:?}"
        );
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap()
            .to_owned();
        match tag.starts_with('/') {
            true => assert_eq!(open.pop(), Some(name), "{xml}"),
            false => {
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                found.push(tag.to_owned());
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    assert!(open.is_empty(), "{open:?} left open");
    found
}

#[test]
fn a_failing_before_or_after_fails_the_test_and_no_other() {
    let ran = tested(
        "local ran = false
         describe('before', function()
           before_each(function() error('in before') end)
           it('one', function() ran = true end)
         end)
         describe('after', function()
           after_each(function() assert.equal(1, 2) end)
           it('two', function() end)
         end)
         describe('setup', function()
           setup(function() error('in setup') end)
           it('three', function() end)
           it('four', function() end)
         end)
         it('five', function() assert.is_false(ran) end)",
    );
    ran.exits(1)
        .prints_part("failed before one\n      t/a_test.lua:3: in before\n")
        .prints_part("failed after two\n      while cleaning up: t/a_test.lua:7: expected 1\n")
        .prints_part("failed setup three\n      t/a_test.lua:11: in setup\n")
        .prints_part("the setup of `setup` has failed before")
        .prints_part("1 passed, 4 failed, 0 skipped\n");
}

#[test]
fn a_file_that_does_not_come_to_its_tests_is_one_failed_test() {
    let program = with("it('never', function() end)\nerror('boom')")
        .file("t/b_test.lua", "return = 1\n")
        .file("t/c_test.lua", "it('fine', function() end)")
        .file(
            "t/d_test.lua",
            "describe('x', function() error('inside') end)",
        )
        .file("t/e_test.lua", "it(1, function() end)")
        .file("t/f_test.lua", "os.exit(0)");
    let ran = program.run(&["test", "t"]);
    ran.exits(1)
        .prints_part("failed t/a_test.lua\n      t/a_test.lua:2: boom\n")
        .prints_part("failed t/b_test.lua\n      t/b_test.lua:1: syntax error")
        .prints_part("failed t/d_test.lua\n      t/d_test.lua:1: inside\n")
        .prints_part("t/e_test.lua:1: argument: it: expected its name, got number")
        .prints_part("os.exit ends a script")
        .prints_part("1 passed, 5 failed, 0 skipped\n");
}

#[test]
fn wrong_usage_is_told_before_anything_runs() {
    let program = with("error('never')")
        .file("t/c.lua", "")
        .file("none/c.lua", "");
    program.run(&["test", "nowhere"]).exits(2).says("nowhere");
    program.run(&["test", "t/c.lua"]).exits(2).says("_test.lua");
    program
        .run(&["test", "none"])
        .exits(2)
        .says("there are no tests");
    program
        .run(&["test", "--as", "model", "t"])
        .exits(2)
        .says("never as a model");
    program.run(&["test"]).exits(2).says("no PATH was named");
    let ran = program.run(&["test", "nowhere", "-o", "json"]);
    assert_eq!(ran.exits(2).json()["error"]["kind"], "argument");
}

#[test]
fn the_time_of_the_whole_run_ends_it() {
    let program = with("it('a', function() agent.sleep(600) end, { timeout = 600 })");
    program
        .run(&["test", "t", "--timeout", "0.5"])
        .exits(124)
        .prints("")
        .says("--timeout");
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_anything_runs() {
    let program = with("error('never')");
    let ran = program.run(&["test", "t", "--junit", "none/r.xml"]);
    ran.exits(2).prints("").says("none/r.xml").says("--junit");
}
