//! How a run ends and what it leaves behind: above all the commands that elsewhere hang, leak or lie.

use super::*;

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
    let folder = tempfile::tempdir().unwrap();
    let daemon = "setsid sleep 300 & echo $!; sleep 300 & echo $!; echo $$; touch ready; wait";
    let script = format!("setsid -f bash -c '{daemon}'; until [ -e ready ]; do :; done");
    let mut command = bash(&script);
    command.cwd = folder.path().to_owned();
    let finished = finish(command).await;
    assert_eq!(finished.exit_code, 0, "{}", text(&finished.merged));
    let pids: Vec<u32> = text(&finished.stdout)
        .lines()
        .map(|pid| pid.parse().unwrap())
        .collect();
    assert_eq!(pids.len(), 3);
    for pid in pids {
        assert!(finished.ended.iter().any(|left| left.pid == pid), "{pid}");
        assert!(!is_running(pid), "{pid} lives on");
    }
}

#[tokio::test]
async fn jobs_in_groups_of_their_own_are_ended() {
    let finished = finish(bash("set -m; sleep 300 >/dev/null 2>&1 & echo $!")).await;
    let pid: u32 = text(&finished.stdout).trim().parse().unwrap();
    assert!(finished.ended.iter().any(|left| left.pid == pid) && !is_running(pid));
}

#[tokio::test]
async fn a_timeout_is_a_result_that_keeps_the_output() {
    let script = "setsid sleep 300 & echo $!; sleep 300";
    let finished = finish(bash_for(script, Duration::from_millis(500))).await;
    assert!(finished.timed_out && finished.duration >= Duration::from_millis(500));
    assert_eq!(
        (finished.exit_code, finished.signal.as_deref()),
        (124, Some("SIGTERM"))
    );
    let pid: u32 = text(&finished.stdout).trim().parse().unwrap();
    let left = finished.ended.iter().find(|left| left.pid == pid).unwrap();
    assert_eq!(left.command, "sleep 300");
    assert!(finished.ended.iter().all(|left| !is_running(left.pid)));
    let finished = finish(bash_for("sleep 300", Duration::ZERO)).await;
    assert_eq!((finished.exit_code, finished.timed_out), (124, true));
    let finished = finish(bash_for("true", Duration::MAX)).await;
    assert_eq!((finished.exit_code, finished.timed_out), (0, false));
}

#[tokio::test]
async fn gives_a_command_a_moment_to_end_itself() {
    let script = "trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.01; done";
    let finished = finish(bash_for(script, Duration::from_millis(500))).await;
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
async fn what_still_reads_the_commands_output_may_finish() {
    let finished = finish(bash("exec > >(sleep 0.02; tr a-z A-Z); echo done")).await;
    assert_eq!(text(&finished.stdout), "DONE\n");
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
async fn a_group_ended_while_it_is_adopted_is_a_result_like_any() {
    let command = bash("sleep 300");
    let finished = run(command, |group| group.kill(), |_, _| {}).await.unwrap();
    assert_eq!((finished.exit_code, finished.timed_out), (137, false));
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
