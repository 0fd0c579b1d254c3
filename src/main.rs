//! The program `agent`.
//! Everything it does lives in the library, so that tests can reach it.

fn main() {}
