//! Language models: which providers there are, how each is reached, and which model is meant where none is named.
//!
//! It is data: nothing is connected to and no key is read here.

mod models;

pub use models::{Models, Provider};
