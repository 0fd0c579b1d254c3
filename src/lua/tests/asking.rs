//! `agent.confirm`, `input`, `select`: who answers, and what stands in where nobody does.

use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;

use super::rig::Rig;
use crate::error::Kind;
use crate::permission::Caller;
use crate::tool::{Answer, Human, Prompt, Question, Said, Wants};

/// Answers in order, and remembers what was asked.
struct Scripted {
    asked: Mutex<Vec<Prompt>>,
    answers: Mutex<Vec<Said>>,
}

impl Human for Scripted {
    fn ask(&self, _: Question) -> BoxFuture<'static, Answer> {
        Box::pin(std::future::ready(Answer::Nobody))
    }

    fn prompt(&self, prompt: Prompt) -> BoxFuture<'static, Said> {
        self.asked.lock().unwrap().push(prompt);
        let answer = self.answers.lock().unwrap().remove(0);
        Box::pin(std::future::ready(answer))
    }
}

fn answering(caller: Caller, answers: Vec<Said>) -> (Rig, Arc<Scripted>) {
    let person = Arc::new(Scripted {
        asked: Mutex::default(),
        answers: Mutex::new(answers),
    });
    (Rig::before(caller, Arc::clone(&person) as _), person)
}

#[test]
fn the_person_answers() {
    let answers = vec![
        Said::YesNo(true),
        Said::Line("bob".to_owned()),
        Said::Choice(1),
    ];
    let (rig, person) = answering(Caller::User, answers);
    let said = rig.text(
        "local yes = agent.confirm('go on?')
         local name = agent.input('name', { default = 'ann', secret = true })
         local word, place = agent.select('which?', { 'a', 'b' }, { default = 'a' })
         return tostring(yes) .. name .. word .. place",
    );
    assert_eq!(said, "truebobb2");
    let asked = person.asked.lock().unwrap();
    assert_eq!(asked[0].wants, Wants::YesNo(None));
    assert_eq!(asked[0].text, "go on?");
    let secret = Wants::Line {
        default: Some("ann".to_owned()),
        is_secret: true,
    };
    assert_eq!(asked[1].wants, secret);
}

#[test]
fn a_tool_asks_too_whoever_calls_it() {
    let (rig, person) = answering(Caller::Model, vec![Said::YesNo(false)]);
    rig.script(
        "agent.tool { id = 'asks', effect = 'read', execute = function()
           return tostring(agent.confirm('from a tool?'))
         end }",
    )
    .unwrap();
    assert_eq!(rig.call("asks", "{}").unwrap().text, "false");
    assert_eq!(person.asked.lock().unwrap()[0].text, "from a tool?");
}

#[test]
fn the_default_stands_in_and_without_one_it_raises() {
    let rig = Rig::new();
    let said = rig.text(
        "local yes = agent.confirm('?', { default = true })
         local word, place = agent.select('?', { 'a', 'b' }, { default = 'b' })
         return tostring(yes) .. agent.input('?', { default = 'x' }) .. word .. place",
    );
    assert_eq!(said, "truexb2");
    for call in ["confirm('?')", "input('?')", "select('?', { 'a' })"] {
        let error = rig.error(&format!("agent.{call}"));
        assert_eq!(error.kind, Kind::Unavailable, "{call}");
        assert_eq!(error.message, "nobody is there to answer: ?");
    }
    let (rig, _) = answering(Caller::User, vec![Said::End, Said::End]);
    assert_eq!(rig.text("return agent.input('?', { default = 'x' })"), "x");
    assert_eq!(rig.error("agent.input('?')").kind, Kind::Rejected);
}

#[test]
fn what_is_asked_wrongly_is_an_error() {
    let rig = Rig::new();
    for (call, says) in [
        ("confirm()", "argument 1 (text)"),
        ("confirm('?', { defualt = true })", "defualt"),
        ("confirm('?', { default = 1 })", "true or false"),
        ("input('?', { default = 1 })", "text"),
        ("select('?', {})", "nothing to choose"),
        ("select('?', { 1 })", "a list of texts"),
        (
            "select('?', { 'red' }, { default = 'rde' })",
            "`rde` is no choice",
        ),
    ] {
        let error = rig.error(&format!("agent.{call}"));
        assert_eq!(error.kind, Kind::Argument, "{call}");
        assert!(error.message.contains(says), "{call}: {error}");
    }
}

#[test]
fn an_unknown_default_is_told_with_the_choices() {
    let rig = Rig::new();
    let error = rig.error("agent.select('which', { 'main', 'dev' }, { default = 'x' })");
    assert_eq!(error.hint.as_deref(), Some("the choices are: main, dev"));
}
