//! Questions at a real terminal: what they show, what each answer does, and that leaving restores it.
//! Each is about a file beside the workspace, which a person is asked about.

use crate::program::Program;
use crate::running::until;
use crate::terminal::Terminal;

/// A program beside whose workspace a file may be written, and the call that would write it.
fn asking(content: &str) -> (Program, Terminal) {
    let program = Program::new();
    let json = serde_json::json!({ "path": "../beside.txt", "content": content }).to_string();
    program.write("args.json", &json);
    let code = "tools.write(agent.json.decode(io.open('args.json'):read('a')))";
    let terminal = Terminal::open(&program, &["eval", code]);
    (program, terminal)
}

/// Waits until the script has made the file `path`.
fn appears(program: &Program, path: &str) {
    let made = until(program.patience(), || program.at(path).exists());
    assert!(made, "{path} never came");
}

#[test]
fn yes_does_it_once() {
    let (program, mut terminal) = asking("hello\n");
    terminal.wait_for("run it?");
    assert!(
        terminal.screen().contains("+hello"),
        "the question shows the change"
    );
    terminal.send("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(program.text("../beside.txt"), "hello\n");
    assert!(terminal.is_restored());
}

#[test]
fn no_with_a_reason_reaches_the_caller() {
    let (program, mut terminal) = asking("hello\n");
    terminal.wait_for("run it?");
    terminal.send("perhaps\r");
    terminal.send("n not there\r");
    terminal.wait_for("error (rejected): eval:1: the person said no: not there");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
    assert!(!program.at("../beside.txt").exists());
}

#[test]
fn control_characters_cannot_dress_up_the_question() {
    let (program, mut terminal) = asking("\u{1b}[2K\u{1b}[1Ainnocent\u{202e}\n");
    terminal.wait_for("run it?");
    assert!(terminal.raw().contains("\\x1b[2K") && terminal.raw().contains("\\u{202e}"));
    assert!(!terminal.raw().contains("\u{1b}[2K\u{1b}[1A"));
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3);
    assert!(!program.at("../beside.txt").exists());
}

#[test]
fn ctrl_c_at_the_question_leaves_and_restores() {
    let (program, mut terminal) = asking("hello\n");
    terminal.wait_for("run it?");
    terminal.send("\x03");
    assert_eq!(terminal.exit_code(), 130, "{}", terminal.screen());
    assert!(terminal.is_restored() && !program.at("../beside.txt").exists());
}

#[test]
fn a_second_question_waits_for_the_first() {
    let program = Program::new();
    let code = "agent.all(function() tools.write('../a.txt', 'one') end, function() tools.write('../b.txt', 'two') end)";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("run it?");
    terminal.send("y\r");
    // What is typed before a question is thrown away, so both must stand there first.
    terminal.wait_for("+one");
    terminal.wait_for("+two");
    terminal.send("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(
        (program.text("../a.txt"), program.text("../b.txt")),
        ("one".into(), "two".into())
    );
}

#[test]
fn the_end_of_input_is_a_no() {
    let (program, mut terminal) = asking("hello\n");
    terminal.wait_for("run it?");
    terminal.send("\x04");
    terminal.wait_for("?: \nerror (rejected): eval:1: the person said no");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
    assert!(!program.at("../beside.txt").exists());
}

#[test]
fn a_question_mark_explains_the_answers() {
    let (_program, mut terminal) = asking("hello\n");
    terminal.wait_for("run it?");
    terminal.send("?\r");
    terminal.wait_for("Ctrl-C");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
}

#[test]
fn what_ends_the_run_is_not_glued_to_the_question() {
    let program = Program::new();
    let args = ["--timeout", "1", "eval", "tools.write('../a.txt', 'x')"];
    let mut terminal = Terminal::open(&program, &args);
    terminal.wait_for("run it?");
    terminal.wait_for("?: \nerror: --timeout of 1 s passed");
    assert_eq!(terminal.exit_code(), 124, "{}", terminal.screen());
}

#[test]
fn a_call_that_was_ended_asks_nothing() {
    let program = Program::new();
    let code = "local function one() tools.write('../a.txt', 'one') end
        local function two() tools.write('../b.txt', 'two') end
        agent.try(agent.all, one, two, function() agent.sleep(.3) error('enough') end)
        tools.write('../c.txt', 'three')";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("+three");
    let screen = terminal.screen();
    assert!(
        screen.contains("+one") != screen.contains("+two"),
        "{screen}"
    );
    terminal.send("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(program.text("../c.txt"), "three");
    assert!(!program.at("../a.txt").exists() && !program.at("../b.txt").exists());
}

#[test]
fn what_is_critical_is_said_first() {
    let program = Program::new().file(".git/config", "[core]\n");
    let mut terminal = Terminal::open(&program, &["call", "delete", ".git"]);
    terminal.wait_for("run it?");
    let screen = terminal.screen();
    let warning = screen.find("warning: .git is the history of the repository");
    let asks = screen.find("delete asks: this is critical");
    assert!(warning.is_some() && warning < asks, "{screen}");
    terminal.send("n\r");
    assert_eq!(terminal.exit_code(), 3);
    assert!(program.at(".git/config").exists());
}

#[test]
fn a_script_asks_in_its_own_words() {
    let program = Program::new();
    let code = "
        local yes = agent.confirm('sure?\\nreally?', { default = false })
        local name = agent.input('name', { default = 'ann' })
        local colour, place = agent.select('colour', { 'red', 'blue' })
        print('got', yes, name, colour, place)";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("really? [y/N] ");
    terminal.send("perhaps\r");
    terminal.send("y\r");
    terminal.wait_for("name [ann]: ");
    terminal.send("\r");
    terminal.wait_for("1-2: ");
    assert!(
        terminal.screen().contains("   2  blue"),
        "{}",
        terminal.screen()
    );
    terminal.send("blue\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    let screen = terminal.screen();
    assert!(
        screen.contains("got\ttrue\tann\tblue\t2") || screen.contains("got     true"),
        "{screen}"
    );
}

#[test]
fn what_is_secret_is_not_shown_and_the_terminal_is_restored() {
    let program = Program::new();
    let code = "print(#agent.input('key', { secret = true }))";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("key: ");
    terminal.send("hush-hush\r");
    terminal.wait_for("\n9");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert!(!terminal.raw().contains("hush"), "{}", terminal.raw());
    assert!(terminal.is_restored());

    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("key: ");
    terminal.send("\x03");
    assert_eq!(terminal.exit_code(), 130, "{}", terminal.screen());
    assert!(terminal.is_restored());
}

#[test]
fn the_end_of_another_question_shows_nothing_of_a_secret() {
    let program = Program::new();
    let code = "
        local function seen(path) while not io.open(path) do agent.sleep(.01) end end
        local function asks() io.open('asked', 'w'):close() agent.confirm('more?') end
        local function ends() seen('end') error('enough') end
        local function other()
            seen('shown')
            agent.try(agent.all, asks, ends)
            io.open('ended', 'w'):close()
        end
        print(#agent.all(function() return agent.input('key', { secret = true }) end, other))";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("key: ");
    program.write("shown", "");
    appears(&program, "asked");
    program.write("end", "");
    appears(&program, "ended");
    terminal.send("hush-hush\r");
    terminal.wait_for("\n9");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert!(!terminal.raw().contains("hush"), "{}", terminal.raw());
    assert!(terminal.is_restored());
}

#[test]
fn no_answer_is_the_default_or_a_refusal() {
    let program = Program::new();
    let code = "print(agent.confirm('one', { default = true })) agent.input('two')";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("one [Y/n] ");
    terminal.send("\x04");
    terminal.wait_for("two: ");
    terminal.send("\x04");
    terminal.wait_for("error (rejected): eval:1: the person gave no answer: two");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
    assert!(terminal.screen().contains("true"));
}

#[test]
fn control_characters_cannot_dress_up_a_scripts_question() {
    let program = Program::new();
    let code =
        "agent.select('\\27[2Jwhich?\\27[1A', { 'a\\27[2K', 'b\\nc' }, { default = 'b\\nc' })";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("1-2 [2]: ");
    assert!(!terminal.raw().contains("\u{1b}[2J") && !terminal.raw().contains("a\u{1b}"));
    terminal.send("\r");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn thinking_about_a_scripts_question_counts_against_no_limit() {
    let program = Program::new();
    let code = "
        local function asks() return agent.limit({ timeout = 0.3 }, function() return agent.input('slow?') end) end
        print((agent.all(asks, function() agent.sleep(.6) io.open('late', 'w'):close() end)))";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("slow?: ");
    appears(&program, "late");
    terminal.send("at last\r");
    terminal.wait_for("\nat last");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
}

#[test]
fn what_is_taller_than_the_screen_is_agreed_to_once_it_was_all_shown() {
    let content: String = (0..60).map(|at| format!("row{at}\n")).collect();
    let (program, mut terminal) = asking(&content);
    terminal.wait_for("it was not all shown");
    let screen = terminal.screen();
    assert!(screen.starts_with("write asks:"), "{screen}");
    assert!(screen.contains("lines …") && screen.contains("row59") && !screen.contains("row30"));
    assert!(!screen.contains("[a]"), "no yes for good is offered");
    for early in ["y", "a"] {
        let before = terminal.screen().matches("run it?").count();
        terminal.send(&format!("{early}\r"));
        let again = until(program.patience(), || {
            terminal.screen().matches("run it?").count() > before
        });
        assert!(again, "{}", terminal.screen());
    }
    terminal.send("v\r");
    for _ in 0..3 {
        let before = terminal.screen().matches("more lines").count();
        terminal.wait_for("more lines");
        terminal.send("\r");
        let on = until(program.patience(), || {
            let screen = terminal.screen();
            screen.matches("more lines").count() > before || screen.contains("run it? [y]es")
        });
        assert!(on, "{}", terminal.screen());
        if terminal.screen().contains("run it? [y]es") {
            break;
        }
    }
    terminal.wait_for("run it? [y]es");
    let screen = terminal.screen();
    assert!(
        (0..60).all(|at| screen.contains(&format!("+row{at}"))),
        "{screen}"
    );
    assert!(!program.at("../beside.txt").exists());
    terminal.send("y\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    assert_eq!(program.text("../beside.txt"), content);
}

#[test]
fn a_yes_to_what_was_not_all_shown_is_given_in_so_many_words() {
    for (answer, code) in [("y!\r", 0), ("n\r", 3), ("v\r\x04", 3)] {
        let (program, mut terminal) = asking(&"x".repeat(5_000));
        terminal.wait_for("it was not all shown");
        terminal.send(answer);
        assert_eq!(terminal.exit_code(), code, "{}", terminal.screen());
        assert_eq!(program.at("../beside.txt").exists(), code == 0);
    }
}
