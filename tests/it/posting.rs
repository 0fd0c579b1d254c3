//! Requests to a provider and what comes back: whole, in pieces, refused, broken off.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::TcpListener;
use std::time::Duration;

use agent::net::{Net, NetError, NetErrorKind, Post, Proxy, Response};
use futures_util::StreamExt as _;

use crate::peer::{Peer, Reply};

/// What no message may hold.
const KEY: &str = "sk-never-shown-anywhere";

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// An environment with these variables.
pub(crate) fn environment(variables: &[(&str, &str)]) -> BTreeMap<OsString, OsString> {
    let owned = |(name, value): &(&str, &str)| (OsString::from(name), OsString::from(value));
    variables.iter().map(owned).collect()
}

/// A request with the key in it.
pub(crate) fn to(url: &str) -> Post {
    Post {
        url: url.to_owned(),
        headers: vec![("authorization".to_owned(), format!("Bearer {KEY}"))],
        body: b"{\"model\":\"m\"}".to_vec(),
        ca: None,
        proxy: Proxy::Environment,
        connect_timeout: PATIENCE,
    }
}

/// An address whose host has none: a name too long to be asked for.
pub(crate) fn nowhere() -> String {
    format!("http://{}.invalid/v1", "x".repeat(64))
}

/// Sends it, within the patience of a test.
pub(crate) async fn send(net: &Net, post: Post) -> Result<Response, NetError> {
    let sent = tokio::time::timeout(PATIENCE, net.post(post)).await;
    sent.expect("an answer in time")
}

/// Sends it from an environment that says nothing.
async fn plainly(post: Post) -> Result<Response, NetError> {
    send(&Net::new(&environment(&[])), post).await
}

/// The failure, which says what it should and nothing that is secret.
pub(crate) fn failed(sent: Result<Response, NetError>, kind: NetErrorKind, says: &str) -> String {
    let error = sent.expect_err("a failure");
    assert_eq!(error.kind, kind, "{error}");
    for secret in [KEY, "hunter2", "secret"] {
        assert!(!format!("{error} {error:?}").contains(secret), "{error}");
    }
    assert!(error.message.contains(says), "{error}");
    error.message
}

/// The next piece of an answer.
async fn piece(answer: &mut Response) -> Option<Result<String, NetErrorKind>> {
    let next = tokio::time::timeout(PATIENCE, answer.chunks.next()).await;
    let piece = next.expect("a piece in time")?;
    let text = piece.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Some(text.map_err(|error| error.kind))
}

#[tokio::test]
async fn a_request_goes_out_as_it_was_given() {
    let peer = Peer::start([Reply::whole(200, &[("content-type", "text/plain")], "fine")]);
    let answer = plainly(to(&format!("{}/v1/x?a=b", peer.url()))).await;
    let answer = answer.expect("an answer");
    assert_eq!((answer.status, answer.is_success()), (200, true));
    assert_eq!(answer.content_type.as_deref(), Some("text/plain"));
    assert_eq!(answer.read_all(99).await.expect("a body"), b"fine");
    let [seen] = &peer.requests()[..] else {
        panic!("{:?}", peer.requests());
    };
    assert_eq!(
        (seen.method.as_str(), seen.path.as_str()),
        ("POST", "/v1/x?a=b")
    );
    assert_eq!(seen.body, b"{\"model\":\"m\"}");
    assert_eq!(
        seen.header("authorization"),
        Some(&*format!("Bearer {KEY}"))
    );
    let version = concat!("agent/", env!("CARGO_PKG_VERSION"));
    assert_eq!(seen.header("user-agent"), Some(version));
}

#[tokio::test]
async fn pieces_arrive_as_they_come() {
    let reply = Reply::pieces(200, &[("content-type", "text/event-stream")]).piece("one");
    let (go_on, reply) = reply.wait();
    let peer = Peer::start([reply.piece("two").end()]);
    let mut answer = plainly(to(&peer.url())).await.expect("an answer");
    assert_eq!(piece(&mut answer).await, Some(Ok("one".to_owned())));
    go_on.send(()).expect("a peer that waits");
    assert_eq!(piece(&mut answer).await, Some(Ok("two".to_owned())));
    assert_eq!(piece(&mut answer).await, None);
}

#[tokio::test]
async fn a_connection_is_kept_and_used_again() {
    let peer = Peer::start((0..3).map(|_| Reply::whole(200, &[], "x")));
    let net = Net::new(&environment(&[]));
    for _ in 0..3 {
        let answer = send(&net, to(&peer.url())).await.expect("an answer");
        answer.read_all(9).await.expect("a body");
    }
    let requests = peer.requests();
    let connections: Vec<usize> = requests.iter().map(|seen| seen.connection).collect();
    assert_eq!(connections, [0, 0, 0]);
}

#[tokio::test]
async fn an_answer_of_failure_is_an_answer() {
    let long = "x".repeat(100_000);
    let peer = Peer::start([
        Reply::whole(429, &[("retry-after", "7")], "slow down"),
        Reply::whole(500, &[], &long),
        Reply::pieces(503, &[]).piece("half of").close(),
        Reply::pieces(503, &[]).close(),
    ]);
    let net = Net::new(&environment(&[]));
    let answer = send(&net, to(&peer.url())).await.expect("an answer");
    assert_eq!((answer.status, answer.is_success()), (429, false));
    assert_eq!(answer.retry_after.as_deref(), Some("7"));
    assert_eq!(answer.read_all(65_536).await.expect("a body"), b"slow down");
    let answer = send(&net, to(&peer.url())).await.expect("an answer");
    let body = answer.read_all(65_536).await.expect("a body");
    assert_eq!(body.len(), 65_536);
    let answer = send(&net, to(&peer.url())).await.expect("an answer");
    assert_eq!(answer.read_all(65_536).await.expect("a body"), b"half of");
    let answer = send(&net, to(&peer.url())).await.expect("an answer");
    let broken = answer.read_all(65_536).await.expect_err("no body");
    assert_eq!(broken.kind, NetErrorKind::Reset);
}

#[tokio::test]
async fn the_rest_of_a_long_answer_is_not_waited_for() {
    let (held, reply) = Reply::pieces(500, &[]).piece("12345678").wait();
    let peer = Peer::start([reply]);
    let answer = plainly(to(&peer.url())).await.expect("an answer");
    let body = tokio::time::timeout(PATIENCE, answer.read_all(5)).await;
    assert_eq!(body.expect("in time").expect("a body"), b"12345");
    drop(held);
}

#[tokio::test]
async fn a_connection_that_breaks_is_told_from_one_that_ends() {
    let peer = Peer::start([Reply::default().reset(), Reply::default().close()]);
    for _ in 0..2 {
        let sent = plainly(to(&peer.url())).await;
        failed(sent, NetErrorKind::Reset, "broke");
    }
    for broken in [
        |reply: Reply| reply.reset(),
        |reply: Reply| reply.close(),
        |reply: Reply| reply.raw("5\r\nab").close(),
    ] {
        let (go_on, reply) = Reply::pieces(200, &[]).piece("one").wait();
        let peer = Peer::start([broken(reply)]);
        let mut answer = plainly(to(&peer.url())).await.expect("an answer");
        assert_eq!(piece(&mut answer).await, Some(Ok("one".to_owned())));
        go_on.send(()).expect("a peer that waits");
        let mut last = piece(&mut answer).await;
        if last == Some(Ok("ab".to_owned())) {
            last = piece(&mut answer).await;
        }
        assert_eq!(last, Some(Err(NetErrorKind::Reset)));
        assert_eq!(piece(&mut answer).await, None);
    }
    let peer = Peer::start([Reply::head(200, &[("content-length", "9")])
        .raw("half")
        .close()]);
    let mut answer = plainly(to(&peer.url())).await.expect("an answer");
    assert_eq!(piece(&mut answer).await, Some(Ok("half".to_owned())));
    assert_eq!(piece(&mut answer).await, Some(Err(NetErrorKind::Reset)));
}

#[tokio::test]
async fn a_request_is_sent_once_however_it_fails() {
    let peer = Peer::start([Reply::default().reset(), Reply::whole(200, &[], "again")]);
    failed(plainly(to(&peer.url())).await, NetErrorKind::Reset, "broke");
    assert_eq!(peer.requests().len(), 1);
}

#[tokio::test]
async fn what_is_no_http_is_said_to_be_none() {
    let peer = Peer::start([Reply::default()
        .raw("220 smtp.example ESMTP\r\n\r\n")
        .close()]);
    let sent = plainly(to(&peer.url())).await;
    failed(sent, NetErrorKind::Body, "not HTTP");
    let peer = Peer::start([Reply::pieces(200, &[]).raw("what\r\nis this\r\n").close()]);
    let mut answer = plainly(to(&peer.url())).await.expect("an answer");
    assert_eq!(piece(&mut answer).await, Some(Err(NetErrorKind::Body)));
}

#[tokio::test]
async fn a_port_where_nobody_listens_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let sent = plainly(to(&format!("http://me:hunter2@{address}/v1?key=secret"))).await;
    let message = failed(sent, NetErrorKind::Refused, "does the server run");
    assert!(
        message.contains(&format!("http://{address}/v1 ")),
        "{message}"
    );
}

#[tokio::test]
async fn a_host_without_an_address_is_said_to_be_none() {
    let sent = plainly(to(&nowhere())).await;
    failed(sent, NetErrorKind::Dns, &nowhere());
}

#[tokio::test]
async fn a_redirect_is_an_error_and_the_key_stays() {
    let elsewhere = Peer::start([]);
    for status in [301, 302, 303, 307, 308] {
        let location = elsewhere.url().replace("://", "://me:hunter2@") + "/v2?token=secret";
        let peer = Peer::start([Reply::whole(status, &[("location", &location)], "")]);
        let sent = plainly(to(&peer.url())).await;
        let says = format!("{}/v2 ({status})", elsewhere.url());
        failed(sent, NetErrorKind::Redirect, &says);
    }
    assert!(elsewhere.requests().is_empty());
    let peer = Peer::start([Reply::whole(307, &[("location", "/v2")], "")]);
    let sent = plainly(to(&peer.url())).await;
    failed(
        sent,
        NetErrorKind::Redirect,
        &format!("{}/v2 (307)", peer.url()),
    );
    let peer = Peer::start([Reply::whole(302, &[], "nowhere")]);
    let answer = plainly(to(&peer.url())).await.expect("an answer");
    assert_eq!(answer.status, 302);
}

#[tokio::test]
async fn connecting_has_its_time() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let mut post = to(&format!("https://{address}/v1"));
    post.connect_timeout = Duration::from_millis(50);
    let sent = plainly(post).await;
    failed(sent, NetErrorKind::Timeout, "within 0.05 s");
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_before_anything_is_opened() {
    for url in [
        "",
        "provider.example/v1",
        "ftp://a.example",
        "file:///etc",
        "https://",
    ] {
        failed(
            plainly(to(url)).await,
            NetErrorKind::Url,
            "expected http://HOST",
        );
    }
    let peer = Peer::start([]);
    let mut post = to(&peer.url());
    post.headers = vec![("x-api-key".to_owned(), format!("{KEY}\n"))];
    failed(
        plainly(post.clone()).await,
        NetErrorKind::Header,
        "`x-api-key`",
    );
    post.headers = vec![("x api".to_owned(), KEY.to_owned())];
    failed(plainly(post).await, NetErrorKind::Header, "\"x api\"");
    assert!(peer.requests().is_empty());
}

#[test]
fn a_request_shows_no_secret() {
    let mut post = to("https://me:hunter2@a.example/v1?key=secret");
    post.proxy = Proxy::Url("http://me:hunter2@proxy.example:3128".to_owned());
    let shown = format!("{post:?}");
    assert!(shown.contains("https://a.example/v1"), "{shown}");
    for secret in [KEY, "hunter2", "secret"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}
