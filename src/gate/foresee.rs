//! What a call would meet, asked without making it: the same plan and the same policy as in a call.
//!
//! No hook is told, nobody is asked, nothing is recorded, and no file need be there, or have been read. What hooks
//! would say, and what a call does or asks for in its middle, cannot be told before: that there may be such is.

use std::sync::Arc;

use super::dispatch::Dispatch;
use super::fire::Firing;
use super::run::{available, had};
use super::verdict::{facts, judged};
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::permission::{Action, Effect, Group, Rule, Source, Step, Subject, Verdict};
use crate::schema::{self, Parameters};
use crate::tool::{
    CallId, Context, Destination, Facts, Gate, Origin, Plan, Point, Scope, Tool, Work,
};

/// What a call is asked about with.
#[derive(Clone, Debug)]
pub enum Given {
    /// Its arguments by name; some may be missing.
    Arguments(Map),
    /// One text: the command of a tool that runs one, the path of one that takes one, else the first
    /// positional.
    Subject(String),
}

/// What a call would meet.
pub struct Foreseen {
    /// The tool's id.
    pub tool: String,
    /// The verdict on the whole call.
    pub verdict: Verdict,
    /// What it is about, each with the verdict on it alone. None: the tool's id and effect decide.
    pub subjects: Vec<(Subject, Verdict)>,
    /// The narrowest rules that would allow it, as `--allow` takes them. Empty where it is allowed, and
    /// where no narrow rule would do.
    pub lifting: Vec<String>,
    /// The hooks that would see it and may refuse: where they are called, and what messages call them.
    pub hooks: Vec<(Point, String)>,
    /// Whether the tool's own code may call other tools, each judged when it comes to it.
    pub may_call: bool,
}

impl Dispatch {
    /// What a call of `tool` would meet in `scope`.
    ///
    /// # Errors
    /// `not_found` for an unknown tool, `unavailable` for one that is not there, `argument` for an unknown
    /// parameter, or one that is missing and decides.
    pub async fn foresee(
        self: &Arc<Self>,
        scope: &Scope,
        tool: &str,
        given: Given,
    ) -> Result<Foreseen, ToolError> {
        let (tool, context) = self.asking(scope, tool).await?;
        if let Err(error) = had(&*tool, &context) {
            return not_had(&*tool, error);
        }
        let args = named(given, &tool.spec().parameters);
        let (args, plan) = plan(&*tool, args, &context).await?;
        Ok(told(&*tool, &plan, &args, &context).await)
    }

    /// What a call of `tool` would meet in `scope` that does `effect` to `subjects`, whatever its arguments.
    ///
    /// # Errors
    /// `not_found` for an unknown tool, `unavailable` for one that is not there.
    pub async fn foresee_subjects(
        self: &Arc<Self>,
        scope: &Scope,
        tool: &str,
        effect: Effect,
        subjects: Vec<Subject>,
    ) -> Result<Foreseen, ToolError> {
        let (tool, context) = self.asking(scope, tool).await?;
        if let Err(error) = had(&*tool, &context) {
            return not_had(&*tool, error);
        }
        let plan = Plan {
            effect,
            subjects,
            work: Work::None,
            note: Data::Null,
        };
        Ok(told(&*tool, &plan, &Data::Null, &context).await)
    }

    /// The tool, if it can be called, and what planning a call of it needs.
    async fn asking(
        self: &Arc<Self>,
        scope: &Scope,
        tool: &str,
    ) -> Result<(Arc<dyn Tool>, Context), ToolError> {
        let generation = self.generation();
        let tool = Arc::clone(generation.tools.find(tool)?);
        tool.usable()?;
        let context = Context {
            scope: scope.block()?,
            call: CallId(0),
            account: Arc::default(),
            tool: tool.id().into(),
            running: Arc::clone(&tool),
            destination: Destination::Program,
            services: Arc::clone(&self.services),
            generation,
            gate: Arc::clone(self) as Arc<dyn Gate>,
            is_foreseen: true,
        };
        available(&*tool, &context).await?;
        Ok((tool, context))
    }
}

/// That the profile which holds has not got the tool, as a verdict: no rule changes it.
///
/// # Errors
/// Where there is no such profile any more.
fn not_had(tool: &dyn Tool, error: ToolError) -> Result<Foreseen, ToolError> {
    if error.kind != Kind::Unavailable {
        return Err(error);
    }
    let step = Step {
        source: Source::Profile,
        rule: format!("!{}", tool.id()).into(),
        action: Action::Deny,
    };
    let verdict = Verdict {
        action: Action::Deny,
        reason: error.message.into(),
        warning: None,
        is_open: false,
        trace: vec![step],
    };
    Ok(Foreseen {
        tool: tool.id().to_owned(),
        verdict,
        subjects: Vec::new(),
        lifting: Vec::new(),
        hooks: Vec::new(),
        may_call: false,
    })
}

/// What the policy says of a call with this plan, and of each thing it is about.
async fn told(tool: &dyn Tool, plan: &Plan, args: &Data, context: &Context) -> Foreseen {
    let verdict = judged(tool, plan, args, context).await;
    let mut subjects = Vec::new();
    for subject in &plan.subjects {
        let verdict = judged(tool, &alone(subject, plan), args, context).await;
        subjects.push((subject.clone(), verdict));
    }
    let lifting = match verdict.action {
        Action::Allow => Vec::new(),
        Action::Ask | Action::Deny => lifting(&facts(tool, plan, args, context), context).await,
    };
    Foreseen {
        tool: tool.id().to_owned(),
        hooks: hooks(tool, &verdict, context),
        verdict,
        subjects,
        lifting,
        may_call: !matches!(tool.origin(), Origin::Shipped),
    }
}

/// The narrowest rules that would allow the call, once they were tried: a function of a rule answers for itself.
async fn lifting(facts: &Facts<'_>, context: &Context) -> Vec<String> {
    let policy = &context.generation.policy;
    let lifting = policy.lifting(facts);
    let rules = lifting.iter();
    let rules = rules.filter_map(|rule| Rule::parse(rule, Action::Allow, Source::CommandLine).ok());
    let rules: Vec<Rule> = rules.collect();
    let with_them = Facts {
        approved: &rules,
        ..*facts
    };
    match policy.judge(&context.scope, &with_them).await.action {
        Action::Allow => lifting,
        Action::Ask | Action::Deny => Vec::new(),
    }
}

/// The hooks that may refuse the call: those that see it before its plan, and those that see a question.
fn hooks(tool: &dyn Tool, verdict: &Verdict, context: &Context) -> Vec<(Point, String)> {
    let is_met = |point: &Point| match point {
        Point::ToolBefore => verdict.action != Action::Deny,
        _ => verdict.action == Action::Ask,
    };
    let points = [Point::ToolBefore, Point::PermissionAsk].into_iter();
    let named = points.filter(is_met).flat_map(|point| {
        let hooks = Firing::in_call(point, tool, context).hooks();
        // What the program itself listens with refuses nothing.
        let hooks = hooks.filter(|hook| hook.layer() != Layer::Shipped);
        hooks.map(move |hook| (point, hook.name().to_owned()))
    });
    named.collect()
}

/// The parameters that say what a call is about, the first that a tool has.
const SUBJECTS: [&str; 3] = ["command", "path", "from"];

/// The arguments by name.
fn named(given: Given, parameters: &Parameters) -> Map {
    let text = match given {
        Given::Arguments(map) => return map,
        Given::Subject(text) => text,
    };
    let known = SUBJECTS.into_iter();
    let mut known = known.filter(|name| parameters.get(name).is_some());
    let path = || parameters.names().find(|name| parameters.is_path(name));
    let first = || parameters.positional().first().map(String::as_str);
    // A tool that takes nothing is about itself, whatever is said.
    let name = known.next().or_else(path).or_else(first);
    name.map_or_else(Map::new, |name| {
        Map::from([(name.to_owned(), Data::from(text))])
    })
}

/// The arguments with their defaults, and what a call with them would do.
async fn plan(
    tool: &dyn Tool,
    args: Map,
    context: &Context,
) -> Result<(Arc<Data>, Plan), ToolError> {
    let spec = tool.spec();
    let (args, aliases) = (Data::Map(args), &spec.parameter_aliases);
    let complete = schema::prepare(args.clone(), &spec.parameters, aliases);
    let args = schema::prepare_some(args, &spec.parameters, aliases)?;
    let args = Arc::new(args);
    let planned = tool.foresee(&args, context).await;
    match (planned, complete) {
        (Ok(plan), _) => Ok((args, plan)),
        (Err(error), _) if error.kind == Kind::Cancelled => Err(error),
        // That something is missing explains more than what came of it.
        (Err(_), Err(missing)) => Err(missing),
        (Err(error), Ok(_)) => Err(error),
    }
}

/// The same call, were it about `subject` and nothing else. What is only a source of bytes in it stays one, and
/// what a command writes is only written.
fn alone(subject: &Subject, plan: &Plan) -> Plan {
    let has = |group: Group| plan.subjects.iter().any(|other| other.group == group);
    let is_mere = |group: Group| plan.subjects.iter().all(|other| other.group == group);
    let effect = match &subject.group {
        Group::Read if !is_mere(Group::Read) => Effect::Read,
        Group::Edit if plan.effect == Effect::Run && has(Group::Shell) => Effect::Write,
        _ => plan.effect,
    };
    Plan {
        effect,
        subjects: vec![subject.clone()],
        // What a rule's function counts is counted of the whole call.
        work: plan.work.clone(),
        note: Data::Null,
    }
}
