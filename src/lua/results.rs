//! The result of a call, as Lua has it: facts by name, and beside them the text, the title, the files.
//!
//! A name that no result of a shipped tool has is an error where it is read, with the nearest name; what a
//! tool in Lua returns is its author's own, and a missing field is nil.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use mlua::{Function, Lua, LuaString, Table, Value};

use super::{convert, raise};
use crate::error::ToolError;
use crate::text::offer;
use crate::tool::{Origin, Output, Spec};

/// The field that tells the metatables of results from others.
const MARK: &str = "__result";

/// The field of such a metatable that has the lines which every cut keeps, by result.
const LEADS: &str = "__leads";

/// What every result may have.
const ALWAYS: [&str; 5] = ["attachments", "output", "spill", "title", "truncated"];

/// How results look, by the id of the tool; those of tools in Lua have no id.
#[derive(Default)]
pub(super) struct Shapes(RefCell<HashMap<Option<String>, Rc<Shape>>>);

impl Shapes {
    /// How results of the tool look that declares `spec`.
    ///
    /// # Errors
    /// What Lua says when memory runs out.
    pub(super) fn of(&self, lua: &Lua, spec: Option<&Spec>) -> mlua::Result<Rc<Shape>> {
        let shipped = spec.filter(|spec| spec.origin == Origin::Shipped);
        let id = shipped.map(|spec| spec.id.clone());
        if let Some(shape) = self.0.borrow().get(&id) {
            return Ok(Rc::clone(shape));
        }
        let shape = Rc::new(Shape::new(lua, shipped)?);
        self.0.borrow_mut().insert(id, Rc::clone(&shape));
        Ok(shape)
    }
}

/// How the results of one tool look.
pub(super) struct Shape {
    metatable: Table,
    /// The names that its results have had or may have.
    fields: Rc<RefCell<BTreeSet<String>>>,
}

impl Shape {
    fn new(lua: &Lua, shipped: Option<&Spec>) -> mlua::Result<Shape> {
        let declared = shipped.map_or(&[][..], |spec| spec.fields).iter();
        let fields = declared.chain(&ALWAYS).map(|name| (*name).to_owned());
        let fields = Rc::new(RefCell::new(fields.collect()));
        let metatable = lua.create_table()?;
        metatable.raw_set("__name", "result")?;
        metatable.raw_set(MARK, true)?;
        let leads = lua.create_table()?;
        let weak = lua.create_table()?;
        weak.raw_set("__mode", "k")?;
        leads.set_metatable(Some(weak))?;
        metatable.raw_set(LEADS, leads)?;
        let text = |_: &Lua, result: Table| -> mlua::Result<Option<LuaString>> {
            let text: Value = result.raw_get("output")?;
            Ok(text.as_string().cloned())
        };
        metatable.raw_set("__tostring", lua.create_function(text)?)?;
        if let Some(spec) = shipped {
            metatable.raw_set("__index", missing(lua, &spec.id, &fields)?)?;
        }
        Ok(Shape { metatable, fields })
    }

    /// The result: the metadata by name, and beside them `output`, `title`, `attachments`, `truncated`.
    /// `tostring` gives what a model would read.
    ///
    /// # Errors
    /// What Lua says when memory runs out.
    pub(super) fn result(&self, lua: &Lua, output: Output) -> mlua::Result<Table> {
        let table = lua.create_table_with_capacity(0, output.metadata.len() + 4)?;
        table.raw_set("truncated", false)?;
        for (name, data) in &output.metadata {
            if !self.fields.borrow().contains(name) {
                self.fields.borrow_mut().insert(name.clone());
            }
            table.raw_set(name.as_str(), convert::to_lua(lua, data)?)?;
        }
        if !output.lead.is_empty() {
            let leads: Table = self.metatable.raw_get(LEADS)?;
            leads.raw_set(&table, output.lead)?;
        }
        table.raw_set("output", output.text)?;
        table.raw_set("title", output.title)?;
        let attachments = lua.create_table_with_capacity(output.attachments.len(), 0)?;
        for attachment in output.attachments {
            let item = lua.create_table_with_capacity(0, 2)?;
            item.raw_set("mime", attachment.mime)?;
            item.raw_set("bytes", lua.create_string(&attachment.bytes)?)?;
            attachments.raw_push(item)?;
        }
        convert::mark_list(lua, &attachments)?;
        table.raw_set("attachments", attachments)?;
        table.set_metatable(Some(self.metatable.clone()))?;
        Ok(table)
    }
}

/// Answers for a field that is not there: nil where the tool sets it at times, else an error.
fn missing(lua: &Lua, id: &str, fields: &Rc<RefCell<BTreeSet<String>>>) -> mlua::Result<Function> {
    let (id, fields) = (id.to_owned(), Rc::clone(fields));
    lua.create_function(move |lua, (_, name): (Table, Value)| {
        let Some(name) = name.as_string().map(LuaString::to_string_lossy) else {
            return Ok(());
        };
        let fields = fields.borrow();
        if fields.contains(&name) {
            return Ok(());
        }
        let names = fields.iter().map(String::as_str);
        let message = format!("a result of `{id}` has no field `{name}`");
        let error = ToolError::not_found(message).with_hint(offer(&name, "fields", names));
        Err(raise::raise(lua, error, None))
    })
}

/// The first lines of the text of the result `table` that every cut keeps.
pub(super) fn lead(table: &Table) -> String {
    let leads = table.metatable().map(|metatable| metatable.raw_get(LEADS));
    let Some(Ok(Value::Table(leads))) = leads else {
        return String::new();
    };
    leads.raw_get(table).unwrap_or_default()
}

/// Whether `table` is the result of a tool.
pub(super) fn is_result(table: &Table) -> bool {
    let marked = table.metatable().map(|metatable| metatable.raw_get(MARK));
    matches!(marked, Some(Ok(Value::Boolean(true))))
}
