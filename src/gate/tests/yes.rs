//! A yes is to the exact thing that was shown: each part of it counts.

use std::path::PathBuf;
use std::sync::Arc;

use super::rig::{Rig, tools};
use crate::data::Data;
use crate::files::{Action as Does, Change, ChangeSet, Entry, Image, Place};
use crate::gate::yes::Yes;
use crate::permission::{Caller, Effect, Group, Subject};
use crate::tool::*;

fn context(rig: &Rig, caller: Caller, tool: &str) -> Context {
    Context {
        scope: rig.scope.lowered(caller).unwrap(),
        call: CallId(0),
        account: Arc::default(),
        tool: tool.into(),
        running: Arc::clone(tools().find(tool).unwrap()),
        destination: Destination::Model,
        services: Arc::clone(rig.gate.services()),
        generation: rig.gate.generation(),
        gate: Arc::clone(&rig.gate) as Arc<dyn Gate>,
        is_foreseen: false,
    }
}

fn place(path: &str) -> Place {
    Place {
        asked: "the same".to_owned(),
        path: PathBuf::from("/w/the same"),
        real: PathBuf::from(path),
        display: "the same".to_owned(),
        name: "the same".to_owned(),
        inside: true,
        entry: Entry::File,
    }
}

fn command(line: &str, cwd: &str) -> Plan {
    Plan {
        effect: Effect::Run,
        subjects: vec![Subject::command(line)],
        work: Work::Command {
            line: line.to_owned(),
            cwd: place(cwd),
        },
        note: Data::Null,
    }
}

fn args(env: &str, stdin: &str) -> Data {
    let env = Data::map([("A", env.into())]);
    Data::map([("env", env), ("stdin", stdin.into())])
}

#[tokio::test]
async fn each_part_of_a_command_counts() {
    let (here, there) = (Rig::new(), Rig::new());
    let model = context(&here, Caller::Model, "echo");
    let asked = || Yes::to(&command("make", "/w"), &args("1", "x"), &model);
    assert_eq!(asked(), asked());
    let plan = || command("make", "/w");
    let seen = Plan {
        subjects: vec![Subject::command("make").read_only()],
        ..plan()
    };
    let milder = Plan {
        effect: Effect::Read,
        ..plan()
    };
    let noted = Plan {
        note: Data::Int(1),
        ..plan()
    };
    let same = args("1", "x");
    let user = context(&here, Caller::User, "echo");
    let other = context(&here, Caller::Model, "relay");
    let session = context(&there, Caller::Model, "echo");
    for (what, yes) in [
        ("line", Yes::to(&command("make ", "/w"), &same, &model)),
        ("cwd", Yes::to(&command("make", "/w2"), &same, &model)),
        ("env", Yes::to(&plan(), &args("2", "x"), &model)),
        ("stdin", Yes::to(&plan(), &args("1", "y"), &model)),
        ("stdin as bytes", Yes::to(&plan(), &bytes("1", "x"), &model)),
        ("what rules saw", Yes::to(&seen, &same, &model)),
        ("effect", Yes::to(&milder, &same, &model)),
        ("note", Yes::to(&noted, &same, &model)),
        ("caller", Yes::to(&plan(), &same, &user)),
        ("tool", Yes::to(&plan(), &same, &other)),
        ("session", Yes::to(&plan(), &same, &session)),
    ] {
        assert_ne!(yes, asked(), "{what}");
    }
}

fn bytes(env: &str, stdin: &str) -> Data {
    let Data::Map(mut map) = args(env, stdin) else {
        unreachable!()
    };
    map.insert("stdin".to_owned(), Data::Bytes(stdin.into()));
    Data::Map(map)
}

/// A change of one file.
struct Touched {
    path: &'static str,
    action: Does,
    before: Option<Image>,
    after: Option<Image>,
    inner: Vec<Change>,
}

fn update(before: &str, after: &str) -> Touched {
    let image = |text: &str| Some(Image::file(text.as_bytes(), Some(0o644)));
    Touched {
        path: "/w/a",
        action: Does::Update,
        before: image(before),
        after: image(after),
        inner: Vec::new(),
    }
}

fn change(touched: Touched) -> Change {
    Change {
        place: place(touched.path),
        action: touched.action,
        before: touched.before,
        after: touched.after,
        inner: touched.inner,
    }
}

#[tokio::test]
async fn each_part_of_a_change_counts() {
    let rig = Rig::new();
    let context = context(&rig, Caller::Model, "echo");
    let yes = |touched| {
        let changes = ChangeSet::new(vec![change(touched)]).unwrap();
        let subject = Subject::path(Group::Edit, "a", "/w/a", true);
        Yes::to(&Plan::files(vec![subject], changes), &Data::Null, &context)
    };
    let asked = yes(update("one", "two"));
    assert_eq!(asked, yes(update("one", "two")));
    let elsewhere = |touched| Touched {
        path: "/w/b",
        ..touched
    };
    let executable = |mut touched: Touched| {
        touched.after.as_mut().unwrap().mode = Some(0o755);
        touched
    };
    let moved = |to| Touched {
        action: Does::Move { to: place(to) },
        ..update("one", "two")
    };
    for (what, other) in [
        ("what stands there", update("One", "two")),
        ("what would", update("one", "twO")),
        ("where it really is", elsewhere(update("one", "two"))),
        ("the mode", executable(update("one", "two"))),
        (
            "that nothing stood there",
            Touched {
                before: None,
                ..update("one", "two")
            },
        ),
        (
            "what happens",
            Touched {
                action: Does::Delete,
                ..update("one", "two")
            },
        ),
        ("that it is moved", moved("/w/c")),
        (
            "what goes with it",
            Touched {
                inner: vec![change(update("x", "y"))],
                ..update("one", "two")
            },
        ),
    ] {
        assert_ne!(yes(other), asked, "{what}");
    }
    assert_ne!(yes(moved("/w/c")), yes(moved("/w/d")));
}

#[tokio::test]
async fn a_yes_for_good_says_nothing_of_what_a_command_is_given() {
    let plan = command("git push", "/w");
    let given = |env: Option<&str>, stdin: Option<&str>| {
        let env = env.map_or(Data::map([]), |value| Data::map([("A", value.into())]));
        let args = Data::map([("env", env), ("stdin", stdin.into())]);
        plan.is_given(&args)
    };
    assert!(!given(None, None) && given(Some("1"), None) && given(None, Some("x")));
    assert!(
        !Plan::read(Vec::new()).is_given(&args("1", "x")),
        "only commands are"
    );
}
