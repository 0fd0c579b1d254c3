//! Hooks: where they are called, what each place lets them do, and what one says.
//!
//! A hook changes its event in place and may tighten, never loosen. What a point allows stands in one
//! table here; the door holds every hook to it, whatever language the hook is written in.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{Registry, Scope, Selection, Tool};
use crate::data::{Data, Map, words};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::permission::{Action, Caller};

/// Where a hook is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// A session has loaded what it loads, before the first work.
    SessionStart,
    /// A session's work is over, well or not.
    SessionEnd,
    /// A message of the user's is about to be worked on.
    TurnStart,
    /// The model has stopped.
    TurnEnd,
    /// A request to a model is about to be sent.
    ModelRequest,
    /// A model has answered.
    ModelResponse,
    /// A tool is about to be shown to somebody, or its arguments checked.
    ToolDefinition,
    /// After decoding, before the plan.
    ToolBefore,
    /// After the tool has run.
    ToolAfter,
    /// Before a person is asked, or refused for want of one.
    PermissionAsk,
    /// A conversation is about to be compacted.
    CompactBefore,
    /// Somebody should look up: `agent.notify`, or a question that waits.
    Notification,
}

/// What a field of an event must be, whoever changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text.
    Text,
    /// Values by name.
    Table,
    /// Values in order.
    List,
}

impl Form {
    /// `value`, where it is of this form. An empty table of Lua's may be either of two.
    ///
    /// # Errors
    /// The value, where it is of another form.
    pub fn settled(self, value: Data) -> Result<Data, Data> {
        match (self, value) {
            (Form::Table, Data::List(list)) if list.is_empty() => Ok(Data::Map(Map::new())),
            (Form::List, Data::Map(map)) if map.is_empty() => Ok(Data::List(Vec::new())),
            (Form::Text, value @ Data::Text(_))
            | (Form::Table, value @ Data::Map(_))
            | (Form::List, value @ Data::List(_)) => Ok(value),
            (_, value) => Err(value),
        }
    }

    /// What messages call it.
    pub fn as_str(self) -> &'static str {
        match self {
            Form::Text => words::TEXT,
            Form::Table => words::TABLE,
            Form::List => words::LIST,
        }
    }
}

/// What the failing of a hook means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// What was about to happen is refused: the hook may have been there to forbid it.
    Refuses,
    /// It is logged, and what is there stands as it was.
    PassedOver,
}

/// What hooks may do at one point.
#[derive(Clone, Copy, Debug)]
pub struct Powers {
    /// The fields of the event that they may change, and what each must be.
    pub rewrites: &'static [(&'static str, Form)],
    /// The verdicts they may return.
    pub verdicts: &'static [Action],
    /// What their failing means.
    pub failing: Failing,
    /// What is refused there, in words.
    pub refuses: &'static str,
    /// Whether the event is about a tool, so that a hook may choose some of them.
    pub is_about_a_tool: bool,
}

const NOTHING: Powers = Powers {
    rewrites: &[],
    verdicts: &[],
    failing: Failing::PassedOver,
    refuses: "it",
    is_about_a_tool: false,
};

impl Point {
    /// Every point, by the name it is registered under, in the order they are met.
    pub const ALL: [(&'static str, Point); 12] = [
        ("session.start", Point::SessionStart),
        ("session.end", Point::SessionEnd),
        ("turn.start", Point::TurnStart),
        ("turn.end", Point::TurnEnd),
        ("model.request", Point::ModelRequest),
        ("model.response", Point::ModelResponse),
        ("tool.definition", Point::ToolDefinition),
        ("tool.before", Point::ToolBefore),
        ("tool.after", Point::ToolAfter),
        ("permission.ask", Point::PermissionAsk),
        ("compact.before", Point::CompactBefore),
        ("notification", Point::Notification),
    ];

    /// The name it is registered under.
    pub fn as_str(self) -> &'static str {
        let named = Point::ALL.iter().find(|(_, point)| *point == self);
        named.map_or("", |(name, _)| name)
    }

    /// What hooks may do there.
    pub fn powers(self) -> Powers {
        match self {
            Point::SessionStart | Point::SessionEnd | Point::TurnEnd | Point::Notification => {
                NOTHING
            }
            Point::TurnStart => Powers {
                rewrites: &[("text", Form::Text)],
                verdicts: &[Action::Deny],
                failing: Failing::Refuses,
                refuses: "the turn",
                ..NOTHING
            },
            Point::ModelRequest => Powers {
                rewrites: &[
                    ("system", Form::Text),
                    ("messages", Form::List),
                    ("tools", Form::List),
                ],
                verdicts: &[Action::Deny],
                failing: Failing::Refuses,
                refuses: "the request",
                ..NOTHING
            },
            Point::ModelResponse => Powers {
                rewrites: &[("text", Form::Text)],
                ..NOTHING
            },
            Point::ToolDefinition => Powers {
                rewrites: &[("description", Form::Text), ("parameters", Form::Table)],
                is_about_a_tool: true,
                ..NOTHING
            },
            Point::ToolBefore => Powers {
                rewrites: &[("args", Form::Table)],
                verdicts: &[Action::Deny, Action::Ask],
                failing: Failing::Refuses,
                refuses: "the call",
                is_about_a_tool: true,
            },
            Point::ToolAfter => Powers {
                rewrites: &[
                    ("output", Form::Text),
                    ("title", Form::Text),
                    ("metadata", Form::Table),
                ],
                is_about_a_tool: true,
                ..NOTHING
            },
            Point::PermissionAsk => Powers {
                verdicts: &[Action::Deny],
                is_about_a_tool: true,
                ..NOTHING
            },
            Point::CompactBefore => Powers {
                rewrites: &[("messages", Form::List)],
                verdicts: &[Action::Deny],
                ..NOTHING
            },
        }
    }
}

impl Powers {
    /// What the field `name` must be, where it may be changed.
    pub fn form(&self, name: &str) -> Option<Form> {
        let mut fields = self.rewrites.iter();
        fields.find_map(|(field, form)| (*field == name).then_some(*form))
    }

    /// Whether something may be refused there.
    pub fn may_refuse(&self) -> bool {
        self.verdicts.contains(&Action::Deny)
    }

    /// What a hook at `point` may change, as a sentence.
    pub fn changes(&self, point: Point) -> String {
        let names: Vec<&str> = self.rewrites.iter().map(|(name, _)| *name).collect();
        match names.is_empty() {
            true => format!("a hook at {} changes nothing", point.as_str()),
            false => format!(
                "a hook at {} may change: {}",
                point.as_str(),
                names.join(", ")
            ),
        }
    }

    /// What a hook at `point` may return, as a sentence.
    pub fn returns(&self, point: Point) -> String {
        let point = point.as_str();
        let words: Vec<String> = self
            .verdicts
            .iter()
            .map(|action| format!("\"{action}\""))
            .collect();
        match words.is_empty() {
            true => format!("a hook at {point} returns nothing"),
            false => format!(
                "a hook at {point} returns {}, each with a reason, or nothing",
                words.join(" or ")
            ),
        }
    }
}

/// What a hook says.
#[derive(Clone, Debug, Default)]
pub struct HookReply {
    /// The fields of the event that it changed, as they are now; one that it took away is null.
    pub changed: Map,
    /// A tightening, with its reason.
    pub verdict: Option<(Action, String)>,
}

/// What every hook is known by.
#[derive(Clone, Debug)]
pub struct Head {
    /// A number that is this hook's alone: it does not fire for calls that it causes itself.
    pub id: u64,
    /// Where it is called.
    pub point: Point,
    /// Whose it is: hooks run from the shipped ones to those of the script.
    pub layer: Layer,
    /// What a message calls it: a file and line.
    pub name: String,
    /// The tools that it looks at, at a point that is about one.
    pub selection: Selection,
}

impl Head {
    /// One line for each tool that it names and that is not there: a slip, or something of another day.
    pub fn idle(&self, tools: &Registry) -> Vec<String> {
        let line = |(name, near): (&str, Option<&str>)| {
            let near = near.map(|near| format!("; did you mean {near}?"));
            format!(
                "the hook at {} names the tool `{name}`, and there is no such tool{}",
                self.name,
                near.unwrap_or_default()
            )
        };
        self.selection.unknown(tools).map(line).collect()
    }
}

/// Something that looks at what happens.
pub trait Hook: Send + Sync {
    /// What it is known by.
    fn head(&self) -> &Head;

    /// Its number.
    fn id(&self) -> u64 {
        self.head().id
    }

    /// Where it is called.
    fn point(&self) -> Point {
        self.head().point
    }

    /// Whose it is.
    fn layer(&self) -> Layer {
        self.head().layer
    }

    /// What a message calls it.
    fn name(&self) -> &str {
        &self.head().name
    }

    /// Whether it looks at this tool of this surface, at a point that is about one.
    fn concerns(&self, tool: &dyn Tool, surface: &str) -> bool {
        self.head().selection.has(tool, surface)
    }

    /// Whether it looks at what is done on behalf of `caller`.
    fn hears(&self, caller: Caller) -> bool {
        let _ = caller;
        true
    }

    /// Looks at one event. `scope` is the hook's own: it ends with the hook.
    ///
    /// # Errors
    /// A `failed`, `internal`, `timeout`, `resource` or `unavailable` says that the hook itself is
    /// broken; any other kind is a refusal in the hook's own words.
    fn run<'a>(
        &'a self,
        scope: &'a Scope,
        event: Arc<Data>,
    ) -> BoxFuture<'a, Result<HookReply, ToolError>>;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_point_has_a_name_of_its_own() {
        for (name, point) in Point::ALL {
            assert_eq!(point.as_str(), name);
        }
        let points: HashSet<Point> = Point::ALL.map(|(_, point)| point).into();
        let names: HashSet<&str> = Point::ALL.map(|(name, _)| name).into();
        assert_eq!((points.len(), names.len()), (12, 12));
    }

    #[test]
    fn nothing_may_be_allowed_by_a_hook_anywhere() {
        for (name, point) in Point::ALL {
            let powers = point.powers();
            assert!(!powers.verdicts.contains(&Action::Allow), "{name}");
            let refuses = powers.failing == Failing::Refuses;
            assert!(!refuses || powers.may_refuse(), "{name}");
        }
    }

    #[test]
    fn an_empty_table_is_a_list_too() {
        let (list, map) = (Data::List(Vec::new()), Data::map([]));
        assert_eq!(Form::Table.settled(list.clone()), Ok(map.clone()));
        assert_eq!(Form::List.settled(map), Ok(list));
        let full = Data::List(vec![Data::Null]);
        assert!(Form::Table.settled(full).is_err() && Form::Text.settled(Data::Null).is_err());
    }
}
