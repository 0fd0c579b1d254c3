//! What is sent: one request with its body, and the way it takes.
//!
//! It holds the key, so what it shows of itself leaves out whatever may be secret.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::shown::shown;

/// A request with a body.
#[derive(Clone, PartialEq, Eq)]
pub struct Post {
    /// Where to: `http` or `https`.
    pub url: String,
    /// Name and value, in order; the user agent is added. Values are never shown.
    pub headers: Vec<(String, String)>,
    /// The body as it goes out.
    pub body: Vec<u8>,
    /// A PEM file with certificates that are trusted beside the usual ones.
    pub ca: Option<PathBuf>,
    /// Through which proxy.
    pub proxy: Proxy,
    /// How long connecting may take, the TLS handshake included.
    pub connect_timeout: Duration,
}

/// Which proxy a request goes through.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Proxy {
    /// The one that the environment names for the address, if any.
    #[default]
    Environment,
    /// None, whatever the environment says.
    Direct,
    /// This one, for every address: `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`.
    Url(String),
}

impl fmt::Debug for Post {
    /// Everything but what may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Post")
            .field("url", &shown(&self.url))
            .field("headers", &names)
            .field("body", &self.body.len())
            .field("ca", &self.ca)
            .field("proxy", &self.proxy)
            .field("connect_timeout", &self.connect_timeout)
            .finish()
    }
}

impl fmt::Debug for Proxy {
    /// Without the login of the address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proxy::Environment => f.write_str("Environment"),
            Proxy::Direct => f.write_str("Direct"),
            Proxy::Url(url) => f.debug_tuple("Url").field(&shown(url)).finish(),
        }
    }
}
