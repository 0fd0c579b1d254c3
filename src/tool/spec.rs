//! What a tool says of itself. Checks, schemas, help and documentation are derived from it.
//! Said once, here: nothing of it is written a second time elsewhere.

use std::time::Duration;

use crate::data::{Data, Map};
use crate::error::ToolError;
use crate::layers::Layer;
use crate::permission::Effect;
use crate::schema::{self, Parameters};

/// Where a tool's definition comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Part of the program.
    Shipped,
    /// A file of this layer, as a person reads its path.
    File(Layer, String),
    /// The script that is running.
    Script(String),
}

impl Origin {
    /// The layer it belongs to.
    pub fn layer(&self) -> Layer {
        match self {
            Origin::Shipped => Layer::Shipped,
            Origin::File(layer, _) => *layer,
            Origin::Script(_) => Layer::Script,
        }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Shipped => f.write_str("shipped"),
            Origin::File(_, path) | Origin::Script(path) => f.write_str(path),
        }
    }
}

/// One example in a declaration. The test suite runs it in a folder that holds `files`.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What it shows.
    pub about: &'static str,
    /// Paths and contents that are there before.
    pub files: &'static [(&'static str, &'static str)],
    /// The arguments, as a JSON object.
    pub args: &'static str,
    /// A part of the text that a model would read.
    pub shows: &'static str,
}

/// An example as a declaration holds it, wherever it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What it shows.
    pub about: String,
    /// Paths and contents that are there before.
    pub files: Vec<(String, Vec<u8>)>,
    /// The arguments, as a JSON object.
    pub args: String,
    /// A part of the text that a model would read.
    pub shows: String,
}

impl From<&Example> for Case {
    fn from(example: &Example) -> Case {
        let files = example.files.iter();
        Case {
            about: example.about.to_owned(),
            files: files
                .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
                .collect(),
            args: example.args.to_owned(),
            shows: example.shows.to_owned(),
        }
    }
}

/// How a piece of text is shown to a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    #[default]
    Plain,
    /// It went well.
    Ok,
    /// Something is off.
    Warning,
    /// Something failed.
    Error,
}

impl Style {
    /// Every style that has a name.
    pub const ALL: [(&'static str, Style); 3] = [
        ("ok", Style::Ok),
        ("warning", Style::Warning),
        ("error", Style::Error),
    ];
}

/// A piece of text for a person: no bytes for a terminal, which shows control characters as such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// How it is shown.
    pub style: Style,
}

/// A tool's declaration.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The name it is called by.
    pub id: String,
    /// What a person reads as its name, where that is not the id.
    pub display_name: Option<String>,
    /// What to try, for failures that do not say it themselves.
    pub hint: Option<String>,
    /// The group of tools it belongs to, such as `file`.
    pub surface: String,
    /// What it does at most; a plan may say less of one call.
    pub effect: Effect,
    /// What the model reads.
    pub description: String,
    /// What it takes.
    pub parameters: Parameters,
    /// Other names for parameters: (theirs, ours).
    pub parameter_aliases: Vec<(String, String)>,
    /// How long one call may run, not counting the time people think. None: as long as it takes.
    pub timeout: Option<Duration>,
    /// Whether it looks at something that goes on, so that the same call again is no sign of a circle.
    pub polls: bool,
    /// Whether calls of the same session find something else behind it, though nothing outside of the session is
    /// changed: no neighbour runs beside it.
    pub stands_alone: bool,
    /// Facts that only some of its results have.
    pub fields: &'static [&'static str],
    /// Examples that the test suite runs.
    pub examples: Vec<Case>,
    /// Where it was defined.
    pub origin: Origin,
}

impl Spec {
    /// Those of the arguments `args` that the tool declares itself, complete.
    ///
    /// # Errors
    /// `argument`.
    pub fn own(&self, args: &Data) -> Result<Data, ToolError> {
        schema::prepare(
            self.declared(args),
            &self.parameters,
            &self.parameter_aliases,
        )
    }

    /// The same, where some of them may be missing.
    ///
    /// # Errors
    /// `argument`.
    pub fn own_given(&self, args: &Data) -> Result<Data, ToolError> {
        schema::prepare_some(
            self.declared(args),
            &self.parameters,
            &self.parameter_aliases,
        )
    }

    /// Arguments as a caller gave them, under our names; some may be missing.
    ///
    /// # Errors
    /// `argument`.
    pub fn given(&self, args: Data) -> Result<Data, ToolError> {
        schema::prepare_some(args, &self.parameters, &self.parameter_aliases)
    }

    fn declared(&self, args: &Data) -> Data {
        let parameters = &self.parameters;
        let given = args.as_map().into_iter().flatten();
        let own = given.filter(|(name, _)| parameters.is_open() || parameters.get(name).is_some());
        own.map(|(name, value)| (name.clone(), value.clone()))
            .collect::<Map>()
            .into()
    }
}
