//! Real processes: what goes in, what comes out, what cannot be started. How they end: `ending`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::*;
use crate::process::{Filter, Limits, child_environment};

mod ending;

fn bash(script: &str) -> Command {
    let mut command = Command::new("bash", ["-c", script], std::env::temp_dir());
    command.env = child_environment(&std::env::vars_os().collect::<BTreeMap<_, _>>(), &[], []);
    command.timeout = Some(Duration::from_secs(30)); // only so that a defect does not hang the suite
    command
}

fn bash_for(script: &str, timeout: Duration) -> Command {
    let mut command = bash(script);
    command.timeout = Some(timeout);
    command
}

async fn finish(command: Command) -> Finished {
    run(command, |_| {}, |_, _| {}).await.unwrap()
}

fn text(captured: &crate::process::Captured) -> &str {
    std::str::from_utf8(&captured.bytes).unwrap()
}

/// Runs `command` beside a condition on its output; gives its group once `wanted` has been printed.
async fn until_printed(
    command: Command,
    wanted: &'static str,
) -> (
    tokio::task::JoinHandle<Result<Finished, ToolError>>,
    Group,
    String,
) {
    let group = Arc::new(Mutex::new(None));
    let (tell, mut told) = tokio::sync::watch::channel(String::new());
    let adopted = group.clone();
    let task = tokio::spawn(run(
        command,
        move |group| *adopted.lock().unwrap() = Some(group),
        move |_, bytes| tell.send_modify(|text| text.push_str(&String::from_utf8_lossy(bytes))),
    ));
    let printed = told
        .wait_for(|text| text.contains(wanted))
        .await
        .unwrap()
        .clone();
    let group = group.lock().unwrap().take().unwrap();
    (task, group, printed)
}

#[tokio::test]
async fn keeps_the_streams_apart_and_merged_with_the_exit_code() {
    let mut chunks = Vec::new();
    let command = bash("echo out; echo err >&2; exit 3");
    let finished = run(
        command,
        |_| {},
        |stream, bytes| chunks.push((stream, bytes.to_vec())),
    )
    .await
    .unwrap();
    assert_eq!(
        (text(&finished.stdout), text(&finished.stderr)),
        ("out\n", "err\n")
    );
    assert_eq!((finished.exit_code, finished.signal), (3, None));
    assert!(["out\nerr\n", "err\nout\n"].contains(&text(&finished.merged)));
    assert_eq!(chunks.len(), 2);
    assert!(!finished.timed_out && finished.ended.is_empty() && finished.left_running.is_empty());
}

/// Passes on each stream in capitals, and what it held back of it at the end.
struct Capitals;

impl Filter for Capitals {
    fn pass(&self, _: Stream, bytes: &[u8]) -> Vec<u8> {
        bytes.to_ascii_uppercase()
    }

    fn finish(&self, stream: Stream) -> Vec<u8> {
        stream.as_str().as_bytes().to_vec()
    }
}

#[tokio::test]
async fn a_filter_stands_before_all_that_is_kept_or_passed_on() {
    let mut command = bash("echo out; echo err >&2");
    command.filter = Some(Arc::new(Capitals));
    let mut passed = Vec::new();
    let sink = |_, bytes: &[u8]| passed.extend_from_slice(bytes);
    let finished = run(command, |_| {}, sink).await.unwrap();
    assert_eq!(text(&finished.stdout), "OUT\nstdout");
    assert_eq!(text(&finished.stderr), "ERR\nstderr");
    assert_eq!(finished.merged.bytes.len(), "OUT\nERR\nstdoutstderr".len());
    assert_eq!(passed, finished.merged.bytes);
}

#[tokio::test]
async fn shows_output_while_the_command_runs() {
    let mut command = bash("echo first; read line; echo $line");
    command.stdin = Some(b"second\n".to_vec());
    let (task, _, printed) = until_printed(command, "first\n").await;
    assert!(printed.starts_with("first\n"));
    assert_eq!(
        text(&task.await.unwrap().unwrap().merged),
        "first\nsecond\n"
    );
    let mut far = bash_for("echo shown; exec sleep 300", Duration::from_secs(20));
    far.stdin = None;
    let (task, group, _) = until_printed(far, "shown").await;
    group.kill();
    assert_eq!(task.await.unwrap().unwrap().exit_code, 137);
}

#[tokio::test]
async fn a_flood_is_kept_at_both_ends_in_bounded_memory() {
    let mut command = bash("yes 0123456789abcde | head -c 200M; echo end");
    command.capture = Limits {
        stream: 1 << 20,
        merged: 1 << 16,
    };
    let mut seen = 0u64;
    let finished = run(command, |_| {}, |_, bytes| seen += bytes.len() as u64)
        .await
        .unwrap();
    assert_eq!(seen, (200 << 20) + 4);
    assert_eq!(finished.stdout.dropped, seen - (1 << 20));
    assert_eq!(finished.merged.dropped, seen - (1 << 16));
    assert!(finished.stdout.bytes.len() < (1 << 20) + 64);
    assert!(text(&finished.stdout).starts_with("0123456789abcde\n"));
    assert!(text(&finished.stdout).ends_with("0123456789abcde\nend\n"));
}

#[tokio::test]
async fn bytes_that_are_no_text_arrive_as_they_are() {
    let finished = finish(bash(r"printf '\xff\xfe\0'")).await;
    assert_eq!(finished.stdout.bytes, b"\xff\xfe\0");
    let finished = finish(bash(r"printf 'a\xe6\xbc'")).await;
    assert_eq!(
        finished.merged.bytes, b"a\xe6\xbc",
        "the start of a character at the end"
    );
}

#[tokio::test]
async fn a_character_that_comes_in_two_parts_is_passed_on_in_one() {
    let mut chunks = Vec::new();
    let script = r"printf 'a\xe6'; sleep 0.05; echo X >&2; sleep 0.05; printf '\xbc\xa2'";
    let finished = run(bash(script), |_| {}, |_, bytes| chunks.push(bytes.to_vec()))
        .await
        .unwrap();
    assert!(
        chunks
            .iter()
            .all(|chunk| std::str::from_utf8(chunk).is_ok()),
        "{chunks:?}"
    );
    assert!(["aX\n漢", "a漢X\n"].contains(&text(&finished.merged)));
}

#[tokio::test]
async fn nothing_waits_for_somebody_to_type() {
    let finished = finish(bash("cat")).await;
    assert_eq!((finished.exit_code, finished.stdout.bytes.len()), (0, 0));
    let finished = finish(bash("read x </dev/tty")).await;
    assert!(
        finished.exit_code != 0 && !finished.timed_out,
        "there is no terminal"
    );
}

#[tokio::test]
async fn a_megabyte_goes_in_while_a_megabyte_comes_out() {
    let mut command = bash("cat");
    let bytes: Vec<u8> = (0..1u32 << 18).flat_map(u32::to_le_bytes).collect();
    command.stdin = Some(bytes.clone());
    assert_eq!(finish(command).await.stdout.bytes, bytes);
}

#[tokio::test]
async fn a_command_need_not_read_its_input() {
    let mut command = bash("exec <&-; echo fine");
    command.stdin = Some(vec![b'x'; 1 << 20]);
    let finished = finish(command).await;
    assert_eq!((finished.exit_code, text(&finished.stdout)), (0, "fine\n"));
    let mut empty = bash("cat; echo end");
    empty.stdin = Some(Vec::new());
    assert_eq!(text(&finish(empty).await.stdout), "end\n");
}

#[tokio::test]
async fn a_secret_of_ours_does_not_arrive() {
    let ours = [("PATH", "/usr/bin:/bin"), ("API_TOKEN", "secret")];
    let ours = ours.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let mut command = bash("env");
    command.env = child_environment(ours.iter().map(|(name, value)| (name, value)), &[], []);
    let finished = finish(command).await;
    assert!(
        !text(&finished.stdout).contains("secret"),
        "{}",
        text(&finished.stdout)
    );
    assert!(text(&finished.stdout).contains("GIT_TERMINAL_PROMPT=0"));
}

#[tokio::test]
async fn a_reader_that_leaves_ends_its_writer_quietly() {
    let finished = finish(bash("set -o pipefail; yes | head -n 1")).await;
    assert_eq!(
        (finished.exit_code, text(&finished.merged)),
        (141, "y\n"),
        "SIGPIPE is not ignored"
    );
}

#[tokio::test]
async fn a_program_is_found_as_the_child_would_find_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::fs::create_dir(folder.path().join("here")).unwrap();
    std::os::unix::fs::symlink("/bin/echo", folder.path().join("bin/say")).unwrap();
    for (program, path) in [("say", "/nowhere:../bin"), ("../bin/say", "/nowhere")] {
        let mut command = Command::new(program, ["hello"], folder.path().join("here"));
        command.env.insert("PATH".into(), path.into());
        assert_eq!(text(&finish(command).await.stdout), "hello\n");
    }
    std::fs::write(folder.path().join("bin/data"), "no program").unwrap();
    let mut command = Command::new("data", ["hello"], folder.path());
    command
        .env
        .insert("PATH".into(), folder.path().join("bin").into());
    let error = run(command, |_| {}, |_, _| {}).await.unwrap_err();
    assert_eq!(
        (error.kind, &error.message[..]),
        (Kind::Resource, "cannot start `data`: permission denied")
    );
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let refused = async |command| run(command, |_| {}, |_, _| {}).await.unwrap_err();
    let here = std::env::temp_dir();
    let no_args: [&str; 0] = [];
    let error = refused(Command::new("no-such-program", no_args, &here)).await;
    assert_eq!(
        (error.kind, &error.message[..]),
        (Kind::NotFound, "there is no program `no-such-program`")
    );
    let mut error = refused(Command::new("bash", no_args, "/no/such/folder")).await;
    assert_eq!(error.kind, Kind::NotFound);
    assert!(error.message.contains("/no/such/folder"), "{error}");
    error = refused(Command::new("bash", no_args, "/proc/version")).await;
    assert_eq!(error.kind, Kind::Argument);
    error = refused(Command::new("/proc/version", no_args, &here)).await;
    assert_eq!(error.kind, Kind::Resource, "{error}");
    error = refused(Command::new("bash", ["x".repeat(1 << 20)], &here)).await;
    assert_eq!(error.kind, Kind::Argument, "{error}");
    error = refused(bash("echo \0")).await;
    assert_eq!(error.kind, Kind::Argument);
    for (name, value) in [("A\0", ""), ("", ""), ("A=B", ""), ("A", "\0")] {
        let mut command = bash("true");
        command.env.insert(name.into(), value.into());
        assert_eq!(refused(command).await.kind, Kind::Argument);
    }
}

#[test]
fn the_future_may_travel_between_threads() {
    fn travels(_: impl Send) {}
    travels(run(bash("true"), |_| {}, |_, _| {}));
}
