//! `agent tools [NAME]`: the tools that are there, or one of them in full.
//!
//! Everything shown comes from the declarations; nothing is written here a second time.

use serde_json::{Value, json};

use super::args::Options;
use super::session::Session;
use super::start;
use crate::error::{Error, Exit, ToolError};
use crate::gate::Defined;
use crate::layers::idle_tools;
use crate::permission::Rule;
use crate::schema::Parameters;
use crate::text::first_sentence;
use crate::tool::{Gate as _, Generation, Profile, Registry, Spec, Surface};

/// Prints the list, or one declaration.
///
/// # Errors
/// Usage and configuration; `not_found` for an unknown name.
pub(super) fn run(options: Options, name: Option<&str>) -> Result<Exit, Error> {
    let session = start(options, Vec::new())?;
    session.run(None, None, async |session| {
        let generation = &*session.dispatch.generation();
        let scope = session.scope()?;
        let id = name.map(|name| {
            let tool = generation.tools.find(name)?;
            generation.usable_in(&scope, &**tool)?;
            Ok::<_, ToolError>(tool.id().to_owned())
        });
        let id = id.transpose()?;
        let defined = session.dispatch.defined(&scope, id.as_deref());
        let (defined, answer) = (defined.await?, &session.answer);
        match (id, defined.as_slice()) {
            (None, all) if answer.is_machine() => {
                let tools: Vec<Value> = all.iter().map(|tool| brief(tool, generation)).collect();
                let surfaces = generation.surfaces.0.iter().map(surface);
                let surfaces: Vec<Value> = surfaces.collect();
                let profiles = generation.profiles.0.iter();
                let profiles: Vec<Value> = profiles
                    .map(|(name, one)| profile(name, one, generation))
                    .collect();
                answer.document(json!({
                    "tools": tools,
                    "surfaces": surfaces,
                    "profile": scope.profile(),
                    "profiles": profiles,
                }));
            }
            (None, all) => {
                answer.text(&list(all, generation));
                tell_of_idle_tools(session);
            }
            (Some(_), [tool]) if answer.is_machine() => answer.document(full(tool, generation)),
            (Some(_), [tool, ..]) => answer.text(&page(tool, generation)),
            (Some(name), []) => {
                return Err(ToolError::internal(format!("`{name}` is there and is not")).into());
            }
        }
        Ok(Exit::Done)
    })
}

/// How to use the tool files of a folder that is no project yet.
fn tell_of_idle_tools(session: &Session) {
    let idle = idle_tools(&session.workspace).filter(|_| session.options.tools.is_empty());
    if let Some(folder) = idle {
        session.answer.say(&format!(
            "{folder}/*.lua is not loaded: there is no folder `.agent` beside it, which would make this a \
             project; `agent init` makes one, `--tools {folder}` loads it for one run"
        ));
    }
}

/// The tools, the groups they are in, and what the words mean.
fn list(all: &[Defined], generation: &Generation) -> String {
    let mut tools =
        vec![["tool", "surface", "effect", "origin", "what it does"].map(str::to_owned)];
    tools.extend(all.iter().map(|defined| {
        let spec = defined.tool.spec();
        let what = match generation.surfaces.is_disabled(spec) {
            true => format!("disabled with the surface `{}`", defined.surface),
            false => match &defined.missing {
                Some(why) => first_sentence(why).to_owned(),
                None => first_sentence(&defined.description()).to_owned(),
            },
        };
        [
            spec.id.clone(),
            defined.surface.clone(),
            spec.effect.as_str().to_owned(),
            origin(spec, &generation.tools),
            what,
        ]
    }));
    let surfaces = generation.surfaces.0.iter().map(|(name, one)| {
        let about = match &one.disabled_by {
            Some(file) => format!("disabled by {file}"),
            None => one.describe(),
        };
        [format!("  {name}"), about]
    });
    let surfaces: Vec<_> = surfaces.collect();
    let profiles = generation.profiles.0.iter();
    let profiles = profiles.map(|(name, one)| [format!("  {name}"), has(one, generation)]);
    let profiles: Vec<_> = profiles.collect();
    format!(
        "{}\nthe surfaces:\n{}\nthe profiles, and which tools they have:\n{}\n{WORDS}",
        columns(&tools),
        columns(&surfaces),
        columns(&profiles)
    )
}

/// Which tools a profile has, in the shorter way.
fn has(profile: &Profile, generation: &Generation) -> String {
    let there = generation.tools_under(profile);
    let all = generation.tools_under(&Profile::default());
    let missing: Vec<&str> = all
        .iter()
        .copied()
        .filter(|id| !there.contains(id))
        .collect();
    match (there.is_empty(), missing.is_empty()) {
        (_, true) => "all".to_owned(),
        (true, _) => "none".to_owned(),
        _ if missing.len() < there.len() => format!("all but {}", missing.join(", ")),
        _ => there.join(", "),
    }
}

fn profile(name: &str, profile: &Profile, generation: &Generation) -> Value {
    let rule = |rule: &Rule| {
        json!({
            "source": rule.source.as_str(),
            "rule": rule.to_string(),
            "action": rule.says(),
            "reason": rule.reason,
            "place": rule.place,
        })
    };
    json!({
        "name": name,
        "tools": generation.tools_under(profile),
        "model": profile.model,
        "prompt": profile.prompt,
        "rules": profile.rules.iter().map(rule).collect::<Vec<_>>(),
    })
}

/// Rows of cells under each other, the last as long as it is.
pub(super) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N - 1)
        .map(|column| width(column).unwrap_or(0))
        .collect();
    let line = |row: &[String; N]| {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}  "));
        let line = cells.collect::<String>() + &row[N - 1];
        format!("{}\n", line.trim_end())
    };
    rows.iter().map(line).collect()
}

fn surface((name, one): (&String, &Surface)) -> Value {
    json!({
        "name": name,
        "description": one.describe(),
        "enabled": one.disabled_by.is_none(),
        "disabled_by": one.disabled_by,
    })
}

/// What the words of the list mean.
const WORDS: &str = "\
surface  the group that a tool belongs to; SURFACE.EFFECT is a name for rules, such as `file.write`
effect   what a call does at most: read, write (changes files), run (starts programs), network
origin   `shipped` with this program, or the file that the tool was loaded from
`agent tools NAME` shows one in full, `--profile NAME` what is there under a profile.
";

/// Where a tool comes from, and whose place it has taken.
fn origin(spec: &Spec, tools: &Registry) -> String {
    let shadowed: Vec<String> = tools
        .shadowed_by(&spec.id)
        .map(ToString::to_string)
        .collect();
    match shadowed.is_empty() {
        true => spec.origin.to_string(),
        false => format!("{} (shadows {})", spec.origin, shadowed.join(", ")),
    }
}

fn brief(defined: &Defined, generation: &Generation) -> Value {
    let spec = defined.tool.spec();
    json!({
        "id": spec.id,
        "surface": defined.surface,
        "enabled": !generation.surfaces.is_disabled(spec),
        "effect": spec.effect.as_str(),
        "origin": spec.origin.to_string(),
        "shadows": generation.tools.shadowed_by(&spec.id).map(ToString::to_string).collect::<Vec<_>>(),
        "description": defined.description(),
        "aliases": defined.tool.aliases(),
        "available": defined.missing.is_none(),
        "unavailable_because": defined.missing,
    })
}

fn full(defined: &Defined, generation: &Generation) -> Value {
    let mut fields = brief(defined, generation);
    fields["positional"] = json!(defined.parameters().positional());
    fields["parameters"] = defined.parameters().json_schema().clone();
    fields
}

/// What the tables among the parameters hold, each as if it were a tool of its own.
fn nested(parameters: &Parameters) -> String {
    let mut text = String::new();
    for name in parameters.names() {
        let schema = parameters
            .get(name)
            .map(|own| own.get("items").unwrap_or(own));
        let Some(inner) = schema.and_then(|own| Parameters::from_json_schema(own.clone()).ok())
        else {
            continue;
        };
        if inner.names().next().is_some() {
            let (signature, fields) = (inner.compact(), inner.describe());
            text.push_str(&format!("\n{name}: {signature}\n{fields}"));
        }
    }
    text
}

fn page(defined: &Defined, generation: &Generation) -> String {
    let (spec, parameters) = (defined.tool.spec(), defined.parameters());
    let (signature, description) = (parameters.compact(), defined.description());
    let mut page = format!("{}{signature}\n\n{description}\n", spec.id);
    page.push_str(&parameters.describe());
    page.push_str(&nested(parameters));
    // A tool that did not load says why in place of a description.
    let missing = defined.missing.as_ref();
    if let Some(why) = missing.filter(|_| defined.tool.usable().is_ok()) {
        page.push_str(&format!("\nnot available: {why}\n"));
    }
    if let Some(name) = &spec.display_name {
        page.push_str(&format!("\nshown as: {name}\n"));
    }
    let aliases = defined.tool.aliases();
    if !aliases.is_empty() {
        page.push_str(&format!("\nalso: {}\n", aliases.join(", ")));
    }
    let (effect, surface) = (spec.effect.as_str(), &defined.surface);
    page.push_str(&format!(
        "\nsurface {surface}, effect {effect}, origin {}\n",
        origin(spec, &generation.tools)
    ));
    for example in &spec.examples {
        page.push_str(&format!(
            "\n{}\n  agent call {} '{}'\n",
            example.about, spec.id, example.args
        ));
    }
    page
}
