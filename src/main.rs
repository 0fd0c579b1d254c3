//! The program `agent`. Everything it does lives in the library.

fn main() {}
