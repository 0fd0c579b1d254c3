//! The client: connections are opened when the first request goes out, once for each way of going, and kept open.
//!
//! Making a [`Net`] costs nothing: no certificate is read and nothing of TLS is touched before it is needed.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _};
use hyper::Uri;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Client, Url};

use super::fault::Trip;
use super::proxy::Proxies;
use super::roots::{Trusted, nobody};
use super::shown::shown;
use super::{NetError, NetErrorKind, Post, Response};

/// What requests name as their sender.
const USER_AGENT: &str = concat!("agent/", env!("CARGO_PKG_VERSION"));

/// How often an open connection is asked whether it is still there.
const PULSE: Duration = Duration::from_secs(30);

/// The statuses that send a request elsewhere.
const REDIRECTS: [u16; 5] = [301, 302, 303, 307, 308];

/// What sends requests, and the connections it keeps.
pub struct Net {
    proxies: Proxies,
    trusted: Trusted,
    clients: Mutex<HashMap<Way, Client>>,
}

/// What requests over one connection have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Way {
    is_secure: bool,
    proxy: Option<String>,
    ca: Option<PathBuf>,
    connect_timeout: Duration,
}

impl Net {
    /// One that takes proxies and trusted certificates from `env`.
    pub fn new(env: &BTreeMap<OsString, OsString>) -> Net {
        Net {
            proxies: Proxies::of(env),
            trusted: Trusted::of(env),
            clients: Mutex::default(),
        }
    }

    /// Sends `post` once, and returns when the head of the answer is here; any status but a redirect is an answer.
    pub async fn post(&self, post: Post) -> Result<Response, NetError> {
        let url = address(&post.url)?;
        let headers = headers(&post.headers)?;
        let to: Uri = url.as_str().parse().map_err(|_| unfit(&post.url))?;
        let proxy = self.proxies.route(&to, &post.proxy)?;
        let trip = Trip::new(&url, proxy.as_deref(), post.connect_timeout);
        let over_tls = proxy
            .as_deref()
            .is_some_and(|proxy| proxy.starts_with("https:"));
        let way = Way {
            is_secure: url.scheme() == "https" || over_tls,
            proxy,
            ca: post.ca,
            connect_timeout: post.connect_timeout,
        };
        let request = self
            .client(&way)?
            .post(url)
            .headers(headers)
            .body(post.body);
        let answer = request.send().await.map_err(|error| trip.fault(&error))?;
        answered(answer, trip)
    }

    fn client(&self, way: &Way) -> Result<Client, NetError> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(way) {
            return Ok(client.clone());
        }
        let client = self.build(way)?;
        clients.insert(way.clone(), client.clone());
        Ok(client)
    }

    fn build(&self, way: &Way) -> Result<Client, NetError> {
        let tls = match way.is_secure {
            true => self.trusted.config(way.ca.as_deref())?,
            false => nobody()?,
        };
        let mut builder = Client::builder()
            .no_proxy()
            .user_agent(USER_AGENT)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(way.connect_timeout)
            .tcp_keepalive(PULSE)
            .http2_keep_alive_interval(PULSE)
            .http2_adaptive_window(true)
            .tls_backend_preconfigured(tls);
        if let Some(proxy) = &way.proxy {
            builder = builder.proxy(reqwest::Proxy::all(proxy).map_err(|_| unfit(proxy))?);
        }
        builder.build().map_err(|error| {
            let error = error.without_url();
            NetError::new(
                NetErrorKind::Tls,
                format!("no HTTP client can be made: {error}"),
            )
        })
    }
}

/// The answer to give on, or an error where it is none.
fn answered(answer: reqwest::Response, trip: Trip) -> Result<Response, NetError> {
    let status = answer.status().as_u16();
    let header = |name| {
        let value: Option<&HeaderValue> = answer.headers().get(name);
        value.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    if let (true, Some(location)) = (REDIRECTS.contains(&status), header(LOCATION)) {
        return Err(trip.redirected(status, answer.url(), &location));
    }
    if let (407, Some(refused)) = (status, trip.login_wanted()) {
        return Err(refused);
    }
    let (content_type, retry_after) = (header(CONTENT_TYPE), header(RETRY_AFTER));
    let pieces = answer
        .bytes_stream()
        .map_err(move |error| trip.fault(&error));
    Ok(Response {
        status,
        content_type,
        retry_after,
        chunks: pieces.boxed(),
    })
}

fn address(url: &str) -> Result<Url, NetError> {
    let parsed = Url::parse(url.trim()).map_err(|_| unfit(url))?;
    match parsed.scheme() {
        "http" | "https" if parsed.has_host() => Ok(parsed),
        _ => Err(unfit(url)),
    }
}

fn unfit(url: &str) -> NetError {
    NetError::new(
        NetErrorKind::Url,
        format!(
            "{} is no address to send a request to; expected http://HOST/… or https://HOST/…",
            shown(url)
        ),
    )
}

/// The headers, all marked as what may be secret.
fn headers(given: &[(String, String)]) -> Result<HeaderMap, NetError> {
    let unfit = |message: String| NetError::new(NetErrorKind::Header, message);
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let Ok(known) = name.parse::<HeaderName>() else {
            return Err(unfit(format!("{name:?} is no name for an HTTP header")));
        };
        let mut value = value.parse::<HeaderValue>().map_err(|_| {
            unfit(format!(
                "the value of the header `{name}` has a character that HTTP cannot carry; is there a line end in the key?"
            ))
        })?;
        value.set_sensitive(true);
        headers.append(known, value);
    }
    Ok(headers)
}
