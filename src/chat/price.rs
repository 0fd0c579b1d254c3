//! What an answer costs, in the money its prices are stated in.
//!
//! A price that nobody stated is unknown, never nothing.

use serde::Deserialize;

use super::Usage;

/// Tokens that a price is for.
const PER: f64 = 1_000_000.0;

/// Prices per million tokens, in whatever money they are stated in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Prices {
    /// What is read.
    pub input: Option<f64>,
    /// What is written.
    pub output: Option<f64>,
    /// What is read from the cache; as what is read, where it has no price of its own.
    pub cache_read: Option<f64>,
    /// What is read into the cache; as what is read, where it has no price of its own.
    pub cache_write: Option<f64>,
}

impl Prices {
    /// What `usage` costs; `None` where something in it has no price.
    pub fn cost(self, usage: Usage) -> Option<f64> {
        let rows = [
            (usage.input, self.input),
            (usage.output, self.output),
            (usage.cache_read, self.cache_read.or(self.input)),
            (usage.cache_write, self.cache_write.or(self.input)),
        ];
        let mut sum = 0.0;
        for (tokens, price) in rows.into_iter().filter(|(tokens, _)| *tokens > 0) {
            sum += tokens as f64 * price? / PER;
        }
        Some(sum)
    }

    /// Whether every answer can be priced.
    pub fn are_known(self) -> bool {
        self.input.is_some() && self.output.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_is_paid_once_at_its_own_price() {
        let prices = Prices {
            input: Some(3.0),
            output: Some(15.0),
            cache_read: Some(0.3),
            cache_write: None,
        };
        let usage = Usage {
            input: 1_000_000,
            output: 100_000,
            cache_read: 2_000_000,
            cache_write: 1_000_000,
            reasoning: 50_000,
        };
        let cost = prices.cost(usage).unwrap();
        assert!((cost - (3.0 + 1.5 + 0.6 + 3.0)).abs() < 1e-9, "{cost}");
    }

    #[test]
    fn what_has_no_price_makes_the_cost_unknown_and_what_was_not_used_does_not() {
        let prices = Prices {
            input: Some(1.0),
            ..Prices::default()
        };
        let read = Usage {
            input: 1_000,
            ..Usage::default()
        };
        let written = Usage { output: 1, ..read };
        assert_eq!(prices.cost(read), Some(0.001));
        assert_eq!((prices.cost(written), prices.are_known()), (None, false));
        assert_eq!(Prices::default().cost(Usage::default()), Some(0.0));
    }
}
