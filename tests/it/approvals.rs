//! The yes for good at a real terminal: what it offers, how long it holds, what else it settles, how it is
//! taken back; and the no that refuses all that waits.

use crate::program::Program;
use crate::running::until;
use crate::terminal::Terminal;

/// Waits until the script has made the file `path`.
fn appears(program: &Program, path: &str) {
    let made = until(program.patience(), || program.at(path).exists());
    assert!(made, "{path} never came");
}

/// A program with two calls that are asked about, one after the other, about the same file beside the workspace.
fn asking_twice(program: &Program) -> Terminal {
    let code = "for _, word in ipairs { 'one', 'two' } do
            tools.write('../beside.txt', word) print('wrote ' .. word)
        end";
    Terminal::open(program, &["eval", code])
}

pub(crate) fn saved(program: &Program) -> serde_json::Value {
    let ran = program.run(&["-o", "json", "permissions", "list"]);
    ran.exits(0).json()["approvals"].clone()
}

#[test]
fn yes_is_asked_again_and_an_empty_line_is_no_answer() {
    let program = Program::new();
    let mut terminal = asking_twice(&program);
    terminal.wait_for("run it?");
    terminal.send("\r");
    terminal.wait_for("?: \nrun it?");
    terminal.send("y\r");
    terminal.wait_for("wrote one");
    terminal.wait_for("+two");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
    assert_eq!(saved(&program), serde_json::json!([]));
}

#[test]
fn always_holds_for_the_session_and_shows_its_rule_before() {
    let program = Program::new();
    let mut terminal = asking_twice(&program);
    terminal.wait_for("run it?");
    assert!(
        terminal.screen().contains("always would allow edit:/"),
        "{}",
        terminal.screen()
    );
    terminal.send("a\r");
    terminal.wait_for("wrote two");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(
        saved(&program),
        serde_json::json!([]),
        "nothing outlives the session"
    );
    let mut terminal = asking_twice(&program);
    terminal.wait_for("run it?");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
}

#[test]
fn an_approval_of_the_project_or_the_person_is_listed_and_taken_back() {
    for (key, scope) in [("p", "project"), ("u", "user")] {
        let program = Program::new();
        let mut terminal = asking_twice(&program);
        terminal.wait_for("run it?");
        terminal.send(&format!("{key}\r"));
        terminal.wait_for("wrote two");
        assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
        let write = ["call", "write", r#"{"path":"../beside.txt","content":"x"}"#];
        program
            .run(&["eval", "tools.write('../beside.txt', 'three')"])
            .exits(0)
            .prints_part("wrote");
        let listed = saved(&program);
        let approval = &listed[0];
        assert_eq!(
            (approval["scope"].as_str(), approval["caller"].as_str()),
            (Some(scope), Some("user"))
        );
        let id = approval["id"].as_str().unwrap();
        program
            .run(&["permissions", "list"])
            .exits(0)
            .prints_part(id);
        let near = format!("{}x", &id[..15]);
        program
            .run(&["permissions", "revoke", &near])
            .exits(1)
            .says(&format!("did you mean `{id}`?"));
        program
            .run(&["--as", "model", "permissions", "revoke", id])
            .exits(3)
            .says("a model cannot take an approval back");
        // A model's overwriting of what it has not read would be a conflict before anybody is asked.
        std::fs::remove_file(program.at("../beside.txt")).unwrap();
        program
            .run(&["--as", "model", write[0], write[1], write[2]])
            .exits(3)
            .says("nobody is there to ask");
        program
            .run(&["permissions", "revoke", id])
            .exits(0)
            .prints_part("is not approved any more");
        assert_eq!(saved(&program), serde_json::json!([]));
        program
            .run(&["eval", "tools.write('../beside.txt', 'four')"])
            .exits(3)
            .says("nobody is there to ask");
    }
}

/// Makes the file `three` when three calls wait for an answer.
const WAITING: &str = "local waiting = 0
    agent.on('notification', function()
        waiting = waiting + 1
        if waiting == 3 then io.open('three', 'w'):close() end
    end) ";

#[test]
fn what_waits_for_the_same_goes_on_with_one_always() {
    let program = Program::new();
    let code = "local function write() agent.try(tools.write, '../beside.txt', 'same') end
        agent.all(write, write, write) print('all done')";
    let mut terminal = Terminal::open(&program, &["eval", &(WAITING.to_owned() + code)]);
    appears(&program, "three");
    terminal.wait_for("run it?");
    terminal.send("a\r");
    terminal.wait_for("all done");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(
        terminal.screen().matches("run it?").count(),
        1,
        "{}",
        terminal.screen()
    );
}

#[test]
fn one_no_refuses_all_that_waits() {
    let program = Program::new();
    let code = "local function try(name) return function()
            local _, err = agent.try(tools.write, name, 'x') print(name, err.kind)
        end end
        agent.all(try '../a.txt', try '../b.txt', try '../c.txt')";
    let mut terminal = Terminal::open(&program, &["eval", &(WAITING.to_owned() + code)]);
    appears(&program, "three");
    terminal.wait_for("run it?");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(
        terminal.screen().matches("rejected").count(),
        3,
        "{}",
        terminal.screen()
    );
    assert_eq!(
        terminal.screen().matches("run it?").count(),
        1,
        "{}",
        terminal.screen()
    );
}

#[test]
fn no_always_is_offered_for_what_is_critical() {
    let program = Program::new().file(".git/config", "[core]\n");
    let mut terminal = Terminal::open(&program, &["call", "delete", ".git"]);
    terminal.wait_for("run it?");
    assert!(
        !terminal.screen().contains("always"),
        "{}",
        terminal.screen()
    );
    terminal.send("a\r");
    terminal.wait_for("?: a\nrun it?");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3);
    assert!(program.at(".git/config").exists());
}

#[test]
fn what_was_typed_before_the_question_is_no_answer() {
    let program = Program::new();
    let code = "local go = io.open('go', 'w') go:close()
        while not io.open('typed') do agent.sleep(.01) end
        tools.write('../beside.txt', 'x')";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    appears(&program, "go");
    terminal.send("y\ry\r");
    terminal.wait_for("y\ny\n");
    program.write("typed", "");
    terminal.wait_for("run it?");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
    assert!(!program.at("../beside.txt").exists());
}
