//! Who answers a request: a provider, a fixture, a recording. Whoever asks cannot tell them apart.
//! What comes back has the same words whoever answers; a failure is one that trying again does not mend.

use futures_util::stream::BoxStream;

use crate::chat::{Delta, Prices, Request};
use crate::error::ToolError;

/// What is known of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// How many tokens a conversation may have; `None` where nobody said.
    pub window: Option<u64>,
    /// Most tokens of one answer; `None`: as its provider has it.
    pub max_output: Option<u32>,
    /// What it costs, in US dollars.
    pub prices: Prices,
}

/// A model that answers.
pub trait Speak: Send + Sync {
    /// What it is called: `provider/model`.
    fn name(&self) -> &str;

    /// The model's name as its provider knows it.
    fn id(&self) -> &str;

    /// What is known of it.
    fn about(&self) -> &About;

    /// Asks, and hands on what comes back as it comes. The stream ends after its first error; dropping it takes the
    /// request back.
    ///
    /// # Errors (of the stream)
    /// `provider`, once there is no use in trying again.
    fn speak(&self, request: Request) -> BoxStream<'static, Result<Delta, ToolError>>;
}
