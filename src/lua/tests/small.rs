//! Tools small enough to see through: they echo, wait, count, fail, or call another.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::gate::Rules;
use crate::permission::{Bounds, Effect};
use crate::schema::Parameters;
use crate::tool::{
    Arguments, Bound, Call, Context, Destination, Generation, Origin, Outcome, Output, Plan,
    Registry, Spec, Tool,
};

/// All of them, and the plain policy without rules. `effects` counts what they do.
pub(super) fn generation(effects: &Arc<AtomicUsize>, workspace: &Path) -> Generation {
    let mut tools = Registry::default();
    for (id, positional, work) in [
        ("echo", &["value"][..], Work::Echo),
        ("sleep", &["seconds"], Work::Sleep),
        ("count", &[], Work::Count),
        ("fail", &["message"], Work::Fail),
        ("outer", &["tool"], Work::Outer),
        ("stall", &[], Work::Stall),
        ("odd-name", &[], Work::Echo),
    ] {
        tools.insert(Arc::new(Small {
            spec: spec(id, positional),
            work,
            effects: Arc::clone(effects),
        }));
    }
    let policy = Arc::new(Rules {
        rules: Vec::new(),
        restricted: false,
        bounds: Bounds {
            workspace: workspace.display().to_string(),
            ..Bounds::default()
        },
        ..Rules::default()
    });
    Generation::new(tools, policy)
}

fn spec(id: &str, positional: &[&str]) -> Spec {
    Spec {
        id: id.to_owned(),
        surface: "test".to_owned(),
        effect: Effect::Read,
        description: String::new(),
        parameters: open(positional),
        parameter_aliases: Vec::new(),
        timeout: None,
        polls: false,
        stands_alone: false,
        fields: &["rare"],
        examples: Vec::new(),
        display_name: None,
        hint: None,
        origin: Origin::Shipped,
    }
}

/// Takes these by place, and anything else by name.
fn open(positional: &[&str]) -> Parameters {
    let properties: serde_json::Map<String, serde_json::Value> = positional
        .iter()
        .map(|name| ((*name).to_owned(), serde_json::json!({})))
        .collect();
    Parameters::from_json_schema(serde_json::json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": true,
    }))
    .unwrap()
}

#[derive(Clone, Copy)]
enum Work {
    /// Gives back its arguments and its caller.
    Echo,
    /// Says that it is asleep, waits, then counts as one effect.
    Sleep,
    /// Counts as one effect, at once.
    Count,
    Fail,
    /// Calls another tool, as `batch` does.
    Outer,
    /// Uses up more than one slice of the thread, and waits for a moment.
    Stall,
}

struct Small {
    spec: Spec,
    work: Work,
    effects: Arc<AtomicUsize>,
}

impl Tool for Small {
    fn id(&self) -> &str {
        &self.spec.id
    }

    fn aliases(&self) -> Vec<&str> {
        Vec::new()
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn bind(&self, args: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        Ok(Box::new(Once {
            args: Arc::clone(args),
            work: self.work,
            effects: Arc::clone(&self.effects),
        }))
    }
}

struct Once {
    args: Arc<Data>,
    work: Work,
    effects: Arc<AtomicUsize>,
}

impl Bound for Once {
    fn plan<'a>(&'a self, _context: &'a Context) -> BoxFuture<'a, Result<Plan, ToolError>> {
        Box::pin(async { Ok(Plan::read(Vec::new())) })
    }

    fn execute<'a>(&'a self, _plan: Plan, context: &'a Context) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            match self.work {
                Work::Echo => {
                    let caller = context.caller().as_str();
                    let value = self.args.get("value").cloned().unwrap_or_default();
                    let facts = [
                        ("value", value),
                        ("caller", caller.into()),
                        ("args", Data::clone(&self.args)),
                    ];
                    Ok(Output::new("echo", "the echo", facts))
                }
                Work::Sleep => {
                    let seconds = match self.args.get("seconds") {
                        Some(Data::Float(seconds)) => *seconds,
                        other => other.and_then(Data::as_int).unwrap_or(0) as f64,
                    };
                    context.update("asleep", Data::Null);
                    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
                    self.effects.fetch_add(1, Ordering::SeqCst);
                    Ok(Output::new("slept", "slept", []))
                }
                Work::Count => {
                    let before = self.effects.fetch_add(1, Ordering::SeqCst);
                    Ok(Output::new(
                        "counted",
                        "counted",
                        [("n", (before + 1).into())],
                    ))
                }
                Work::Fail => {
                    let message = self
                        .args
                        .get("message")
                        .and_then(Data::as_str)
                        .unwrap_or("it failed");
                    Err(ToolError::new(Kind::Conflict, message).with_detail("line", 7))
                }
                Work::Stall => {
                    std::thread::sleep(Duration::from_micros(1100));
                    tokio::task::yield_now().await;
                    Ok(Output::default())
                }
                Work::Outer => {
                    let tool = self
                        .args
                        .get("tool")
                        .and_then(Data::as_str)
                        .unwrap_or("echo");
                    let call = Call {
                        tool: tool.to_owned(),
                        arguments: Arguments::Positional(Vec::new()),
                        destination: Destination::Program,
                    };
                    Arc::clone(&context.gate).call(&context.scope, call).await
                }
            }
        })
    }
}
