//! The rules whose action is a function, settled for one call: each function that the call concerns is asked once.
//!
//! A function that fails denies. One that would get more than it may is not asked, and denies.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::pin::pin;
use std::sync::Arc;
use std::task::{self, Poll, Wake, Waker};
use std::thread;

use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::permission::{Action, Command, Group, Request, Rule, Subject, concerns};
use crate::tool::{Decide, Decided, Facts, Plan, Scope, Work};

/// The most that a function gets, in bytes of text and a little for each value.
const MOST: usize = 64 << 10;

/// What is known of a call where functions are asked about it.
pub(super) struct Asking<'a> {
    pub(super) functions: &'a [Arc<dyn Decide>],
    pub(super) scope: &'a Scope,
    pub(super) session: &'a str,
    pub(super) args: &'a Data,
    /// Where the call has one: what it would change is counted.
    pub(super) plan: Option<&'a Plan>,
}

impl<'a> Asking<'a> {
    /// Of a planned call.
    pub(super) fn of(
        functions: &'a [Arc<dyn Decide>],
        scope: &'a Scope,
        session: &'a str,
        facts: &Facts<'a>,
    ) -> Asking<'a> {
        Asking {
            functions,
            scope,
            session,
            args: facts.args,
            plan: Some(facts.plan),
        }
    }

    /// `rules`, with what the functions say in their place.
    pub(super) async fn settled(&self, request: &Request<'_>, rules: &[Rule]) -> Vec<Rule> {
        let mut said: BTreeMap<usize, Result<Option<Decided>, ToolError>> = BTreeMap::new();
        let mut call = None;
        let mut settled = Vec::with_capacity(rules.len());
        for rule in rules {
            let Some(number) = rule.function.filter(|_| concerns(request, rule)) else {
                settled.push(rule.clone());
                continue;
            };
            let answer = match said.entry(number) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    if call.is_none() {
                        call = Some(self.described(request).await);
                    }
                    entry.insert(match &call {
                        Some(Ok(call)) => self.ask(number, Arc::clone(call)).await,
                        Some(Err(error)) => Err(error.clone()),
                        None => Err(ToolError::internal("a call without a description")),
                    })
                }
            };
            settled.extend(in_place(rule, answer));
        }
        settled
    }

    async fn ask(&self, number: usize, call: Arc<Data>) -> Result<Option<Decided>, ToolError> {
        match self.functions.get(number) {
            Some(function) => function.decide(self.scope, call).await,
            None => Err(ToolError::internal("the function of a rule is gone")),
        }
    }

    /// The call as functions see it.
    async fn described(&self, request: &Request<'_>) -> Result<Arc<Data>, ToolError> {
        fits(self.args)?;
        let mut call = Map::from([
            ("tool".to_owned(), request.tool.into()),
            ("surface".to_owned(), request.surface.into()),
            ("effect".to_owned(), request.effect.as_str().into()),
            ("caller".to_owned(), request.caller.as_str().into()),
            (
                "profile".to_owned(),
                self.scope.profile().map(str::to_owned).into(),
            ),
            ("session".to_owned(), self.session.into()),
            ("args".to_owned(), args(self.args)),
            ("paths".to_owned(), paths(request)),
            ("commands".to_owned(), list(request, is_command, command)),
            ("names".to_owned(), names(request)),
        ]);
        if let Some(plan) = self.plan {
            call.extend(counted(plan).await?);
        }
        let call = Data::Map(call);
        fits(&call)?;
        Ok(Arc::new(call))
    }
}

/// What comes of `work`, waited for on this thread.
pub(super) fn waited<T>(work: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Waiting(thread::current())));
    let mut task = task::Context::from_waker(&waker);
    let mut work = pin!(work);
    loop {
        match work.as_mut().poll(&mut task) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}

/// A thread that waits.
struct Waiting(thread::Thread);

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The rule with what its function says as its action; none where it has no opinion.
fn in_place(rule: &Rule, said: &Result<Option<Decided>, ToolError>) -> Option<Rule> {
    let (action, reason) = match said {
        Ok(None) => return None,
        Ok(Some(Decided { action, reason })) => (*action, reason.clone()),
        Err(error) => (Action::Deny, Some(error.message.clone())),
    };
    Some(Rule {
        action,
        reason: reason.or_else(|| rule.reason.clone()),
        ..rule.clone()
    })
}

/// Refuses what is larger than a function gets.
///
/// # Errors
/// `argument` that says so.
pub(super) fn fits(data: &Data) -> Result<(), ToolError> {
    if size(data, MOST) <= MOST {
        return Ok(());
    }
    let message = format!(
        "the call is larger than the {} KiB that a function gets, so it cannot be judged",
        MOST >> 10
    );
    Err(ToolError::argument(message))
}

/// How many lines a plan adds and takes away, where its changes to files are known before.
///
/// # Errors
/// `internal` when the runtime has no thread to count on.
pub(super) async fn counted(plan: &Plan) -> Result<Vec<(String, Data)>, ToolError> {
    let (additions, deletions) = match &plan.work {
        Work::Files(changes) => {
            let changes = changes.clone();
            let counting = tokio::task::spawn_blocking(move || {
                let diff = changes.diff();
                (diff.additions, diff.deletions)
            });
            let counted = counting.await;
            counted.map_err(|error| ToolError::internal(error.to_string()))?
        }
        Work::Lines {
            additions,
            deletions,
        } => (*additions, *deletions),
        _ => return Ok(Vec::new()),
    };
    let counted = [("additions", additions), ("deletions", deletions)];
    let number = |count: usize| Data::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let counted = counted.map(|(name, count)| (name.to_owned(), number(count)));
    Ok(counted.into())
}

/// The paths that a call is about.
pub(super) fn paths(request: &Request<'_>) -> Data {
    list(request, |one| one.real.is_some(), path)
}

/// What a call is about that is neither path nor command.
pub(super) fn names(request: &Request<'_>) -> Data {
    list(request, |one| one.real.is_none() && !is_command(one), name)
}

/// The arguments; a table in any case.
fn args(args: &Data) -> Data {
    match args {
        Data::Map(_) => args.clone(),
        _ => Data::Map(Map::new()),
    }
}

fn list(
    request: &Request<'_>,
    is_one: impl Fn(&Subject) -> bool,
    told: impl Fn(&Subject) -> Data,
) -> Data {
    let subjects = request.subjects.iter();
    subjects.filter(|one| is_one(one)).map(told).collect()
}

fn is_command(subject: &Subject) -> bool {
    subject.group == Group::Shell
}

fn path(subject: &Subject) -> Data {
    Data::map([
        ("group", subject.group.as_str().into()),
        ("path", subject.text.as_str().into()),
        ("real", subject.real.clone().into()),
        ("inside", subject.inside.into()),
        ("removed", subject.removed.into()),
    ])
}

fn command(subject: &Subject) -> Data {
    let text = ("text", subject.text.as_str().into());
    let reads = ("reads", subject.read_only.into());
    match Command::read(&subject.text) {
        Command::Plain(words) => {
            let words = words.into_iter().map(Data::from);
            Data::map([text, ("argv", words.collect()), reads])
        }
        Command::Undecidable(_) => Data::map([text, reads]),
    }
}

fn name(subject: &Subject) -> Data {
    Data::map([
        ("group", subject.group.as_str().into()),
        ("text", subject.text.as_str().into()),
    ])
}

/// About how much `data` takes, in bytes. Counts no further than a little above `most`.
fn size(data: &Data, most: usize) -> usize {
    let add = |sum: usize, part: &Data| match sum > most {
        true => sum,
        false => sum + size(part, most),
    };
    8 + match data {
        Data::Text(text) => text.len(),
        Data::Bytes(bytes) => bytes.len(),
        Data::List(list) => list.iter().fold(0, add),
        Data::Map(map) => map
            .iter()
            .fold(0, |sum, (key, value)| add(sum + key.len(), value)),
        _ => 0,
    }
}
