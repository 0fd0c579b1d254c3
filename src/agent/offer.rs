//! The tools that a model is offered: those there are for it, in their order, as hooks have them declared.
//!
//! What is not offered may still be called by name; then the door says what it says.

use crate::chat::Offered;
use crate::error::ToolError;
use crate::gate::Dispatch;
use crate::tool::Scope;

/// Tools that stand for others, or are never offered.
const UNLISTED: [&str; 2] = ["hashline_edit", "invalid"];

/// The tools for the model `id`, as its provider names it, that acts in `scope`.
///
/// # Errors
/// `cancelled`.
pub(super) async fn offered(
    gate: &Dispatch,
    scope: &Scope,
    id: &str,
) -> Result<Vec<Offered>, ToolError> {
    let defined = gate.defined(scope, None).await?;
    let there = defined.iter().filter(|defined| defined.missing.is_none());
    let there: Vec<_> = there
        .filter(|defined| !UNLISTED.contains(&defined.tool.id()))
        .collect();
    let has = |id: &str| there.iter().any(|defined| defined.tool.id() == id);
    let both = has("apply_patch") && has("edit");
    let suiting = there
        .iter()
        .filter(|defined| !both || suits(defined.tool.id(), id));
    let offered = suiting.map(|defined| Offered {
        name: defined.tool.id().to_owned(),
        description: defined.description().into_owned(),
        schema: defined.parameters().json_schema().clone(),
    });
    Ok(offered.collect())
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
