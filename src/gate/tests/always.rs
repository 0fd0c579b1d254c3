//! The yes for good and the no for all that waits: what they settle, and what they never lift.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use futures_util::future::{BoxFuture, join_all};
use tokio::sync::oneshot;

use super::questions::Change;
use super::rig::{Rig, Setup};
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Approval, Caller, Reach, Rule, Source, Verdict};
use crate::store::{Approvals, Paths};
use crate::tool::*;

/// A person whose questions wait until the test answers them.
#[derive(Default)]
struct Patient(Mutex<Vec<(Question, oneshot::Sender<Answer>)>>);

impl Human for Patient {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        let (reply, answer) = oneshot::channel();
        self.0.lock().unwrap().push((question, reply));
        Box::pin(async move { answer.await.unwrap_or(Answer::Nobody) })
    }
}

impl Patient {
    /// Waits until `count` questions were put.
    async fn wait_for(&self, count: usize) {
        while self.0.lock().unwrap().len() < count {
            tokio::task::yield_now().await;
        }
    }

    /// Answers the question whose text shows `what`, if it still waits.
    fn answer(&self, what: &str, answer: Answer) {
        let mut asked = self.0.lock().unwrap();
        let at = asked
            .iter()
            .position(|(question, _)| question.shows.contains(what));
        let (_, reply) = asked.remove(at.unwrap());
        reply.send(answer).unwrap();
    }
}

fn setup(rules: Vec<(&'static str, Action)>, answers: Vec<Answer>) -> Setup {
    Setup {
        tools: vec![Shipped::<Change>::tool()],
        rules,
        answers,
        ..Setup::default()
    }
}

fn patient(person: &Arc<Patient>) -> Rig {
    Rig::with(Setup {
        human: Some(Arc::clone(person) as _),
        ..setup(vec![], vec![])
    })
}

async fn change_as(caller: Caller, rig: &Rig, path: &str) -> Outcome {
    let scope = rig.scope.lowered(caller).unwrap();
    let args = serde_json::json!({ "path": path }).to_string();
    rig.call_in(&scope, "change", &args, Destination::Model)
        .await
}

async fn change(rig: &Rig, path: &str) -> Outcome {
    change_as(Caller::Model, rig, path).await
}

fn kinds(outcomes: Vec<Outcome>) -> Vec<Option<Kind>> {
    let kind = |outcome: Outcome| outcome.err().map(|error: ToolError| error.kind);
    outcomes.into_iter().map(kind).collect()
}

const ALWAYS: Answer = Answer::Always(Reach::Session);

#[tokio::test]
async fn once_is_asked_again_and_always_is_not() {
    let again = vec![("doom_loop", Action::Allow)];
    let rig = Rig::with(setup(again, vec![Answer::Once, ALWAYS, Answer::Once]));
    for _ in 0..4 {
        change(&rig, "a.txt").await.unwrap();
    }
    assert_eq!(rig.asked.lock().unwrap().len(), 2);
    assert_eq!(rig.asked.lock().unwrap()[0].always.rules, ["edit:a.txt"]);
    change(&rig, "b.txt").await.unwrap();
    assert_eq!(
        rig.asked.lock().unwrap().len(),
        3,
        "another file is another question"
    );
}

#[tokio::test]
async fn always_lifts_an_ask_that_was_written_and_never_a_deny() {
    let approved = Arc::new(Approved::default());
    let rig = |rules, answers| {
        Rig::with(Setup {
            approved: Some(Arc::clone(&approved)),
            ..setup(rules, answers)
        })
    };
    change(&rig(vec![], vec![ALWAYS]), "a.txt").await.unwrap();
    let asks = rig(vec![("edit:*.txt", Action::Ask)], vec![]);
    change(&asks, "a.txt").await.unwrap();
    let denies = rig(vec![("edit:*.txt", Action::Deny)], vec![Answer::Once]);
    assert_eq!(
        change(&denies, "a.txt").await.unwrap_err().kind,
        Kind::Denied
    );
    assert!(denies.asked.lock().unwrap().is_empty());
}

/// A policy that is overtaken: as soon as it has said `ask`, the person approves the same elsewhere.
struct Overtaken {
    inner: Arc<dyn Policy>,
    approved: Arc<Approved>,
}

impl Policy for Overtaken {
    fn judge<'a>(&'a self, scope: &'a Scope, facts: &'a Facts<'a>) -> BoxFuture<'a, Verdict> {
        Box::pin(async move {
            let verdict = self.inner.judge(scope, facts).await;
            if verdict.action == Action::Ask {
                let rule = Rule::parse("edit:a.txt", Action::Allow, Source::Session).unwrap();
                let (reach, caller) = (Reach::Session, Caller::Model);
                let approval = Approval {
                    rule,
                    reach,
                    caller,
                };
                self.approved
                    .give(vec![approval], SystemTime::now())
                    .unwrap();
            }
            verdict
        })
    }
}

#[tokio::test]
async fn what_is_approved_between_the_verdict_and_the_question_is_not_asked() {
    let approved = Arc::new(Approved::default());
    let rig = Rig::with(Setup {
        approved: Some(Arc::clone(&approved)),
        ..setup(vec![], vec![])
    });
    rig.gate.update(|generation| {
        let inner = Arc::clone(&generation.policy);
        generation.policy = Arc::new(Overtaken { inner, approved });
    });
    change(&rig, "a.txt").await.unwrap();
    assert!(rig.asked.lock().unwrap().is_empty());
    assert_eq!(change(&rig, "b.txt").await.unwrap_err().kind, Kind::Denied);
}

#[tokio::test]
async fn what_was_approved_for_the_person_is_still_asked_of_a_model() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().canonicalize().unwrap().join("a.txt");
    let path = path.to_str().unwrap();
    let rig = Rig::with(setup(vec![], vec![ALWAYS, Answer::Reject(None)]));
    for _ in 0..2 {
        change_as(Caller::User, &rig, path).await.unwrap();
    }
    assert_eq!(change(&rig, path).await.unwrap_err().kind, Kind::Rejected);
    assert_eq!(rig.asked.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn always_settles_what_waits_for_the_same_and_leaves_the_rest() {
    let person = Arc::new(Patient::default());
    let rig = patient(&person);
    let answers = async {
        person.wait_for(4).await;
        person.answer("a.txt", ALWAYS);
        // The two others about the same file go on without an answer.
        while rig.records().len() < 3 {
            tokio::task::yield_now().await;
        }
        person.answer("b.txt", Answer::Reject(Some("not that one".to_owned())));
    };
    let calls = ["a.txt", "a.txt", "a.txt", "b.txt"].map(|path| change(&rig, path));
    let (outcomes, ()) = tokio::join!(join_all(calls), answers);
    assert_eq!(kinds(outcomes), [None, None, None, Some(Kind::Rejected)]);
}

#[tokio::test]
async fn a_no_refuses_what_waits_in_its_session_and_no_other() {
    let person = Arc::new(Patient::default());
    let (here, there) = (patient(&person), patient(&person));
    let answers = async {
        person.wait_for(4).await;
        person.answer("a.txt", Answer::Reject(None));
        while here.records().len() < 3 {
            tokio::task::yield_now().await;
        }
        person.answer("d.txt", Answer::Once);
    };
    let calls = ["a.txt", "b.txt", "c.txt"].map(|path| change(&here, path));
    let (outcomes, other, ()) = tokio::join!(join_all(calls), change(&there, "d.txt"), answers);
    let messages: Vec<String> = outcomes
        .iter()
        .map(|o| o.as_ref().unwrap_err().message.clone())
        .collect();
    assert_eq!(messages[0], "the person said no");
    assert!(messages[1].contains("to another call"), "{messages:?}");
    assert_eq!(kinds(outcomes), [Some(Kind::Rejected); 3]);
    other.unwrap();
    let later = tokio::join!(change(&here, "a.txt"), async {
        person.wait_for(3).await;
        person.answer("a.txt", Answer::Once);
    });
    later.0.unwrap();
}

#[tokio::test]
async fn a_no_with_words_refuses_its_own_call_alone() {
    let person = Arc::new(Patient::default());
    let rig = patient(&person);
    let answers = async {
        person.wait_for(2).await;
        person.answer("a.txt", Answer::Reject(Some("use c.txt".to_owned())));
        person.answer("b.txt", Answer::Once);
    };
    let (first, second, ()) = tokio::join!(change(&rig, "a.txt"), change(&rig, "b.txt"), answers);
    assert!(first.unwrap_err().message.contains("use c.txt"));
    second.unwrap();
}

#[tokio::test]
async fn no_yes_for_good_is_offered_for_what_is_critical_asked_by_a_hook_wild_or_too_long() {
    let hook: Arc<dyn Hook> = Arc::new(super::hooks::asking());
    let answers = || vec![ALWAYS, ALWAYS];
    let hooked = Rig::with(Setup {
        hooks: vec![hook],
        ..setup(vec![], answers())
    });
    let plain = || Rig::with(setup(vec![], answers()));
    let long = "x".repeat(200);
    for (rig, path) in [
        (hooked, "a.txt"),
        (plain(), ".git/config"),
        (plain(), "a*.txt"),
        (plain(), "a\u{1b}[2K"),
        (plain(), "a\nb"),
        (plain(), long.as_str()),
    ] {
        for _ in 0..2 {
            change(&rig, path).await.unwrap();
        }
        let asked = rig.asked.lock().unwrap();
        assert_eq!(asked.len(), 2, "{path:?} is asked about each time");
        assert!(
            asked
                .iter()
                .all(|question| question.always.rules.is_empty()),
            "{path:?}"
        );
    }
}

#[tokio::test]
async fn an_approval_of_the_project_outlives_the_session_until_it_is_taken_back() {
    let home = tempfile::tempdir().unwrap();
    let paths = Paths::at(home.path().join("config"), home.path().join("state"));
    let store = |workspace: &str| Approvals::new(&paths, workspace.as_ref());
    let rig = |workspace: &str, answers| {
        Rig::with(Setup {
            approved: Some(Arc::new(Approved::with(store(workspace)))),
            ..setup(vec![], answers)
        })
    };
    let project = Answer::Always(Reach::Project);
    let first = rig("/w/a", vec![project, Answer::Always(Reach::User)]);
    for path in ["a.txt", "a.txt", "b.txt", "b.txt"] {
        change(&first, path).await.unwrap();
    }
    assert_eq!(first.asked.lock().unwrap().len(), 2);
    let (same, other) = (rig("/w/a", vec![]), rig("/w/b", vec![]));
    change(&same, "a.txt").await.unwrap();
    change(&same, "b.txt").await.unwrap();
    assert_eq!(
        change(&other, "a.txt").await.unwrap_err().kind,
        Kind::Denied
    );
    change(&other, "b.txt").await.unwrap();
    for saved in store("/w/a").list().unwrap().saved {
        store("/w/a").revoke(&saved.id).unwrap().unwrap();
    }
    for rig in [&first, &same] {
        let error = change(rig, "a.txt").await.unwrap_err();
        assert_eq!(
            error.detail.unwrap()["unattended"],
            true,
            "it holds no longer anywhere"
        );
    }
}

#[tokio::test]
async fn a_damaged_approval_approves_nothing_and_is_told_of_once() {
    let home = tempfile::tempdir().unwrap();
    let paths = Paths::at(home.path().join("config"), home.path().join("state"));
    let rig = Rig::with(Setup {
        approved: Some(Arc::new(Approved::with(Approvals::new(
            &paths,
            "/w".as_ref(),
        )))),
        ..setup(vec![], vec![Answer::Always(Reach::User)])
    });
    change(&rig, "a.txt").await.unwrap();
    let folder = home.path().join("state/approvals");
    let file = std::fs::read_dir(&folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    std::fs::write(file, "{").unwrap();
    for _ in 0..2 {
        assert_eq!(change(&rig, "a.txt").await.unwrap_err().kind, Kind::Denied);
    }
    let told = rig
        .heard
        .lines()
        .into_iter()
        .filter(|line| line.contains("is damaged"));
    assert_eq!(told.count(), 1);
}

#[tokio::test]
async fn the_record_of_a_call_tells_who_answered_and_what() {
    let answers = vec![
        Answer::Once,
        Answer::Always(Reach::Session),
        Answer::Reject(None),
    ];
    let rig = Rig::with(setup(vec![("doom_loop", Action::Allow)], answers));
    for _ in 0..3 {
        change(&rig, "a.txt").await.unwrap();
    }
    change(&rig, "b.txt").await.unwrap_err();
    change(&rig, "b.txt").await.unwrap_err();
    let told: Vec<String> = rig
        .recent
        .list()
        .into_iter()
        .map(|record| {
            let judged = record.judged.unwrap();
            let answers = judged.answers.iter().map(|answered| {
                let about = answered.about.join(",");
                format!(
                    "{about} {} {}",
                    answered.reply.as_str(),
                    answered.rules.join(",")
                )
            });
            let source = judged.decided().unwrap().source;
            format!(
                "{} {source}: {}",
                judged.action,
                answers.collect::<String>()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "ask default: edit once ",
            "ask default: edit session edit:a.txt",
            "allow session approval: ",
            "ask default: edit no ",
            "ask default: edit nobody ",
        ]
    );
}
