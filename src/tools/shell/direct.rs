//! Commands that need no shell: their words are certain, and the first names a program.
//!
//! They are run as they were judged. Whatever a shell would do more for a line is left to the shell.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::permission;
use crate::process::{Command, Instead, find_program};

/// What bash does itself, and its grammar, by name: as `compgen -bk` lists it.
const ITS_OWN: &str = ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue \
    declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let \
    local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend \
    test times trap true type typeset ulimit umask unalias unset wait \
    if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc";

/// Variables that bash obeys, or that it would set otherwise than they are given.
const OBEYED: [&str; 9] = [
    "BASHOPTS",
    "ENV",
    "FUNCNEST",
    "OLDPWD",
    "POSIXLY_CORRECT",
    "PWD",
    "SHELLOPTS",
    "SHLVL",
    "_",
];

/// Makes of `command`, which runs `line` with a shell, one that runs its words, where that is the same; the shell
/// is left for what the system would not start: it says why, or reads the file as a script.
pub(super) fn direct(command: &mut Command, line: &str) {
    let Some((name, args, program)) = words(line, &command.env, &command.cwd) else {
        return;
    };
    // What bash hands down to a program.
    let folder = command.cwd.as_os_str().to_owned();
    let set = [("PWD", folder), ("SHLVL", "0".into()), ("_", program)];
    let set = set.map(|(name, value)| (OsString::from(name), value));
    command.instead = Some(Instead {
        program: std::mem::replace(&mut command.program, name),
        args: std::mem::replace(&mut command.args, args),
        without: set.iter().map(|(name, _)| name.clone()).collect(),
    });
    command.env.extend(set);
}

/// The name of the program, its arguments, and where it was found.
fn words(
    line: &str,
    env: &BTreeMap<OsString, OsString>,
    cwd: &Path,
) -> Option<(OsString, Vec<OsString>, OsString)> {
    let permission::Command::Plain(words) = permission::Command::read(line) else {
        return None;
    };
    let is_obeyed = |name: &OsString| {
        let name = name.to_string_lossy();
        name.starts_with("BASH_") || OBEYED.contains(&name.as_ref())
    };
    let (name, args) = words.split_first()?;
    let is_its_own = ITS_OWN.split_whitespace().any(|own| own == name);
    if is_its_own || env.keys().any(is_obeyed) {
        return None;
    }
    let path = env.get(OsStr::new("PATH"))?;
    let program = find_program(OsStr::new(name), Some(path), cwd).ok()?;
    let args = args.iter().map(OsString::from).collect();
    Some((name.into(), args, program.into_os_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_direct(line: &str, variable: &str) -> bool {
        let env = [("PATH", "/usr/bin:/bin"), (variable, "x")];
        let env = env.map(|(name, value)| (name.into(), value.into()));
        words(line, &BTreeMap::from(env), Path::new("/")).is_some()
    }

    #[test]
    fn only_plain_words_that_name_a_program_need_no_shell() {
        for line in [
            "ls",
            " ls -l 'a b' \"c\" d\\ e\n",
            "/bin/ls",
            "./x",
            "'ls' x",
        ] {
            assert!(is_direct(line, "X"), "{line:?}");
        }
        for line in [
            "echo a",
            "'echo' a",
            "true",
            "[ a ]",
            "time ls",
            "'if' x",
            "A=1 ls",
            "ls > x",
            "ls $x",
            "ls *",
            "ls ~",
            "ls; ls",
            "ls &",
            "ls # x",
            "! ls",
            "ls\nls",
            "no-such-program",
            "",
        ] {
            assert!(!is_direct(line, "X"), "{line:?}");
        }
        for variable in ["BASH_ENV", "BASH_FUNC_ls%%", "SHELLOPTS", "PWD", "_"] {
            assert!(!is_direct("ls", variable), "{variable}");
        }
    }

    #[test]
    fn all_that_this_bash_does_itself_is_known() {
        let told = std::process::Command::new("bash")
            .args(["-c", "compgen -bk"])
            .output()
            .unwrap();
        let told = String::from_utf8(told.stdout).unwrap();
        assert!(told.lines().count() > 50, "{told}");
        for name in told.lines() {
            assert!(ITS_OWN.split_whitespace().any(|own| own == name), "{name}");
        }
    }
}
