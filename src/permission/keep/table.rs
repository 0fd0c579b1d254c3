//! The commands of which a yes for good keeps the first words, each with what it never covers behind them.
//!
//! Not in it, on purpose: what runs other code with its arguments (`sh`, `python`, `node`, `xargs`, `find`, `env`,
//! `sudo`, `ssh`, `make`, `npx`, `docker run`, whatever installs), and what destroys (`rm`, `git reset`).

/// A program.
pub(super) struct Program {
    /// Its names, each after a blank.
    pub(super) names: &'static str,
    /// The options that may stand before and among the words that are kept. They are kept as they are.
    pub(super) options: &'static str,
    /// What is never covered behind them, whatever the command.
    pub(super) never: &'static str,
    /// The words that are kept, `?` for any, and what is never covered behind these.
    pub(super) rows: &'static [(&'static str, &'static str)],
}

/// What leads out of the folder.
macro_rules! elsewhere {
    () => {
        "/* ~* .. *../*"
    };
}

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "git",
        options: "-C= -P --no-pager --no-optional-locks --literal-pathspecs",
        never: concat!(
            elsewhere!(),
            " --upload-pack --receive-pack --exec --output --ext-diff --textconv --no-index",
            " --open-files-in-pager -O --strategy --pathspec-from-file --gpg-sign --no-verify"
        ),
        rows: &[
            ("status", ""),
            ("log", ""),
            ("diff", ""),
            ("show", ""),
            ("blame", "--contents"),
            ("shortlog", ""),
            ("describe", ""),
            ("rev-parse", ""),
            ("ls-files", ""),
            ("grep", "-f --file"),
            ("add", "-f --force -e --edit"),
            (
                "commit",
                "--amend -n -F --file -t --template -S -C -c --reuse-message --reedit-message",
            ),
            ("fetch", "*:* -f --force"),
            ("pull", "*:* -f --force -s -S"),
            (
                "push",
                "*:* +* -f --force --force-with-lease --force-if-includes -d --delete --mirror --prune",
            ),
            (
                "branch",
                "-f --force -d -D --delete -m -M --move -c -C --copy --edit-description",
            ),
            ("switch", "-f --force --discard-changes -C --force-create"),
            ("merge", "-s -S -F --file"),
            ("cherry-pick", "-S"),
            ("revert", "-S"),
            (
                "tag",
                "-f --force -d --delete -s -u --local-user --sign -F --file",
            ),
            ("stash list", ""),
            ("stash show", ""),
            ("stash push", ""),
        ],
    },
    Program {
        names: "cargo",
        options: "+* -q -v --quiet --verbose --locked --offline --frozen --color=",
        never: "--config -Z -C --manifest-path --target-dir --out-dir --artifact-dir --lockfile-path --open \
                --fix --config-file --tool-config-file --config-path",
        rows: &[
            ("build", ""),
            ("check", ""),
            ("clippy", ""),
            ("test", ""),
            ("bench", ""),
            ("doc", ""),
            ("fmt", ""),
            ("tree", ""),
            ("metadata", ""),
            ("nextest run", ""),
            ("nextest list", ""),
        ],
    },
    Program {
        names: "npm pnpm yarn bun",
        options: "-s --silent --if-present -r --recursive -w= --workspace= -F= --filter= --prefix=",
        never: "--script-shell --shell-emulator --node-options --prefix --userconfig --globalconfig --config* \
                -C --dir --cwd --preload --require --import -r --env-file --eval -e --print -p",
        rows: &[
            ("test", ""),
            ("run ?", ""),
            ("run-script ?", ""),
            ("ls", ""),
            ("outdated", ""),
        ],
    },
    Program {
        names: "docker podman",
        options: "--context= -c= -f= --file= -p= --project-name= --profile= --progress= --ansi=",
        never: "-H --host --config --context --url --connection",
        rows: &[
            ("ps", ""),
            ("images", ""),
            ("logs", ""),
            ("inspect", ""),
            ("info", ""),
            ("version", ""),
            ("stats", ""),
            ("top", ""),
            ("port", ""),
            ("compose up", "--force-recreate -V --renew-anon-volumes"),
            ("compose down", "-v --volumes --rmi"),
            ("compose ps", ""),
            ("compose logs", ""),
            ("compose pull", ""),
            ("compose start", ""),
            ("compose stop", ""),
            ("compose restart", ""),
        ],
    },
    Program {
        names: "docker-compose",
        options: "-f= --file= -p= --project-name= --profile= --progress= --ansi=",
        never: "-H --host --context",
        rows: &[
            ("up", "--force-recreate -V --renew-anon-volumes"),
            ("down", "-v --volumes --rmi"),
            ("ps", ""),
            ("logs", ""),
            ("pull", ""),
            ("start", ""),
            ("stop", ""),
            ("restart", ""),
        ],
    },
    Program {
        names: "kubectl",
        options: "-n= --namespace= --context= --cluster=",
        never: "--kubeconfig -s --server --token --as --as-group --as-uid --user --username --password \
                --certificate-authority --client-certificate --client-key --insecure-skip-tls-verify --context \
                --cluster --raw --cache-dir *secret*",
        rows: &[
            ("get", ""),
            ("describe", ""),
            ("logs", ""),
            ("top", ""),
            ("explain", ""),
            ("api-resources", ""),
            ("version", ""),
            ("rollout status", ""),
            ("rollout history", ""),
        ],
    },
    Program {
        names: "gh",
        options: "-R= --repo=",
        never: "-w --web --hostname",
        rows: &[
            ("pr list", ""),
            ("pr view", ""),
            ("pr diff", ""),
            ("pr checks", ""),
            ("pr status", ""),
            ("issue list", ""),
            ("issue view", ""),
            ("issue status", ""),
            ("run list", ""),
            ("run view", ""),
            ("release list", ""),
            ("release view", ""),
            ("repo view", ""),
            ("workflow list", ""),
            ("workflow view", ""),
        ],
    },
    Program {
        names: "go",
        options: "",
        never: concat!(
            elsewhere!(),
            " *.go *@* =-exec =-toolexec =-vettool =-overlay =-modfile =-modcacherw =-C =-o =-pkgdir =-compiler",
            " =-ldflags =-gcflags =-asmflags =-gccgoflags =-coverprofile =-cpuprofile =-memprofile =-blockprofile",
            " =-mutexprofile =-trace =-outputdir --*"
        ),
        rows: &[
            ("build", ""),
            ("test", ""),
            ("vet", ""),
            ("fmt", ""),
            ("list", ""),
            ("version", ""),
            ("mod tidy", ""),
            ("mod download", ""),
            ("mod verify", ""),
        ],
    },
    Program {
        names: "pip pip3",
        options: "",
        never: "--python --log --proxy --cert --path --cache-dir",
        rows: &[("list", ""), ("show", ""), ("freeze", ""), ("check", "")],
    },
    Program {
        names: "ruff",
        options: "",
        never: concat!(
            elsewhere!(),
            " --config --output-file -o --cache-dir --add-noqa --fix --unsafe-fixes"
        ),
        rows: &[("check", ""), ("format", "")],
    },
    Program {
        names: "systemctl",
        options: "--user --no-pager",
        never: "-H --host -M --machine --root --image",
        rows: &[
            ("status", ""),
            ("is-active", ""),
            ("is-enabled", ""),
            ("list-units", ""),
        ],
    },
];
