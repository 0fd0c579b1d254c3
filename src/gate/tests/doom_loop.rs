//! A model that goes in a circle: what is one, who is asked, and what the answers do.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::rig::{Rig, Setup};
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Caller, Effect};
use crate::schema::Parameters;
use crate::tool::*;

/// A tool whose results come from a list, the last of them for ever: each is its text, or an error.
struct Tells {
    spec: Spec,
    results: Arc<Vec<Result<Output, ToolError>>>,
    calls: Arc<AtomicUsize>,
}

struct Told(Arc<Vec<Result<Output, ToolError>>>, Arc<AtomicUsize>);

impl Tells {
    fn tool(results: Vec<Result<Output, ToolError>>, polls: bool) -> Arc<dyn Tool> {
        let schema = serde_json::json!({ "type": "object", "properties": {
            "a": { "type": "integer", "default": 1 }, "b": { "type": "integer" } } });
        Arc::new(Tells {
            spec: Spec {
                id: "tells".to_owned(),
                display_name: None,
                hint: None,
                surface: "test".to_owned(),
                effect: Effect::Read,
                description: String::new(),
                parameters: Parameters::from_json_schema(schema).unwrap(),
                parameter_aliases: Vec::new(),
                timeout: None,
                polls,
                stands_alone: false,
                fields: &[],
                examples: Vec::new(),
                origin: Origin::Shipped,
            },
            results: Arc::new(results),
            calls: Arc::default(),
        })
    }
}

impl Tool for Tells {
    fn id(&self) -> &str {
        &self.spec.id
    }

    fn aliases(&self) -> Vec<&str> {
        Vec::new()
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn foresee<'a>(
        &'a self,
        _: &'a Arc<Data>,
        _: &'a Context,
    ) -> futures_util::future::BoxFuture<'a, Result<Plan, ToolError>> {
        Box::pin(async { Ok(Plan::read(Vec::new())) })
    }

    fn bind(&self, _: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        let (results, calls) = (Arc::clone(&self.results), Arc::clone(&self.calls));
        Ok(Box::new(Told(results, calls)))
    }
}

impl Bound for Told {
    fn plan<'a>(
        &'a self,
        _: &'a Context,
    ) -> futures_util::future::BoxFuture<'a, Result<Plan, ToolError>> {
        Box::pin(async { Ok(Plan::read(Vec::new())) })
    }

    fn execute<'a>(
        &'a self,
        _: Plan,
        _: &'a Context,
    ) -> futures_util::future::BoxFuture<'a, Outcome> {
        let at = self.1.fetch_add(1, Ordering::SeqCst);
        let outcome = self.0.get(at).or(self.0.last()).cloned();
        Box::pin(async move { outcome.unwrap_or_else(|| Ok(Output::default())) })
    }
}

fn text(text: &str) -> Result<Output, ToolError> {
    Ok(Output::new("", text, []))
}

struct Model {
    rig: Rig,
    scope: Scope,
}

impl Model {
    fn with(setup: Setup) -> Model {
        let rig = Rig::with(setup);
        let scope = rig.scope.lowered(Caller::Model).unwrap();
        Model { rig, scope }
    }

    fn new() -> Model {
        Model::with(Setup::default())
    }

    fn answering(answers: Vec<Answer>) -> Model {
        Model::with(Setup {
            answers,
            ..Setup::default()
        })
    }

    fn telling(results: Vec<Result<Output, ToolError>>, polls: bool) -> Model {
        Model::with(Setup {
            tools: vec![Tells::tool(results, polls)],
            ..Setup::default()
        })
    }

    async fn call(&self, tool: &str, args: &str) -> Outcome {
        let call = self
            .rig
            .call_in(&self.scope, tool, args, Destination::Model);
        call.await
    }

    async fn echo(&self, text: &str) -> Outcome {
        let args = serde_json::json!({ "text": text }).to_string();
        self.call("echo", &args).await
    }

    /// Echoes each letter as a call of its own; how each ended: `.` for a result, `?` for a refusal.
    async fn echoes(&self, letters: &str) -> String {
        let mut ends = String::new();
        for letter in letters.chars() {
            let outcome = self.echo(&letter.to_string()).await;
            ends.push(match outcome {
                Ok(_) => '.',
                Err(error) => {
                    assert_eq!(error.kind, Kind::Denied);
                    '?'
                }
            });
        }
        ends
    }

    fn asked(&self) -> usize {
        self.rig.asked.lock().unwrap().len()
    }
}

#[tokio::test]
async fn the_third_identical_call_in_three_steps_is_asked_about_before_it_runs() {
    let model = Model::new();
    assert_eq!(model.echoes("aa").await, "..");
    let refused = model.echo("a").await.unwrap_err();
    assert_eq!(refused.kind, Kind::Denied);
    assert!(refused.message.contains("for the third time"), "{refused}");
    assert!(
        refused.hint().contains("--allow 'doom_loop:echo'"),
        "{}",
        refused.hint()
    );
    let question = model.rig.asked.lock().unwrap()[0].clone();
    assert!(question.shows.contains("\"text\": \"a\""), "{question:?}");
    assert_eq!(model.rig.records(), ["echo:ok", "echo:ok", "echo:denied"]);
    assert_eq!(
        model.echoes("a").await,
        "?",
        "a refusal begins nothing anew"
    );
    assert_eq!(model.echoes("baa").await, "...", "another call does");
    assert_eq!(model.echoes("a").await, "?");
}

#[tokio::test]
async fn names_defaults_and_their_order_make_no_other_call() {
    let model = Model::new();
    let same = [
        r#"{"text": "a"}"#,
        r#"{"times": 1, "text": "a"}"#,
        r#"{"words": "a"}"#,
    ];
    for (args, is_ok) in same.into_iter().zip([true, true, false]) {
        assert_eq!(
            model.call("echo_alias", args).await.is_ok(),
            is_ok,
            "{args}"
        );
    }
    let other = model.call("echo", r#"{"text": "a", "times": 2}"#).await;
    assert!(other.is_ok());
}

#[tokio::test]
async fn the_third_round_of_a_cycle_is_asked_about_where_it_closes() {
    for (letters, ends) in [
        ("ababab", ".....?"),
        ("abcabcabc", "........?"),
        ("abcdabcdabcd", "...........?"),
        ("abcdeabcdeabcde", "..............."),
        ("ababac", "......"),
    ] {
        assert_eq!(Model::new().echoes(letters).await, ends, "{letters}");
    }
}

#[tokio::test]
async fn another_result_is_no_circle_and_another_time_is_no_other_result() {
    let changing = Model::telling(vec![text("1"), text("2"), text("3")], false);
    for _ in 0..4 {
        assert!(changing.call("tells", "{}").await.is_ok());
    }
    assert!(
        changing.call("tells", "{}").await.is_err(),
        "3, 3, and again"
    );

    let timed = |seconds: f64| {
        let lead = format!("exit code 1, {seconds} s\n");
        let facts = [
            ("exit_code", Data::Int(1)),
            ("duration", Data::Float(seconds)),
            ("spill", Data::from(format!("{seconds}"))),
        ];
        Ok(Output::new("", lead.clone() + "red\n", facts).led_by(lead))
    };
    let slow = Model::telling(vec![timed(0.5), timed(1.5)], false);
    for is_ok in [true, true, false] {
        assert_eq!(slow.call("tells", "{}").await.is_ok(), is_ok);
    }
    let ended = |code: i64| {
        let lead = format!("exit code {code}, 0.1 s\n");
        Ok(Output::new("", &*lead, [("exit_code", Data::Int(code))]).led_by(&*lead))
    };
    let other = Model::telling(vec![ended(1), ended(0), ended(1)], false);
    for _ in 0..3 {
        assert!(other.call("tells", "{}").await.is_ok());
    }
}

#[tokio::test]
async fn a_failure_that_stays_the_same_is_a_circle_too() {
    let failing = Err(ToolError::new(Kind::Failed, "red"));
    let model = Model::telling(vec![failing], false);
    for kind in [Kind::Failed, Kind::Failed, Kind::Denied] {
        assert_eq!(model.call("tells", "{}").await.unwrap_err().kind, kind);
    }
}

#[tokio::test]
async fn a_tool_that_polls_may_be_called_for_ever() {
    let model = Model::telling(vec![text("running")], true);
    for _ in 0..9 {
        assert!(model.call("tells", "{}").await.is_ok());
    }
    assert_eq!(model.asked(), 0);
    for ends in [".", ".", "?"] {
        assert_eq!(model.echoes("a").await, ends);
        assert!(
            model.call("tells", "{}").await.is_ok(),
            "it stands between nothing"
        );
    }
}

#[tokio::test]
async fn once_goes_on_and_a_no_is_passed_on_with_its_words() {
    let words = Some("look at the log".to_owned());
    let model = Model::answering(vec![Answer::Once, Answer::Reject(words)]);
    assert_eq!(model.echoes("aaa").await, "...");
    assert_eq!(model.asked(), 1);
    let rejected = model.echo("a").await.unwrap_err();
    assert_eq!(rejected.kind, Kind::Rejected);
    assert!(rejected.message.contains("look at the log"), "{rejected}");
}

#[tokio::test]
async fn only_rules_of_that_name_answer_for_it() {
    let ends = async |rules| {
        let setup = Setup {
            rules,
            ..Setup::default()
        };
        Model::with(setup).echoes("aaaa").await
    };
    assert_eq!(ends(vec![("echo", Action::Allow)]).await, "..??");
    assert_eq!(ends(vec![("test.read", Action::Allow)]).await, "..??");
    assert_eq!(ends(vec![("doom_loop", Action::Allow)]).await, "....");
    assert_eq!(ends(vec![("doom_loop:ec*", Action::Allow)]).await, "....");
    assert_eq!(ends(vec![("doom_loop:shell", Action::Allow)]).await, "..??");
    let denied = Model::with(Setup {
        rules: vec![("doom_loop", Action::Deny)],
        answers: vec![Answer::Once],
        ..Setup::default()
    });
    assert_eq!(denied.echoes("aaa").await, "..?");
    assert_eq!(denied.asked(), 0, "nobody is asked about what is denied");
}

#[tokio::test]
async fn a_person_and_what_is_done_for_a_call_may_repeat_themselves() {
    let model = Model::new();
    for _ in 0..4 {
        assert!(model.rig.call("echo", r#"{"text": "a"}"#).await.is_ok());
    }
    for text in ["a", "b", "c", "d"] {
        let args = format!(r#"{{"text": "x", "times": {}}}"#, text.as_bytes()[0]);
        let relayed = model.call("relay", &args).await;
        assert!(
            relayed.is_ok(),
            "each of these calls `echo` with the same text"
        );
    }
}

#[tokio::test]
async fn calls_that_are_not_done_do_not_count() {
    let model = Model::new();
    let hi = Map::from([("text".to_owned(), Data::from("a"))]);
    let call = || {
        let call = Call {
            tool: "echo".to_owned(),
            arguments: Arguments::Named(hi.clone()),
            destination: Destination::Model,
        };
        Arc::clone(&model.rig.gate).call(&model.scope, call)
    };
    let together = [call(), call(), call()];
    let answers = model.rig.heard.lines().len();
    assert_eq!(answers, 3, "all three have started");
    drop(together);
    assert_eq!(
        model.echoes("aa?").await,
        "...",
        "those three were cancelled"
    );
}
