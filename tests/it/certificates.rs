//! Whom a connection trusts, with a certificate authority made for the test.

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use agent::net::{Net, NetErrorKind, Post};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

use crate::peer::{Peer, Reply};
use crate::posting::{environment, failed, send, to};

/// Someone who signs certificates, and whom nobody trusts by itself.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::new([]).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let issuer = CertifiedIssuer::self_signed(params, key).expect("a certificate");
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("ca.pem"), issuer.pem()).expect("a PEM file");
        Authority { issuer, folder }
    }

    /// The PEM file with its certificate.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A server whose certificate it signed, for this machine.
    pub(crate) fn server(&self) -> ServerConfig {
        self.server_for(&["localhost", "127.0.0.1"])
    }

    fn server_for(&self, names: &[&str]) -> ServerConfig {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(names).expect("parameters");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions of TLS")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a certificate with its key")
    }
}

fn trusting(peer: &Peer, authority: &Authority) -> Post {
    let mut post = to(&peer.url());
    post.ca = Some(authority.file());
    post
}

#[tokio::test]
async fn a_ca_of_ones_own_is_trusted_where_it_is_named() {
    let authority = Authority::new();
    let peer = Peer::start_tls(
        (0..3).map(|_| Reply::whole(200, &[], "")),
        authority.server(),
    );
    let net = Net::new(&environment(&[]));
    let sent = send(&net, to(&peer.url())).await;
    let message = failed(sent, NetErrorKind::Tls, "UnknownIssuer");
    assert!(message.contains("the provider's `ca`"), "{message}");
    assert!(peer.requests().is_empty(), "nothing is said to a stranger");
    let answer = send(&net, trusting(&peer, &authority))
        .await
        .expect("an answer");
    assert_eq!(answer.status, 200);
    let file = authority.file();
    for (name, path) in [
        ("SSL_CERT_FILE", file.as_path()),
        ("SSL_CERT_DIR", authority.folder.path()),
    ] {
        let net = Net::new(&environment(&[(name, &path.to_string_lossy())]));
        let answer = send(&net, to(&peer.url())).await.expect(name);
        assert_eq!(answer.status, 200);
    }
}

#[tokio::test]
async fn the_ca_of_a_provider_is_trusted_beside_the_others() {
    let (one, other) = (Authority::new(), Authority::new());
    let net = Net::new(&environment(&[(
        "SSL_CERT_FILE",
        &one.file().to_string_lossy(),
    )]));
    for authority in [&one, &other] {
        let peer = Peer::start_tls([Reply::whole(200, &[], "")], authority.server());
        let answer = send(&net, trusting(&peer, &other))
            .await
            .expect("an answer");
        assert_eq!(answer.status, 200);
        let sent = send(&net, to(&peer.url())).await;
        assert_eq!(sent.is_ok(), std::ptr::eq(authority, &one));
    }
}

#[tokio::test]
async fn a_certificate_for_somebody_else_is_not_trusted() {
    let authority = Authority::new();
    let peer = Peer::start_tls([], authority.server_for(&["other.example"]));
    let sent = send(&Net::new(&environment(&[])), trusting(&peer, &authority)).await;
    failed(sent, NetErrorKind::Tls, "other.example");
    assert!(peer.requests().is_empty());
}

#[tokio::test]
async fn a_server_without_tls_is_said_to_be_one() {
    let peer = Peer::start([]);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        let (mut near, _) = listener.accept().expect("a connection");
        std::io::Write::write_all(&mut near, b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .expect("an answer");
        near.read_to_end(&mut Vec::new())
    });
    let url = peer
        .url()
        .replace(&peer.address().to_string(), &address.to_string());
    let sent = send(
        &Net::new(&environment(&[])),
        to(&url.replace("http:", "https:")),
    )
    .await;
    failed(sent, NetErrorKind::Tls, "is it http://");
}

#[tokio::test]
async fn certificates_are_read_when_a_secure_request_goes_out_and_not_before() {
    let authority = Authority::new();
    let missing = authority.folder.path().join("none.pem");
    let net = Net::new(&environment(&[(
        "SSL_CERT_FILE",
        &missing.to_string_lossy(),
    )]));
    let peer = Peer::start([Reply::whole(200, &[], "")]);
    let mut post = to(&peer.url());
    post.ca = Some(missing.clone());
    assert_eq!(send(&net, post).await.expect("an answer").status, 200);
    let sent = send(&net, to("https://127.0.0.1:1")).await;
    failed(sent, NetErrorKind::Tls, "`SSL_CERT_FILE`");
}

#[tokio::test]
async fn an_environment_that_names_no_certificate_is_not_passed_over() {
    let authority = Authority::new();
    let empty = tempfile::tempdir().expect("a temporary folder");
    let (empty, file) = (empty.path().to_string_lossy(), authority.file());
    let net = Net::new(&environment(&[("SSL_CERT_DIR", &empty)]));
    let sent = send(&net, to("https://127.0.0.1:1")).await;
    failed(
        sent,
        NetErrorKind::Tls,
        "`SSL_CERT_DIR` names: there is no certificate",
    );
    let variables = [
        ("SSL_CERT_DIR", &*empty),
        ("SSL_CERT_FILE", &file.to_string_lossy()),
    ];
    let peer = Peer::start_tls([Reply::whole(200, &[], "")], authority.server());
    let answer = send(&Net::new(&environment(&variables)), to(&peer.url())).await;
    assert_eq!(answer.expect("an answer").status, 200);
}

#[tokio::test]
async fn a_ca_file_without_a_certificate_is_refused() {
    let authority = Authority::new();
    let file = authority.folder.path().join("other.pem");
    let net = Net::new(&environment(&[]));
    for (text, says) in [
        (None, "No such file"),
        (Some("no certificate\n"), "no certificate in it"),
        (
            Some("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
            "expected PEM",
        ),
        (Some("-----BEGIN CERTIFICATE-----\n***\n"), "expected PEM"),
    ] {
        if let Some(text) = text {
            fs::write(&file, text).expect("a file");
        }
        let mut post = to("https://127.0.0.1:1");
        post.ca = Some(file.clone());
        let message = failed(send(&net, post).await, NetErrorKind::Tls, says);
        assert!(
            message.contains("other.pem, which the provider's `ca` names"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn http_2_is_spoken_where_it_is_offered() {
    let authority = Authority::new();
    let mut tls = authority.server();
    tls.alpn_protocols = vec![b"h2".to_vec()];
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let served = thread::spawn(move || {
        let (near, _) = listener.accept().expect("a connection");
        let session = ServerConnection::new(Arc::new(tls)).expect("a session");
        let mut preface = [0; 14];
        StreamOwned::new(session, near)
            .read_exact(&mut preface)
            .expect("a preface");
        preface
    });
    let mut post = to(&format!("https://{address}"));
    post.ca = Some(authority.file());
    let sent = send(&Net::new(&environment(&[])), post).await;
    failed(sent, NetErrorKind::Reset, "broke");
    assert_eq!(
        &served.join().expect("a server that served"),
        b"PRI * HTTP/2.0"
    );
}
