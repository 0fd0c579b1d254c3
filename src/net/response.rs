//! An answer: its status, the headers that matter, and its body as it comes in.
//!
//! Nothing is gathered or decoded here but the first bytes of an answer of failure.

use std::fmt;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;

use super::NetError;

/// An answer whose head is here and whose body is coming in. Dropping it ends the request.
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The header `content-type`.
    pub content_type: Option<String>,
    /// The header `retry-after`, as it was sent.
    pub retry_after: Option<String>,
    /// The body, piece by piece as it comes; an error is the last piece.
    pub chunks: BoxStream<'static, Result<Bytes, NetError>>,
}

impl Response {
    /// Whether the status is one of success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body up to `limit` bytes; the rest is neither read nor waited for. What came before a body broke off is
    /// given; it is an error only where nothing came.
    pub async fn read_all(mut self, limit: usize) -> Result<Vec<u8>, NetError> {
        let mut body = Vec::new();
        while body.len() < limit {
            match self.chunks.next().await {
                Some(Ok(piece)) => body.extend_from_slice(&piece),
                Some(Err(error)) if body.is_empty() => return Err(error),
                Some(Err(_)) | None => break,
            }
        }
        body.truncate(limit);
        Ok(body)
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("content_type", &self.content_type)
            .field("retry_after", &self.retry_after)
            .finish_non_exhaustive()
    }
}
