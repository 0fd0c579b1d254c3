//! Why no answer came, or why it broke off, in words for the person who set the provider up.
//!
//! An answer with a status of failure is no error here.

use std::fmt;

/// What went wrong, where, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetError {
    /// What sort of failure it is.
    pub kind: NetErrorKind,
    /// What happened and what to try: never a header's value, a query or a login.
    pub message: String,
}

/// The sorts of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetErrorKind {
    /// The host has no address.
    Dns,
    /// Nobody listens there, or it cannot be reached.
    Refused,
    /// No trusted connection: a certificate, or no TLS at all on the other side.
    Tls,
    /// The connection broke.
    Reset,
    /// Connecting took too long.
    Timeout,
    /// The proxy is wrong, cannot be reached or will not do it.
    Proxy,
    /// The address is none for a request.
    Url,
    /// A header that HTTP cannot carry.
    Header,
    /// The answer leads to another address.
    Redirect,
    /// What came is not HTTP.
    Body,
}

impl NetErrorKind {
    /// Whether the same request may succeed a little later.
    pub fn is_transient(self) -> bool {
        matches!(self, NetErrorKind::Reset | NetErrorKind::Timeout)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            NetErrorKind::Dns => "dns",
            NetErrorKind::Refused => "refused",
            NetErrorKind::Tls => "tls",
            NetErrorKind::Reset => "reset",
            NetErrorKind::Timeout => "timeout",
            NetErrorKind::Proxy => "proxy",
            NetErrorKind::Url => "url",
            NetErrorKind::Header => "header",
            NetErrorKind::Redirect => "redirect",
            NetErrorKind::Body => "body",
        }
    }
}

impl NetError {
    pub(super) fn new(kind: NetErrorKind, message: impl Into<String>) -> NetError {
        let message = message.into();
        NetError { kind, message }
    }
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NetError {}
