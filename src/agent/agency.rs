//! Asking a model: from what somebody wants to know to what came of it. One way for programs, scripts and tools.
//!
//! It holds no terminal and no connection: who answers and what prompts say comes in through two small traits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::compact::Compaction;
use super::complete::structure;
use super::conversation::Conversation;
use super::hear::{Deaf, Happened, Hear};
use super::offer::{candidates, settle};
use super::record::Head;
use super::shape::{AGAIN, Shape, again};
use super::system::system;
use super::talk::{Acting, Compacting, Talk};
use super::turn::{Turned, turn};
use crate::chat::{Effort, Message, Part, Role};
use crate::data::Data;
use crate::error::{Error, ToolError};
use crate::gate::{Dispatch, known_rules};
use crate::model::Speak;
use crate::permission::Caller;
use crate::store::{SessionId, Sessions, Workspace};
use crate::tool::{
    Budget, Gate as _, Generation, Guard, Most, Scope, Space, Steering, TermWords, Terms,
};

/// Where models come from.
pub trait Speakers: Send + Sync {
    /// The model that `word` names: `provider/model`, an alias, a fixture; `None`: the one that is meant where none is.
    ///
    /// # Errors
    /// Usage: there is none of that name, or none is meant at all.
    fn speaker(&self, word: Option<&str>, generation: &Generation)
    -> Result<Arc<dyn Speak>, Error>;
}

/// What profiles say to a model.
pub trait Prompts: Send + Sync {
    /// The text of the prompt that is called `name`, a module.
    ///
    /// # Errors (of the future)
    /// `failed` where there is no such text.
    fn prompt(&self, scope: &Scope, name: &str) -> BoxFuture<'static, Result<String, ToolError>>;

    /// When room is to be made in a conversation, as the module `name` has it.
    ///
    /// # Errors (of the future)
    /// `failed` where it says no such thing.
    fn compaction(
        &self,
        scope: &Scope,
        name: &str,
    ) -> BoxFuture<'static, Result<Compaction, ToolError>>;

    /// What stands in the place of a conversation, as the module `name` sums it up.
    ///
    /// # Errors (of the future)
    /// What the module raises.
    fn summary(
        &self,
        scope: &Scope,
        name: &str,
        conversation: Data,
    ) -> BoxFuture<'static, Result<String, ToolError>>;
}

/// The module that says how room is made, where the profile names none.
const COMPACT: &str = "builtin.compact";

/// The profile of a model for which nobody named one.
const PROFILE: &str = "build";

/// Somebody asks.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// What is asked.
    pub parts: Vec<Part>,
    /// The model, as people name it.
    pub model: Option<String>,
    /// The profile; `None`: the one that holds, else `build`.
    pub profile: Option<String>,
    /// What the model is told in the place of the profile's prompt.
    pub system: Option<String>,
    /// What holds for the model.
    pub terms: TermWords,
    /// What it may spend.
    pub most: Most,
    /// The session to go on with; `None`: one of its own.
    pub session: Option<SessionId>,
    /// The JSON Schema that the answer keeps to.
    pub schema: Option<Value>,
    /// How hard the model should think.
    pub effort: Option<Effort>,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The turn.
    pub turned: Turned,
    /// The answer as data, where a shape was asked for and kept to.
    pub data: Option<Value>,
    /// The session.
    pub session: String,
    /// The model, as `provider/model`.
    pub model: String,
}

type Open = Arc<tokio::sync::Mutex<Conversation>>;

/// From how many open conversations on those are closed in which nobody asks.
const MOST_OPEN: usize = 16;

/// All that asking takes.
pub struct Agency {
    gate: Arc<Dispatch>,
    sessions: Sessions,
    workspace: Workspace,
    speakers: Arc<dyn Speakers>,
    prompts: Arc<dyn Prompts>,
    /// The conversations of this process, by their sessions.
    open: Mutex<HashMap<String, Open>>,
}

impl Agency {
    /// An agency for this door.
    pub fn new(
        gate: Arc<Dispatch>,
        sessions: Sessions,
        workspace: Workspace,
        speakers: Arc<dyn Speakers>,
        prompts: Arc<dyn Prompts>,
    ) -> Agency {
        Agency {
            gate,
            sessions,
            workspace,
            speakers,
            prompts,
            open: Mutex::default(),
        }
    }

    /// Asks, in `scope`, and tells `hear` what happens. What fails once the model was asked is in the reply.
    ///
    /// # Errors
    /// Usage: no such model, profile or rule; `not_found` or `conflict` for a session that cannot be gone on with.
    pub async fn ask(&self, scope: &Scope, ask: Ask, hear: Arc<dyn Hear>) -> Result<Reply, Error> {
        let shape = ask.schema.as_ref().map(Shape::new).transpose()?;
        let mut talk = self.talk(scope, &ask).await?;
        let _until_done = Guard::new(Arc::clone(talk.acting.scope.node()));
        let generation = self.gate.generation();
        let services = self.gate.services();
        let conversation = self.conversation(&ask, &talk)?;
        let mut conversation = conversation.lock().await;
        settle(&mut talk, &mut conversation).await?;
        talk.system = match conversation.system() {
            Some(system) => system,
            None => {
                let prompt = self
                    .prompt(&ask, &talk.acting.scope, scope, &generation)
                    .await?;
                conversation.begin(system(&prompt, &self.workspace, &talk.acting))
            }
        };
        let compact = talk
            .acting
            .scope
            .profile()
            .and_then(|name| generation.profiles.0.get(name)?.compact.clone());
        talk.compacting = Some(Compacting {
            prompts: Arc::clone(&self.prompts),
            module: compact.unwrap_or_else(|| COMPACT.to_owned()),
        });
        talk.structure = ask.schema.clone().map(structure);
        talk.acting.hear = Arc::clone(&hear);
        talk.acting.guiding = Some(conversation.guiding(&self.workspace, services.files.cwd()));
        hear.hear(&Happened::Session {
            id: conversation.id().to_owned(),
            model: talk.speaker.name().to_owned(),
        });
        let said = Message {
            role: Role::User,
            parts: talk.acting.hide_in(ask.parts),
        };
        let mut turned = turn(&talk, &mut conversation, said).await;
        let mut data = None;
        for left in (0..=AGAIN).rev() {
            let Some(shape) = shape.as_ref().filter(|_| turned.error.is_none()) else {
                break;
            };
            match shape.read(&turned.text) {
                Ok(value) => {
                    data = Some(value);
                    break;
                }
                Err(error) if left == 0 => turned.fails(error),
                Err(error) => {
                    let said = Message::text(Role::User, again(&error));
                    turned = turned.and(turn(&talk, &mut conversation, said).await);
                }
            }
        }
        Ok(Reply {
            data,
            session: conversation.id().to_owned(),
            model: talk.speaker.name().to_owned(),
            turned,
        })
    }

    /// What holds for the model that is asked, before it is told anything.
    ///
    /// # Errors
    /// Usage: no such model, profile or rule; money is limited and no price is known.
    pub(super) async fn talk(&self, scope: &Scope, ask: &Ask) -> Result<Talk, Error> {
        let generation = self.gate.generation();
        let profile = self.profile(ask, scope, &generation)?;
        let own = profile.and_then(|name| generation.profiles.0.get(name)?.model.as_deref());
        let speaker = self
            .speakers
            .speaker(ask.model.as_deref().or(own), &generation)?;
        let inner = self.scope(scope, ask, profile)?;
        if !speaker.about().prices.are_known() && inner.counts_money() {
            return Err(unpriced(speaker.name()));
        }
        let steering = Arc::new(Steering::default());
        let space = Arc::new(Space::default());
        let inner = inner
            .spaced(Arc::clone(&space))?
            .steered(Arc::clone(&steering))?;
        Ok(Talk {
            steering,
            space,
            candidates: candidates(&self.gate, &inner, speaker.id()).await?,
            tools: Vec::new(),
            acting: self.acting(inner),
            effort: ask.effort,
            speaker,
            system: Vec::new(),
            structure: None,
            compacting: None,
        })
    }

    /// What the calls of a model that acts in `scope` take; nobody listens.
    pub(super) fn acting(&self, scope: Scope) -> Acting {
        Acting {
            gate: Arc::clone(&self.gate),
            scope,
            hear: Arc::new(Deaf),
            guiding: None,
        }
    }

    /// A conversation that is kept nowhere.
    pub(super) fn unkept(&self, messages: Vec<Message>) -> Conversation {
        let services = self.gate.services();
        Conversation::unkept(messages, Arc::clone(&services.sink), services.clock)
    }

    /// The name of the profile that holds for the model.
    fn profile<'a>(
        &self,
        ask: &'a Ask,
        scope: &'a Scope,
        generation: &Generation,
    ) -> Result<Option<&'a str>, ToolError> {
        match ask.profile.as_deref().or(scope.profile()) {
            Some(name) => generation.profiles.find(name).map(|_| Some(name)),
            None => Ok(generation
                .profiles
                .0
                .contains_key(PROFILE)
                .then_some(PROFILE)),
        }
    }

    /// Where the model acts.
    fn scope(&self, scope: &Scope, ask: &Ask, profile: Option<&str>) -> Result<Scope, Error> {
        let outer = scope.terms().map(|terms| &**terms);
        let terms = Terms::new(ask.terms.clone(), scope.caller(), outer)?;
        let generation = self.gate.generation();
        known_rules(terms.rules(), &generation.tools, &generation.surfaces, "")?;
        let mut inner = scope.on_terms(Arc::new(terms))?;
        if let Some(profile) = profile {
            inner = inner.under_profile(profile)?;
        }
        if !ask.most.is_none() {
            inner = inner.paying(Arc::new(Budget::new(ask.most)))?;
        }
        Ok(inner.lowered(Caller::Model)?)
    }

    /// The conversation that is gone on with, or a new one.
    fn conversation(&self, ask: &Ask, talk: &Talk) -> Result<Open, Error> {
        let services = self.gate.services();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(there) = ask.session.as_ref().and_then(|id| open.get(id.as_str())) {
            return Ok(Arc::clone(there));
        }
        let sink = Arc::clone(&services.sink);
        let goes_on = |id: &SessionId| *id != services.session || self.sessions.has(id);
        let there = match &ask.session {
            Some(id) if goes_on(id) => {
                // Whoever ended with it may hold it for a moment longer.
                let go_on = || Conversation::go_on(&self.sessions, id, sink, services.clock);
                let there = tokio::task::block_in_place(go_on)?;
                if *id == services.session {
                    there.noted().clone().restore(services);
                }
                there
            }
            asked => {
                let id = match asked {
                    Some(id) => id.clone(),
                    None => services.session.child()?,
                };
                let (sessions, head) = (self.sessions.clone(), self.head(talk));
                Conversation::new(sessions, id, head, sink, services.clock)
            }
        };
        // Each holds a file and its lock. One that nobody asks in can be opened again.
        if open.len() >= MOST_OPEN {
            open.retain(|_, other| Arc::strong_count(other) > 1);
        }
        let id = there.id().to_owned();
        let there = Arc::new(tokio::sync::Mutex::new(there));
        open.insert(id, Arc::clone(&there));
        Ok(there)
    }

    /// How a session begins in which `talk` takes place.
    fn head(&self, talk: &Talk) -> Head {
        Head {
            workspace: self.workspace.root.to_string_lossy().into_owned(),
            model: talk.speaker.name().to_owned(),
            profile: talk.acting.scope.profile().map(str::to_owned),
            mode: self.gate.generation().policy.modes().to_string(),
            sandbox: "none".to_owned(),
            ..Head::default()
        }
    }

    /// What the profile of the model says to it; `outer` is where it is asked.
    async fn prompt(
        &self,
        ask: &Ask,
        scope: &Scope,
        outer: &Scope,
        generation: &Generation,
    ) -> Result<String, ToolError> {
        if let Some(system) = &ask.system {
            return Ok(system.clone());
        }
        let profile = scope
            .profile()
            .and_then(|name| generation.profiles.0.get(name));
        match profile.and_then(|profile| profile.prompt.as_deref()) {
            Some(name) => self.prompts.prompt(outer, name).await,
            None => Ok(String::new()),
        }
    }
}

fn unpriced(model: &str) -> Error {
    Error::usage(
        format!("max_cost is set, and what {model} costs is not known"),
        "give its `price` in models.lua, or limit tokens or steps instead",
    )
}
