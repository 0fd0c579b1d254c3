//! Asking the person about a planned call: the hooks at `permission.ask` first, then the question itself.
//!
//! A hook may refuse in the person's place and can never allow. It sees the question also where nobody is
//! there, so that it can call somebody; without an answer the call is refused all the same. While a question
//! waits, an approval may answer it, and a no to another call of the session refuses it.

use std::time::Duration;

use tokio::sync::watch;

use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::permission::{Action, Source, Step, Subject, Verdict};
use crate::tool::{Answer, Answered, Context, Facts, News, Point, Question, Reply, Tool};

use super::always;
use super::fire::{Firing, as_it_is, with_session};
use super::{hooks, verdict};

/// The detail of a refusal after which a model's turn is over.
const ENDS_TURN: &str = "ends_turn";

/// How long the hooks at `notification` may go on once the question is answered.
const AFTERWARDS: Duration = Duration::from_secs(1);

/// Asks about a call that would do what `shows` shows.
///
/// # Errors
/// `denied` or `rejected` when the answer is no.
pub(super) async fn ask(
    mut judged: Verdict,
    shows: String,
    tool: &dyn Tool,
    facts: &Facts<'_>,
    context: &Context,
) -> Result<(), ToolError> {
    let mut news = context.services.approved.watch();
    let before = *news.borrow_and_update();
    consult(&mut judged, &shows, tool, facts, context).await?;
    let told = |reply, rules: &[String]| {
        let (about, rules) = (about(facts), rules.to_vec());
        let answered = Answered {
            about,
            reply,
            rules,
        };
        context.account.answered(answered);
    };
    // What was approved while this one was on its way here is no news any more.
    if before.approved > 0 && always::lifts(&judged, tool, facts, context).await {
        told(Reply::Approval, &[]);
        return Ok(());
    }
    let offered = always::offer(&judged, facts, context);
    let question = Question {
        tool: facts.tool.to_owned(),
        warning: judged.warning.clone(),
        reason: judged.reason.to_string(),
        shows,
        always: offered.clone(),
    };
    let answer = tokio::select! {
        biased;
        answer = answer(question, context) => answer,
        settled = settled(news, before, &judged, tool, facts, context) => {
            told(settled.as_ref().map_or(Reply::No, |()| Reply::Approval), &[]);
            return settled;
        }
    };
    match answer {
        Answer::Once => {
            told(Reply::Once, &[]);
            Ok(())
        }
        Answer::Always(reach) => {
            told(Reply::Always(reach), &offered.rules);
            always::give(reach, offered, facts, context).await;
            Ok(())
        }
        Answer::Nobody => {
            told(Reply::Nobody, &[]);
            Err(verdict::denied(&judged)
                .with_detail("unattended", true)
                .with_hint(way_out(&judged, facts, context)))
        }
        Answer::Reject(words) => {
            told(Reply::No, &[]);
            Err(rejected(words, context))
        }
    }
}

/// The groups that a question is about.
fn about(facts: &Facts<'_>) -> Vec<String> {
    let mut about: Vec<String> = Vec::new();
    for subject in &facts.plan.subjects {
        let group = subject.group.to_string();
        if !about.contains(&group) {
            about.push(group);
        }
    }
    if about.is_empty() {
        about.push(facts.tool.to_owned());
    }
    about
}

/// That the person said no: with words to this call, without them to all that waits.
fn rejected(words: Option<String>, context: &Context) -> ToolError {
    match words {
        None => {
            context.services.approved.refuse();
            ToolError::new(Kind::Rejected, "the person said no").with_detail(ENDS_TURN, true)
        }
        Some(words) => ToolError::new(Kind::Rejected, format!("the person said no: {words}"))
            .with_hint("do what they ask instead"),
    }
}

/// Waits until something is said of another call that settles this one: an approval that allows it too, or a
/// no without words.
async fn settled(
    mut news: watch::Receiver<News>,
    mut before: News,
    judged: &Verdict,
    tool: &dyn Tool,
    facts: &Facts<'_>,
    context: &Context,
) -> Result<(), ToolError> {
    while news.changed().await.is_ok() {
        let now = *news.borrow_and_update();
        if now.refused != before.refused {
            let message = "the person said no to another call, which refuses all that waits";
            return Err(ToolError::new(Kind::Rejected, message).with_detail(ENDS_TURN, true));
        }
        if always::lifts(judged, tool, facts, context).await {
            return Ok(());
        }
        before = now;
    }
    std::future::pending().await
}

/// Lets the hooks at `permission.ask` see the question. One that fails leaves it as it is.
async fn consult(
    judged: &mut Verdict,
    shows: &str,
    tool: &dyn Tool,
    facts: &Facts<'_>,
    context: &Context,
) -> Result<(), ToolError> {
    let firing = Firing::in_call(Point::PermissionAsk, tool, context);
    if !firing.is_heard() {
        return Ok(());
    }
    let mut event = hooks::event(context, tool, facts.args.clone());
    event.extend([
        ("reason".to_owned(), Data::from(&*judged.reason)),
        ("warning".to_owned(), judged.warning.clone().into()),
        ("subjects".to_owned(), subjects(&facts.plan.subjects)),
        ("shows".to_owned(), shows.into()),
    ]);
    for (action, reason) in firing.run(event, as_it_is).await?.said {
        judged.tighten(action, reason, Source::Hook);
    }
    match judged.action {
        Action::Deny => Err(verdict::denied(judged)),
        Action::Ask | Action::Allow => Ok(()),
    }
}

fn subjects(subjects: &[Subject]) -> Data {
    let subject = |subject: &Subject| {
        Data::map([
            ("group", subject.group.as_str().into()),
            ("text", subject.text.as_str().into()),
        ])
    };
    subjects.iter().map(subject).collect()
}

/// The person's answer. Where one is waited for, the hooks at `notification` are told beside it.
async fn answer(question: Question, context: &Context) -> Answer {
    let services = &context.services;
    let firing = Firing {
        tool: None,
        point: Point::Notification,
        generation: &context.generation,
        scope: &context.scope,
        sink: &*services.sink,
    };
    let (tool, reason) = (&question.tool, &question.reason);
    let text = format!("`{tool}` waits for an answer: {reason}");
    let asked = services.thinking.during(services.human.ask(question));
    if !services.human.is_there() || !firing.is_heard() {
        return asked.await;
    }
    let event = Map::from([("text".to_owned(), text.into())]);
    let event = with_session(event, &context.scope, services);
    // What they change or say is nothing to the question, and what fails is logged.
    let told = async { drop(firing.run(event, as_it_is).await) };
    tokio::pin!(asked);
    tokio::pin!(told);
    tokio::select! {
        biased;
        answer = &mut asked => {
            let _late = tokio::time::timeout(AFTERWARDS, told).await;
            answer
        }
        () = &mut told => asked.await,
    }
}

/// What can be done about a question that nobody is there to answer.
fn way_out(verdict: &Verdict, facts: &Facts<'_>, context: &Context) -> String {
    let by_hook = |step: &Step| step.source == Source::Hook && step.action == Action::Ask;
    if verdict.warning.is_some() {
        return "nobody is there to ask, and no rule allows what is critical: do it at a terminal"
            .to_owned();
    }
    if verdict.trace.iter().any(by_hook) {
        return "nobody is there to ask, and no rule answers for a hook: run it at a terminal"
            .to_owned();
    }
    let rules = context.generation.policy.lifting(facts);
    let options: Vec<String> = rules
        .iter()
        .map(|rule| format!("--allow {}", quoted(rule)))
        .collect();
    match options.as_slice() {
        [] => "nobody is there to ask, and no narrow rule would allow it: run it at a terminal"
            .to_owned(),
        options => format!(
            "nobody is there to ask: allow it with {}",
            options.join(" ")
        ),
    }
}

/// `text` as one word of a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
