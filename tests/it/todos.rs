//! `think` and the list of what is to be done, against the real program: who may use them, and what is refused.

use crate::program::Program;

const LIST: &str = r#"{"todos":[{"content":"read","status":"completed"},{"content":"mend","status":"in_progress","activeForm":"mending"},{"content":"drop","status":"cancelled"}]}"#;

#[test]
fn a_model_is_asked_about_neither_whatever_the_mode_lets_it_change() {
    let program = Program::new();
    for mode in ["default", "plan", "auto_edit"] {
        let options = ["--as", "model", "--mode", mode, "call"];
        program
            .run(&[&options[..], &["todo_write", LIST]].concat())
            .exits(0)
            .prints("1 of 2 done\n[x] read\n[>] mend\n[-] drop\n");
        program
            .run(&[&options[..], &["think", "so it is"]].concat())
            .exits(0)
            .prints("noted\n");
    }
    for options in [["--mode", "dont_ask"], ["--deny", "todowrite"]] {
        let words = [
            &["--as", "model"],
            &options[..],
            &["call", "TodoWrite", LIST],
        ]
        .concat();
        program.run(&words).exits(3).says("denied");
    }
    assert_eq!(program.at(".").read_dir().unwrap().count(), 0);
}

#[test]
fn the_list_is_that_of_the_session_and_is_replaced_whole_or_not() {
    let program = Program::new();
    let code = r#"
        assert(#tools.todo_read().todos == 0)
        tools.todo_write{ todos = { { content = "a", status = "in_progress", id = "1" }, { content = "b", priority = "low" } } }
        local two = { content = "c", status = "in_progress" }
        local ok, err = agent.try(tools.todo_write, { todos = { two, two } })
        assert(not ok and err.kind == "argument", err)
        local ok, wrong = agent.try(tools.todo_write, { todos = { { content = "c", status = "begun" } } })
        local list = tools.todo_read().todos
        return err.message, wrong.kind, #list, list[1].status, list[1].id, list[2].status, list[2].priority
    "#;
    program.run(&["eval", code]).exits(0).prints(
        "todos[2].status: todos[1] is `in_progress` already, and one at most can be\targument\t2\tin_progress\t1\tpending\tlow\n",
    );
}

#[test]
fn a_profile_that_helps_another_leaves_its_list_alone() {
    let program = Program::new();
    let options = ["--profile", "explore", "--as", "model", "call"];
    program
        .run(&[&options[..], &["todo_write", LIST]].concat())
        .exits(1)
        .says("the profile `explore` has not got the tool `todo_write`");
    let plan = [
        "--profile",
        "plan",
        "--as",
        "model",
        "call",
        "todo_write",
        LIST,
    ];
    program.run(&plan).exits(0).prints_part("[>] mend");
}
