//! Which way a request goes: straight, or through the proxy that the environment or the provider names.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use agent::net::{Net, NetErrorKind, Proxy};

use crate::certificates::Authority;
use crate::peer::{Peer, Reply, tunnel};
use crate::posting::{environment, failed, nowhere, send, to};

/// A provider that only a proxy could find.
const FAR: &str = "http://provider.invalid/v1";

#[tokio::test]
async fn the_environment_names_the_proxy() {
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        let proxy = Peer::start([Reply::whole(200, &[], "through")]);
        let address = proxy.url().replace("://", "://me:hunter2@");
        let net = Net::new(&environment(&[(name, &address)]));
        let answer = send(&net, to(FAR)).await.expect("an answer");
        assert_eq!(answer.read_all(9).await.expect("a body"), b"through");
        let seen = &proxy.requests()[0];
        assert_eq!(seen.path, FAR, "{name}");
        assert_eq!(
            seen.header("proxy-authorization"),
            Some("Basic bWU6aHVudGVyMg==")
        );
    }
}

#[tokio::test]
async fn small_letters_come_before_capitals_and_the_scheme_before_all() {
    let right = Peer::start([Reply::whole(200, &[], "x"), Reply::whole(200, &[], "x")]);
    let wrong = "http://127.0.0.1:1";
    for variables in [
        [
            ("http_proxy", right.url()),
            ("HTTP_PROXY", wrong.to_owned()),
        ],
        [("HTTP_PROXY", right.url()), ("all_proxy", wrong.to_owned())],
    ] {
        let variables = variables
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let sent = send(&Net::new(&environment(&variables)), to(FAR)).await;
        assert_eq!(sent.expect("an answer").status, 200);
    }
}

#[tokio::test]
async fn a_cgi_program_does_not_take_its_proxy_from_a_request() {
    let proxy = Peer::start([]);
    let variables = [("HTTP_PROXY", &*proxy.url()), ("REQUEST_METHOD", "POST")];
    let sent = send(&Net::new(&environment(&variables)), to(&nowhere())).await;
    failed(sent, NetErrorKind::Dns, "no address for the host");
    assert!(proxy.requests().is_empty());
}

#[tokio::test]
async fn no_proxy_names_who_is_reached_straight() {
    let proxy = Peer::start([Reply::whole(502, &[], "")]);
    let peer = Peer::start((0..2).map(|_| Reply::whole(200, &[], "")));
    for (name, value, status) in [
        ("NO_PROXY", "a.example, 127.0.0.0/8", 200),
        ("no_proxy", "*", 200),
        ("NO_PROXY", "a.example", 502),
    ] {
        let variables = [("HTTP_PROXY", &*proxy.url()), (name, value)];
        let answer = send(&Net::new(&environment(&variables)), to(&peer.url())).await;
        assert_eq!(answer.expect("an answer").status, status, "{name}={value}");
    }
    assert_eq!((peer.requests().len(), proxy.requests().len()), (2, 1));
}

#[tokio::test]
async fn a_provider_has_its_own_proxy_or_none() {
    let proxy = Peer::start([Reply::whole(200, &[], "own")]);
    let peer = Peer::start([Reply::whole(200, &[], "straight")]);
    let net = Net::new(&environment(&[
        ("ALL_PROXY", "http://127.0.0.1:1"),
        ("NO_PROXY", "*"),
    ]));
    let mut post = to(FAR);
    post.proxy = Proxy::Url(proxy.address().to_string());
    let answer = send(&net, post).await.expect("an answer");
    assert_eq!(answer.read_all(9).await.expect("a body"), b"own");
    let net = Net::new(&environment(&[("ALL_PROXY", "http://127.0.0.1:1")]));
    let mut post = to(&peer.url());
    post.proxy = Proxy::Direct;
    let answer = send(&net, post).await.expect("an answer");
    assert_eq!(answer.read_all(9).await.expect("a body"), b"straight");
}

#[tokio::test]
async fn a_secure_request_goes_through_a_tunnel() {
    let authority = Authority::new();
    let peer = Peer::start_tls([Reply::whole(200, &[], "far")], authority.server());
    let proxy = Peer::start([Reply::head(200, &[]).tunnel(&peer)]);
    let address = proxy.url().replace("://", "://me:hunter2@");
    let net = Net::new(&environment(&[("https_proxy", &address)]));
    let mut post = to("https://localhost:4433/v1");
    post.ca = Some(authority.file());
    let answer = send(&net, post).await.expect("an answer");
    assert_eq!(answer.read_all(9).await.expect("a body"), b"far");
    let seen = &proxy.requests()[0];
    assert_eq!((&*seen.method, &*seen.path), ("CONNECT", "localhost:4433"));
    assert_eq!(
        seen.header("authorization"),
        None,
        "the key is for the provider"
    );
    assert_eq!(
        seen.header("proxy-authorization"),
        Some("Basic bWU6aHVudGVyMg==")
    );
    assert_eq!(peer.requests()[0].path, "/v1");
}

#[tokio::test]
async fn a_proxy_that_cannot_be_used_is_named_without_its_login() {
    let url = "http://me:hunter2@127.0.0.1:1";
    for to_url in [FAR, "https://provider.invalid/v1"] {
        let net = Net::new(&environment(&[("ALL_PROXY", url)]));
        let message = failed(send(&net, to(to_url)).await, NetErrorKind::Proxy, to_url);
        assert!(message.contains("proxy http://127.0.0.1:1"), "{message}");
    }
    for wrong in ["ftp://me:hunter2@a.example", "http://", "not a url"] {
        let net = Net::new(&environment(&[("HTTP_PROXY", wrong), ("NO_PROXY", "*")]));
        failed(
            send(&net, to(FAR)).await,
            NetErrorKind::Proxy,
            "`HTTP_PROXY`",
        );
        let mut post = to(FAR);
        post.proxy = Proxy::Url(wrong.to_owned());
        failed(
            send(&net, post).await,
            NetErrorKind::Proxy,
            "the provider's `proxy`",
        );
    }
}

#[tokio::test]
async fn a_proxy_that_says_no_is_told_from_the_provider() {
    for (to_url, wants) in [(FAR, 407), ("https://provider.invalid/v1", 407)] {
        let proxy = Peer::start([Reply::whole(wants, &[], "")]);
        let net = Net::new(&environment(&[("ALL_PROXY", &proxy.url())]));
        failed(
            send(&net, to(to_url)).await,
            NetErrorKind::Proxy,
            "wants a login (407)",
        );
    }
    let proxy = Peer::start([Reply::whole(403, &[], "")]);
    let net = Net::new(&environment(&[("ALL_PROXY", &proxy.url())]));
    let sent = send(&net, to("https://provider.invalid/v1")).await;
    failed(sent, NetErrorKind::Proxy, "did not open one");
}

#[tokio::test]
async fn a_proxy_that_says_nothing_has_its_time() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let mut post = to("https://provider.invalid/v1");
    post.proxy = Proxy::Url(format!("http://{address}"));
    post.connect_timeout = Duration::from_millis(50);
    let sent = send(&Net::new(&environment(&[])), post).await;
    let says = format!("through the proxy http://{address}: not opened within 0.05 s");
    failed(sent, NetErrorKind::Timeout, &says);
}

#[tokio::test]
async fn a_socks_proxy_is_spoken_to() {
    let peer = Peer::start([Reply::whole(200, &[], "")]);
    let far = peer.address();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (asked, wanted_host) = channel();
    thread::spawn(move || {
        let (mut near, _) = listener.accept().expect("a connection");
        let mut greeting = [0; 3];
        near.read_exact(&mut greeting).expect("a greeting");
        near.write_all(&[5, 0]).expect("no login");
        let mut wanted = [0; 5];
        near.read_exact(&mut wanted).expect("a wish");
        let mut host = vec![0; usize::from(wanted[4]) + 2];
        near.read_exact(&mut host).expect("a host and a port");
        near.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
            .expect("yes");
        asked.send(host).expect("a test that asks");
        tunnel(&near, far)
    });
    let net = Net::new(&environment(&[(
        "ALL_PROXY",
        &format!("socks5h://{address}"),
    )]));
    let answer = send(&net, to(FAR)).await.expect("an answer");
    assert_eq!(answer.status, 200);
    let host = wanted_host.recv().expect("a proxy that served");
    assert_eq!(host, b"provider.invalid\x00\x50");
}
