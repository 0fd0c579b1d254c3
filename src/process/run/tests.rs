//! Real processes, above all those that elsewhere make a run hang, leak or lie.

use std::ffi::OsString;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::*;
use crate::process::{Limits, child_environment};

fn bash(script: &str) -> Command {
    let mut command = Command::new("bash", ["-c", script], std::env::temp_dir());
    command.env = child_environment(std::env::vars_os(), &[], []);
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

fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// Polls until the process is gone; false when it never goes.
async fn goes(pid: u32) -> bool {
    let until = Instant::now() + Duration::from_secs(5);
    while is_running(pid) && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    !is_running(pid)
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
async fn a_background_process_neither_delays_nor_outlives_the_command() {
    let begun = Instant::now();
    let finished = finish(bash("sleep 300 & echo $!")).await;
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "did not wait for the pipe"
    );
    assert_eq!(finished.exit_code, 0);
    let [left] = &finished.ended[..] else {
        panic!("{:?}", finished.ended);
    };
    assert_eq!(text(&finished.stdout).trim().parse(), Ok(left.pid));
    assert!(!is_running(left.pid) && finished.left_running.is_empty());
}

#[tokio::test]
async fn a_chatty_background_loop_that_keeps_the_pipe_is_ended() {
    let finished = finish(bash("(while :; do echo noise; done) & echo $!; sleep 0.05")).await;
    let pid = text(&finished.stdout)
        .lines()
        .find_map(|line| line.parse().ok())
        .unwrap();
    assert!(!is_running(pid));
    assert!(finished.ended.iter().any(|left| left.pid == pid));
}

#[tokio::test]
async fn what_left_the_session_is_ended_too() {
    let script = "setsid sleep 300 & echo $!; setsid -f bash -c 'setsid sleep 301 & sleep 302' ; \
                  until [ $(pgrep -cf '^sleep 30[12]$') -ge 2 ]; do :; done";
    let finished = finish(bash(script)).await;
    assert_eq!(finished.exit_code, 0, "{}", text(&finished.merged));
    let pid = text(&finished.stdout).trim().parse().unwrap();
    assert!(!is_running(pid));
    let commands: Vec<_> = finished
        .ended
        .iter()
        .map(|left| left.command.as_str())
        .collect();
    for wanted in ["sleep 300", "sleep 301", "sleep 302"] {
        assert!(commands.contains(&wanted), "{wanted}: {commands:?}");
    }
    assert!(finished.ended.iter().all(|left| !is_running(left.pid)));
}

#[tokio::test]
async fn jobs_in_groups_of_their_own_are_ended() {
    let finished = finish(bash("set -m; sleep 300 >/dev/null 2>&1 & echo $!")).await;
    let pid: u32 = text(&finished.stdout).trim().parse().unwrap();
    assert!(finished.ended.iter().any(|left| left.pid == pid) && !is_running(pid));
}

#[tokio::test]
async fn a_timeout_is_a_result_that_keeps_the_output() {
    let script = "echo part; setsid sleep 300 & sleep 300";
    let finished = finish(bash_for(script, Duration::from_millis(200))).await;
    assert!(finished.timed_out);
    assert_eq!(
        (finished.exit_code, text(&finished.stdout)),
        (124, "part\n")
    );
    assert_eq!(finished.signal.as_deref(), Some("SIGTERM"));
    assert!(
        finished
            .ended
            .iter()
            .any(|left| left.command == "sleep 300")
    );
    assert!(finished.ended.iter().all(|left| !is_running(left.pid)));
}

#[tokio::test]
async fn gives_a_command_a_moment_to_end_itself() {
    let script = "trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.01; done";
    let finished = finish(bash_for(script, Duration::from_millis(200))).await;
    assert_eq!(text(&finished.stdout), "ready\ncleaned\n");
    assert_eq!((finished.exit_code, finished.signal), (124, None));
}

#[tokio::test]
async fn who_ignores_the_request_to_end_is_killed() {
    let begun = Instant::now();
    let script = "trap '' TERM; sleep 300";
    let finished = finish(bash_for(script, Duration::from_millis(100))).await;
    assert!(finished.timed_out && begun.elapsed() < Duration::from_secs(5));
    assert_eq!(
        (finished.exit_code, finished.signal.as_deref()),
        (124, Some("SIGKILL"))
    );
    assert!(finished.ended.iter().all(|left| !is_running(left.pid)));
}

#[tokio::test]
async fn a_stopped_process_is_ended() {
    let finished = finish(bash_for("kill -STOP $$", Duration::from_millis(100))).await;
    assert!(finished.timed_out);
    let script = "sleep 300 & kill -STOP $!; echo $!";
    let finished = finish(bash(script)).await;
    let pid: u32 = text(&finished.stdout).trim().parse().unwrap();
    assert!(finished.ended.iter().any(|left| left.pid == pid) && !is_running(pid));
}

#[tokio::test]
async fn a_crash_is_seen_at_once() {
    let begun = Instant::now();
    let finished = finish(bash("kill -SEGV $$")).await;
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(
        (finished.exit_code, finished.signal.as_deref()),
        (139, Some("SIGSEGV"))
    );
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
    assert_eq!(text(&finished.merged), "aX\n漢");
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
async fn what_still_reads_the_commands_output_may_finish() {
    let finished = finish(bash("exec > >(sleep 0.02; tr a-z A-Z); echo done")).await;
    assert_eq!(text(&finished.stdout), "DONE\n");
}

#[tokio::test]
async fn a_secret_of_ours_does_not_arrive() {
    let ours = [("PATH", "/usr/bin:/bin"), ("API_TOKEN", "secret")];
    let ours = ours.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let mut command = bash("env");
    command.env = child_environment(ours, &[], []);
    let finished = finish(command).await;
    assert!(
        !text(&finished.stdout).contains("secret"),
        "{}",
        text(&finished.stdout)
    );
    assert!(text(&finished.stdout).contains("GIT_TERMINAL_PROMPT=0"));
}

#[tokio::test]
async fn a_call_in_a_call_is_marked_as_its_descendant() {
    let mut command = bash("echo $AGENT_CALL");
    command.env.insert("AGENT_CALL".into(), "outer".into());
    let finished = finish(command).await;
    let inner = text(&finished.stdout)
        .trim()
        .strip_prefix("outer.")
        .unwrap();
    assert_eq!(inner.len(), 16);
}

#[tokio::test]
async fn dropping_the_future_ends_everything_and_leaves_no_zombie() {
    let script = "setsid sleep 300 & echo $!; sleep 300 & echo $!; echo ready; wait";
    let (task, group, printed) = until_printed(bash(script), "ready").await;
    let pids: Vec<u32> = printed
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    assert_eq!(pids.len(), 2);
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    for pid in pids {
        assert!(goes(pid).await, "{pid} lives on");
    }
    let leader = format!("/proc/{}", group.pid());
    let until = Instant::now() + Duration::from_secs(5);
    while std::path::Path::new(&leader).exists() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert!(!std::path::Path::new(&leader).exists(), "reaped");
}

#[tokio::test]
async fn the_group_is_ended_from_any_thread_and_never_twice() {
    let (task, group, _) = until_printed(bash("sleep 300 & echo ready; wait"), "ready").await;
    let twin = group.clone();
    std::thread::spawn(move || twin.kill()).join().unwrap();
    let finished = task.await.unwrap().unwrap();
    assert_eq!(
        (finished.exit_code, finished.signal.as_deref()),
        (137, Some("SIGKILL"))
    );
    group.kill(); // reaped: the id may be another's by now
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

#[tokio::test]
async fn many_at_once_keep_out_of_each_others_way() {
    let runs = (0..50).map(|n| {
        finish(bash(if n % 2 == 0 {
            "setsid sleep 300 & echo $!"
        } else {
            "echo odd"
        }))
    });
    for finished in futures_util::future::join_all(runs).await {
        assert_eq!(finished.exit_code, 0);
        match text(&finished.stdout).trim().parse::<u32>() {
            Ok(pid) => assert_eq!((finished.ended.len(), finished.ended[0].pid), (1, pid)),
            Err(_) => assert_eq!(finished.ended, []),
        }
    }
}

#[test]
fn the_future_may_travel_between_threads() {
    fn travels(_: impl Send) {}
    travels(run(bash("true"), |_| {}, |_, _| {}));
}
