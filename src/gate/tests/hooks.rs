//! What hooks around a call may do: rewrite, refuse, ask, in which order; and what their failing means.

use std::sync::{Arc, Mutex};

use super::hook::{Changing, Made, Said};
use super::rig::{Rig, Setup};
use crate::data::{Data, Map};
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::permission::Action;
use crate::tool::{
    Answer, Arguments, Call, Destination, Gate as _, Hook, HookReply, Point, Selection,
};

const HI: &str = r#"{"text": "x"}"#;

/// A hook that asks about every call.
pub(super) fn asking() -> impl Hook {
    Made::new(1, Point::ToolBefore, |_| {
        Ok(Some((Action::Ask, "really?".to_owned())))
    })
}

fn rig(point: Point, runs: &[Changing]) -> Rig {
    let hook = |(at, run): (usize, &Changing)| Made::new(at as u64 + 1, point, *run).boxed();
    Rig::with(Setup {
        hooks: runs.iter().enumerate().map(hook).collect(),
        ..Setup::default()
    })
}

fn args(event: &mut Map) -> &mut Map {
    match event.get_mut("args") {
        Some(Data::Map(args)) => args,
        _ => panic!("no args"),
    }
}

async fn says(rig: &Rig) -> String {
    rig.call("echo", HI).await.unwrap().text
}

#[tokio::test]
async fn a_second_hook_sees_what_the_first_one_changed() {
    let double: Changing = |event| {
        let times = args(event)["times"].as_int().unwrap();
        args(event).insert("times".to_owned(), Data::Int(times * 2));
        Ok(None)
    };
    let shout: Changing = |event| {
        let text = args(event)["text"].as_str().unwrap().to_uppercase();
        args(event).insert("text".to_owned(), text.into());
        Ok(None)
    };
    let nothing: Changing = |_| Ok(None);
    let before = rig(
        Point::ToolBefore,
        &[double, shout, nothing, double, nothing],
    );
    assert_eq!(says(&before).await, "XXXX", "no rewrite is lost");
    let add: Changing = |event| {
        let text = format!("{}+", event["output"].as_str().unwrap());
        event.insert("output".to_owned(), text.into());
        Ok(None)
    };
    let after = rig(Point::ToolAfter, &[add, nothing, add]);
    assert_eq!(says(&after).await, "x++");
}

#[tokio::test]
async fn runs_from_the_weakest_layer_to_the_strongest_and_in_order_within_one() {
    let ran = Arc::new(Mutex::new(Vec::new()));
    let rig = Rig::new();
    let layers = [
        Layer::Script,
        Layer::User,
        Layer::Project,
        Layer::Shipped,
        Layer::User,
        Layer::CommandLine,
        Layer::Script,
    ];
    for (at, layer) in (1u64..).zip(layers) {
        let ran = Arc::clone(&ran);
        let hook = Made::new(at, Point::ToolBefore, move |_| {
            ran.lock().unwrap().push(at);
            Ok(None)
        });
        let hook = hook.of(layer).boxed();
        rig.gate.update(|generation| generation.add_hook(hook));
    }
    says(&rig).await;
    assert_eq!(*ran.lock().unwrap(), [4, 2, 5, 3, 6, 1, 7]);
    rig.gate.update(|generation| generation.remove_hook(5));
    ran.lock().unwrap().clear();
    says(&rig).await;
    assert_eq!(*ran.lock().unwrap(), [4, 2, 3, 6, 1, 7]);
}

#[tokio::test]
async fn a_wrong_rewrite_is_put_down_to_its_hook_and_refuses_the_call() {
    let cases: [(Changing, &str); 7] = [
        (
            |event| {
                args(event).insert("times".to_owned(), "many".into());
                Ok(None)
            },
            "args.times: expected",
        ),
        (
            |event| {
                args(event).insert("tiems".to_owned(), 2i64.into());
                Ok(None)
            },
            "there is no parameter `tiems`",
        ),
        (
            |event| {
                event.insert("args".to_owned(), Data::map([]));
                Ok(None)
            },
            "missing `text`",
        ),
        (
            |event| {
                event.insert("args".to_owned(), "text".into());
                Ok(None)
            },
            "call.args: expected a table, got text \"text\"",
        ),
        (
            |event| {
                event.remove("args");
                Ok(None)
            },
            "call.args: expected a table, got nothing",
        ),
        (
            |event| {
                event.insert("tool".to_owned(), "touch".into());
                Ok(None)
            },
            "it changed `tool`; a hook at tool.before may change: args",
        ),
        (
            |_| Ok(Some((Action::Allow, "sure".to_owned()))),
            "it returned \"allow\"; a hook at tool.before returns \"deny\" or \"ask\"",
        ),
    ];
    for (run, says) in cases {
        let rig = rig(Point::ToolBefore, &[run]);
        let error = rig.call("echo", HI).await.unwrap_err();
        assert_eq!(error.kind, Kind::Failed, "{error}");
        let begins = "the hook test.lua:1 failed, so the call was refused: ";
        assert!(error.message.starts_with(begins), "{error}");
        assert!(error.message.contains(says), "{says}: {error}");
        assert_eq!(rig.records(), ["echo:failed"]);
    }
}

#[tokio::test]
async fn whole_arguments_may_be_replaced() {
    let other: Changing = |event| {
        let args = Data::map([("words", "other".into()), ("times", Data::Float(2.0))]);
        event.insert("args".to_owned(), args);
        Ok(None)
    };
    let sees: Changing = |event| {
        assert_eq!(
            args(event)["text"].as_str(),
            Some("other"),
            "aliases are settled"
        );
        args(event).remove("times");
        Ok(None)
    };
    assert_eq!(says(&rig(Point::ToolBefore, &[other, sees])).await, "other");
}

#[tokio::test]
async fn a_hook_that_fails_is_nobodys_no() {
    for kind in [
        Kind::Failed,
        Kind::Internal,
        Kind::Timeout,
        Kind::Resource,
        Kind::Unavailable,
    ] {
        let fails = move |_: &mut Map| Err(ToolError::new(kind, "boom").with_hint("look"));
        let hooks = vec![Made::new(1, Point::ToolBefore, fails).boxed()];
        let rig = Rig::with(Setup {
            hooks,
            ..Setup::default()
        });
        let error = rig.call("echo", HI).await.unwrap_err();
        assert_eq!(error.kind, Kind::Failed);
        assert_eq!(
            error.message,
            "the hook test.lua:1 failed, so the call was refused: boom"
        );
        assert_eq!(error.hint(), "mend or remove the hook test.lua:1: look");
        let detail = error.detail.unwrap();
        assert_eq!(detail["reason"], "hook_failed");
        assert_eq!(detail["hook"], "test.lua:1");
        assert_eq!(detail["point"], "tool.before");
    }
}

#[tokio::test]
async fn a_hook_that_panics_has_failed() {
    let panics: Changing = |_| std::hint::black_box(None::<Said>).unwrap();
    let hook = |point| {
        Made::waiting(1, point, move |_, mut event| {
            Box::pin(async move {
                panics(&mut event)?;
                Ok(HookReply::default())
            })
        })
    };
    let rig = |point| {
        Rig::with(Setup {
            hooks: vec![hook(point).boxed()],
            ..Setup::default()
        })
    };
    let error = rig(Point::ToolBefore).call("echo", HI).await.unwrap_err();
    assert_eq!(error.detail.unwrap()["reason"], "hook_failed");
    assert_eq!(says(&rig(Point::ToolAfter)).await, "x");
}

#[tokio::test]
async fn refuses_in_words_of_its_own_and_says_that_it_was_a_hook() {
    let refuses: Changing = |_| Err(ToolError::new(Kind::Denied, "not on Fridays"));
    let denied = rig(Point::ToolBefore, &[refuses]);
    let error = denied.call("echo", HI).await.unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (Kind::Denied, "not on Fridays")
    );
    assert_eq!(error.detail.unwrap()["hook"], "test.lua:1");
    let after = rig(Point::ToolAfter, &[refuses]);
    assert_eq!(
        says(&after).await,
        "x",
        "after the call there is nothing to refuse"
    );
}

#[tokio::test]
async fn what_fails_after_a_call_is_logged_and_changes_nothing() {
    let cases: [(Changing, &str); 5] = [
        (|_| Err(ToolError::new(Kind::Failed, "boom")), "boom"),
        (
            |event| {
                event.insert("title".to_owned(), "new".into());
                event.insert("output".to_owned(), Data::Int(3));
                Ok(None)
            },
            "call.output: expected text, got number 3",
        ),
        (
            |event| {
                event.remove("metadata");
                Ok(None)
            },
            "call.metadata: expected a table, got nothing",
        ),
        (
            |event| {
                args(event).clear();
                Ok(None)
            },
            "it changed `args`",
        ),
        (
            |_| Ok(Some((Action::Deny, "too late".to_owned()))),
            "a hook at tool.after returns nothing",
        ),
    ];
    let next: Changing = |event| {
        let text = format!("{}!", event["output"].as_str().unwrap());
        event.insert("output".to_owned(), text.into());
        Ok(None)
    };
    for (run, says) in cases {
        let rig = rig(Point::ToolAfter, &[run, next]);
        let output = rig.call("echo", HI).await.unwrap();
        assert_eq!(
            (output.text.as_str(), output.title.as_str()),
            ("x!", "echo")
        );
        assert_eq!(output.metadata["text"].as_str(), Some("x"));
        let begins = "the hook test.lua:1 at tool.after failed and was passed over: ";
        let lines = rig.heard.lines();
        let line = lines.iter().find(|line| line.contains(begins)).unwrap();
        assert!(line.contains(&says.replace('"', "\\\"")), "{says}: {line}");
    }
}

#[tokio::test]
async fn after_a_failed_call_a_hook_sees_the_error_and_cannot_change_it() {
    let seen = Arc::new(Mutex::new(Map::new()));
    let keep = Arc::clone(&seen);
    let hook = Made::new(1, Point::ToolAfter, move |event| {
        *keep.lock().unwrap() = event.clone();
        event.insert("output".to_owned(), "saved".into());
        Ok(None)
    });
    let rig = Rig::with(Setup {
        hooks: vec![hook.boxed()],
        rules: vec![("echo", Action::Deny)],
        ..Setup::default()
    });
    assert_eq!(rig.call("echo", HI).await.unwrap_err().kind, Kind::Denied);
    let seen = seen.lock().unwrap();
    assert_eq!(seen["error"].get("kind").unwrap().as_str(), Some("denied"));
    assert!(!seen.contains_key("output"));
    let lines = rig.heard.lines().join("\n");
    assert!(lines.contains("there is no result to change"), "{lines}");
}

#[tokio::test]
async fn refuses_and_asks_but_never_loosens() {
    let deny: Changing = |_| Ok(Some((Action::Deny, "not today".to_owned())));
    let ask: Changing = |_| Ok(Some((Action::Ask, "really?".to_owned())));
    let hook = |id, run: Changing| Made::new(id, Point::ToolBefore, run).boxed();
    let with = |hooks, answers| {
        Rig::with(Setup {
            hooks,
            answers,
            ..Setup::default()
        })
    };
    let denied = with(vec![hook(1, deny), hook(2, ask)], vec![Answer::Once]);
    let error = denied.call("echo", HI).await.unwrap_err();
    assert_eq!(error.kind, Kind::Denied);
    assert_eq!(error.message, "not today (test.lua:1)");
    let asked = with(vec![hook(1, ask)], vec![Answer::Once]);
    assert!(asked.call("echo", HI).await.is_ok());
    assert!(asked.call("echo", HI).await.is_err(), "once is once");
}

#[tokio::test]
async fn looks_at_the_tools_it_chose_by_id_alias_or_surface() {
    let deny: Changing = |_| Ok(Some((Action::Deny, "no".to_owned())));
    let denies = async |tools: &[&str], surfaces: &[&str]| {
        let mut hook = Made::new(1, Point::ToolBefore, deny);
        hook.head.selection = Selection::new(tools.iter().copied(), surfaces.iter().copied());
        let rig = Rig::with(Setup {
            hooks: vec![hook.boxed()],
            ..Setup::default()
        });
        rig.call("echo", HI).await.is_err()
    };
    for (tools, surfaces, expected) in [
        (&["echo"][..], &[][..], true),
        (&["e*o", "touch"], &[], true),
        (&["echo_alias"], &[], true),
        (&[], &["te?t"], true),
        (&["echo"], &["test"], true),
        (&["echo"], &["file"], false),
        (&["ech", "echoo"], &[], false),
        (&[], &["file"], false),
        (&[], &[], true),
    ] {
        assert_eq!(
            denies(tools, surfaces).await,
            expected,
            "{tools:?} {surfaces:?}"
        );
    }
}

#[tokio::test]
async fn does_not_fire_for_what_it_causes_however_far_down() {
    let (first, second) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
    let rig = Rig::new();
    // Each hook makes a call of its own; the other fires for that, and its call is seen by neither.
    for (id, count) in [(1, &first), (2, &second)] {
        let (count, gate) = (Arc::clone(count), Arc::downgrade(&rig.gate));
        let hook = Made::waiting(id, Point::ToolBefore, move |scope, _| {
            *count.lock().unwrap() += 1;
            let gate = gate.upgrade().unwrap();
            Box::pin(async move {
                let call = Call {
                    tool: "relay".to_owned(),
                    arguments: Arguments::Json(HI.to_owned()),
                    destination: Destination::Program,
                };
                gate.call(&scope, call).await?;
                Ok(HookReply::default())
            })
        });
        rig.gate
            .update(|generation| generation.add_hook(hook.boxed()));
    }
    assert_eq!(says(&rig).await, "x");
    // The call itself, then for each: the relay and the echo of the other one's call.
    assert_eq!((*first.lock().unwrap(), *second.lock().unwrap()), (3, 3));
}
