//! The two kinds of failure: [`ToolError`], which a caller can act on, and [`Error`], which ends the run.
//!
//! Every message says what happened, what was expected and what to try. Nothing here prints, and
//! nothing here knows who reads it: redaction and control characters are settled on the way out.

mod exit;
mod run;
mod tool;

pub use exit::Exit;
pub use run::Error;
pub use tool::{Kind, ToolError, said};
