//! What a failure of the client means for the person who set the provider up.
//!
//! Only kinds and sentences of our own go out; a library's message is passed on only where it can hold no address.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::Url;

use super::shown::{shown, shown_url};
use super::{NetError, NetErrorKind};

/// Where a request goes and how, as it may be shown.
#[derive(Clone)]
pub(super) struct Trip {
    to: String,
    proxy: Option<String>,
    connect_timeout: Duration,
}

impl Trip {
    pub(super) fn new(url: &Url, proxy: Option<&str>, connect_timeout: Duration) -> Trip {
        Trip {
            to: shown_url(url),
            proxy: proxy.map(shown),
            connect_timeout,
        }
    }

    /// What `error` means.
    pub(super) fn fault(&self, error: &reqwest::Error) -> NetError {
        let causes = causes(error);
        let kind = kind(error, &causes);
        if let Some(proxy) = &self.proxy
            && error.is_connect()
            && kind != NetErrorKind::Tls
        {
            return self.by_proxy(kind, proxy, &causes);
        }
        let message = match kind {
            NetErrorKind::Dns => format!(
                "no address for the host of {}; is the name right, and is there a network?",
                self.to
            ),
            NetErrorKind::Refused => format!(
                "{} cannot be reached: {}; does the server run, and is the port right?",
                self.to,
                io_words(&causes)
            ),
            NetErrorKind::Tls => self.untrusted(&causes),
            NetErrorKind::Timeout if error.is_connect() => format!(
                "no connection to {} within {} s; is there a network, or a proxy to go through (`HTTPS_PROXY`)?",
                self.to,
                self.connect_timeout.as_secs_f64()
            ),
            NetErrorKind::Timeout => format!("{} no longer answers", self.to),
            NetErrorKind::Body => format!("{} answers with something that is not HTTP", self.to),
            _ => format!("the connection to {} broke", self.to),
        };
        NetError::new(kind, message)
    }

    /// An answer that leads elsewhere: it is not followed, since the key would go along.
    pub(super) fn redirected(&self, status: u16, from: &Url, location: &str) -> NetError {
        let leads = match from.join(location) {
            Ok(to) => shown_url(&to),
            Err(_) => "an address that cannot be read".to_owned(),
        };
        let message = format!(
            "{} leads to {leads} ({status}), which is not followed; if that is the provider, set its `base_url` so",
            self.to
        );
        NetError::new(NetErrorKind::Redirect, message)
    }

    /// What a 407 means, where there is a proxy that can say it.
    pub(super) fn login_wanted(&self) -> Option<NetError> {
        let proxy = self.proxy.as_ref()?;
        Some(NetError::new(
            NetErrorKind::Proxy,
            format!(
                "the proxy {proxy} wants a login (407); expected one in its address: http://USER:PASSWORD@HOST:PORT"
            ),
        ))
    }

    fn by_proxy(
        &self,
        kind: NetErrorKind,
        proxy: &str,
        causes: &[&(dyn Error + 'static)],
    ) -> NetError {
        let wants_login = causes
            .iter()
            .any(|cause| cause.to_string().contains("proxy authorization"));
        if let (true, Some(error)) = (wants_login, self.login_wanted()) {
            return error;
        }
        let why = match kind {
            NetErrorKind::Dns => "no address for its host".to_owned(),
            NetErrorKind::Refused => format!("it cannot be reached: {}", io_words(causes)),
            NetErrorKind::Timeout => {
                format!("not opened within {} s", self.connect_timeout.as_secs_f64())
            }
            _ => "it did not open one".to_owned(),
        };
        let kind = match kind {
            NetErrorKind::Timeout => NetErrorKind::Timeout,
            _ => NetErrorKind::Proxy,
        };
        let message = format!(
            "no connection to {} through the proxy {proxy}: {why}; is it the right one? `proxy = false` and `NO_PROXY` go without",
            self.to
        );
        NetError::new(kind, message)
    }

    fn untrusted(&self, causes: &[&(dyn Error + 'static)]) -> String {
        let through = self
            .proxy
            .as_ref()
            .map(|proxy| format!(" through the proxy {proxy}"));
        let to = format!("{}{}", self.to, through.unwrap_or_default());
        let Some(error) = find::<rustls::Error>(causes) else {
            return format!("no trusted connection to {to}");
        };
        let hint = match error {
            rustls::Error::InvalidCertificate(_) => {
                "if it is signed by a CA of your own, name its PEM file as the provider's `ca` or in `SSL_CERT_FILE`"
            }
            rustls::Error::InvalidMessage(_) => "is it http:// rather than https://?",
            _ => "does the server speak TLS 1.2 or 1.3?",
        };
        format!("no trusted connection to {to}: {error}; {hint}")
    }
}

fn kind(error: &reqwest::Error, causes: &[&(dyn Error + 'static)]) -> NetErrorKind {
    if error.is_dns() {
        return NetErrorKind::Dns;
    }
    if find::<rustls::Error>(causes).is_some() {
        return NetErrorKind::Tls;
    }
    if error.is_timeout() {
        return NetErrorKind::Timeout;
    }
    match find::<io::Error>(causes).map(io::Error::kind) {
        Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) => NetErrorKind::Body,
        Some(
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof,
        ) => NetErrorKind::Reset,
        Some(_) if error.is_connect() => NetErrorKind::Refused,
        _ if find::<hyper::Error>(causes).is_some_and(hyper::Error::is_parse) => NetErrorKind::Body,
        _ => NetErrorKind::Reset,
    }
}

/// `error` and what it comes from, the outermost first.
fn causes(error: &reqwest::Error) -> Vec<&(dyn Error + 'static)> {
    let mut causes: Vec<&(dyn Error + 'static)> = Vec::new();
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(cause) = next {
        causes.push(cause);
        // What an I/O error wraps is not its source, but the source's owner.
        let inner = cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => cause.source(),
        };
    }
    causes
}

/// The innermost cause of this type.
fn find<'a, T: Error + 'static>(causes: &[&'a (dyn Error + 'static)]) -> Option<&'a T> {
    causes
        .iter()
        .rev()
        .find_map(|cause| cause.downcast_ref::<T>())
}

/// What the system said.
fn io_words(causes: &[&(dyn Error + 'static)]) -> String {
    match find::<io::Error>(causes) {
        Some(error) => error.kind().to_string(),
        None => "no connection".to_owned(),
    }
}
