//! One parameter as calls need it: read out of the JSON Schema once, when it is declared.
//!
//! What it holds besides decides what may be mended in an argument, and nothing else.

use serde_json::{Map, Value};

use super::words::{kinds, short_type};
use crate::data::{self, Data};

/// One parameter of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) default: Option<Data>,
    /// True when a table fits.
    pub(super) takes_table: bool,
    pub(super) shape: Shape,
}

/// The parameters that the schema of an object declares, in order.
pub(super) fn params(schema: &Value) -> Vec<Param> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|all| all.iter().any(|one| one.as_str() == Some(name)));
    let read = |(name, schema): (&String, &Value)| Param {
        name: name.clone(),
        required: is_required(name),
        default: schema.get("default").cloned().map(Data::from),
        takes_table: short_type(schema)
            .split('|')
            .any(|word| matches!(word, "table" | "any")),
        shape: Shape::of(schema),
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(read).collect()
}

/// Which of the shapes that are easily taken for each other are due, here and further in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape {
    integer: bool,
    object: bool,
    array: bool,
    items: Option<Box<Shape>>,
    fields: Vec<(String, Shape)>,
    /// What stands for a field that is not given.
    default: Option<Data>,
    others: Option<Box<Shape>>,
}

impl Shape {
    fn of(schema: &Value) -> Shape {
        let kinds = kinds(schema);
        let due = |kind: &str| kinds.contains(&kind);
        let below = |key: &str| schema.get(key).map(|schema| Box::new(Shape::of(schema)));
        let fields = schema.get("properties").and_then(Value::as_object);
        let field = |(name, schema): (&String, &Value)| (name.clone(), Shape::of(schema));
        Shape {
            integer: due("integer"),
            object: due("object"),
            array: due("array"),
            items: below("items"),
            fields: fields.into_iter().flat_map(Map::iter).map(field).collect(),
            default: schema.get("default").cloned().map(Data::from),
            others: below("additionalProperties"),
        }
    }

    /// Mends a value in place, and what lies in it, where the schema leaves no doubt; fills defaults of fields.
    pub(super) fn mend(&self, value: &mut Data) {
        match value {
            Data::Float(number) if self.integer => {
                if let Some(number) = data::whole(*number) {
                    *value = Data::Int(number);
                }
            }
            Data::List(list) if list.is_empty() && self.object && !self.array => {
                *value = Data::Map(data::Map::new());
            }
            Data::Map(map) if map.is_empty() && self.array && !self.object => {
                *value = Data::List(Vec::new());
            }
            Data::List(list) => {
                if let Some(items) = &self.items {
                    list.iter_mut().for_each(|item| items.mend(item));
                }
            }
            Data::Map(map) => {
                for (name, field) in &self.fields {
                    let is_missing = matches!(map.get(name), None | Some(Data::Null));
                    if let Some(default) = field.default.as_ref().filter(|_| is_missing) {
                        map.insert(name.clone(), default.clone());
                    }
                }
                for (key, value) in map {
                    let known = self.fields.iter().find(|(name, _)| name == key);
                    let known = known.map(|(_, shape)| shape);
                    if let Some(shape) = known.or(self.others.as_deref()) {
                        shape.mend(value);
                    }
                }
            }
            _ => {}
        }
    }
}
