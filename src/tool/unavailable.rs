//! A tool whose definition could not be loaded: it keeps its place and says why, whoever calls it.
//!
//! What it would have replaced does not come back in its stead: a guard that fails to load must not
//! leave the way open.

use std::sync::Arc;

use super::{Bound, Spec, Tool};
use crate::data::Data;
use crate::error::{Kind, ToolError};

/// A tool that cannot be called.
pub struct Unavailable {
    spec: Spec,
    why: String,
}

impl Unavailable {
    /// The tool that `spec` declares, disabled for the reason `why`.
    pub fn new(spec: Spec, why: impl Into<String>) -> Unavailable {
        Unavailable {
            spec,
            why: why.into(),
        }
    }
}

impl Tool for Unavailable {
    fn id(&self) -> &str {
        &self.spec.id
    }

    fn aliases(&self) -> Vec<&str> {
        Vec::new()
    }

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn usable(&self) -> Result<(), ToolError> {
        let message = format!("the tool `{}` is disabled: {}", self.spec.id, self.why);
        Err(ToolError::new(Kind::Unavailable, message)
            .with_hint(format!("mend {}, or do without it", self.spec.origin)))
    }

    fn bind(&self, _: &Arc<Data>) -> Result<Box<dyn Bound>, ToolError> {
        Err(ToolError::internal("a disabled tool was bound"))
    }
}
