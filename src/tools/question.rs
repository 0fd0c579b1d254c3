//! `question`: asks the person, who chooses by number or answers in words of their own.
//!
//! Where nobody is there it is not there either. What is asked is shown as words of whoever asks, and an answer is only
//! ever text: it allows nothing.

use schemars::JsonSchema;
use serde::Deserialize;

use super::awaited::{awaited, nobody, somebody_is_there};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::permission::{Caller, Effect};
use crate::tool::{
    Context, Example, Offer, Outcome, Output, Plan, Prompt, Said, Scope, Services, Typed, Wants,
};

/// The most questions of one call.
const MOST: usize = 10;

/// The tool `question`.
pub(super) struct Question;

/// What `question` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// The questions, asked one after the other
    questions: Vec<One>,
}

/// One question.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct One {
    /// The question, whole
    question: String,
    /// What it is about, in a word or two
    header: Option<String>,
    /// What to choose from; words of their own are always an answer
    #[serde(default)]
    options: Vec<Choice>,
    /// Whether several may be chosen
    #[serde(default, alias = "multiSelect", alias = "multi_select")]
    multiple: bool,
}

/// One thing to choose.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Choice {
    /// What is chosen, in a few words
    label: String,
    /// What choosing it means
    description: Option<String>,
}

impl Typed for Question {
    const ID: &'static str = "question";
    const SURFACE: &'static str = "user";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Asks the person, for what only they can decide and what cannot be \
        found out: which of several ways, what is meant. Give the choices that there are; they may \
        always answer in words of their own.";
    const ALIASES: &'static [&'static str] = &["Question", "AskUserQuestion", "ask_user_question"];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "One of two ways",
        files: &[],
        args: r#"{"questions": [{"question": "Where does the state go?", "header": "state", "options": [
            {"label": "a file", "description": "simple"}, {"label": "sqlite"}]}]}"#,
        shows: "Where does the state go?\n  a file",
    }];

    type Args = Args;

    fn offered(_: &Scope, services: &Services) -> Result<(), ToolError> {
        somebody_is_there(services)
    }

    async fn plan(args: &Args, _: &Context) -> Result<Plan, ToolError> {
        check(&args.questions)?;
        Ok(Plan::read(Vec::new()))
    }

    async fn execute(args: &Args, _: Plan, context: &Context) -> Outcome {
        let mut answers = Vec::new();
        for (at, one) in args.questions.iter().enumerate() {
            let prompt = Prompt {
                text: shown(one, at, args.questions.len(), context.caller()),
                wants: wants(one),
            };
            let said = awaited(|human| human.prompt(prompt), context).await;
            answers.push(Answer::of(one, said)?);
        }
        if answers.iter().all(Answer::is_none) {
            return Err(ToolError::new(Kind::Rejected, "the person gave no answer"));
        }
        Ok(told(&args.questions, &answers))
    }
}

/// Whether there is something to ask.
///
/// # Errors
/// `argument`, with the place of what is wrong.
fn check(questions: &[One]) -> Result<(), ToolError> {
    let count = questions.len();
    if count == 0 || count > MOST {
        let message = format!("questions: expected 1 to {MOST} questions, got {count}");
        return Err(ToolError::argument(message));
    }
    for (at, one) in questions.iter().enumerate() {
        let place = format!("questions[{}]", at + 1);
        if one.question.trim().is_empty() {
            let message = format!("{place}.question: expected a question, got no text");
            return Err(ToolError::argument(message));
        }
        for (at, option) in one.options.iter().enumerate() {
            let place = format!("{place}.options[{}].label", at + 1);
            let label = option.label.trim();
            if label.is_empty() {
                let message = format!("{place}: expected what is chosen, got no text");
                return Err(ToolError::argument(message));
            }
            let mut before = one.options[..at].iter();
            if before.any(|other| other.label.trim() == label) {
                let message = format!("{place}: `{label}` is a choice already");
                return Err(ToolError::argument(message));
            }
        }
    }
    Ok(())
}

/// What the person reads.
fn shown(one: &One, at: usize, of: usize, caller: Caller) -> String {
    let who = match caller {
        Caller::Model => "the model asks",
        Caller::User => "a question",
    };
    let place = match of {
        1 => String::new(),
        of => format!(" ({} of {of})", at + 1),
    };
    let about = one.header.as_deref().map(str::trim).unwrap_or_default();
    let gap = if about.is_empty() { "" } else { ": " };
    format!("{who}{place}{gap}{about}\n{}", one.question.trim())
}

fn wants(one: &One) -> Wants {
    if one.options.is_empty() {
        return Wants::Line {
            default: None,
            is_secret: false,
        };
    }
    let offer = |option: &Choice| Offer {
        label: option.label.trim().to_owned(),
        about: option.description.clone(),
    };
    Wants::Open {
        choices: one.options.iter().map(offer).collect(),
        several: one.multiple,
    }
}

/// What the person said to one question; neither of both where they gave no answer.
struct Answer {
    chosen: Vec<String>,
    words: Option<String>,
}

impl Answer {
    /// # Errors
    /// `unavailable` where nobody is there any more.
    fn of(one: &One, said: Said) -> Result<Answer, ToolError> {
        let label = |at: usize| one.options.get(at).map(|one| one.label.trim().to_owned());
        let (chosen, words) = match said {
            Said::Nobody => return Err(nobody()),
            Said::Choice(at) => (label(at).into_iter().collect(), None),
            Said::Choices(places) => (places.into_iter().filter_map(label).collect(), None),
            Said::Line(words) => (Vec::new(), Some(words)),
            Said::YesNo(yes) => (Vec::new(), Some(if yes { "yes" } else { "no" }.to_owned())),
            Said::End => (Vec::new(), None),
        };
        let words = words.filter(|words| !words.trim().is_empty());
        Ok(Answer { chosen, words })
    }

    fn is_none(&self) -> bool {
        self.chosen.is_empty() && self.words.is_none()
    }
}

fn told(questions: &[One], answers: &[Answer]) -> Output {
    let (mut text, mut facts) = (String::new(), Vec::new());
    for (one, answer) in questions.iter().zip(answers) {
        let said = match &answer.words {
            Some(words) => words.trim().to_owned(),
            None if answer.is_none() => "unanswered".to_owned(),
            None => answer.chosen.join(", "),
        };
        let question = one.question.trim();
        text.push_str(&format!("{question}\n  {}\n", said.replace('\n', "\n  ")));
        facts.push(Data::map([
            ("question", question.into()),
            (
                "chosen",
                answer
                    .chosen
                    .iter()
                    .map(|one| one.as_str().into())
                    .collect(),
            ),
            ("words", answer.words.clone().into()),
        ]));
    }
    let open = answers.iter().filter(|answer| answer.is_none()).count();
    let title = match open {
        0 => "answered".to_owned(),
        open => format!("{open} of {} unanswered", answers.len()),
    };
    Output::new(title, text, [("answers", facts.into())])
}
