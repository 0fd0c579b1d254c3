//! The result of a call that worked.
//! It is whole: what a reader gets of it is decided later, by destination.

use crate::data::{Data, Map};
use crate::error::ToolError;

/// A file that goes to the model beside the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Its media type, such as `image/png`.
    pub mime: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What a tool returns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// One line for a person.
    pub title: String,
    /// What a model reads. Whole: truncation and redaction happen in dispatch.
    pub text: String,
    /// The first lines of the text, where they decide what it means: every cut keeps them.
    pub lead: String,
    /// Facts for programs, by the names of the tool's documentation.
    pub metadata: Map,
    /// Files for the model.
    pub attachments: Vec<Attachment>,
    /// Set where the text is a page whose lines the tool has counted out itself.
    pub is_page: bool,
}

impl Output {
    /// A result that says `text`, with `title` for a person and `metadata` for programs.
    pub fn new<const N: usize>(
        title: impl Into<String>,
        text: impl Into<String>,
        metadata: [(&str, Data); N],
    ) -> Output {
        let metadata = metadata
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        Output {
            title: title.into(),
            text: text.into(),
            lead: String::new(),
            metadata,
            attachments: Vec::new(),
            is_page: false,
        }
    }

    /// The same, whose first lines decide what it means.
    pub fn led_by(self, lead: impl Into<String>) -> Output {
        let lead = lead.into();
        Output { lead, ..self }
    }

    /// How many bytes of the text are lines that every cut keeps.
    pub fn lead_bytes(&self) -> usize {
        let is_there = self.lead.ends_with('\n') && self.text.starts_with(&self.lead);
        if is_there { self.lead.len() } else { 0 }
    }

    /// Notes that this is not all there is, and under which id the whole is kept, if it is.
    pub fn mark_truncated(&mut self, spill: Option<String>) {
        let facts = [("truncated", Data::Bool(true)), ("spill", spill.into())];
        let facts = facts.map(|(name, fact)| (name.to_owned(), fact));
        self.metadata.extend(facts);
    }
}

/// What a call ends with.
pub type Outcome = Result<Output, ToolError>;
