//! Language models: which providers there are, how each is reached, and which model is meant where none is named.
//!
//! Which there are is data. Who asks one cannot tell a provider from a file of answers.

mod chosen;
mod failed;
mod keys;
mod models;
mod provided;
mod scripted;
mod speak;

pub use chosen::Chosen;
pub use keys::Keys;
pub use models::{Facts, HeaderValue, Key, Models, Provider};
pub use provided::Provided;
pub use scripted::Scripted;
pub use speak::{About, Speak};
