//! The environment of a child: an allow-list of ours, settings under which no program waits, what the call gives.
//!
//! Pure. Nothing passes because it looks harmless: a name is on the list or it stays behind, so a
//! secret never passes by accident.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// The variable by which the descendants of a call are known; the value of a nested call begins with its parent's.
pub(super) const MARKER: &str = "AGENT_CALL";

/// The variable that says on whose behalf a program of ours acts: `model` where it is set by us.
pub const CALLER: &str = "AGENT_AS";

/// The variable that says how many command hooks stand around a process; it passes through everything below one.
pub const HOOKS_DEEP: &str = "AGENT_HOOKS_DEEP";

/// What passes, by its exact name.
const NAMES: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "TZ",
    "TMPDIR",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOPATH",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "NODE_PATH",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "CARGO_HTTP_CAINFO",
    "PIP_CERT",
    "AWS_CA_BUNDLE",
    MARKER,
    HOOKS_DEEP,
];

/// What passes, by how its name begins.
const PREFIXES: &[&str] = &["LC_", "XDG_"];

/// What passes in lower and upper case alike.
const PROXIES: &[&str] = &[
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "all_proxy",
    "no_proxy",
];

/// Under these no editor, pager or prompt waits for somebody who is not there.
const UNATTENDED: &[(&str, &str)] = &[
    ("EDITOR", "true"),
    ("VISUAL", "true"),
    ("GIT_EDITOR", "true"),
    ("GIT_SEQUENCE_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GCM_INTERACTIVE", "never"),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("PIP_NO_INPUT", "1"),
];

/// The environment of a child. `ours` is a snapshot of this process's; `allowed` are further names
/// that a person lets pass; `given` is what the call sets, stronger than all else.
pub fn child_environment<'a>(
    ours: impl IntoIterator<Item = (&'a OsString, &'a OsString)>,
    allowed: &[String],
    given: impl IntoIterator<Item = (OsString, OsString)>,
) -> BTreeMap<OsString, OsString> {
    let mut env = BTreeMap::from([("TERM".into(), "dumb".into())]);
    let passed = ours.into_iter().filter(|(name, _)| passes(name, allowed));
    env.extend(passed.map(|(name, value)| (name.clone(), value.clone())));
    let unattended = UNATTENDED.iter();
    env.extend(unattended.map(|(name, value)| (name.into(), value.into())));
    env.extend(given);
    env
}

fn passes(name: &OsStr, allowed: &[String]) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let lowercase = name.to_ascii_lowercase();
    let one_case = name == lowercase || name == name.to_ascii_uppercase();
    NAMES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || (one_case && PROXIES.contains(&lowercase.as_str()))
        || allowed.iter().any(|other| other == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        let owned = pairs.iter();
        owned
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    fn of(pairs: &[(OsString, OsString)]) -> impl Iterator<Item = (&OsString, &OsString)> {
        pairs.iter().map(|(name, value)| (name, value))
    }

    fn value<'a>(env: &'a BTreeMap<OsString, OsString>, name: &str) -> Option<&'a str> {
        env.get(OsStr::new(name))?.to_str()
    }

    #[test]
    fn passes_what_is_listed_and_nothing_else() {
        let ours = pairs(&[
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("XDG_CACHE_HOME", "/c"),
            ("http_proxy", "p"),
            ("HTTPS_PROXY", "q"),
            ("Http_Proxy", "odd"),
            ("SSL_CERT_FILE", "/f"),
            ("OPENAI_API_KEY", "secret"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("PATHS", "no"),
            ("LD_PRELOAD", "no"),
            ("BASH_ENV", "no"),
            ("DISPLAY", ":0"),
            ("CI", "true"),
            ("MINE", "yes"),
        ]);
        let env = child_environment(of(&ours), &["MINE".into()], pairs(&[]));
        let passed: Vec<_> = env
            .keys()
            .filter_map(|name| name.to_str())
            .filter(|name| UNATTENDED.iter().all(|(set, _)| set != name))
            .collect();
        assert_eq!(
            passed,
            [
                "HTTPS_PROXY",
                "LC_ALL",
                "MINE",
                "PATH",
                "SSL_CERT_FILE",
                "TERM",
                "XDG_CACHE_HOME",
                "http_proxy"
            ]
        );
    }

    #[test]
    fn leaves_no_program_waiting_unless_the_call_says_so() {
        let ours = pairs(&[("EDITOR", "vim"), ("PAGER", "less"), ("TERM", "xterm")]);
        let env = child_environment(
            of(&ours),
            &[],
            pairs(&[("PAGER", "more"), ("TOKEN", "given")]),
        );
        assert_eq!(value(&env, "EDITOR"), Some("true"));
        assert_eq!(value(&env, "GIT_TERMINAL_PROMPT"), Some("0"));
        assert_eq!(value(&env, "PAGER"), Some("more"));
        assert_eq!(
            value(&env, "TOKEN"),
            Some("given"),
            "what the call gives always passes"
        );
        assert_eq!(value(&env, "TERM"), Some("xterm"));
        let bare = child_environment([], &[], pairs(&[]));
        assert_eq!(value(&bare, "TERM"), Some("dumb"));
    }
}
