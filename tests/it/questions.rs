//! `question` at a real terminal: choices by number, words of their own, no answer; and without one it is not there.

use serde_json::json;

use crate::program::Program;
use crate::terminal::Terminal;

fn asking() -> String {
    let questions = json!({ "questions": [
        { "question": "Where does the \u{1b}[2Kstate go?", "header": "state", "options": [
            { "label": "a file", "description": "simple" }, { "label": "sqlite" }] },
        { "question": "Which parts?", "multiple": true, "options": [
            { "label": "reader" }, { "label": "writer" }, { "label": "tests" }] },
        { "question": "Anything else?" },
    ] });
    questions.to_string()
}

#[test]
fn the_person_chooses_by_number_or_answers_in_words() {
    let program = Program::new();
    let mut terminal = Terminal::open(&program, &["--as", "model", "call", "question", &asking()]);
    terminal.wait_for("1-2, or your own words: ");
    let screen = terminal.screen();
    for part in [
        "`question` waits for an answer",
        "the model asks (1 of 3): state",
        "   1  a file: simple",
        "   2  sqlite",
    ] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
    assert!(
        !terminal.raw().contains("\u{1b}[2Kstate"),
        "what is asked dresses nothing up"
    );
    terminal.send("3\r");
    terminal.send("2\r");
    terminal.wait_for("1-3, several parted by commas, or your own words: ");
    terminal.send("3, writer\r");
    terminal.wait_for("Anything else?: ");
    terminal.send("be quick\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    let screen = terminal.screen();
    for part in ["  sqlite", "  writer, tests", "  be quick"] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
    assert!(terminal.is_restored());
}

#[test]
fn a_script_gets_answers_as_data_and_what_stays_open_is_marked() {
    let program = Program::new();
    let code = format!(
        "local r = tools.question(agent.json.decode([==[{}]==]))
        print(r.answers[1].words, #r.answers[1].chosen, r.answers[2].chosen[1], r.answers[3].words, r.title)",
        asking()
    );
    program.write("ask.lua", code);
    let mut terminal = Terminal::open(&program, &["script", "ask.lua"]);
    terminal.wait_for("1-2, or your own words: ");
    assert!(terminal.screen().contains("a question (1 of 3): state"));
    terminal.send("in memory\r");
    terminal.wait_for("commas, or your own words: ");
    terminal.send("1\r");
    terminal.wait_for("Anything else?: ");
    terminal.send("\x04");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
    let words: Vec<String> = terminal
        .screen()
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let end = "in memory 0 reader nil 1 of 3 unanswered";
    assert!(words.join(" ").ends_with(end), "{}", terminal.screen());
}

#[test]
fn no_answer_at_all_is_a_refusal() {
    let program = Program::new();
    let asked = json!({ "questions": [{ "question": "Which?" }] }).to_string();
    let mut terminal = Terminal::open(&program, &["call", "AskUserQuestion", &asked]);
    terminal.wait_for("Which?: ");
    terminal.send("\x04");
    terminal.wait_for("error (rejected): the person gave no answer");
    assert_eq!(terminal.exit_code(), 3, "{}", terminal.screen());
}

#[test]
fn thinking_about_it_counts_against_no_limit() {
    let program = Program::new();
    let code = "
        local function asks() return agent.limit({ timeout = .3 }, function()
            return tools.question{ questions = { { question = 'Slow?' } } }.answers[1].words end) end
        print((agent.all(asks, function() agent.sleep(.6) io.open('late', 'w'):close() end)))";
    let mut terminal = Terminal::open(&program, &["eval", code]);
    terminal.wait_for("Slow?: ");
    let late = crate::running::until(program.patience(), || program.at("late").exists());
    assert!(late, "the other half never ended");
    terminal.send("at last\r");
    terminal.wait_for("\nat last");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.screen());
}

#[test]
fn where_nobody_is_there_it_is_not_there_either() {
    let program = Program::new();
    for caller in ["user", "model"] {
        let ran = program.run(&["-o", "json", "--as", caller, "call", "question", &asking()]);
        let error = &ran.exits(1).json()["error"];
        assert_eq!(error["kind"], "unavailable", "{ran}");
        assert_eq!(error["detail"]["unattended"], true, "{ran}");
    }
    program
        .run(&["tools"])
        .prints_part("nobody is there to answer");
    let shown = program.run(&["-o", "json", "tools", "question"]);
    assert_eq!(shown.json()["available"], false);
}

#[test]
fn what_is_no_question_is_told_before_anybody_is_asked() {
    let program = Program::new();
    for (questions, said) in [
        (json!([]), "questions: expected 1 to 10 questions, got 0"),
        (
            json!([{ "question": " " }]),
            "questions[1].question: expected a question",
        ),
        (
            json!([{ "question": "a", "options": [{ "label": "b" }, { "label": "b " }] }]),
            "questions[1].options[2].label: `b` is a choice already",
        ),
    ] {
        let asked = json!({ "questions": questions }).to_string();
        let mut terminal = Terminal::open(&program, &["call", "question", &asked]);
        terminal.wait_for(said);
        assert_eq!(terminal.exit_code(), 1, "{}", terminal.screen());
    }
}
