//! The modules of one generation, by layer: what `require` finds in a file of which layer.
//!
//! Modules come from bytes that were read before; nothing here opens a file. A generation that is over keeps
//! its modules for the calls that began with it.

use std::collections::HashMap;

use mlua::{Function, Lua, Table};

use crate::error::ToolError;
use crate::layers::{Layer, Role, SourceFile};
use crate::lua::raise;

/// The registry entry of the table that the prelude keeps its modules in.
const PRIVATE: &str = "agent.modules";

/// One generation of modules.
#[derive(Clone)]
pub(super) struct Space(Table);

/// Takes what the prelude has for modules, once that has run. Scripts see no layers until some are loaded.
///
/// # Errors
/// What Lua says when memory runs out.
pub(in crate::lua) fn install(lua: &Lua, private: &Table) -> mlua::Result<()> {
    lua.set_named_registry_value(PRIVATE, private)?;
    let empty = Space::open(lua, &[])?;
    private.set("space", empty.0)
}

impl Space {
    /// A generation with the modules among `files`.
    ///
    /// # Errors
    /// What Lua says when memory runs out.
    pub(super) fn open(lua: &Lua, files: &[SourceFile]) -> mlua::Result<Space> {
        let modules = files.iter().filter(|file| file.role == Role::Module);
        let modules = modules.map(|file| ((rank(file.layer), file.name.clone()), file.clone()));
        let modules: HashMap<(usize, String), SourceFile> = modules.collect();
        let space = lua.create_table()?;
        for part in ["environments", "values"] {
            space.raw_set(part, lua.create_table()?)?;
        }
        space.raw_set("weakest", rank(Layer::Shipped))?;
        space.raw_set("strongest", rank(Layer::Script))?;
        let find = move |lua: &Lua, (up_to, name): (usize, String)| {
            let ranks = (0..=up_to).rev();
            let mut found = ranks.filter_map(|at| Some((at, modules.get(&(at, name.clone()))?)));
            let Some((at, file)) = found.next() else {
                return Ok((None, None, None));
            };
            let bytes = file.text.as_ref();
            let bytes = bytes.map_err(|error| raise::raise(lua, ToolError::clone(error), None))?;
            let text = lua.create_string(bytes)?;
            Ok((Some(text), Some(file.shown.clone()), Some(at)))
        };
        space.raw_set("find", lua.create_function(find)?)?;
        Ok(Space(space))
    }

    /// Makes it the one that scripts see.
    ///
    /// # Errors
    /// What Lua says when memory runs out.
    pub(super) fn settle(&self, lua: &Lua) -> mlua::Result<()> {
        let private: Table = lua.named_registry_value(PRIVATE)?;
        private.set("space", &self.0)
    }

    /// The globals of the files of `layer`.
    ///
    /// # Errors
    /// What Lua says when memory runs out.
    pub(super) fn environment(&self, lua: &Lua, layer: Layer) -> mlua::Result<Table> {
        let private: Table = lua.named_registry_value(PRIVATE)?;
        let environment: Function = private.get("environment")?;
        environment.call((&self.0, rank(layer)))
    }
}

fn rank(layer: Layer) -> usize {
    layer as usize
}
