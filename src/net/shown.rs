//! An address as it may be shown: without login, query and fragment, any of which may hold a key.
//!
//! Every message of this room that names an address takes it from here.

use reqwest::Url;

/// How much of an address is shown, in characters.
const LONGEST: usize = 200;

/// `url` without what may be secret; where it is no URL with a host, only that it is none.
pub(super) fn shown(url: &str) -> String {
    // `host:port` is taken as a proxy's address, and would parse as a scheme and a path.
    let parsed = match Url::parse(url) {
        Ok(parsed) if parsed.has_host() => Ok(parsed),
        parsed if url.contains("://") => parsed,
        _ => Url::parse(&format!("http://{url}")),
    };
    match parsed {
        Ok(parsed) => shown_url(&parsed),
        Err(_) => "(an address that cannot be read)".to_owned(),
    }
}

/// `url` without what may be secret.
pub(super) fn shown_url(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}"));
    let path = if url.path() == "/" { "" } else { url.path() };
    let whole = format!(
        "{}://{host}{}{path}",
        url.scheme(),
        port.unwrap_or_default()
    );
    whole.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn login_query_and_fragment_are_never_shown() {
        for (url, seen) in [
            ("https://a.example/v1/x", "https://a.example/v1/x"),
            (
                "https://me:pw@a.example:8443/v1?key=k#f",
                "https://a.example:8443/v1",
            ),
            ("http://[::1]:80/", "http://[::1]"),
            (
                "socks5h://me:pw@proxy.example:1080",
                "socks5h://proxy.example:1080",
            ),
            ("me:pw@proxy.example:3128", "http://proxy.example:3128"),
            ("proxy.example:3128", "http://proxy.example:3128"),
            ("https://", "(an address that cannot be read)"),
            ("me:pw@", "(an address that cannot be read)"),
        ] {
            assert_eq!(shown(url), seen, "{url}");
        }
        assert_eq!(
            shown(&format!("http://a/{}", "x".repeat(999))).len(),
            LONGEST
        );
    }
}
