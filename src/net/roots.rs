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

const FILE: &str = "`SSL_CERT_FILE`";
const FOLDER: &str = "`SSL_CERT_DIR`";
const OWN: &str = "the provider's `ca`";
const EMPTY: &str = "there is no certificate in it";

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
        let mut roots = match self.is_named() {
            true => self.named()?,
            false => of_system(load_native_certs().certs),
        };
        if let Some(path) = ca {
            for certificate in own(path)? {
                let added = roots.add(certificate);
                added.map_err(|error| unusable(path, OWN, &error.to_string()))?;
            }
        }
        configured(roots)
    }

    fn is_named(&self) -> bool {
        self.file.is_some() || !self.folders.is_empty()
    }

    /// What stands in the place of the system's. One of the places may be missing, as with OpenSSL, but not all.
    fn named(&self) -> Result<RootCertStore, NetError> {
        let mut roots = RootCertStore::empty();
        let mut faults = Vec::new();
        let file = self.file.iter().map(|file| (FILE, file));
        for (from, path) in file.chain(self.folders.iter().map(|folder| (FOLDER, folder))) {
            let (file, folder) = match from {
                FILE => (Some(path.as_path()), None),
                _ => (None, Some(path.as_path())),
            };
            let loaded = load_certs_from_paths(file, folder);
            if roots.add_parsable_certificates(loaded.certs).0 == 0 {
                let why = loaded.errors.first().map(ToString::to_string);
                faults.push(unusable(path, from, why.as_deref().unwrap_or(EMPTY)));
            }
        }
        match faults.into_iter().next() {
            Some(fault) if roots.is_empty() => Err(fault),
            _ => Ok(roots),
        }
    }
}

/// The system's certificates; Mozilla's where it has none, as in a bare container.
fn of_system(certificates: Vec<CertificateDer<'static>>) -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
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
    let unusable = |why: &str| unusable(path, OWN, why);
    let pem = std::fs::read(path).map_err(|error| unusable(&error.to_string()))?;
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    let certificates = read.map_err(|error| unusable(&error.to_string()))?;
    if certificates.is_empty() {
        return Err(unusable(EMPTY));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mozillas_certificates_are_taken_where_the_system_has_none() {
        assert!(of_system(Vec::new()).len() > 50);
        let broken = CertificateDer::from(b"no certificate".to_vec());
        assert!(of_system(vec![broken]).len() > 50);
    }
}
