//! `surfaces.lua`: groups of tools, what they are for, what they keep to, whether they are there.
//!
//! What stands in `params` under `commands`, `folders` and `domains` is a limit that holds for every call;
//! anything else there is a setting that the tools of the surface read.

use std::collections::BTreeMap;

use mlua::{Table, Value};

use super::permissions::source;
use crate::data::Data;
use crate::error::ToolError;
use crate::layers::Layer;
use crate::lua::convert;
use crate::lua::fields::{self, Fields};
use crate::permission::{Limit, Limited};
use crate::text::nearest;
use crate::tool::{Surface, Surfaces};

/// The surfaces of `table`, said by `file`.
///
/// # Errors
/// `argument` that names the field.
pub(super) fn read(table: &Table, layer: Layer, file: &str) -> Result<Surfaces, ToolError> {
    let mut surfaces = BTreeMap::new();
    for (name, table) in fields::named(table, "surfaces")? {
        let path = format!("surfaces.{name}");
        let fields = Fields::of(
            &table,
            &path,
            &["description", "tools", "params", "enabled"],
        )?;
        let is_off = fields.flag("enabled")? == Some(false);
        let (limits, params) = match fields.table("params")? {
            None => Default::default(),
            Some(params) => parameters(&params, &fields.at("params"), layer, file)?,
        };
        let surface = Surface {
            description: fields.text("description")?.unwrap_or_default(),
            tools: fields.texts("tools")?.unwrap_or_default(),
            of_project: Vec::new(),
            limits,
            params,
            disabled_by: is_off.then(|| file.to_owned()),
        };
        surfaces.insert(name, surface);
    }
    Ok(Surfaces(surfaces))
}

type Parameters = (Vec<Limit>, BTreeMap<String, Data>);

fn parameters(
    table: &Table,
    path: &str,
    layer: Layer,
    file: &str,
) -> Result<Parameters, ToolError> {
    let (mut limits, mut params) = (Vec::new(), BTreeMap::new());
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| ToolError::internal(error.to_string()))?;
        let Value::String(key) = key else {
            return Err(crate::lua::short::wrong(path, "names as keys", &key));
        };
        let name = key.to_string_lossy();
        let place = format!("{path}.{name}");
        let kind = Limited::ALL.into_iter().find(|kind| kind.as_str() == name);
        match (kind, &value) {
            (Some(kind), Value::Table(list)) => limits.push(Limit {
                kind,
                patterns: fields::texts(list, &place)?,
                source: source(layer),
                place: Some(file.to_owned()),
            }),
            (Some(_), other) => {
                return Err(crate::lua::short::wrong(&place, "a list of texts", other));
            }
            (None, _) if near(&name).is_some() => return Err(slip(&place, near(&name))),
            (None, value) => {
                params.insert(name, convert::to_data_named(value, &place)?);
            }
        }
    }
    limits.sort_by_key(|limit| limit.kind as usize);
    Ok((limits, params))
}

/// The limit that a name is so near to that it is taken for a slip: passed over, it would limit nothing.
fn near(name: &str) -> Option<&'static str> {
    nearest(name, Limited::ALL.map(Limited::as_str))
}

fn slip(place: &str, near: Option<&str>) -> ToolError {
    let meant = near.unwrap_or_default();
    let message = format!("{place}: there is no such limit; did you mean `{meant}`?");
    let all = Limited::ALL.map(Limited::as_str).join(", ");
    ToolError::argument(message).with_hint(format!(
        "the limits are {all}; give a setting of your tools a name that is not so near to one"
    ))
}

/// Narrows `all` by what a project says: it disables and limits, and what it says of a surface that is
/// there already changes nothing else. Of tools it may claim its own, and no others.
pub(super) fn narrow(all: &mut Surfaces, project: Surfaces) {
    for (name, narrower) in project.0 {
        let surface = all.0.entry(name).or_insert_with(|| Surface {
            description: narrower.description,
            params: narrower.params,
            ..Surface::default()
        });
        let limits = narrower.limits.into_iter();
        let known = surface.limits.clone();
        let new = limits.filter(|limit| !known.iter().any(|old| same(old, limit)));
        surface.limits.extend(new);
        surface.of_project.extend(narrower.tools);
        surface.disabled_by = surface.disabled_by.take().or(narrower.disabled_by);
    }
}

/// Whether two limits leave out the same.
pub(super) fn same(a: &Limit, b: &Limit) -> bool {
    a.kind == b.kind && a.patterns == b.patterns
}
