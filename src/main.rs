//! The program `agent`. It hands its words to the library and ends with the exit code it gets back.
//!
//! Everything it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    agent::cli::main(std::env::args_os().collect())
}
