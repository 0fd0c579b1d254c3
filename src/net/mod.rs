//! HTTP for model providers: one request out, its answer piece by piece as it comes in, and what to do where it fails.
//!
//! It knows no provider, no key and no format, and asks nobody. It follows no redirect, and no message of it holds
//! a header's value, a query or the login of an address.

mod client;
mod error;
mod fault;
mod post;
mod proxy;
mod response;
mod retry;
mod roots;
mod shown;

pub use client::Net;
pub use error::{NetError, NetErrorKind};
pub use post::{Post, Proxy};
pub use response::Response;
pub use retry::{Decision, Enough, Retried, Retry};
