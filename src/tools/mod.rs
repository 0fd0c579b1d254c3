//! The shipped tools, one file each. A tool says what it does, plans it, and does it; nothing else.
//!
//! No tool here checks a permission, cuts a result or knows its caller's language: that happens once,
//! at the door, which none of them sees.

mod apply_patch;
mod awaited;
mod batch;
mod changes;
mod decoding;
mod delete;
mod edit;
mod foreseen;
mod glob;
mod globs;
mod grep;
mod hashline_edit;
mod invalid;
mod list;
mod listing;
mod r#move;
mod overflow;
mod pages;
mod picture;
mod plan_enter;
mod plan_exit;
mod question;
mod read;
mod shell;
mod shown;
mod spilled;
pub(crate) mod subjects;
mod think;
mod todo_read;
mod todo_write;
mod tool_search;
pub mod undo;
mod write;

use crate::tool::{Registry, Shipped};

/// The shipped tools, in the order in which people meet them.
pub fn shipped() -> Registry {
    let mut tools = Registry::default();
    for tool in [
        Shipped::<read::Read>::tool(),
        Shipped::<write::Write>::tool(),
        Shipped::<edit::Edit>::tool(),
        Shipped::<apply_patch::ApplyPatch>::tool(),
        Shipped::<hashline_edit::HashlineEdit>::tool(),
        Shipped::<glob::Glob>::tool(),
        Shipped::<grep::Grep>::tool(),
        Shipped::<list::List>::tool(),
        Shipped::<r#move::Move>::tool(),
        Shipped::<delete::Delete>::tool(),
        Shipped::<shell::Shell>::tool(),
        Shipped::<batch::Batch>::tool(),
        Shipped::<plan_enter::PlanEnter>::tool(),
        Shipped::<plan_exit::PlanExit>::tool(),
        Shipped::<tool_search::ToolSearch>::tool(),
        Shipped::<think::Think>::tool(),
        Shipped::<question::Question>::tool(),
        Shipped::<todo_read::TodoRead>::tool(),
        Shipped::<todo_write::TodoWrite>::tool(),
        Shipped::<invalid::Invalid>::tool(),
    ] {
        tools.insert(tool);
    }
    tools
}

/// Where a search starts unless the call says otherwise.
fn here() -> String {
    ".".to_owned()
}
