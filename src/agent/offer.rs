//! The tools that a model is offered: those there are for it, in their order, as hooks have them declared.
//!
//! What is not offered may still be called by name; then the door says what it says.

use std::sync::Arc;

use serde_json::Value;

use super::conversation::Conversation;
use super::defer::deferred;
use super::offering::{Begun, hints, news};
use super::talk::Talk;
use crate::chat::{Message, Offered, Role};
use crate::error::ToolError;
use crate::gate::{Defined, Dispatch};
use crate::layers::Layer;
use crate::tool::{Gate as _, Generation, Scope};

/// The tool that stands for others where lines are shown with their hashes, which no model asks for by itself.
const BY_HASHES: &str = "hashline_edit";

/// The tool that begins to plan: of use where somebody can agree to the plan.
const PLANS: &str = "plan_enter";

/// The tool that finds the others.
const SEARCH: &str = "tool_search";

/// A tool that a model may be offered.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// As the model sees it.
    pub(super) offered: Offered,
    /// The surface it belongs to.
    pub(super) surface: String,
    /// Whether it is part of the program.
    pub(super) is_shipped: bool,
    /// Whether a profile, or whoever set the model to work, names it to the letter.
    pub(super) is_named: bool,
}

/// The tools for the model `id`, as its provider names it, that acts in `scope`.
///
/// # Errors
/// `cancelled`.
pub(super) async fn candidates(
    gate: &Dispatch,
    scope: &Scope,
    id: &str,
) -> Result<Vec<Candidate>, ToolError> {
    let defined = gate.defined(scope, None).await?;
    let there: Vec<Candidate> = there(gate, scope, defined).collect();
    let has = |id: &str| there.iter().any(|one| one.offered.name == id);
    let both = has("apply_patch") && has("edit");
    let suiting = there
        .iter()
        .filter(|one| !both || suits(&one.offered.name, id));
    Ok(suiting.cloned().collect())
}

/// Those of the tools that the model may call here: neither missing nor denied whatever it is called with.
fn there(gate: &Dispatch, scope: &Scope, defined: Vec<Defined>) -> impl Iterator<Item = Candidate> {
    let generation = gate.generation();
    let has_person = gate.services().human.is_there();
    let scope = scope.clone();
    defined.into_iter().filter_map(move |defined| {
        let spec = defined.tool.spec();
        let is_there = defined.missing.is_none()
            && spec.id != BY_HASHES
            && (has_person || spec.id != PLANS)
            && !generation.surfaces.is_disabled(spec)
            && generation.denied(&scope, &*defined.tool).is_none();
        is_there.then(|| Candidate {
            offered: Offered {
                name: spec.id.clone(),
                description: defined.description().into_owned(),
                schema: brief(defined.parameters().json_schema().clone()),
                found: false,
            },
            is_shipped: spec.origin.layer() == Layer::Shipped,
            is_named: is_named(&generation, &scope, &spec.id),
            surface: defined.surface.clone(),
        })
    })
}

/// A schema without what goes without saying, or is said by the door to who does otherwise: that there are no other
/// parameters, and that what is not asked for is not done.
fn brief(mut schema: Value) -> Value {
    shorten(&mut schema);
    schema
}

fn shorten(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    schema.retain(|key, value| {
        let goes_without_saying = key == "additionalProperties" || key == "default";
        !goes_without_saying || *value != false
    });
    if let Some(items) = schema.get_mut("items") {
        shorten(items);
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(shorten);
    }
}

/// Whether the profile that holds, or what was laid down for the model, names the tool to the letter.
fn is_named(generation: &Generation, scope: &Scope, id: &str) -> bool {
    let profile = scope.profile();
    let profile = profile.and_then(|name| generation.profiles.0.get(name));
    let own = profile.map_or(&[][..], |profile| &profile.tools);
    let laid_down = scope.terms().map_or(&[][..], |terms| terms.choices());
    own.iter()
        .chain(laid_down)
        .any(|choice| choice.names_tool(id))
}

/// Settles what the model is offered in this turn. Where it finds tools, what it was offered when the conversation began
/// stays as it is, to the byte, as long as it is there; what came since is found.
///
/// # Errors
/// `cancelled`.
pub(super) async fn settle(
    talk: &mut Talk,
    conversation: &mut Conversation,
) -> Result<(), ToolError> {
    let offering = &mut conversation.offering;
    let all = std::mem::take(&mut talk.candidates);
    let profile = talk.acting.scope.profile().map(str::to_owned);
    let about = (talk.speaker.id().to_owned(), profile);
    let begun = offering.begun.take().filter(|begun| begun.is_for(&about));
    let mut later = match &begun {
        Some(begun) => begun.later(&all),
        None => deferred(&all, talk.speaker.about().window),
    };
    offering.deferred.replace(later.iter().cloned());
    let scope = &talk.acting.scope;
    talk.acting.scope = scope.deferring(Arc::clone(&offering.deferred))?;
    let search = one(talk, SEARCH).await?;
    if search.is_none() {
        // Nothing could find them.
        later.clear();
        offering.deferred.replace([]);
    }
    let is_later = |one: &&Candidate| later.contains(&one.offered.name);
    let (found, shown): (Vec<&Candidate>, Vec<&Candidate>) = all.iter().partition(is_later);
    talk.tools = shown.iter().map(|one| one.offered.clone()).collect();
    if let Some(mut search) = search {
        let begun = begun.unwrap_or_else(|| {
            let hints = hints(&found, &talk.acting.gate.generation());
            Begun::new(about, &shown, &found, hints)
        });
        let own = search.offered.description;
        search.offered.description = format!("{own}\n{}", begun.hints);
        talk.tools.push(search.offered);
        offering.begun = Some(begun);
    }
    offering.found.clear();
    offering.looked = 0;
    let untold = offering.untold(&found);
    if !untold.is_empty() {
        conversation.mend();
        conversation.say(Message::text(Role::System, news(&untold)));
    }
    load(talk, conversation).await
}

/// Takes up the tools that were opened since: they stand behind all others, in the order in which they were opened, and
/// stay for the rest of the conversation.
///
/// # Errors
/// `cancelled`.
pub(super) async fn load(talk: &Talk, conversation: &mut Conversation) -> Result<(), ToolError> {
    let opened = conversation.offering.deferred.opened();
    for id in opened.iter().skip(conversation.offering.looked) {
        let found = &conversation.offering.found;
        let is_there = talk.tools.iter().chain(found).any(|tool| tool.name == *id);
        if is_there {
            continue;
        }
        if let Some(one) = one(talk, id).await? {
            conversation.offering.found.push(Offered {
                found: true,
                ..one.offered
            });
        }
    }
    conversation.offering.looked = opened.len();
    Ok(())
}

/// The tool `id`, if it is there.
async fn one(talk: &Talk, id: &str) -> Result<Option<Candidate>, ToolError> {
    let (gate, scope) = (&talk.acting.gate, &talk.acting.scope);
    let defined = gate.defined(scope, Some(id)).await?;
    Ok(there(gate, scope, defined).next())
}

/// Whether a tool is not one that changes files, or is the form of it that the model knows best.
fn suits(tool: &str, model: &str) -> bool {
    let takes_patches = takes_patches(model);
    match tool {
        "apply_patch" => takes_patches,
        "edit" | "write" => !takes_patches,
        _ => true,
    }
}

/// Whether the model was taught to write patches: those called `gpt-…`, without `gpt-4` and the open ones.
fn takes_patches(model: &str) -> bool {
    let name = model
        .rsplit('/')
        .next()
        .unwrap_or(model)
        .to_ascii_lowercase();
    name.starts_with("gpt-") && !name.starts_with("gpt-4") && !name.contains("oss")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_for_those_who_were_taught_them() {
        for (model, expected) in [
            ("gpt-5", true),
            ("gpt-5-mini", true),
            ("openai/gpt-5.1-codex", true),
            ("gpt-4o", false),
            ("gpt-4.1", false),
            ("gpt-oss-120b", false),
            ("claude-opus-4", false),
            ("gemini-2.5-pro", false),
        ] {
            assert_eq!(takes_patches(model), expected, "{model}");
            assert_eq!(suits("edit", model), !expected, "{model}");
            assert_eq!(suits("apply_patch", model), expected, "{model}");
            assert!(suits("read", model));
        }
    }
}
