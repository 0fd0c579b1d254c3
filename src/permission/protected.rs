//! Names that a model does not change unasked in any mode that asks less, and what counts as the same name.
//!
//! A rule may allow these, other than what is critical. A name that some file system takes for another one is that
//! one here: by case, by width, by letters that look and sort the same, by what is not seen, by what it ends in.

use super::bounds::{Bounds, absolute};
use super::{Group, Subject};

/// Folders in which a version control system keeps its own.
const INTERNALS: [&str; 7] = [".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", ".pijul"];

/// Files and folders that say what is run elsewhere when the project is pushed, wherever they stand.
const WORKFLOWS: [&str; 16] = [
    ".gitlab-ci.yml",
    ".circleci",
    ".travis.yml",
    ".drone.yml",
    ".buildkite",
    ".woodpecker",
    ".woodpecker.yml",
    ".cirrus.yml",
    ".appveyor.yml",
    "appveyor.yml",
    ".azure-pipelines",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
    ".teamcity",
    ".semaphore",
];

/// Files and folders in which programs find what they run by themselves, or how they are to run.
const OBEYED: [&str; 32] = [
    ".bazelrc",
    ".bunfig.toml",
    ".czrc",
    ".devcontainer",
    ".devcontainer.json",
    ".gdbinit",
    ".huskyrc",
    ".lefthook",
    ".lefthook-local.json",
    ".lefthook-local.toml",
    ".lefthook-local.yaml",
    ".lefthook-local.yml",
    ".lefthook.json",
    ".lefthook.toml",
    ".lefthook.yaml",
    ".lefthook.yml",
    ".lldbinit",
    ".mise.toml",
    ".npmrc",
    ".overcommit.yml",
    ".pnp.cjs",
    ".pnpmfile.cjs",
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    ".pre-commit-hooks.yaml",
    ".ripgreprc",
    ".tool-versions",
    ".yarn",
    ".yarnrc",
    ".yarnrc.yaml",
    ".yarnrc.yml",
    "mise.toml",
];

/// Names whose endings differ, as they begin, and a folder with such a file.
const SPELT: [&str; 2] = ["lefthook.", "lefthook-local."];
const CARGO: [&str; 2] = ["config", "config.toml"];

/// Folders with such files in one of their own.
const FORGES: [&str; 3] = [".github", ".gitea", ".forgejo"];

/// Why a change to `subject` is asked about, if it has such a name, asked for or real.
pub(super) fn why(subject: &Subject, bounds: &Bounds) -> Option<&'static str> {
    let real = subject
        .real
        .as_deref()
        .filter(|_| subject.group == Group::Edit)?;
    [&*subject.text, real].into_iter().find_map(|path| {
        let path = folded(&absolute(path, bounds));
        let parts: Vec<&str> = path.split('/').collect();
        named(&parts)
    })
}

fn named(parts: &[&str]) -> Option<&'static str> {
    let is_one_of = |names: &[&str]| parts.iter().any(|part| names.contains(part));
    let runs =
        |pair: &[&str]| FORGES.contains(&pair[0]) && matches!(pair[1], "workflows" | "actions");
    let is_spelt = |part: &&str| {
        let ends = SPELT.iter().find_map(|start| part.strip_prefix(start));
        ends.is_some_and(|end| matches!(end, "yml" | "yaml" | "toml" | "json"))
    };
    let builds = |pair: &[&str]| pair[0] == ".cargo" && CARGO.contains(&pair[1]);
    let is_obeyed = is_one_of(&OBEYED) || parts.iter().any(is_spelt);
    if is_one_of(&INTERNALS) {
        Some("what a version control system keeps for itself is asked about in every mode")
    } else if is_one_of(&WORKFLOWS) || parts.windows(2).any(runs) {
        Some("what is run when the project is pushed is asked about in every mode")
    } else if is_obeyed || parts.windows(2).any(builds) {
        Some("what programs run by themselves is asked about in every mode")
    } else {
        None
    }
}

/// A path with every name in the one form that all its variants have.
pub(super) fn folded(path: &str) -> String {
    if path.is_ascii() && !path.contains(['.', ' ', '~']) {
        return path.to_ascii_lowercase();
    }
    let parts: Vec<String> = path.split('/').map(name).collect();
    parts.join("/")
}

/// One name in this form.
fn name(part: &str) -> String {
    let mut name = String::with_capacity(part.len());
    for letter in part.chars() {
        match spelt(letter) {
            Some(plain) => name.push_str(plain),
            None => name.extend(plain(letter).to_lowercase()),
        }
    }
    let end = name.trim_end_matches(['.', ' ']).len();
    // `.` and `..` are no names.
    if end > 0 {
        name.truncate(end);
    }
    match name.as_str() {
        "git~1" => ".git".to_owned(),
        _ => name,
    }
}

/// A letter that stands for several, or for none.
fn spelt(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' => "",
        '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' => "",
        '\u{feff}' | '\u{e0000}'..='\u{e0fff}' => "",
        '\u{2025}' => "..",
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        _ => return None,
    })
}

/// The letter that another one is a form of.
fn plain(letter: char) -> char {
    let code = u32::from(letter);
    let from = |first: char, at: u32| char::from_u32(u32::from(first) + at).unwrap_or(letter);
    match code {
        0x17f => 's',
        0x212a => 'k',
        0x2024 | 0xfe52 => '.',
        0x2010..=0x2012 | 0x2212 | 0xfe63 => '-',
        0xfe33 | 0xfe34 | 0xfe4d..=0xfe4f => '_',
        0xa0 | 0x2000..=0x200a | 0x202f | 0x205f | 0x3000 => ' ',
        0xff01..=0xff5e => from('!', code - 0xff01),
        0x24b6..=0x24cf => from('a', code - 0x24b6),
        0x24d0..=0x24e9 => from('a', code - 0x24d0),
        0x1d400..=0x1d6a3 => from('a', (code - 0x1d400) % 26),
        0x1d7ce..=0x1d7ff => from('0', (code - 0x1d7ce) % 10),
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_of_a_name_is_that_name() {
        for (variant, plain) in [
            (".GIT/Hooks", ".git/hooks"),
            (".g\u{200c}it", ".git"),
            ("\u{ff0e}\u{ff47}\u{ff49}\u{ff54}", ".git"),
            (".git.", ".git"),
            (".git . ", ".git"),
            ("GIT~1/config", ".git/config"),
            (".ba\u{17f}hrc", ".bashrc"),
            (".hus\u{212a}y", ".husky"),
            (".config/\u{fb01}sh", ".config/fish"),
            ("\u{2024}agent", ".agent"),
            (".\u{1d41a}gent", ".agent"),
            (".\u{24d0}gent", ".agent"),
            ("a/../b/./c", "a/../b/./c"),
            ("...", "..."),
            ("/", "/"),
            ("Größe. ", "größe"),
        ] {
            assert_eq!(folded(variant), plain, "{variant:?}");
        }
        assert_eq!(folded("SRC/Main"), "src/main");
    }

    #[test]
    fn version_control_and_workflows_are_protected_and_their_like_is_not() {
        let bounds = Bounds {
            workspace: "/w".to_owned(),
            ..Bounds::default()
        };
        let is = |path: &str, real: &str| {
            let subject = Subject::path(Group::Edit, path, real, true);
            why(&subject, &bounds).is_some()
        };
        for path in [
            ".git/index",
            "sub/.hg/x",
            ".GitHub/Workflows/ci.yml",
            ".github/actions/x/action.yml",
            ".gitlab-ci.yml",
            "Jenkinsfile",
            ".ripgreprc",
            ".devcontainer/devcontainer.json",
            ".pre-commit-config.yaml",
            "lefthook.toml",
            "lefthook-local.yaml",
            ".lefthook.yml",
            ".npmrc",
            ".yarnrc.yml",
            "sub/.cargo/config.toml",
            "\u{ff0e}github/workflows/x.yml",
        ] {
            assert!(is(path, &format!("/w/{path}")), "{path}");
        }
        for path in [
            ".gitignore",
            ".github/CODEOWNERS",
            "git/x",
            "workflows/a.yml",
            "Makefile",
            "lefthook.md",
            ".cargo/credentials.md",
            "src/a.rs",
        ] {
            assert!(!is(path, &format!("/w/{path}")), "{path}");
        }
        assert!(
            is("link", "/w/.github/workflows/x.yml"),
            "where a link leads counts"
        );
        let read = Subject::path(Group::Read, ".git/index", "/w/.git/index", true);
        assert_eq!(why(&read, &bounds), None);
    }
}
