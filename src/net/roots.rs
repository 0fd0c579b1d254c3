//! Whom a connection trusts: the certificates of the system, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` put in
//! their place as with every program; where there are none at all, Mozilla's; and beside them the provider's own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use rustls_native_certs::{load_certs_from_paths, load_native_certs};

use super::{NetError, NetErrorKind};

/// Where the environment says that trusted certificates are.
pub(super) struct Trusted {
    file: Option<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Trusted {
    /// As the variables are set; nothing is read.
    pub(super) fn of(env: &BTreeMap<OsString, OsString>) -> Trusted {
        let set = |name: &str| {
            env.get(&OsString::from(name))
                .filter(|value| !value.is_empty())
        };
        let folders = set("SSL_CERT_DIR").map(|value| {
            let folders = std::env::split_paths(value);
            folders
                .filter(|folder| !folder.as_os_str().is_empty())
                .collect()
        });
        Trusted {
            file: set("SSL_CERT_FILE").map(PathBuf::from),
            folders: folders.unwrap_or_default(),
        }
    }

    /// TLS with these, and with those in the PEM file `ca`.
    pub(super) fn config(&self, ca: Option<&Path>) -> Result<ClientConfig, NetError> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(self.usual()?);
        if roots.is_empty() {
            roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        }
        for certificate in ca.map(own).transpose()?.unwrap_or_default() {
            roots.add(certificate).map_err(|error| {
                unusable(
                    ca.unwrap_or(Path::new("")),
                    "the provider's `ca`",
                    &error.to_string(),
                )
            })?;
        }
        configured(roots)
    }

    /// The certificates of the system, or what stands in their place.
    fn usual(&self) -> Result<Vec<CertificateDer<'static>>, NetError> {
        if self.file.is_none() && self.folders.is_empty() {
            return Ok(load_native_certs().certs);
        }
        let mut certificates = Vec::new();
        let file = self.file.as_deref().map(|file| ("`SSL_CERT_FILE`", file));
        let folders = self
            .folders
            .iter()
            .map(|folder| ("`SSL_CERT_DIR`", folder.as_path()));
        for (from, path) in file.into_iter().chain(folders) {
            let loaded = match from {
                "`SSL_CERT_FILE`" => load_certs_from_paths(Some(path), None),
                _ => load_certs_from_paths(None, Some(path)),
            };
            if let (true, Some(error)) = (loaded.certs.is_empty(), loaded.errors.first()) {
                return Err(unusable(path, from, &error.to_string()));
            }
            certificates.extend(loaded.certs);
        }
        Ok(certificates)
    }
}

/// TLS that trusts nobody, for connections without it.
pub(super) fn nobody() -> Result<ClientConfig, NetError> {
    configured(RootCertStore::empty())
}

fn configured(roots: RootCertStore) -> Result<ClientConfig, NetError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| NetError::new(NetErrorKind::Tls, format!("TLS cannot start: {error}")))?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The certificates in a provider's PEM file.
fn own(path: &Path) -> Result<Vec<CertificateDer<'static>>, NetError> {
    let unusable = |why: &str| unusable(path, "the provider's `ca`", why);
    let pem = std::fs::read(path).map_err(|error| unusable(&error.to_string()))?;
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    let certificates = read.map_err(|error| unusable(&error.to_string()))?;
    if certificates.is_empty() {
        return Err(unusable("there is no certificate in it"));
    }
    Ok(certificates)
}

fn unusable(path: &Path, from: &str, why: &str) -> NetError {
    NetError::new(
        NetErrorKind::Tls,
        format!(
            "no certificates from {}, which {from} names: {why}; expected PEM (`-----BEGIN CERTIFICATE-----`)",
            path.display()
        ),
    )
}
