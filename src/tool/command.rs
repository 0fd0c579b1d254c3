//! A command: something a person runs by name with a line of words, as against a tool, which models call too.
//!
//! The registry holds declarations and ways in; it runs nothing by itself.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{Origin, Scope};
use crate::data::Data;
use crate::error::{Kind, ToolError};
use crate::schema::Parameters;
use crate::text::offer;

/// What a command says of itself.
#[derive(Clone, Debug)]
pub struct CommandSpec {
    /// The name it is run by.
    pub id: String,
    /// What it is for.
    pub description: String,
    /// What it takes.
    pub parameters: Parameters,
    /// Where it was defined.
    pub origin: Origin,
}

/// What a command is run with.
#[derive(Clone, Debug)]
pub enum Words {
    /// A line as it is typed: words, quotes, `--options`.
    Line(String),
    /// Values by name.
    Values(Data),
}

/// A command.
pub trait Command: Send + Sync {
    /// Its declaration.
    fn spec(&self) -> &CommandSpec;

    /// Runs it. `--help` in a line is answered with its help.
    ///
    /// # Errors (of the future)
    /// `argument` for words that it does not take; what its body raises.
    fn run(&self, scope: &Scope, words: Words) -> BoxFuture<'static, Result<Data, ToolError>>;
}

/// The commands, in the order they were registered.
#[derive(Clone, Default)]
pub struct Commands(Vec<Arc<dyn Command>>);

impl Commands {
    /// Adds a command, or puts it in the place of the one with the same id, whose origin is returned.
    pub fn insert(&mut self, command: Arc<dyn Command>) -> Option<Origin> {
        let id = &command.spec().id;
        match self.0.iter_mut().find(|other| other.spec().id == *id) {
            Some(place) => {
                let replaced = std::mem::replace(place, command);
                Some(replaced.spec().origin.clone())
            }
            None => {
                self.0.push(command);
                None
            }
        }
    }

    /// The command of this name.
    pub fn get(&self, id: &str) -> Option<&Arc<dyn Command>> {
        self.iter().find(|command| command.spec().id == id)
    }

    /// The command of this name.
    ///
    /// # Errors
    /// `not_found` with the nearest name.
    pub fn find(&self, id: &str) -> Result<&Arc<dyn Command>, ToolError> {
        self.get(id).ok_or_else(|| {
            let names = self.iter().map(|command| command.spec().id.as_str());
            ToolError::new(Kind::NotFound, format!("there is no command `{id}`"))
                .with_hint(offer(id, "commands", names))
        })
    }

    /// The commands, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Command>> {
        self.0.iter()
    }
}
