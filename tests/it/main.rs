//! Tests by capability, one binary: each file drives the library or the real program as a user would.
//!
//! What a single room can prove stands beside its code; here stand the rules of the house and
//! whatever needs a process, a terminal or limits of its own.

// Clippy's leave for tests covers test functions only, and here every function is part of a test.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used
)]

// What the rest stands on.
mod answers;
mod doom_loop;
mod door;
mod peer;
mod program;
mod running;
mod sources;
mod terminal;

// The house holds together.
mod fence;
mod floors;
mod repository;
mod tidy;

// The network, on loopback.
mod certificates;
mod posting;
mod proxies;

// The tools through the real door.
mod batches;
mod changing;
mod classifying;
mod declarations;
mod edits;
mod kept;
mod killed;
mod law;
mod modes;
mod patch_edits;
mod patches;
mod planning;
mod profile_rules;
mod profiles;
mod racing;
mod read;
mod replacers;
mod searching;
mod tags;
mod todos;

// The program as its user meets it.
mod approvals;
mod asked_by_scripts;
mod auditing;
mod below;
mod call;
mod command_hooks;
mod compacting;
mod completions;
mod denials;
mod doctor;
mod eval;
mod examples;
mod exit_codes;
mod explaining;
mod exported;
mod foreseen;
mod forked;
mod going_on;
mod guided;
mod hashline_cases;
mod hashlines;
mod hooks;
mod hostile;
mod images;
mod in_place;
mod init;
mod instructions;
mod layers;
mod lua_page;
mod model_examples;
mod offered;
mod past_sessions;
mod policy_functions;
mod promises;
mod prompts;
mod provider_keys;
mod providers;
mod questions;
mod readme;
mod redaction;
mod refusals;
mod reload;
mod reminded;
mod rules;
mod scripts;
mod sessions;
mod signals;
mod slips;
mod standing;
mod steered;
mod streams;
mod test_report;
mod test_tools;
mod testing;
mod tools_dir;
mod tools_list;
mod touched;
mod transactions;
mod trust_view;
mod trusting;
mod turns;
mod undo;
mod undo_parts;
mod unfooled;
mod unshelled;
mod wired;
mod wrong_usage;
