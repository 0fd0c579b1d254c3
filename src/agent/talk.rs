//! What holds for all steps of one turn: who is asked, with which tools, under which terms, and who listens.
//! It is made once a turn, and nothing in it changes until the turn is over.

use std::sync::Arc;

use super::agency::Prompts;
use super::conversation::Conversation;
use super::guiding::Guiding;
use super::hear::Hear;
use super::offer::Candidate;
use crate::chat::{Effort, Offered, Part, Request, Structure, Usage};
use crate::gate::Dispatch;
use crate::model::Speak;
use crate::redact::Reach;
use crate::tool::{Destination, Gate as _, Scope, Space, Spent, Steering};

/// How room is made in a conversation.
pub(super) struct Compacting {
    /// Who runs what Lua says of it.
    pub(super) prompts: Arc<dyn Prompts>,
    /// The module that says it.
    pub(super) module: String,
}

/// What the calls of a model take.
#[derive(Clone)]
pub(super) struct Acting {
    /// The door.
    pub(super) gate: Arc<Dispatch>,
    /// Where the model acts.
    pub(super) scope: Scope,
    /// Who listens.
    pub(super) hear: Arc<dyn Hear>,
    /// What is shown of the folders that it comes to, where that is done.
    pub(super) guiding: Option<Arc<Guiding>>,
}

impl Acting {
    /// The text as the model may see it. A secret that was learnt in the midst of a turn is hidden too.
    pub(super) fn hide(&self, text: String) -> String {
        let generation = self.gate.generation();
        let redaction = &generation.redaction;
        match redaction.hiding(self.gate.services(), &self.scope, Destination::Model) {
            Some(redactor) => redactor.redact(&text, Reach::Model).into_owned(),
            None => text,
        }
    }

    /// The same of all that is said in parts.
    pub(super) fn hide_in(&self, parts: Vec<Part>) -> Vec<Part> {
        let hidden = parts.into_iter().map(|part| match part {
            Part::Text { text } => Part::text(self.hide(text)),
            part => part,
        });
        hidden.collect()
    }
}

/// One turn's surroundings.
pub(super) struct Talk {
    /// What its calls take.
    pub(super) acting: Acting,
    /// How much of a result fits.
    pub(super) space: Arc<Space>,
    /// What is said to it while it works.
    pub(super) steering: Arc<Steering>,
    /// The model.
    pub(super) speaker: Arc<dyn Speak>,
    /// What the model is told before anything else.
    pub(super) system: Vec<String>,
    /// The tools that it may be offered.
    pub(super) candidates: Vec<Candidate>,
    /// Those of them that it is shown from the start.
    pub(super) tools: Vec<Offered>,
    /// The shape of its answer.
    pub(super) structure: Option<Structure>,
    /// How room is made for it; `None`: it is not.
    pub(super) compacting: Option<Compacting>,
    /// How hard it should think.
    pub(super) effort: Option<Effort>,
}

impl Talk {
    /// What `usage` costs, where every price is known.
    pub(super) fn cost(&self, usage: Usage) -> Option<f64> {
        let prices = self.speaker.about().prices;
        prices.cost(usage).filter(|_| prices.are_known())
    }

    /// Charges an answer to every budget around; what it cost, if that is known.
    pub(super) fn charge(&self, usage: Usage) -> Option<f64> {
        let cost = self.cost(usage);
        self.acting.scope.charge(Spent {
            steps: 1,
            tokens: usage.total(),
            cost,
        });
        cost
    }

    /// Shows it all that there is.
    pub(super) fn show_all(&mut self) {
        let all = std::mem::take(&mut self.candidates).into_iter();
        self.tools = all.map(|one| one.offered).collect();
    }

    /// The next request.
    pub(super) fn request(&self, conversation: &Conversation) -> Request {
        let about = self.speaker.about();
        Request {
            system: self.system.clone(),
            tools: [&*self.tools, &conversation.offering.found].concat(),
            structure: self.structure.clone(),
            max_output: about.max_output,
            effort: self.effort,
            ..Request::new(self.speaker.id(), conversation.messages().to_vec())
        }
    }
}
