//! Hooks made to measure, for the tests of the door.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::permission::Action;
use crate::tool::{Head, Hook, HookReply, Point, Scope, Selection};

/// What a hook of a test says.
pub(super) type Said = Result<Option<(Action, String)>, ToolError>;

/// What it does with its event.
pub(super) type Changing = fn(&mut Map) -> Said;

type Run = dyn Fn(Scope, Map) -> BoxFuture<'static, Result<HookReply, ToolError>> + Send + Sync;

/// A hook made of a function. It is called `test.lua:ID`.
#[derive(Clone)]
pub(super) struct Made {
    pub(super) head: Head,
    run: Arc<Run>,
}

impl Made {
    /// A hook that changes its event in place.
    pub(super) fn new(
        id: u64,
        point: Point,
        run: impl Fn(&mut Map) -> Said + Send + Sync + 'static,
    ) -> Made {
        Made::waiting(id, point, move |_, given| {
            let mut event = given.clone();
            let said = run(&mut event);
            Box::pin(async move {
                Ok(HookReply {
                    changed: changed(&given, event),
                    verdict: said?,
                })
            })
        })
    }

    /// A hook that waits.
    pub(super) fn waiting(
        id: u64,
        point: Point,
        run: impl Fn(Scope, Map) -> BoxFuture<'static, Result<HookReply, ToolError>>
        + Send
        + Sync
        + 'static,
    ) -> Made {
        let head = Head {
            id,
            point,
            layer: Layer::Script,
            name: format!("test.lua:{id}"),
            selection: Selection::default(),
        };
        Made {
            head,
            run: Arc::new(run),
        }
    }

    pub(super) fn of(mut self, layer: Layer) -> Made {
        self.head.layer = layer;
        self
    }

    pub(super) fn boxed(self) -> Arc<dyn Hook> {
        Arc::new(self)
    }
}

fn changed(given: &Map, event: Map) -> Map {
    let gone = given.keys().filter(|name| !event.contains_key(*name));
    let gone: Vec<String> = gone.cloned().collect();
    let differs = |(name, value): &(String, Data)| given.get(name) != Some(value);
    let mut changed: Map = event.into_iter().filter(differs).collect();
    changed.extend(gone.into_iter().map(|name| (name, Data::Null)));
    changed
}

impl Hook for Made {
    fn head(&self) -> &Head {
        &self.head
    }

    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>> {
        let event = event.as_map().unwrap().clone();
        (self.run)(scope.clone(), event)
    }
}
