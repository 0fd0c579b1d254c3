//! How much a piece of work may spend on models: steps, tokens, money. Budgets stand inside each other, and every request is
//! charged to all that stand around it.
//!
//! A request is weighed before it is made: the one that would exceed a budget is not made.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Kind, ToolError};

/// What was spent, or what a request will spend at least.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Requests to a model.
    pub steps: u64,
    /// Tokens, in and out.
    pub tokens: u64,
    /// US dollars; `None` where a price is not known.
    pub cost: Option<f64>,
}

/// The most that may be spent. What is `None` is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Most {
    /// Requests to a model.
    pub steps: Option<u64>,
    /// Tokens, in and out.
    pub tokens: Option<u64>,
    /// US dollars.
    pub cost: Option<f64>,
}

impl Most {
    /// Whether nothing is limited.
    pub fn is_none(&self) -> bool {
        *self == Most::default()
    }
}

/// One budget, and what of it was spent.
#[derive(Debug, Default)]
pub struct Budget {
    most: Most,
    spent: Mutex<Spent>,
}

impl Budget {
    /// A budget of which nothing is spent.
    pub fn new(most: Most) -> Budget {
        Budget {
            most,
            spent: Mutex::default(),
        }
    }

    /// Whether money is limited.
    pub fn counts_money(&self) -> bool {
        self.most.cost.is_some()
    }

    /// What was spent so far. `cost` is what is known of it.
    pub fn spent(&self) -> Spent {
        *self.lock()
    }

    /// Whether a request that spends `next` at the least may be made.
    ///
    /// # Errors
    /// `limit`, with what is spent and what may be; `unavailable` where money is limited and no price is known.
    pub fn admits(&self, next: Spent) -> Result<(), ToolError> {
        let spent = self.spent();
        if let Some(most) = self
            .most
            .steps
            .filter(|most| spent.steps + next.steps > *most)
        {
            return Err(reached(
                "max_steps",
                format!("{} of {most} steps were made", spent.steps),
            ));
        }
        let tokens = spent.tokens.saturating_add(next.tokens);
        if let Some(most) = self.most.tokens.filter(|most| tokens > *most) {
            let spent = spent.tokens;
            return Err(reached(
                "max_tokens",
                format!(
                    "{spent} tokens were spent, and the next request takes {} at the least, of {most}",
                    next.tokens
                ),
            ));
        }
        let Some(most) = self.most.cost else {
            return Ok(());
        };
        let Some(next) = next.cost else {
            let message = "max_cost is set, and the price of the model is not known";
            return Err(ToolError::new(Kind::Unavailable, message)
                .with_hint("give `price` in models.lua, or limit tokens instead"));
        };
        let spent = spent.cost.unwrap_or_default();
        if spent + next > most {
            let said = format!(
                "{spent:.4} USD were spent, and the next request takes {next:.4} at the least, of {most}"
            );
            return Err(reached("max_cost", said));
        }
        Ok(())
    }

    /// Notes what a request spent.
    pub fn charge(&self, spent: Spent) {
        let mut all = self.lock();
        all.steps = all.steps.saturating_add(spent.steps);
        all.tokens = all.tokens.saturating_add(spent.tokens);
        if let Some(cost) = spent.cost {
            *all.cost.get_or_insert(0.0) += cost;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn reached(limit: &str, what: String) -> ToolError {
    ToolError::new(Kind::Limit, format!("{limit} is reached: {what}"))
        .with_hint("what was done stands; go on with a higher limit, or with less to do")
        .with_detail("limit", limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(steps: u64, tokens: u64, cost: f64) -> Spent {
        Spent {
            steps,
            tokens,
            cost: Some(cost),
        }
    }

    #[test]
    fn the_request_that_would_exceed_it_is_refused_and_the_last_that_fits_is_not() {
        let budget = Budget::new(Most {
            steps: Some(3),
            tokens: Some(100),
            cost: Some(1.0),
        });
        assert_eq!(budget.admits(spent(1, 100, 1.0)), Ok(()));
        budget.charge(spent(1, 60, 0.5));
        assert_eq!(budget.admits(spent(1, 40, 0.5)), Ok(()));
        for (next, limit) in [
            (spent(3, 1, 0.1), "max_steps"),
            (spent(1, 41, 0.1), "max_tokens"),
            (spent(1, 1, 0.6), "max_cost"),
        ] {
            let error = budget.admits(next).unwrap_err();
            assert_eq!(error.kind, Kind::Limit);
            assert!(error.message.starts_with(limit), "{error}");
        }
    }

    #[test]
    fn money_cannot_be_limited_where_no_price_is_known() {
        let budget = Budget::new(Most {
            cost: Some(1.0),
            ..Most::default()
        });
        let unknown = Spent {
            cost: None,
            ..spent(1, 1, 0.0)
        };
        let error = budget.admits(unknown).unwrap_err();
        assert_eq!(error.kind, Kind::Unavailable);
        assert_eq!(Budget::new(Most::default()).admits(unknown), Ok(()));
    }
}
