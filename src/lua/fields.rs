//! The fields of a table that a person wrote, read one by one: what each takes, and what is said where it is
//! something else. Nothing is converted silently, and a field that nobody knows is an error.
//!
//! Fields are read raw: a metatable that somebody put on the table is not asked.

use mlua::{Function, IntoLua, Table, Value};

use super::short::{self, wrong};
use crate::error::ToolError;
use crate::tool::Most;

/// A table, or one that was left out, and what messages call its fields.
pub(super) struct Fields {
    table: Option<Table>,
    /// What stands before the name of a field, and behind it.
    around: (String, &'static str),
}

impl Fields {
    /// The table at `path`, which has no field but `names`; they are called `path.name`.
    ///
    /// # Errors
    /// `argument` with the nearest name.
    pub(super) fn of(table: &Table, path: &str, names: &[&str]) -> Result<Fields, ToolError> {
        Fields::called(table, path, names, (format!("{path}."), ""))
    }

    /// The table that is `what`, which has no field but `names`; they are called by their names alone.
    ///
    /// # Errors
    /// `argument` with the nearest name.
    pub(super) fn alone(table: &Table, what: &str, names: &[&str]) -> Result<Fields, ToolError> {
        Fields::called(table, what, names, (String::new(), ""))
    }

    /// A table with other fields besides, which are none of ours; those read are called by their names alone.
    pub(super) fn among(table: &Table) -> Fields {
        Fields {
            table: Some(table.clone()),
            around: (String::new(), ""),
        }
    }

    /// What `whose` takes besides, none but `names`; they are called `whose: name`.
    ///
    /// # Errors
    /// `argument` with the nearest name.
    pub(super) fn beside(table: &Table, whose: &str, names: &[&str]) -> Result<Fields, ToolError> {
        Fields::called(table, whose, names, (format!("{whose}: "), ""))
    }

    /// The options of `function` in its argument `index`, none but `names`; they are called
    /// `function: argument 2 (name)`. Without a table none is given.
    ///
    /// # Errors
    /// `argument` with the nearest name.
    pub(super) fn argument(
        table: Option<&Table>,
        function: &str,
        index: usize,
        names: &[&str],
    ) -> Result<Fields, ToolError> {
        let around = (format!("{function}: argument {index} ("), ")");
        match table {
            Some(table) => Fields::called(table, function, names, around),
            None => Ok(Fields {
                table: None,
                around,
            }),
        }
    }

    fn called(
        table: &Table,
        what: &str,
        names: &[&str],
        around: (String, &'static str),
    ) -> Result<Fields, ToolError> {
        short::only(table, what, names)?;
        let table = Some(table.clone());
        Ok(Fields { table, around })
    }

    /// What messages call the field `name`.
    pub(super) fn at(&self, name: &str) -> String {
        let (before, behind) = &self.around;
        format!("{before}{name}{behind}")
    }

    pub(super) fn value(&self, name: &str) -> Result<Value, ToolError> {
        self.raw(name)
    }

    fn raw(&self, key: impl IntoLua) -> Result<Value, ToolError> {
        let Some(table) = &self.table else {
            return Ok(Value::Nil);
        };
        let value = table.raw_get(key);
        value.map_err(|error| ToolError::internal(error.to_string()))
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<String>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            Value::String(text) => Ok(Some(text.to_string_lossy())),
            other => Err(wrong(&self.at(name), "text", &other)),
        }
    }

    /// The text in the field `name`, or else in the place `place` of a list.
    pub(super) fn text_or_place(
        &self,
        name: &str,
        place: i64,
    ) -> Result<Option<String>, ToolError> {
        if let Some(text) = self.text(name)? {
            return Ok(Some(text));
        }
        match self.raw(place)? {
            Value::Nil => Ok(None),
            Value::String(text) => Ok(Some(text.to_string_lossy())),
            other => Err(wrong(&self.at(name), "text", &other)),
        }
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            Value::Boolean(flag) => Ok(Some(flag)),
            other => Err(wrong(&self.at(name), "true or false", &other)),
        }
    }

    /// A whole number above zero.
    pub(super) fn count(&self, name: &str) -> Result<Option<usize>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            value => match value.as_usize() {
                Some(count) if count > 0 => Ok(Some(count)),
                _ => Err(wrong(&self.at(name), "a whole number above zero", &value)),
            },
        }
    }

    pub(super) fn table(&self, name: &str) -> Result<Option<Table>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            Value::Table(table) => Ok(Some(table)),
            other => Err(wrong(&self.at(name), "a table", &other)),
        }
    }

    pub(super) fn function(&self, name: &str) -> Result<Option<Function>, ToolError> {
        match self.value(name)? {
            Value::Nil => Ok(None),
            Value::Function(function) => Ok(Some(function)),
            other => Err(wrong(&self.at(name), "a function", &other)),
        }
    }

    /// What may be spent on models: `max_steps`, `max_tokens`, `max_cost`.
    pub(super) fn most(&self) -> Result<Most, ToolError> {
        let count = |name: &str| {
            let count = self.count(name)?;
            Ok::<_, ToolError>(count.and_then(|count| u64::try_from(count).ok()))
        };
        let cost = match self.value("max_cost")? {
            Value::Nil => None,
            value => {
                let whole = value.as_integer().map(|whole| whole as f64);
                let cost = value.as_number().or(whole);
                match cost.filter(|cost| cost.is_finite() && *cost > 0.0) {
                    Some(cost) => Some(cost),
                    None => {
                        return Err(wrong(
                            &self.at("max_cost"),
                            "US dollars, above zero",
                            &value,
                        ));
                    }
                }
            }
        };
        Ok(Most {
            steps: count("max_steps")?,
            tokens: count("max_tokens")?,
            cost,
        })
    }

    /// A list of texts.
    pub(super) fn texts(&self, name: &str) -> Result<Option<Vec<String>>, ToolError> {
        let Some(list) = self.table(name)? else {
            return Ok(None);
        };
        texts(&list, &self.at(name)).map(Some)
    }
}

/// The texts of a list.
///
/// # Errors
/// `argument` that says which item is none.
pub(super) fn texts(list: &Table, path: &str) -> Result<Vec<String>, ToolError> {
    items(list, path)?
        .into_iter()
        .enumerate()
        .map(|(at, item)| match item {
            Value::String(text) => Ok(text.to_string_lossy()),
            other => Err(wrong(&format!("{path}[{}]", at + 1), "text", &other)),
        })
        .collect()
}

/// The items of a list, which has no named fields.
///
/// # Errors
/// `argument` where it has some, or holes.
pub(super) fn items(list: &Table, path: &str) -> Result<Vec<Value>, ToolError> {
    let items: Result<Vec<Value>, _> = list.sequence_values::<Value>().collect();
    let items = items.map_err(|error| ToolError::internal(error.to_string()))?;
    if list.pairs::<Value, Value>().count() != items.len() {
        let message = format!("{path}: expected a list, got a table with named fields or holes");
        return Err(ToolError::argument(message));
    }
    Ok(items)
}

/// The named tables of a table, in the order of their names.
///
/// # Errors
/// `argument` that says which field is none.
pub(super) fn named(table: &Table, path: &str) -> Result<Vec<(String, Table)>, ToolError> {
    let mut found = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        match pair.map_err(|error| ToolError::internal(error.to_string()))? {
            (Value::String(name), Value::Table(value)) => {
                found.push((name.to_string_lossy(), value));
            }
            (Value::String(name), other) => {
                let name = name.to_string_lossy();
                return Err(wrong(&format!("{path}.{name}"), "a table", &other));
            }
            (key, _) => return Err(wrong(path, "names as keys", &key)),
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found)
}
