//! The hooks at `tool.definition`: what they may add, take away, ask for; when they are asked, and what a broken
//! one means.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::sync::Barrier;

use super::hook::{Changing, Made, Said};
use super::rig::{Rig, Setup};
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::tool::{Arguments, Call, Destination, Gate as _, Hook, HookReply, Point, Selection};

const HI: &str = r#"{"text": "x"}"#;

/// A hook over the definition of `echo`.
fn over_echo(id: u64, run: impl Fn(&mut Map) -> Said + Send + Sync + 'static) -> Made {
    let mut hook = Made::new(id, Point::ToolDefinition, run);
    hook.head.selection = Selection::new(["echo"], []);
    hook
}

fn rig(hooks: Vec<Arc<dyn Hook>>) -> Rig {
    Rig::with(Setup {
        hooks,
        ..Setup::default()
    })
}

/// Changes the schema of an event.
fn reshape(event: &mut Map, change: impl FnOnce(&mut serde_json::Value)) {
    let mut schema = serde_json::to_value(&event["parameters"]).unwrap();
    change(&mut schema);
    event.insert("parameters".to_owned(), schema.into());
}

/// The signature and the description of `echo`.
async fn shown(rig: &Rig) -> (String, String) {
    let defined = rig.gate.defined(&rig.scope, Some("echo")).await.unwrap();
    let [echo] = defined.as_slice() else {
        panic!("one tool")
    };
    (echo.parameters().compact(), echo.description().into_owned())
}

#[tokio::test]
async fn a_parameter_that_is_added_is_legal_and_reaches_the_hooks_alone() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let look = |id, point| {
        let seen = Arc::clone(&seen);
        Made::new(id, point, move |event| {
            seen.lock().unwrap().push(event["args"].clone());
            Ok(None)
        })
        .boxed()
    };
    let add = over_echo(1, |event| {
        event.insert("description".to_owned(), "Says it aloud.".into());
        reshape(event, |schema| {
            schema["properties"]["loud"] = json!({ "type": "boolean", "default": false });
        });
        Ok(None)
    });
    let rig = rig(vec![
        add.boxed(),
        look(2, Point::ToolBefore),
        look(3, Point::ToolAfter),
    ]);
    let (signature, description) = shown(&rig).await;
    assert_eq!(
        signature,
        "(text: string, times?: integer = 1, loud?: boolean = false)"
    );
    assert_eq!(description, "Says it aloud.");
    let args = r#"{"text": "x", "loud": true, "times": 2}"#;
    assert_eq!(rig.call("echo", args).await.unwrap().text, "xx");
    let args = Data::map([
        ("loud", true.into()),
        ("text", "x".into()),
        ("times", 2i64.into()),
    ]);
    assert_eq!(*seen.lock().unwrap(), [args.clone(), args]);
    let error = rig
        .call("echo", r#"{"text": "x", "loud": 3}"#)
        .await
        .unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    assert_eq!(
        error.message,
        "args.loud: expected true or false, got number 3"
    );
    let error = rig.call("touch", r#"{"loud": true}"#).await.unwrap_err();
    assert_eq!(error.kind, Kind::Argument, "another tool is as it was");
}

#[tokio::test]
async fn what_is_taken_away_or_required_holds() {
    let narrow = over_echo(1, |event| {
        reshape(event, |schema| {
            schema["properties"]
                .as_object_mut()
                .unwrap()
                .remove("times");
        });
        Ok(None)
    });
    let require = over_echo(2, |event| {
        reshape(event, |schema| {
            schema["properties"]["why"] = json!({ "type": "string", "minLength": 3 });
            schema["required"] = json!(["text", "why"]);
        });
        Ok(None)
    });
    let rig = rig(vec![narrow.boxed(), require.boxed()]);
    assert_eq!(shown(&rig).await.0, "(text: string, why: string)");
    for (args, says) in [
        (
            r#"{"text": "x", "why": "because", "times": 2}"#,
            "there is no parameter `times`",
        ),
        (HI, "missing `why`"),
        (
            r#"{"text": "x", "why": "a"}"#,
            "args.why: expected text of at least 3",
        ),
        (
            r#"{"text": 3, "why": "because"}"#,
            "args.text: expected text",
        ),
    ] {
        let error = rig.call("echo", args).await.unwrap_err();
        assert_eq!(error.kind, Kind::Argument);
        assert!(error.message.contains(says), "{says}: {error}");
    }
    let args = r#"{"text": "x", "why": "because"}"#;
    assert_eq!(rig.call("echo", args).await.unwrap().text, "x");
}

#[tokio::test]
async fn the_tool_itself_still_checks_what_it_declares() {
    let loosen = over_echo(1, |event| {
        reshape(event, |schema| {
            schema["properties"]["times"] = json!({});
            schema["additionalProperties"] = json!(true);
        });
        Ok(None)
    });
    let rig = rig(vec![loosen.boxed()]);
    let error = rig
        .call("echo", r#"{"text": "x", "times": "two"}"#)
        .await
        .unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    assert!(error.message.starts_with("args.times: expected"), "{error}");
    let args = r#"{"text": "x", "anything": [1]}"#;
    assert_eq!(rig.call("echo", args).await.unwrap().text, "x");
}

#[tokio::test]
async fn a_rewrite_by_another_hook_is_held_to_it() {
    let narrow = over_echo(1, |event| {
        reshape(event, |schema| {
            schema["properties"]["text"]["maxLength"] = json!(3);
        });
        Ok(None)
    });
    let rewrite = Made::new(2, Point::ToolBefore, |event| {
        event.insert(
            "args".to_owned(),
            Data::map([("text", "much too long".into())]),
        );
        Ok(None)
    });
    let error = rig(vec![narrow.boxed(), rewrite.boxed()])
        .call("echo", HI)
        .await;
    let error = error.unwrap_err();
    assert_eq!(error.kind, Kind::Failed);
    assert!(
        error.message.contains("test.lua:2") && error.message.contains("args.text"),
        "{error}"
    );
}

#[tokio::test]
async fn a_broken_one_is_logged_once_and_leaves_the_definition_as_it_was() {
    let cases: [(Changing, &str); 7] = [
        (|_| Err(ToolError::new(Kind::Failed, "boom")), "boom"),
        (
            |event| {
                event.insert("parameters".to_owned(), "none".into());
                Ok(None)
            },
            "call.parameters: expected a table, got text",
        ),
        (
            |event| {
                event.insert(
                    "parameters".to_owned(),
                    Data::map([("type", "string".into())]),
                );
                Ok(None)
            },
            "its `type` is not",
        ),
        (
            |event| {
                reshape(event, |schema| {
                    schema["properties"]["text"] = json!({ "type": "txt" })
                });
                Ok(None)
            },
            "not a valid schema",
        ),
        (
            |event| {
                reshape(event, |schema| {
                    schema["properties"].as_object_mut().unwrap().remove("text");
                    schema["required"] = json!([]);
                });
                Ok(None)
            },
            "`text` is gone, and `echo` requires it",
        ),
        (
            |event| {
                event.remove("description");
                Ok(None)
            },
            "call.description: expected text, got nothing",
        ),
        (
            |event| {
                event.insert("tool".to_owned(), "other".into());
                Ok(None)
            },
            "it changed `tool`",
        ),
    ];
    for (run, says) in cases {
        let add = over_echo(2, |event| {
            let text = format!("{} Really.", event["description"].as_str().unwrap());
            event.insert("description".to_owned(), text.into());
            Ok(None)
        });
        let rig = rig(vec![over_echo(1, run).boxed(), add.boxed()]);
        let (signature, description) = shown(&rig).await;
        assert_eq!(signature, "(text: string, times?: integer = 1)");
        assert_eq!(description, "A test tool. Really.", "the others are heard");
        assert_eq!(rig.call("echo", HI).await.unwrap().text, "x");
        let lines = rig.heard.lines();
        let told = lines.iter().filter(|line| {
            line.contains("the hook test.lua:1 at tool.definition failed and was passed over: ")
        });
        let told: Vec<_> = told.collect();
        assert_eq!(told.len(), 1, "{lines:?}");
        assert!(told[0].contains(says), "{says}: {}", told[0]);
    }
}

#[tokio::test]
async fn is_asked_once_a_generation_and_what_it_once_tightened_outlives_its_failing() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let narrow = over_echo(1, move |event| {
        if count.fetch_add(1, Ordering::SeqCst) > 0 {
            return Err(ToolError::new(Kind::Failed, "not again"));
        }
        reshape(event, |schema| {
            schema["properties"]
                .as_object_mut()
                .unwrap()
                .remove("times");
        });
        Ok(None)
    });
    let rig = rig(vec![narrow.boxed()]);
    let twice = r#"{"text": "x", "times": 2}"#;
    for _ in 0..3 {
        assert!(rig.call("echo", HI).await.is_ok());
        assert!(rig.call("echo", twice).await.is_err());
        assert_eq!(shown(&rig).await.0, "(text: string)");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    rig.gate.update(|_| ());
    assert!(
        rig.call("echo", twice).await.is_err(),
        "nothing weaker than before"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    let lines = rig.heard.lines().join("\n");
    assert!(
        lines.contains("what the hook test.lua:1 last said of `echo` still holds"),
        "{lines}"
    );
    rig.gate.update(|generation| generation.remove_hook(1));
    assert!(
        rig.call("echo", twice).await.is_ok(),
        "taken off, it is gone"
    );
}

#[tokio::test]
async fn all_tools_are_defined_side_by_side() {
    let all = Rig::new().gate.generation().tools.iter().count();
    let barrier = Arc::new(Barrier::new(all));
    let meet = Made::waiting(1, Point::ToolDefinition, move |_, event| {
        let barrier = Arc::clone(&barrier);
        Box::pin(async move {
            // Nobody goes on before all are asked: one after the other would wait for ever.
            barrier.wait().await;
            let text = format!("{} defined", event["tool"].as_str().unwrap());
            Ok(HookReply {
                changed: Map::from([("description".to_owned(), text.into())]),
                verdict: None,
            })
        })
    });
    let rig = rig(vec![meet.boxed()]);
    let defined = rig.gate.defined(&rig.scope, None);
    let defined = tokio::time::timeout(Duration::from_secs(20), defined).await;
    let defined = defined.expect("side by side").unwrap();
    assert_eq!(defined.len(), all);
    for one in &defined {
        assert_eq!(one.description(), format!("{} defined", one.tool.id()));
    }
}

#[tokio::test]
async fn a_hook_may_call_the_very_tool_that_it_defines() {
    let rig = rig(vec![]);
    for id in [1, 2] {
        let gate = Arc::downgrade(&rig.gate);
        let hook = Made::waiting(id, Point::ToolDefinition, move |scope, _| {
            let gate = gate.upgrade().unwrap();
            Box::pin(async move {
                let call = Call {
                    tool: "echo".to_owned(),
                    arguments: Arguments::Json(HI.to_owned()),
                    destination: Destination::Program,
                };
                let text = gate.call(&scope, call).await?.text;
                Ok(HookReply {
                    changed: Map::from([("description".to_owned(), text.into())]),
                    verdict: None,
                })
            })
        });
        rig.gate
            .update(|generation| generation.add_hook(hook.boxed()));
    }
    let shown = tokio::time::timeout(Duration::from_secs(20), shown(&rig)).await;
    assert_eq!(shown.expect("it waits for itself").1, "x");
    assert!(rig.call("echo", HI).await.is_ok());
}

#[tokio::test]
async fn what_is_cancelled_is_asked_again() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let hook = Made::waiting(1, Point::ToolDefinition, move |_, _| {
        let first = count.fetch_add(1, Ordering::SeqCst) == 0;
        Box::pin(async move {
            if first {
                std::future::pending::<()>().await;
            }
            Ok(HookReply::default())
        })
    });
    let rig = rig(vec![hook.boxed()]);
    let call = rig.call("echo", HI);
    assert!(
        tokio::time::timeout(Duration::from_millis(5), call)
            .await
            .is_err()
    );
    assert!(rig.call("echo", HI).await.is_ok());
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}
