//! Which proxy a request goes through: the provider's own, or the one that the environment names.
//!
//! `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in either case; the small letters come first, as in
//! curl. A proxy that cannot be used is an error, never a way around it.

use std::collections::BTreeMap;
use std::ffi::OsString;

use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;

use super::shown::shown;
use super::{NetError, NetErrorKind, Proxy};

/// What the environment says about proxies.
pub(super) struct Proxies {
    http: Option<Named>,
    https: Option<Named>,
    all: Option<Named>,
    none_for: String,
}

/// An address, and what it comes from.
#[derive(Clone)]
struct Named {
    from: String,
    address: String,
}

impl Proxies {
    /// As the variables are set. `HTTP_PROXY` in capitals is not looked at in a CGI program, where a stranger's
    /// request header sets it.
    pub(super) fn of(env: &BTreeMap<OsString, OsString>) -> Proxies {
        let small = |name: &str| named(env, &name.to_lowercase());
        let either = |name: &str| small(name).or_else(|| named(env, name));
        let is_cgi = env.contains_key(&OsString::from("REQUEST_METHOD"));
        Proxies {
            http: if is_cgi {
                small("HTTP_PROXY")
            } else {
                either("HTTP_PROXY")
            },
            https: either("HTTPS_PROXY"),
            all: either("ALL_PROXY"),
            none_for: either("NO_PROXY").map_or_else(String::new, |named| named.address),
        }
    }

    /// The address of the proxy that a request for `to` goes through; `None` where it goes straight there.
    pub(super) fn route(&self, to: &Uri, proxy: &Proxy) -> Result<Option<String>, NetError> {
        match proxy {
            Proxy::Direct => Ok(None),
            Proxy::Url(address) => {
                let from = "the provider's `proxy`".to_owned();
                let address = address.trim().to_owned();
                checked(&Named { from, address }, to).map(Some)
            }
            Proxy::Environment => self.of_environment(to),
        }
    }

    fn of_environment(&self, to: &Uri) -> Result<Option<String>, NetError> {
        let own = match to.scheme_str() {
            Some("https") => &self.https,
            _ => &self.http,
        };
        let Some(named) = own.as_ref().or(self.all.as_ref()) else {
            return Ok(None);
        };
        let address = checked(named, to)?;
        // The matcher takes `*` for every name, but for no number.
        if self.none_for.split(',').any(|entry| entry.trim() == "*") {
            return Ok(None);
        }
        let matcher = Matcher::builder().all(address.as_str());
        let goes_through = matcher.no(self.none_for.as_str()).build().intercept(to);
        Ok(goes_through.map(|_| address))
    }
}

fn named(env: &BTreeMap<OsString, OsString>, name: &str) -> Option<Named> {
    let value = env.get(&OsString::from(name))?.to_string_lossy();
    let address = value.trim().to_owned();
    let from = format!("`{name}`");
    (!address.is_empty()).then_some(Named { from, address })
}

/// The address, if one can go through it.
fn checked(named: &Named, to: &Uri) -> Result<String, NetError> {
    let matcher = Matcher::builder().all(named.address.as_str()).build();
    if matcher.intercept(to).is_some() && reqwest::Proxy::all(&named.address).is_ok() {
        return Ok(named.address.clone());
    }
    Err(NetError::new(
        NetErrorKind::Proxy,
        format!(
            "{} is set to {}, which is no proxy's address; expected http://HOST:PORT, https://… or socks5h://…",
            named.from,
            shown(&named.address)
        ),
    ))
}
