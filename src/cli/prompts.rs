//! What profiles say to a model: the text that a module of prompts returns.
//! They are read when they are needed, by the name that a profile gives.

use futures_util::future::BoxFuture;

use crate::agent::{Compaction, Prompts};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::lua::Vm;
use crate::tool::Scope;

/// Reads prompts in the Lua state of this process.
pub(super) struct OfLua(pub(super) Vm);

impl Prompts for OfLua {
    fn prompt(&self, scope: &Scope, name: &str) -> BoxFuture<'static, Result<String, ToolError>> {
        let values = self
            .0
            .module(scope, name, "return require((...))", Vec::new());
        let name = name.to_owned();
        Box::pin(async move { text(values.await?, &format!("the module {name} returns no text")) })
    }

    fn compaction(
        &self,
        scope: &Scope,
        name: &str,
    ) -> BoxFuture<'static, Result<Compaction, ToolError>> {
        let code = "local m = require((...)) return m.at, m.turns, m.shrink";
        let values = self.0.module(scope, name, code, Vec::new());
        let name = name.to_owned();
        Box::pin(async move {
            let values = values.await?;
            let number = |at: usize| match values.get(at) {
                Some(Data::Float(number)) => Some(*number),
                Some(Data::Int(number)) => Some(*number as f64),
                _ => None,
            };
            let share = number(0).filter(|at| *at > 0.0 && *at <= 1.0);
            let counts = [number(1), number(2)].map(|count| count.filter(|count| *count >= 0.0));
            match (share, counts) {
                (Some(at), [Some(turns), Some(shrink)]) => Ok(Compaction {
                    at,
                    turns: turns as usize,
                    shrink: shrink as usize,
                }),
                _ => Err(ToolError::new(
                    Kind::Failed,
                    format!("the module {name} has not got `at` (above 0, at most 1), `turns` and `shrink` (numbers)"),
                )
                .with_hint("see builtin.compact, which has them")),
            }
        })
    }

    fn summary(
        &self,
        scope: &Scope,
        name: &str,
        conversation: Data,
    ) -> BoxFuture<'static, Result<String, ToolError>> {
        let json = serde_json::to_string(&conversation);
        let code = "local name, json = ... return require(name).summarise(agent.json.decode(json))";
        let json = json.unwrap_or_else(|_| "null".to_owned());
        let values = self.0.module(scope, name, code, vec![json]);
        let name = name.to_owned();
        Box::pin(async move {
            text(
                values.await?,
                &format!("`summarise` of the module {name} returns no text"),
            )
        })
    }
}

/// The one text among `values`.
fn text(values: Vec<Data>, otherwise: &str) -> Result<String, ToolError> {
    match values.into_iter().next() {
        Some(Data::Text(text)) => Ok(text),
        _ => Err(ToolError::new(Kind::Failed, otherwise).with_hint("return the text")),
    }
}
