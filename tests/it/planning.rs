//! Planning: while a session plans a model only reads, whatever is allowed, and the person's yes to the plan ends it.

use std::sync::{Arc, Mutex};

use agent::data::Data;
use agent::error::{Kind, ToolError};
use agent::permission::{Action, Caller};
use agent::tool::{Answer, Human, Question};
use futures_util::future::BoxFuture;

use crate::door::{Door, args};
use crate::program::Program;
use crate::terminal::Terminal;

/// Answers in order, and remembers what was asked; after the last, nobody is there.
struct Scripted(Mutex<Vec<Answer>>, Mutex<Vec<Question>>);

impl Scripted {
    fn new(answers: Vec<Answer>) -> Arc<Scripted> {
        Arc::new(Scripted(Mutex::new(answers), Mutex::default()))
    }
}

impl Human for Scripted {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        self.1.lock().unwrap().push(question);
        let mut answers = self.0.lock().unwrap();
        let answer = match answers.is_empty() {
            true => Answer::Nobody,
            false => answers.remove(0),
        };
        Box::pin(std::future::ready(answer))
    }
}

fn write(door: &Door) -> Result<(), ToolError> {
    let new = args([("path", "a.txt".into()), ("content", "x".into())]);
    door.model("write", new).map(drop)
}

fn plan(door: &Door) -> Result<String, ToolError> {
    let plan = args([("plan", "1. look\n2. mend".into())]);
    door.model("ExitPlanMode", plan).map(|output| output.text)
}

#[test]
fn a_no_inside_of_a_batch_ends_the_turn_too() {
    let person = Scripted::new(vec![Answer::Reject(None)]);
    let door = Door::before(person, &[]);
    door.gate.services().planning.begin();
    let call = Data::map([
        ("tool", "plan_exit".into()),
        ("arguments", args([("plan", "x".into())])),
    ]);
    let batch = door.model("batch", args([("calls", vec![call.clone()].into())]));
    assert_eq!(batch.unwrap().metadata["ends_turn"], Data::Bool(true));
    let batch = door
        .model("batch", args([("calls", vec![call].into())]))
        .unwrap();
    assert!(
        !batch.metadata.contains_key("ends_turn"),
        "nobody was there: {}",
        batch.text
    );
}

fn none() -> Data {
    args([])
}

#[test]
fn while_it_plans_a_model_only_reads_whatever_is_allowed() {
    let allowed = [("edit", Action::Allow), ("shell", Action::Allow)];
    let door = Door::with(&allowed);
    write(&door).unwrap();
    door.model("plan_enter", none()).unwrap();
    let error = write(&door).unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    assert!(
        error.message.contains("the mode `plan` only reads"),
        "{error}"
    );
    assert!(
        error.hint().contains("call `plan_exit` with the plan"),
        "{error}"
    );
    let line = |line: &str| door.model("shell", args([("command", line.into())]));
    assert_eq!(line("touch b.txt").unwrap_err().kind, Kind::Denied);
    assert!(line("cat a.txt").unwrap().text.contains('x'));
    door.model("read", args([("path", "a.txt".into())]))
        .unwrap();
    // In a batch it is no other.
    let call = Data::map([
        ("tool", "delete".into()),
        ("arguments", Data::map([("path", "a.txt".into())])),
    ]);
    let batch = door
        .model("batch", args([("calls", vec![call].into())]))
        .unwrap();
    assert!(batch.text.contains("error (denied)"), "{}", batch.text);
    // The person is not held to it.
    door.ok(
        "write",
        args([("path", "c.txt".into()), ("content", "x".into())]),
    );
    let again = door.model("EnterPlanMode", none()).unwrap();
    assert!(again.title.contains("already"), "{}", again.title);
    assert!(door.at("a.txt").exists() && !door.at("b.txt").exists());
}

#[test]
fn a_yes_to_the_plan_ends_it_and_a_no_does_not() {
    let answers = vec![
        Answer::Reject(Some("smaller steps".to_owned())),
        Answer::Reject(None),
        Answer::Once,
    ];
    let person = Scripted::new(answers);
    let door = Door::before(Arc::clone(&person) as _, &[("edit", Action::Allow)]);
    let idle = plan(&door).unwrap_err();
    assert_eq!(
        (idle.kind, idle.message.as_str()),
        (
            Kind::Unavailable,
            "the tool `plan_exit` is not available: nothing is being planned"
        )
    );
    door.model("plan_enter", none()).unwrap();

    let with_words = plan(&door).unwrap_err();
    assert_eq!(with_words.kind, Kind::Rejected);
    assert!(
        with_words.message.ends_with(": smaller steps"),
        "{with_words}"
    );
    assert!(
        !with_words
            .detail
            .as_deref()
            .is_some_and(|detail| detail.contains_key("ends_turn"))
    );
    let without = plan(&door).unwrap_err();
    assert_eq!(without.kind, Kind::Rejected);
    assert!(
        without
            .detail
            .as_deref()
            .is_some_and(|detail| detail.contains_key("ends_turn"))
    );
    assert!(write(&door).is_err(), "planning goes on");

    assert!(
        plan(&door)
            .unwrap()
            .contains("the plan is approved\nCarry it out now.")
    );
    write(&door).unwrap();
    assert_eq!(plan(&door).unwrap_err().kind, Kind::Unavailable);
    let asked = person.1.lock().unwrap();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[0].shows, "1. look\n2. mend");
    assert!(asked[0].always.rules.is_empty());
}

#[test]
fn where_nobody_says_yes_it_goes_on() {
    let door = Door::with(&[("edit", Action::Allow)]);
    let begun = door.model("plan_enter", none()).unwrap();
    assert!(
        begun.text.contains("Nobody is there to say yes"),
        "{}",
        begun.text
    );
    let error = plan(&door).unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    assert_eq!(error.detail.as_ref().unwrap()["unattended"], true);
    assert!(
        error.hint().contains("give the plan as the answer"),
        "{error}"
    );
    assert!(write(&door).is_err());
}

#[test]
fn the_way_out_is_offered_while_there_is_something_to_leave() {
    let door = Door::new();
    let offered = |door: &Door| {
        let scope = door.scope.lowered(Caller::Model).unwrap();
        let defined = door
            .runtime()
            .block_on(door.gate.defined(&scope, Some("plan_exit")));
        defined.unwrap()[0].missing.clone()
    };
    assert_eq!(
        offered(&door).as_deref(),
        Some("the tool `plan_exit` is not available: nothing is being planned")
    );
    let planning = &door.gate.services().planning;
    assert!(!planning.begin() && planning.is_on());
    assert_eq!(offered(&door), None);
    assert!(planning.end() && !planning.end());
    assert!(offered(&door).is_some());
}

#[test]
fn at_a_terminal_the_plan_is_read_and_the_answer_is_a_line() {
    let program = Program::new();
    let plan = r#"{"plan":"1. look\n2. \u001b[2Kmend"}"#;
    let words = [
        "--profile",
        "plan",
        "--as",
        "model",
        "call",
        "plan_exit",
        plan,
    ];
    let mut terminal = Terminal::open(&program, &words);
    terminal.wait_for("run it?");
    let screen = terminal.screen();
    for part in [
        "plan_exit asks: this is the plan",
        "  1. look\n",
        "  2. \\x1b[2Kmend",
    ] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
    terminal.send("n smaller steps\r");
    terminal.wait_for("error (rejected): the person said no to the plan: smaller steps");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());

    let mut terminal = Terminal::open(&program, &words);
    terminal.wait_for("run it?");
    terminal.send("y\r");
    terminal.wait_for("This profile changes nothing: the plan is the answer");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    let audit = program.run(&["-o", "json", "session", "audit"]);
    audit.exits(0).prints_part("\"once\"");
}

#[test]
fn a_profile_that_plans_has_only_the_way_out() {
    let program = Program::new();
    let enter = ["--profile", "plan", "--as", "model", "call", "plan_enter"];
    program
        .run(&enter)
        .exits(1)
        .says("the profile `plan` has not got the tool `plan_enter`");
    let exit = [
        "--profile",
        "plan",
        "--as",
        "model",
        "call",
        "plan_exit",
        "do it",
    ];
    program
        .run(&exit)
        .exits(3)
        .says("nobody is there to say yes to the plan");
    program
        .run(&["call", "plan_exit", "do it"])
        .exits(1)
        .says("nothing is being planned");
    let code = "tools.plan_enter() return select(2, agent.try(tools.plan_exit, ' ')).message";
    program
        .run(&["eval", code])
        .exits(0)
        .prints("plan: expected the plan, got no text\n");
}
