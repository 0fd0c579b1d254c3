//! x
use crate::error::ToolError;
use crate::files::Place;
use crate::tool::{Context, Outcome};
pub(super) fn of_folder(_place: &Place, _context: &Context) -> Outcome {
    Err(ToolError::internal("x"))
}
