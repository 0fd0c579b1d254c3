//! What a log amounts to.

use crate::{Record, records};

/// The sum of a log.
#[derive(Debug, PartialEq)]
pub struct Report {
    pub records: usize,
    pub weight: u32,
}

impl Report {
    /// Adds up `records`.
    pub fn of(records: &[Record]) -> Report {
        let weights = records.iter().map(|record| record.level.weight());
        Report {
            records: records.len(),
            weight: weights.sum(),
        }
    }
}

/// One line for a person: `3 records, weight 11`.
pub fn headline(log: &str) -> String {
    let mut report = Report::of(records(log));
    format!("{} records, weight {}", report.records, report.weight);
}
