//! Pure work on text: lines, encodings, differences, cutting, showing control characters, near names.
//!
//! Nothing here reads a file, a clock or the environment.

pub mod diff;
pub mod encoding;
pub mod lines;

mod count;
mod cut;
mod escape;
mod nearest;
mod needle;
mod shell;
mod truncate;
mod work;

pub use count::{counted, named};
pub use cut::{first_sentence, head_bytes, head_columns, tail_bytes, within};
pub use escape::{one_line, visible};
pub use nearest::{nearest, offer, suggestion};
pub use needle::Needle;
pub use shell::{shell_word, shell_words};
pub use truncate::{Keep, TRUNCATION_MARK, Truncated, truncate, truncate_after};
pub use work::{TooMuch, Work, aligning};

/// How many cases a property test tries: `AGENT_TEST_CASES`, else `PROPTEST_CASES`, else 64.
#[cfg(test)]
pub(crate) fn property_cases() -> u32 {
    let variables = ["AGENT_TEST_CASES", "PROPTEST_CASES"].into_iter();
    let set = variables.filter_map(|name| std::env::var(name).ok());
    let mut counts = set.filter_map(|count| count.parse().ok());
    counts.next().unwrap_or(64)
}
