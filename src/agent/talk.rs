//! What holds for all steps of one turn: who is asked, with which tools, under which terms, and who listens.
//! It is made once a turn, and nothing in it changes until the turn is over.

use std::sync::Arc;

use super::agency::Prompts;
use super::conversation::Conversation;
use super::hear::Hear;
use crate::chat::{Effort, Offered, Request, Structure};
use crate::gate::Dispatch;
use crate::model::Speak;
use crate::tool::Scope;

/// How room is made in a conversation.
pub(super) struct Compacting {
    /// Who runs what Lua says of it.
    pub(super) prompts: Arc<dyn Prompts>,
    /// The module that says it.
    pub(super) module: String,
}

/// One turn's surroundings.
pub(super) struct Talk {
    /// The door.
    pub(super) gate: Arc<Dispatch>,
    /// The model.
    pub(super) speaker: Arc<dyn Speak>,
    /// Where the model acts.
    pub(super) scope: Scope,
    /// Who listens.
    pub(super) hear: Arc<dyn Hear>,
    /// What the model is told before anything else.
    pub(super) system: Vec<String>,
    /// The tools it may ask for.
    pub(super) tools: Vec<Offered>,
    /// The shape of its answer.
    pub(super) structure: Option<Structure>,
    /// How room is made for it; `None`: it is not.
    pub(super) compacting: Option<Compacting>,
    /// How hard it should think.
    pub(super) effort: Option<Effort>,
}

impl Talk {
    /// The next request.
    pub(super) fn request(&self, conversation: &Conversation) -> Request {
        let about = self.speaker.about();
        Request {
            system: self.system.clone(),
            tools: self.tools.clone(),
            structure: self.structure.clone(),
            max_output: about.max_output,
            effort: self.effort,
            ..Request::new(self.speaker.id(), conversation.messages().to_vec())
        }
    }
}
